import { effectsOf, outputs } from "../../analysis/effects.ts";
import type { ComparisonOperator } from "../../builtins/dialect/conditions.ts";
import type { Expression } from "../../core/ast.ts";
import { binary, bind, call, collect, comma, conditional, firstOr, literal } from "../../core/build.ts";
import type { Range } from "../token-stream.ts";

/** A part of a condition with its range. */
export type Operand = SimpleOperand | ListOperand | ChoiceOperand;

/**
 * An operand with a single expression. `path`: the outputs of a JSONPath; `member`: at most one output, null if it is
 * missing; `value`, `literal`: one output; `condition`: a boolean; `negated`: a condition that starts with `not`.
 */
export interface SimpleOperand extends Range {
  readonly kind: "path" | "member" | "value" | "literal" | "condition" | "negated";
  readonly expression: Expression;
  /** Whether it is known to be a floating-point number of the language, even if it is whole. */
  readonly isFloat?: boolean;
}

/** A list literal. */
export interface ListOperand extends Range {
  readonly kind: "list";
  readonly items: readonly Operand[];
}

/** `condition ? then : otherwise` */
export interface ChoiceOperand extends Range {
  readonly kind: "choice";
  readonly condition: Expression;
  readonly then: Operand;
  readonly otherwise: Operand;
}

/** Converts an operand to an expression with exactly one output, which is null if the operand is missing. */
export function toValue(operand: Operand): Expression {
  switch (operand.kind) {
    case "path":
    case "member":
      return toSingle(operand.expression);
    case "list": {
      const items = operand.items.map(toValue);
      const constants = items.flatMap((item) => (item.kind === "literal" ? [item.value] : []));
      return constants.length === items.length ? literal(constants) : collect(comma(...items));
    }
    case "choice":
      return conditional(operand.condition, toValue(operand.then), toValue(operand.otherwise));
    default:
      return operand.expression;
  }
}

/** Compares two operands. A missing member is null; a missing path differs from all values. */
export function compareOperands(left: Operand, operator: ComparisonOperator, right: Operand): Expression {
  const compare = (name: ComparisonOperator, a: Expression, b: Expression) =>
    withBoundFirst(a, b, (first) => withBoundFirst(b, first, (second) => comparison(first, name, second)));
  if (!isPathLike(left) && !isPathLike(right)) {
    const [a, b] = [valueBeside(left, right), valueBeside(right, left)];
    const mayMiss = outputs(a) !== "one" || outputs(b) !== "one";
    if (operator === "!=" && mayMiss && !isNull(left) && !isNull(right)) return call("not", compare("==", a, b));
    return compare(operator, a, b);
  }
  return compare(operator, toSide(left), toSide(right));
}

/** The comparison inside the variables of an operand, unless they hide one of the other operand. */
function withBoundFirst(operand: Expression, other: Expression, use: (operand: Expression) => Expression): Expression {
  if (operand.kind !== "let" || outputs(operand.value) !== "one" || effectsOf(other).free.has(operand.name))
    return use(operand);
  return bind(operand.name, operand.value, withBoundFirst(operand.body, other, use));
}

function comparison(left: Expression, name: ComparisonOperator, right: Expression): Expression {
  const isPlain = [left, right].every((side) => side.kind !== "query" && outputs(side) === "one");
  return isPlain && (name === "==" || name === "!=")
    ? binary(name, left, right)
    : call("compareInCondition", left, literal(name), right);
}

/** Whether an operand is `true` or `false`. */
export const isBoolean = (operand: Operand): boolean =>
  operand.kind === "literal" && operand.expression.kind === "literal" && typeof operand.expression.value === "boolean";

/** Whether an operand is known to be a string. */
export const isText = (operand: Operand): boolean =>
  operand.kind === "choice"
    ? isText(operand.then) && isText(operand.otherwise)
    : operand.kind !== "list" && effectsOf(operand.expression).type === "string";

/** The value of a string literal. */
export const textOf = (operand: Operand): string | undefined =>
  operand.kind === "literal" && operand.expression.kind === "literal" && typeof operand.expression.value === "string"
    ? operand.expression.value
    : undefined;

/** A missing member equals only null, so a comparison with another constant need not replace it. */
const valueBeside = (operand: Operand, other: Operand): Expression =>
  operand.kind === "member" && other.kind === "literal" ? operand.expression : toValue(operand);

const isNull = (operand: Operand): boolean =>
  operand.kind === "literal" && operand.expression.kind === "literal" && operand.expression.value === null;

const isPathLike = (operand: Operand): boolean =>
  operand.kind === "path" || (operand.kind === "choice" && (isPathLike(operand.then) || isPathLike(operand.otherwise)));

const toSide = (operand: Operand): Expression => {
  if (operand.kind === "path") return operand.expression;
  if (operand.kind !== "choice") return toValue(operand);
  return conditional(operand.condition, toSide(operand.then), toSide(operand.otherwise));
};

function toSingle(expression: Expression): Expression {
  switch (outputs(expression)) {
    case "one":
      return expression;
    case "many":
      return collect(expression);
    default:
      return firstOr(expression, literal(null));
  }
}
