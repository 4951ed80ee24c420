import { type Call, type Expression, errorOf } from "../../../../src/expressions/index.ts";
import type { Json } from "../../../../src/json.ts";
import { type Code, callCode, code, constantCode, evaluateThen, infix, precedence } from "../code.ts";
import { callHelper, constantOf, type JsonataPrinter, reject, typeNameIn, variableCode } from "../context.ts";
import { errorCall, fixedError, outerFailure } from "../errors.ts";
import { truthTest } from "../printer.ts";
import { type FunctionPrinters, helper, unsupported, value } from "./descriptor.ts";

/** Functions of any value: truth, type, conversion and errors. */
export const values: FunctionPrinters = {
  "not/1": value((call, [item], printer) => notCode(call.args[0]!, item!, printer)),
  "type/1": value(({ args: [value] }, [item], printer) => {
    const type = printer.catchesFailures ? undefined : typeNameIn(value!, printer);
    return type === undefined ? callCode("type", item!) : evaluateThen(item!, constantCode(`"${type}"`));
  }),
  "isfinite/1": value((_, [item]) =>
    infix("=", precedence.comparison, callCode("type", item!), constantCode('"number"')),
  ),
  "isinfinite/1": value((_, [item]) => evaluateThen(item!, constantCode("false"))),
  "isnan/1": value((_, [item]) => evaluateThen(item!, constantCode("false"))),
  "text/1": value((call, [item], printer) => stringOf(call.args[0]!, item!, printer)),
  "tostring/1": value((call, [item], printer) => jqStringOf(call, item!, printer)),
  "tojson/1": value((call, [item], printer) => jsonOf(call, item!, printer)),
  "format/2": value((call, [item], printer) => formatCode(call, item!, printer)),
  "hash/2": value((call, [item, algorithm], printer) => {
    const text = stringOf(call.args[0]!, item!, printer);
    const isKnown = hashAlgorithms.includes(constantOf(call.args[1]!) ?? null);
    return isKnown ? callCode("hash", text, algorithm!) : callHelper(printer, "hashOf", text, algorithm!);
  }),
  "instant/1": helper("instantText"),
  "problem/3": helper("problem"),
  "problemName/2": helper("problemName"),
  "problemType/2": helper("problemType"),
  "problemStatus/2": helper("problemStatus"),
  "problemTitle/2": helper("problemTitle"),
  "problemDetail/2": helper("problemDetail"),
  "tonumber/1": helper("toNumber"),
  "toboolean/1": helper("toBoolean"),
  "error/1": value((call, [item], printer) => raiseCode(call.args[0]!, item!, printer)),
  ...unsupported("fromjson/1 isnormal/1 any/1 all/1"),
  ...unsupported("infinite/0", "`infinite`"),
  ...unsupported("nan/0", "`nan`"),
};

const hashAlgorithms: readonly Json[] = ["MD5", "SHA-1", "SHA-256", "SHA-384", "SHA-512"];

function notCode(expression: Expression, item: Code, printer: JsonataPrinter): Code {
  const { holds, negated } = truthTest(expression, item, printer);
  return negated ? holds : callCode("not", holds);
}

/** Converts to a string, other values as JSON. */
export function stringOf(expression: Expression, item: Code, printer: JsonataPrinter): Code {
  const type = typeNameIn(expression, printer);
  if (type === "string") return item;
  return type === "boolean" || type === "null" ? callCode("string", item) : callHelper(printer, "textOf", item);
}

const jqStringOf = (call: Call, item: Code, printer: JsonataPrinter): Code =>
  typeNameIn(call.args[0]!, printer) === "string"
    ? item
    : (simpleString(call, item, printer) ?? callHelper(printer, "asText", item));

const jsonOf = (call: Call, item: Code, printer: JsonataPrinter): Code =>
  simpleString(call, item, printer) ?? callHelper(printer, "jsonOf", item);

function simpleString({ args }: Call, item: Code, printer: JsonataPrinter): Code | undefined {
  const type = typeNameIn(args[0]!, printer);
  if (type === "boolean" || type === "null") return callCode("string", item);
  return type === "number" ? callHelper(printer, "numberText", item) : undefined;
}

/** The helpers for the jq formats that JSONata can express. */
const formats: ReadonlyMap<unknown, string> = new Map([
  ["html", "asHtml"],
  ["uri", "asUri"],
]);

/** `@html` → `$asHtml($x)`. */
function formatCode(call: Call, item: Code, printer: JsonataPrinter): Code {
  const name = constantOf(call.args[1]!);
  if (name === "text") return jqStringOf(call, item, printer);
  if (name === "json") return jsonOf(call, item, printer);
  const known = formats.get(name);
  return known
    ? callHelper(printer, known, item)
    : reject(typeof name === "string" ? `the format \`@${name}\`` : "a computed format", call);
}

/** `error({"name": "Late", "message": "…"})` → `$error("waybill:Late: …")`. */
function raiseCode(expression: Expression, item: Code, printer: JsonataPrinter): Code {
  if (!printer.catchesFailures && expression.kind === "variable" && expression.name === outerFailure)
    return code(errorCall(variableCode(printer.printVariable(outerFailure)).text));
  if (expression.kind !== "literal" || printer.catchesFailures) return callHelper(printer, "raise", item);
  const { name, message } = errorOf(expression.value);
  return code(fixedError(name, message));
}
