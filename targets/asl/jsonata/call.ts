import type { Call, Expression } from "../../../src/expressions/ast.ts";
import { factsOf, outputs } from "../../../src/expressions/facts.ts";
import { errorOf } from "../../../src/expressions/failure.ts";
import { apply, type Code, code } from "./code.ts";
import { conditionText, isCondition } from "./conditions.ts";
import { each, operands, value } from "./each.ts";
import { fixedError } from "./errors.ts";
import { test } from "./logic.ts";
import { absorbText, mergeText, placeText } from "./merge.ts";
import { type Mode, type Use, whenPresent } from "./modes.ts";
import { help, type Printer, refuse } from "./printer.ts";
import { eachSatisfied } from "./satisfies.ts";

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
      return mergeText(call.args, values, printer);
    case "absorb":
      return absorbText(call, [a, values[1]!, textOf(call.args[2]!, values[2]!, printer)], printer);
    case "place":
      return placeText(call, values, printer);
    case "changes":
      return help(printer, "changesOf", ...values);
    case "error":
      return failure(first, a, printer);
    default:
      return refuse(`the function \`${call.name}\``, call);
  }
}

function notText(expression: Expression, item: Code): Code {
  const { holds, negated } = test(expression, item);
  return negated ? holds : apply("not", holds);
}

function textOf(expression: Expression, item: Code, printer: Printer): Code {
  const { type } = factsOf(expression);
  if (type === "string") return item;
  return type === "boolean" || type === "null" ? apply("string", item) : help(printer, "textOf", item);
}

function failure(expression: Expression, item: Code, printer: Printer): Code {
  if (expression.kind !== "literal") return help(printer, "raise", item);
  const { name, message } = errorOf(expression.value);
  return code(fixedError(name, message));
}
