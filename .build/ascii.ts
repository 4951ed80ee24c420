import { parse, type Token, tokTypes } from "acorn";

/**
 * Escapes the characters outside ASCII in the literals of a script. V8 holds a script with any other character as
 * two-byte text, and then loads it several times slower from the code cache. Throws if an escape would change what the
 * script does.
 */
export function toAscii(code: string): string {
  if (isAscii(code)) return code;
  const tokens: Token[] = [];
  parse(code, { ecmaVersion: "latest", sourceType: "script", onToken: tokens });
  let text = "";
  let end = 0;
  for (const [i, { type, start, end: tokenEnd }] of tokens.entries()) {
    const literal = code.slice(start, tokenEnd);
    if (!literals.has(type) || isAscii(literal)) continue;
    const isTagged = tokens[i - 1]?.type === tokTypes.backQuote && tags.has(tokens[i - 2]?.type);
    if (isTagged || escapedCharacter.test(literal)) throw new Error(`Cannot escape ${literal.slice(0, 80)}.`);
    text += code.slice(end, start) + literal.replace(/[^\0-\x7f]/g, escapeUnit);
    end = tokenEnd;
  }
  text += code.slice(end);
  if (!isAscii(text)) throw new Error(`Cannot escape ${/[^\0-\x7f].{0,80}/.exec(text)![0]}.`);
  return text;
}

const literals: ReadonlySet<unknown> = new Set([tokTypes.string, tokTypes.template, tokTypes.regexp]);

/** What ends a tag, such as `String.raw`, which reads escapes as they are written. */
const tags: ReadonlySet<unknown> = new Set([tokTypes.name, tokTypes.parenR, tokTypes.bracketR]);

const escapedCharacter = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]/;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
