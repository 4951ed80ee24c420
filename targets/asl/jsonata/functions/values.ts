import { type Call, type Expression, errorOf } from "../../../../src/expressions/index.ts";
import { apply, type Code, code, constantCode, discarding, infix, precedence } from "../code.ts";
import { constantOf, help, type Printer, refuse, typeIn, variableCode } from "../context.ts";
import { errorCall, failedElsewhere, fixedError } from "../errors.ts";
import { test } from "../printer.ts";
import { type Family, helper, refused, value } from "./descriptor.ts";

/** Functions of any value: its truth, its type, its text, and failing with it. */
export const values: Family = {
  "not/1": value((call, [item], printer) => notText(call.args[0]!, item!, printer)),
  "type/1": value(({ args: [value] }, [item], printer) => {
    const type = printer.caught ? undefined : typeIn(value!, printer);
    return type === undefined ? apply("type", item!) : discarding(item!, constantCode(`"${type}"`));
  }),
  "isfinite/1": value((_, [item]) => infix("=", precedence.comparison, apply("type", item!), constantCode('"number"'))),
  "isinfinite/1": value((_, [item]) => discarding(item!, constantCode("false"))),
  "isnan/1": value((_, [item]) => discarding(item!, constantCode("false"))),
  "text/1": value((call, [item], printer) => textOf(call.args[0]!, item!, printer)),
  "tostring/1": value((call, [item], printer) => jqTextOf(call, item!, printer)),
  "tojson/1": value((call, [item], printer) => jsonText(call, item!, printer)),
  "format/2": value((call, [item], printer) => formatted(call, item!, printer)),
  "tonumber/1": helper("toNumber"),
  "toboolean/1": helper("toBoolean"),
  "error/1": value((call, [item], printer) => failure(call.args[0]!, item!, printer)),
  ...refused("fromjson/1 isnormal/1 any/1 all/1"),
  ...refused("infinite/0", "`infinite`"),
  ...refused("nan/0", "`nan`"),
};

function notText(expression: Expression, item: Code, printer: Printer): Code {
  const { holds, negated } = test(expression, item, printer);
  return negated ? holds : apply("not", holds);
}

/** A text itself, anything else as JSON: `$textOf($x)`. */
export function textOf(expression: Expression, item: Code, printer: Printer): Code {
  const type = typeIn(expression, printer);
  if (type === "string") return item;
  return type === "boolean" || type === "null" ? apply("string", item) : help(printer, "textOf", item);
}

/** The same as jq writes it: numbers have other digits there. */
const jqTextOf = (call: Call, item: Code, printer: Printer): Code =>
  typeIn(call.args[0]!, printer) === "string"
    ? item
    : (simpleText(call, item, printer) ?? help(printer, "asText", item));

const jsonText = (call: Call, item: Code, printer: Printer): Code =>
  simpleText(call, item, printer) ?? help(printer, "jsonOf", item);

function simpleText({ args }: Call, item: Code, printer: Printer): Code | undefined {
  const type = typeIn(args[0]!, printer);
  if (type === "boolean" || type === "null") return apply("string", item);
  return type === "number" ? help(printer, "numberText", item) : undefined;
}

/** The helpers for the formats of jq that JSONata can write. */
const formats: ReadonlyMap<unknown, string> = new Map([
  ["html", "asHtml"],
  ["uri", "asUri"],
]);

/** `@html` → `$asHtml($x)`. */
function formatted(call: Call, item: Code, printer: Printer): Code {
  const name = constantOf(call.args[1]!);
  if (name === "text") return jqTextOf(call, item, printer);
  if (name === "json") return jsonText(call, item, printer);
  const known = formats.get(name);
  return known
    ? help(printer, known, item)
    : refuse(typeof name === "string" ? `the format \`@${name}\`` : "a format that is computed", call);
}

/** `error({"name": "Late", "message": "…"})` → `$error("waybill:Late: …")`. */
function failure(expression: Expression, item: Code, printer: Printer): Code {
  if (!printer.caught && expression.kind === "variable" && expression.name === failedElsewhere)
    return code(errorCall(variableCode(printer.variableText(failedElsewhere)).text));
  if (expression.kind !== "literal" || printer.caught) return help(printer, "raise", item);
  const { name, message } = errorOf(expression.value);
  return code(fixedError(name, message));
}
