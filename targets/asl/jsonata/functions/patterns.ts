import {
  type Call,
  canFail,
  type Expression,
  isLargeRegexp,
  portableRegex,
  type RegexPattern,
  regexpSource,
} from "../../../../src/expressions/index.ts";
import { type Code, callCode, code, constantCode, equal, evaluateThen, logical, regexText } from "../code.ts";
import {
  callHelper,
  constantOf,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
  typeNameIn,
} from "../context.ts";
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

/** Requires a constant pattern: `$type($x) = "string" and $contains($x, /^a(?![\s\S])/)`. */
function matchCode(call: Call, printer: JsonataPrinter): Code {
  const [node, pattern] = call.args as readonly [Expression, Expression];
  const text = constantOf(pattern);
  if (text === undefined) return reject("a computed pattern", call);
  if (typeof text === "string" && isLargeRegexp(text)) return reject("a pattern this large", call);
  const source = typeof text === "string" ? regexpSource(text, call.name === "nodeMatches") : undefined;
  const item = firstOutput(node, printer);
  if (source === undefined) return evaluateThen(item, constantCode("false"));
  const regex = portableRegex(source) ?? reject(`the pattern \`${text}\``, call);
  return presentAnd(item, printer, (known) =>
    logical("and", [
      equal(callCode("type", known), constantCode('"string"')),
      callCode("contains", known, code(regexText(regex))),
    ]),
  );
}

function searchCode(call: Call, item: Code, printer: JsonataPrinter): Code {
  const pattern = constantOf(call.args[1]!);
  if (pattern === undefined) return reject("a computed regular expression", call);
  const { source, flags } = pattern as RegexPattern;
  const regex = portableRegex(source, flags);
  if (regex === undefined) return reject("this regular expression", call);
  return typeNameIn(call.args[0]!, printer) === "string"
    ? callCode("contains", item, code(regexText(regex)))
    : callHelper(printer, "searchedIn", item, code(regexText(regex)));
}
