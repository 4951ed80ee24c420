import type { RegexPattern } from "../../../src/expressions/index.ts";
import { patternText } from "./text.ts";

/** A regular expression of JSONata. `wantsAscii`: it finds the same as the given one only in texts of ASCII. */
export interface JsonataRegex {
  readonly text: string;
  readonly wantsAscii: boolean;
}

/** What of ASCII the properties of characters cover that the translation of jq's regular expressions uses. */
const properties: ReadonlyMap<string, string> = new Map([
  ["Nd", "0-9"],
  ["N", "0-9"],
  ["L", "A-Za-z"],
  ["Lu", "A-Z"],
  ["Ll", "a-z"],
  ["M", ""],
  ["Pc", "_"],
  ["space", "\\t-\\r "],
]);

/** A regular expression of JavaScript as one of JSONata, which has neither the flag `u` nor what needs it; undefined where there is none. */
export function regexOf({ source, flags }: RegexPattern): JsonataRegex | undefined {
  const plain = withoutProperties(source);
  if (plain === undefined || /[sm]/.test(flags) || /[\ud800-\udfff]|\\[ukP]|\(\?<[^=!]/.test(plain)) return undefined;
  const caseless = flags.includes("i");
  return {
    text: `${patternText(plain)}${caseless ? "i" : ""}`,
    wantsAscii: caseless || plain !== source || /\[\^|\.|\\[DWSB]/.test(source),
  };
}

/** The source with ranges of characters in place of properties. */
function withoutProperties(source: string): string | undefined {
  let isInside = false;
  let text = "";
  for (const [part] of source.matchAll(/\\p\{\w+\}|\\.|[\s\S]/g)) {
    if (part === "[" || part === "]") isInside = part === "[";
    const property = /^\\p\{(\w+)\}$/.exec(part)?.[1];
    const range = property === undefined ? part : properties.get(property);
    if (range === undefined || (range === "" && !isInside)) return undefined;
    text += property === undefined || isInside ? range : `[${range}]`;
  }
  return text;
}
