import {
  type Call,
  canFail,
  type Expression,
  isLargeRegexp,
  type RegexPattern,
  type RegexpMember,
  type RegexpPart,
  readRegexp,
  regexpSource,
} from "../../../../src/expressions/index.ts";
import { apply, type Code, code, discarding, equal, linked, patternText } from "../code.ts";
import { constantOf, help, type Mode, type Printer, refuse, type Use } from "../context.ts";
import { collect, tested, whenPresent } from "../outputs.ts";
import { eachOutput, firstOutput } from "../printer.ts";
import { condition, eachOf, type Family, refused, value } from "./descriptor.ts";

/** The functions of JSONPath, and what asks whether a text has a match. */
export const patterns: Family = {
  "nodeLength/1": eachOf(eachPathFunction),
  "nodeCount/1": eachOf(eachPathFunction),
  "nodeValue/1": eachOf(eachPathFunction),
  "nodeMatches/2": condition(matchingText),
  "nodeSearches/2": condition(matchingText),
  "_test/2": value((call, [text], printer) => searched(call, text!, printer)),
  ...refused("_match/3 _captured/1 _scanned/1 _between/2 _replaced/3", "the matches of a regular expression"),
};

/**
 * The functions `length`, `count` and `value` of JSONPath: `$lengthOfNode($x)`, `$count($boxes)`,
 * `$valueOfNodes($boxes)`.
 */
function eachPathFunction(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  if (printer.caught && canFail(call))
    return refuse(`\`${call.name}\` of what may fail where its failing would be caught`, call);
  const [argument] = call.args as readonly [Expression];
  if (call.name === "nodeLength")
    return whenPresent(help(printer, "lengthOfNode", firstOutput(argument, printer)), mode, printer, use);
  const boxes = eachOutput(argument, printer, collect, collect.pass);
  return call.name === "nodeCount"
    ? use(apply("count", boxes))
    : whenPresent(help(printer, "valueOfNodes", boxes), mode, printer, use);
}

/**
 * The functions `match` and `search` of JSONPath, `$type($x) = "string" and $contains($x, /^a$/)`, whose pattern has to
 * be written out.
 */
function matchingText(call: Call, printer: Printer): Code {
  const [node, pattern] = call.args as readonly [Expression, Expression];
  const text = constantOf(pattern);
  if (text === undefined) return refuse("a pattern that is computed", call);
  if (typeof text === "string" && isLargeRegexp(text)) return refuse("a pattern that is so large", call);
  const parts = typeof text === "string" ? readRegexp(text) : undefined;
  const item = firstOutput(node, printer);
  if (!parts) return discarding(item, code("false"));
  const found = patternText(
    regexpSource(
      parts.map((part) => unitsOf(part) ?? refuse(`the pattern \`${text}\``, call)),
      call.name === "nodeMatches",
    ),
  );
  return tested(item, printer, (known) =>
    linked("and", [equal(apply("type", known), code('"string"')), apply("contains", known, code(found))]),
  );
}

/** Characters beyond the basic plane as pairs, and halves of pairs that stand alone. */
const beyond =
  "[\\ud800-\\udbff][\\udc00-\\udfff]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";

/** A part of a pattern by UTF-16 units, as JSONata has no flag `u`; undefined where there is none. */
function unitsOf(part: RegexpPart): RegexpPart | undefined {
  switch (part.kind) {
    case "any":
      return { kind: "syntax", text: `(?:[^\\n\\r\\ud800-\\udfff]|${beyond})` };
    case "character":
      return part.character.length > 1 ? { kind: "syntax", text: `(?:${part.character})` } : part;
    case "class": {
      if (!part.members.every(isBasic)) return undefined;
      if (!part.negated) return part;
      const surrogates: RegexpMember = { kind: "range", from: "\ud800", to: "\udfff" };
      const basic = regexpSource([{ ...part, members: [...part.members, surrogates] }], false);
      return { kind: "syntax", text: `(?:${basic}|${beyond})` };
    }
    case "category":
      return undefined;
    default:
      return part;
  }
}

/** Whether all characters of a range stand for themselves as UTF-16 units. */
const isBasic = (member: RegexpMember): boolean =>
  member.kind === "range" &&
  [member.from, member.to].every((end) => end.length === 1) &&
  (member.to < "\ud800" || member.from > "\udfff");

/** A regular expression of JSONata. `wantsAscii`: it finds the same as the given one only in texts of ASCII. */
interface JsonataRegex {
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

/**
 * A regular expression of JavaScript as one of JSONata, which has neither the flag `u` nor what needs it; undefined
 * where there is none.
 */
function regexOf({ source, flags }: RegexPattern): JsonataRegex | undefined {
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

/**
 * Whether a text has a match of a regular expression, as JavaScript without the flag `u` finds it:
 * `$searchedIn($x, /a+/)`.
 */
function searched(call: Call, item: Code, printer: Printer): Code {
  const pattern = constantOf(call.args[1]!) as RegexPattern | undefined;
  const regex = pattern && regexOf(pattern);
  if (!regex) return refuse("this regular expression", call);
  return help(printer, regex.wantsAscii ? "searchedInAscii" : "searchedIn", item, code(regex.text));
}
