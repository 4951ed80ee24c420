import {
  type Call,
  canFail,
  type Expression,
  factsOf,
  isTotal,
  outputs,
  type Query,
} from "../../../src/expressions/index.ts";
import { apply, type Code, code, discarding, infix, level, linked, operand } from "./code.ts";
import { each, value } from "./each.ts";
import { compared, equal } from "./equal.ts";
import { test, truth } from "./logic.ts";
import { collect, existsText, search, tested } from "./modes.ts";
import { isIndefinite, nodesOf } from "./nodes.ts";
import { constantOf, hasSign, ordered, orderedNode, turned } from "./order.ts";
import { isMatching, matchingText } from "./path-functions.ts";
import { help, named, type Printer, refuse } from "./printer.ts";

/** Whether a call is a test of what expressions yield. */
export const isCondition = (call: Call): boolean =>
  isMatching(call) || ["exists", "truthy", "isEmpty", "compareInCondition", "comparesNodes"].includes(call.name);

/** A test of what expressions yield, as true or false. */
export function conditionText(call: Call, printer: Printer): Code {
  const [first] = call.args as readonly [Expression];
  switch (call.name) {
    case "exists":
      return exists(first, printer);
    case "truthy":
      return truthy(first, printer);
    case "isEmpty":
      return named(value(first, printer), printer, "value", isEmpty);
    case "compareInCondition":
      return compareInCondition(call, printer);
    default:
      return isMatching(call) ? matchingText(call, printer) : comparesNodes(call, printer);
  }
}

/** Whether a value is missing, null, or empty. */
const isEmpty = ({ text }: Code): Code =>
  code(`$count(${text}) = 0 or ${text} in [null, ""] or ${text} = {}`, level.or);

/** Whether some box is in a list. */
export const some = (boxes: Code): Code => infix(">", level.comparison, apply("count", boxes), code("0"));

const isNodes = (expression: Expression): expression is Query =>
  expression.kind === "query" && isIndefinite(expression);

function exists(expression: Expression, printer: Printer): Code {
  if (isTotal(expression)) return code("true");
  if (isNodes(expression)) return some(nodesOf(expression, printer));
  if (outputs(expression) !== "many") return existsText(value(expression, printer));
  return apply(
    "exists",
    each(expression, printer, search, (output) =>
      canFail(expression) ? discarding(output, code("true")) : code("true"),
    ),
  );
}

function truthy(expression: Expression, printer: Printer): Code {
  if (outputs(expression) === "one") return truth(expression, value(expression, printer));
  if (outputs(expression) !== "many") {
    const found = value(expression, printer);
    if (factsOf(expression).type === "boolean") return equal(found, code("true"));
    return tested(found, printer, (item) =>
      linked("and", [apply("exists", item), code(`$not(${item.text} in [null, false])`)]),
    );
  }
  if (isNodes(expression)) return some(filtered(nodesOf(expression, printer), code("$not(value in [null, false])")));
  const found = each(expression, printer, search, (output) => {
    const { holds, negated } = test(expression, output);
    return negated
      ? code(`${operand(holds, level.or)} ? () : true`, level.choice)
      : code(`${operand(holds, level.or)} ? true`, level.choice);
  });
  return apply("exists", found);
}

/** The boxes for whose value a condition holds. */
export const filtered = (boxes: Code, condition: Code): Code =>
  code(`${operand(boxes, level.primary)}[${operand(condition, level.choice)}]`);

/** What a side of a comparison is: nothing, the one output, or the array of several. */
function side(expression: Expression, printer: Printer): Code {
  if (outputs(expression) !== "many") return value(expression, printer);
  return help(printer, "sideOf", each(expression, printer, collect, collect.pass));
}

type Compare = (left: Code, right: Code) => Code;

/** Both sides of a comparison, the left one computed first, and both always. */
function sides([left, , right]: readonly Expression[], printer: Printer, read: typeof side, compare: Compare): Code {
  const [a, b] = [read(left!, printer), read(right!, printer)];
  if (!canFail(right!)) return compare(a, b);
  if (canFail(left!)) return named(a, printer, "left", (known) => compare(known, b));
  return a.path ? named(b, printer, "right", (known) => compare(a, known)) : compare(a, b);
}

function operatorOf(call: Call): string {
  const { kind } = call.args[1]!;
  const operator = call.args[1]!;
  return operator.kind === "literal" && kind === "literal"
    ? String(operator.value)
    : refuse("a comparison whose operator is computed", call);
}

function compareInCondition(call: Call, printer: Printer): Code {
  const operator = operatorOf(call);
  const [left, , right] = call.args as readonly [Expression, Expression, Expression];
  return sides(call.args, printer, side, (a, b) => {
    if (operator === "==") return equal(a, b);
    if (operator === "!=") return unequal(left, right, a, b, printer);
    if ([left, right].every(isNumber)) return infix(operator, level.comparison, a, b);
    const before = constantOf(left);
    return before === undefined || constantOf(right) !== undefined
      ? ordered(a, operator, constantOf(right), b, printer)
      : ordered(b, turned[operator]!, before, a, printer);
  });
}

/** A missing side differs from null only. */
function unequal(left: Expression, right: Expression, a: Code, b: Code, printer: Printer): Code {
  const known = [constantOf(left), constantOf(right)];
  if (known.includes(null)) return apply("not", known[0] === null && known[1] !== null ? equal(b, a) : equal(a, b));
  const sure = known.some((value) => value !== undefined) || [left, right].every((each) => outputs(each) === "one");
  return sure ? compared(a, "!=", b) : help(printer, "differs", a, b);
}

const isNumber = (expression: Expression): boolean =>
  outputs(expression) === "one" && factsOf(expression).type === "number";
const isScalar = (expression: Expression): boolean =>
  outputs(expression) === "one" && ["number", "string"].includes(factsOf(expression).type ?? "");

function comparesNodes(call: Call, printer: Printer): Code {
  const operator = operatorOf(call);
  const [left, , right] = call.args as readonly [Expression, Expression, Expression];
  const sure = [left, right].some((each) => outputs(each) === "one");
  const same: Compare = (a, b) => (sure ? equal(a, b) : help(printer, "isSame", a, b));
  return sides(call.args, printer, value, (a, b) => {
    if (operator === "==") return same(a, b);
    if (operator === "!=") return apply("not", same(a, b));
    if ([left, right].every(isNumber)) return infix(operator, level.comparison, a, b);
    const simple =
      orderedNode(a, operator, constantOf(right), b, printer) ??
      orderedNode(b, turned[operator]!, constantOf(left), a, printer);
    if (simple) return simple;
    const strict = operator === "<" || operator === ">" || [left, right].some(isScalar);
    if (strict) return hasSign(help(printer, "nodeOrder", a, b), operator);
    return named(a, printer, "left", (x) =>
      named(b, printer, "right", (y) =>
        infix("or", level.or, hasSign(help(printer, "nodeOrder", x, y), operator), same(x, y)),
      ),
    );
  });
}
