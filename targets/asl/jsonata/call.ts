import type { Call, Expression } from "../../../src/expressions/ast.ts";
import { canFail, factsOf, outputs } from "../../../src/expressions/facts.ts";
import { errorOf } from "../../../src/expressions/failure.ts";
import { apply, type Code, code, whole } from "./code.ts";
import { conditionText, isCondition } from "./conditions.ts";
import { each, operands, value } from "./each.ts";
import { fixedError } from "./errors.ts";
import { truth } from "./logic.ts";
import { type Mode, type Use, whenPresent } from "./modes.ts";
import { help, type Printer, refuse } from "./printer.ts";
import { eachSatisfied } from "./satisfies.ts";
import { membersText, stringText } from "./text.ts";

/** The outputs of a call. */
export function eachCall(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [first, second] = call.args as readonly [Expression, Expression];
  if (isCondition(call)) return use(conditionText(call, printer));
  switch (call.name) {
    case "first":
      return outputs(call) === "one" ? use(value(first, printer)) : whenPresent(value(first, printer), mode, printer, use);
    case "attribute":
      return each(first, printer, mode, (event) =>
        each(second, printer, mode, (name) => whenPresent(help(printer, "attributeOf", event, name), mode, printer, use)),
      );
    case "satisfies":
      return eachSatisfied(call, printer, mode, use);
    default:
      return operands(call.args, printer, mode, (values) => use(functionText(call, values, printer)));
  }
}

/** A function of values. */
function functionText(call: Call, values: readonly Code[], printer: Printer): Code {
  const [first] = call.args as readonly [Expression];
  const [a] = values as readonly [Code];
  switch (call.name) {
    case "not":
      return notText(first, a);
    case "type":
      return apply("type", a);
    case "text":
      return textOf(first, a, printer);
    case "merge":
      return merged(call.args, values, printer);
    case "absorb":
      return absorbed(call, values, printer);
    case "place":
      return placed(call, values, printer);
    case "changes":
      return help(printer, "changesOf", ...values);
    case "error":
      return failure(first, a, printer);
    default:
      return refuse(`the function \`${call.name}\``, call);
  }
}

function notText(expression: Expression, item: Code): Code {
  const held = truth(expression, item);
  return held.text.startsWith("$not(") && factsOf(expression).type !== "boolean" ? code(held.text.slice(5, -1), 3) : apply("not", held);
}

function textOf(expression: Expression, item: Code, printer: Printer): Code {
  const { type } = factsOf(expression);
  if (type === "string") return item;
  return type === "boolean" || type === "null" ? apply("string", item) : help(printer, "textOf", item);
}

/** Into an object anything can be merged. */
function merged([target]: readonly Expression[], values: readonly Code[], printer: Printer): Code {
  return help(printer, factsOf(target!).type === "object" ? "blend" : "mergeInto", ...values);
}

function absorbed(call: Call, [a, b, k]: readonly Code[], printer: Printer): Code {
  const [, item, key] = call.args as readonly [Expression, Expression, Expression];
  if (factsOf(item).type === "object") return merged(call.args, [a!, b!], printer);
  if (key.kind === "literal" && key.value === "__proto__") refuse("a member named `__proto__`", call);
  return help(printer, "absorb", a!, b!, textOf(key, k!, printer));
}

function placed(call: Call, [a, , c]: readonly Code[], printer: Printer): Code {
  const [target, path] = call.args as readonly [Expression, Expression, Expression];
  if (path.kind !== "literal") refuse("a place that is computed", call);
  const names = Array.isArray(path.value) ? path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name))) : [];
  if (names.includes("__proto__")) refuse("a place named `__proto__`", call);
  if (names.length === 0) return canFail(target) ? code(`(${whole(a!)}; ${whole(c!)})`) : c!;
  const isObject = factsOf(target).type === "object";
  if (names.length === 1 && isObject) return code(`$merge([${whole(a!)}, ${membersText([[names[0]!, whole(c!)]])}])`);
  const where = names.length === 1 ? stringText(names[0]!) : `[${names.map(stringText).join(", ")}]`;
  return help(printer, isObject ? "setAt" : "placeAt", a!, code(where), c!);
}

function failure(expression: Expression, item: Code, printer: Printer): Code {
  if (expression.kind !== "literal") return help(printer, "raise", item);
  const { name, message } = errorOf(expression.value);
  return code(fixedError(name, message));
}
