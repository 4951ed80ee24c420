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
import { apply, type Code, code, constantCode, discarding, equal, linked, patternText } from "../code.ts";
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
  if (!parts) return discarding(item, constantCode("false"));
  const found = patternText(
    regexpSource(
      parts.map((part) => unitsOf(part) ?? refuse(`the pattern \`${text}\``, call)),
      call.name === "nodeMatches",
    ),
  );
  return tested(item, printer, (known) =>
    linked("and", [equal(apply("type", known), constantCode('"string"')), apply("contains", known, code(found))]),
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

/**
 * A regular expression of JavaScript as one of JSONata, which finds the same in any text: it has neither the flag `u` nor what needs it, so that what goes
 * by kinds of characters, or ignores case, has no counterpart; undefined for that.
 */
function regexOf({ source, flags }: RegexPattern): string | undefined {
  const isKind = /[\ud800-\udfff]|\[\^|\.|\\[ukpPDWSB]|\(\?<[^=!]/;
  if (/[sm]/.test(flags) || isKind.test(source)) return undefined;
  if (!flags.includes("i")) return patternText(source);
  return likeOthers.test(source) ? undefined : `${patternText(source)}i`;
}

/** Letters of which others than those of the other case are variants, and what may stand for such. */
const likeOthers = /[ksKS[\\\u0080-\uffff]/;

/**
 * Whether a text has a match of a regular expression, as JavaScript without the flag `u` finds it:
 * `$searchedIn($x, /a+/)`.
 */
function searched(call: Call, item: Code, printer: Printer): Code {
  const pattern = constantOf(call.args[1]!) as RegexPattern | undefined;
  const regex = pattern && regexOf(pattern);
  return regex === undefined ? refuse("this regular expression", call) : help(printer, "searchedIn", item, code(regex));
}
