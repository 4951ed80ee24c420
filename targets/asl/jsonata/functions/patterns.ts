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
import { type Code, callCode, code, constantCode, equal, evaluateThen, logical, patternText } from "../code.ts";
import { callHelper, constantOf, type JsonataPrinter, type Mode, type OutputContinuation, reject } from "../context.ts";
import { collect, presentAnd, whenPresent } from "../outputs.ts";
import { eachOutput, firstOutput } from "../printer.ts";
import { condition, eachOf, type FunctionPrinters, unsupported, value } from "./descriptor.ts";

/** JSONPath's functions, and jq's regular expression test. */
export const patterns: FunctionPrinters = {
  "nodeLength/1": eachOf(eachPathFunction),
  "nodeCount/1": eachOf(eachPathFunction),
  "nodeValue/1": eachOf(eachPathFunction),
  "nodeMatches/2": condition(matchCode),
  "nodeSearches/2": condition(matchCode),
  "_test/2": value((call, [text], printer) => searchCode(call, text!, printer)),
  ...unsupported("_match/3 _captured/1 _scanned/1 _between/2 _replaced/3", "the matches of a regular expression"),
};

function eachPathFunction(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (printer.catchesFailures && canFail(call))
    return reject(`\`${call.name}\` of an expression whose failure would be caught`, call);
  const [argument] = call.args as readonly [Expression];
  if (call.name === "nodeLength")
    return whenPresent(callHelper(printer, "lengthOfNode", firstOutput(argument, printer)), mode, printer, use);
  const boxes = eachOutput(argument, printer, collect, collect.pass);
  return call.name === "nodeCount"
    ? use(callCode("count", boxes))
    : whenPresent(callHelper(printer, "valueOfNodes", boxes), mode, printer, use);
}

/** Requires a constant pattern: `$type($x) = "string" and $contains($x, /^a$/)`. */
function matchCode(call: Call, printer: JsonataPrinter): Code {
  const [node, pattern] = call.args as readonly [Expression, Expression];
  const text = constantOf(pattern);
  if (text === undefined) return reject("a computed pattern", call);
  if (typeof text === "string" && isLargeRegexp(text)) return reject("a pattern this large", call);
  const parts = typeof text === "string" ? readRegexp(text) : undefined;
  const item = firstOutput(node, printer);
  if (!parts) return evaluateThen(item, constantCode("false"));
  const found = patternText(
    regexpSource(
      parts.map((part) => unitsOf(part) ?? reject(`the pattern \`${text}\``, call)),
      call.name === "nodeMatches",
    ),
  );
  return presentAnd(item, printer, (known) =>
    logical("and", [
      equal(callCode("type", known), constantCode('"string"')),
      callCode("contains", known, code(found)),
    ]),
  );
}

/** Surrogate pairs, or unpaired surrogates. */
const beyond =
  "[\\ud800-\\udbff][\\udc00-\\udfff]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";

/** In UTF-16 units, since JSONata has no flag `u`; undefined if that is impossible. */
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

const isBasic = (member: RegexpMember): boolean =>
  member.kind === "range" &&
  [member.from, member.to].every((end) => end.length === 1) &&
  (member.to < "\ud800" || member.from > "\udfff");

/** Undefined if the pattern needs the flag `u`, `s` or `m`, or Unicode case folding. */
function regexOf({ source, flags }: RegexPattern): string | undefined {
  const isKind = /[\ud800-\udfff]|\[\^|\.|\\[ukpPDWSB]|\(\?<[^=!]/;
  if (/[sm]/.test(flags) || isKind.test(source)) return undefined;
  if (!flags.includes("i")) return patternText(source);
  return hasCaseVariants.test(source) ? undefined : `${patternText(source)}i`;
}

/** Letters with further case variants, and constructs that may match such. */
const hasCaseVariants = /[ksKS[\\\u0080-\uffff]/;

/** With the semantics of JavaScript without the flag `u`. */
function searchCode(call: Call, item: Code, printer: JsonataPrinter): Code {
  const pattern = constantOf(call.args[1]!) as RegexPattern | undefined;
  const regex = pattern && regexOf(pattern);
  return regex === undefined
    ? reject("this regular expression", call)
    : callHelper(printer, "searchedIn", item, code(regex));
}
