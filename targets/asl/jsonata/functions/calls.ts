import {
  type Call,
  canFail,
  type Expression,
  equalExpressions,
  errorOf,
  object,
  outputs,
  variable,
} from "../../../../src/expressions/index.ts";
import { apply, type Code, choice, code, discarding, nothing } from "../code.ts";
import { help, type Mode, named, type Printer, refuse, type Use } from "../context.ts";
import { failedElsewhere, fixedError } from "../errors.ts";
import { typeIn } from "../knowledge.ts";
import { collect, existsText, failed, search, sound, whenPresent } from "../outputs.ts";
import { caughtBoxes, eachOutput, firstOutput, operands, test, truth } from "../printer.ts";
import { conditionText, isCondition } from "./conditions.ts";
import { libraryText } from "./library.ts";
import { mergeResultText, mergeText, placeText } from "./merging.ts";
import { eachPathFunction, isPathFunction } from "./patterns.ts";
import { eachCounted, eachInRange } from "./streams.ts";
import { eachSwitchCondition } from "./switch-conditions.ts";

/** The outputs of a call. */
export function eachCall(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [first, second] = call.args as readonly [Expression, Expression];
  if (isCondition(call))
    return printer.caught && canFail(call) ? eachAsked(call, printer, mode, use) : use(conditionText(call, printer));
  if (isPathFunction(call)) return eachPathFunction(call, printer, mode, use);
  switch (call.name) {
    case "first":
      return eachFirst(call, printer, mode, use);
    case "last":
      return eachLast(call, printer, mode, use);
    case "range":
      return eachInRange(call, printer, mode, use);
    case "limit":
    case "skip":
      return eachCounted(call, printer, mode, use);
    case "attribute":
      return eachOutput(first, printer, mode, (event) =>
        eachOutput(second, printer, mode, (name) =>
          whenPresent(help(printer, "attributeOf", event, name), mode, printer, use),
        ),
      );
    case "switchCondition":
      return eachSwitchCondition(call, printer, mode, use);
    default:
      return operands(call.args, printer, mode, (values) => {
        const result = functionText(call, values, printer);
        return canFail(call) ? sound(result, printer, mode, use) : use(result);
      });
  }
}

/** The first output of an expression, unless that fails before it. */
function eachFirst(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const found = firstOutput(call.args[0]!, printer);
  const used = (item: Code) => (outputs(call) === "one" ? use(item) : whenPresent(item, mode, printer, use));
  return canFail(call) ? sound(found, printer, mode, used) : used(found);
}

/** The last output of an expression, or nothing. */
function eachLast({ args: [stream] }: Call, printer: Printer, mode: Mode, use: Use): Code {
  if (outputs(stream!) !== "many") return eachOutput(stream!, printer, mode, use);
  const caught = printer.caught && canFail(stream!);
  const boxes = caught
    ? help(printer, "untilFailure", caughtBoxes(stream!, printer))
    : eachOutput(stream!, printer, collect, collect.pass);
  return named(boxes, printer, "boxes", ({ text }) => {
    const used = whenPresent(code(`${text}[-1].value`), mode, printer, use);
    return caught
      ? choice(existsText(code(`${text}[-1].failure`)), failed(code(`${text}[-1].failure`), mode), used)
      : used;
  });
}

/** Whether an expression yields something, where its failing is a value. */
function eachAsked(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [asked] = call.args as readonly [Expression];
  if (call.name !== "exists" && call.name !== "truthy")
    refuse(`\`${call.name}\` of what may fail where its failing would be caught`, call);
  const found = eachOutput(asked, printer, search, (output) =>
    call.name === "exists"
      ? discarding(output, code("true"))
      : choice(truth(asked, output, printer), code("true"), nothing),
  );
  return sound(found, printer, mode, (item) => use(apply("exists", item)));
}

/** A function of values. */
function functionText(call: Call, values: readonly Code[], printer: Printer): Code {
  const [first] = call.args as readonly [Expression];
  const [a] = values as readonly [Code];
  switch (call.name) {
    case "not":
      return notText(first, a, printer);
    case "type":
      return apply("type", a);
    case "text":
      return textOf(first, a, printer);
    case "merge":
    case "mergeResult":
    case "place":
    case "difference":
      return mergerText(call, values, printer);
    case "error":
      return failure(first, a, printer);
    case "infinite":
    case "nan":
      return refuse(`\`${call.name}\``, call);
    default:
      return libraryText(call, values, printer);
  }
}

/** A function that merges, which is none of jq's: its failing is not caught. */
function mergerText(call: Call, values: readonly Code[], printer: Printer): Code {
  if (call.name === "difference") return help(printer, "changesOf", ...values);
  if (printer.caught && canFail(call)) return refuse("a merge where its failing would be caught", call);
  if (call.name === "merge") return mergeText(call.args, values, printer);
  if (call.name === "place") return placeText(call, values, printer);
  const [target, item, key] = values as readonly [Code, Code, Code];
  return mergeResultText(call, [target, item, textOf(call.args[2]!, key, printer)], printer);
}

function notText(expression: Expression, item: Code, printer: Printer): Code {
  const { holds, negated } = test(expression, item, printer);
  return negated ? holds : apply("not", holds);
}

function textOf(expression: Expression, item: Code, printer: Printer): Code {
  const type = typeIn(expression, printer);
  if (type === "string") return item;
  return type === "boolean" || type === "null" ? apply("string", item) : help(printer, "textOf", item);
}

function failure(expression: Expression, item: Code, printer: Printer): Code {
  if (!printer.caught && equalExpressions(expression, elsewhere)) {
    const { name, message } = failedElsewhere;
    return help(printer, "raiseNamed", code(printer.variableText(name)), code(printer.variableText(message)));
  }
  if (expression.kind !== "literal" || printer.caught) return help(printer, "raise", item);
  const { name, message } = errorOf(expression.value);
  return code(fixedError(name, message));
}

/** What an expression failed with elsewhere. */
const elsewhere: Expression = object([
  ["name", variable(failedElsewhere.name)],
  ["message", variable(failedElsewhere.message)],
]);
