import { type Document, group, ifBroken, indent, line, softLine } from "../layout/index.ts";
import { isChain, isLogical, isParenthesized, precedence } from "./precedence.ts";
import { eraseTypes, printExpression } from "./print-expressions.ts";
import type { Place, Style } from "./style.ts";
import type { BinaryExpression, ConditionalExpression, JsExpression } from "./tree.ts";

/** Prints a chain of operands; if it is broken, each operator ends a line. */
export function printBinary(expression: BinaryExpression, style: Style, place: Place): Document {
  const parts = printOperands(expression, style, place);
  switch (place) {
    case "test":
      return parts;
    case "callee":
    case "object":
    case "unaryOperand":
      return group([indent([softLine, ...parts]), softLine]);
    case "returned":
    case "arrowBody":
    case "branch":
    case "template":
      return group(parts);
    default: {
      const { operator, left } = expression;
      const isOneOperation = left.kind !== "binary" || !isChain(operator, left.operator);
      if (hasInlineRight(expression) ? isOneOperation : place === "assigned") return group(parts);
      const [first, ...others] = parts;
      return group([first!, indent(others)]);
    }
  }
}

/** The first operand, then each operator with its right operand. */
function printOperands(expression: BinaryExpression, style: Style, place: Place): readonly Document[] {
  const operations = operationsOf(expression);
  const [first] = operations;
  const parts: Document[] = [group(printOperand(first!.left, first!, false, style))];
  for (const operation of operations) {
    const right = printOperand(operation.right, operation, true, style);
    const printed = [operation.operator, hasInlineRight(operation) ? " " : line, right];
    parts.push(" ", operations.length === 1 && isAlone(operation, place) ? group(printed) : printed);
  }
  return parts;
}

/** The operations of a chain from left to right; `a && (b && c)` is one, too. */
function operationsOf(expression: BinaryExpression): readonly BinaryExpression[] {
  const operations: BinaryExpression[] = [];
  let at: JsExpression = expression;
  let outer = expression;
  while (at === expression || (at.kind === "binary" && isChain(outer.operator, at.operator))) {
    let operation: BinaryExpression = at;
    while (
      isLogical(operation.operator) &&
      operation.right.kind === "binary" &&
      operation.right.operator === operation.operator
    )
      operation = { ...operation.right, left: { ...operation, right: operation.right.left } };
    operations.push(operation);
    outer = operation;
    at = operation.left;
  }
  return operations.reverse();
}

/** Whether an operation is not part of others of its kind, so that its right operand may follow on its own line. */
function isAlone({ operator, left, right }: BinaryExpression, place: Place): boolean {
  const logical = isLogical(operator);
  if (place === (logical ? "logicalOperand" : "operand") || (place === "test" && logical)) return false;
  return ![left, right].some((operand) => operand.kind === "binary" && isLogical(operand.operator) === logical);
}

/** Whether the right operand is an object or array, which begins on the same line. */
export const hasInlineRight = ({ operator, right }: BinaryExpression): boolean =>
  isLogical(operator) &&
  ((right.kind === "object" && right.members.length > 0) || (right.kind === "array" && right.elements.length > 0));

function printOperand(whole: JsExpression, { operator }: BinaryExpression, isRight: boolean, style: Style): Document {
  const operand = eraseTypes(whole, style);
  const place = isLogical(operator) ? "logicalOperand" : "operand";
  if (operand.kind === "binary") {
    const printed = printBinary(operand, style, place);
    return isParenthesized(operator, operand.operator, isRight) ? ["(", printed, ")"] : printed;
  }
  const isSigned = operand.kind === "await" || (operator === "**" && !isRight);
  return printExpression(operand, style, place, isSigned ? precedence.postfix : precedence.power);
}

/** Prints a conditional; one in a branch breaks with it. */
export function printConditional(expression: ConditionalExpression, style: Style, place: Place): Document {
  const inner = place === "returned" || place === "argument" || place === "callee" ? "indentedBranch" : "branch";
  const tested = printCondition(expression, style, inner);
  const branches = indent(printBranches(expression, style, inner));
  return group([tested, branches, place === "object" ? softLine : ""]);
}

function printBranches({ then, otherwise }: ConditionalExpression, style: Style, place: Place): Document {
  const isNested = then.kind === "conditional";
  return [
    line,
    "? ",
    isNested ? ifBroken("", "(") : "",
    indent(printBranch(then, style, place)),
    isNested ? ifBroken("", ")") : "",
    line,
    ": ",
    indent(printBranch(otherwise, style, place)),
  ];
}

function printBranch(branch: JsExpression, style: Style, place: Place): Document {
  if (branch.kind !== "conditional") return printExpression(branch, style, place);
  return [indent(printCondition(branch, style, "branch")), printBranches(branch, style, "branch")];
}

function printCondition({ condition }: ConditionalExpression, style: Style, place: Place): Document {
  const isAwait = condition.kind === "await";
  const printed = printExpression(condition, style, place, isAwait ? precedence.postfix : precedence.conditional + 1);
  return condition.kind === "conditional" ? group([indent([softLine, printed]), softLine]) : printed;
}
