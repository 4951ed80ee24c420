import { type JsExpression as Code, js } from "../../../js-ast/index.ts";
import { effectsOf } from "../../analysis/effects.ts";
import type { Binary, Expression, Logic } from "../../core/ast.ts";
import { functionName } from "../helpers.ts";
import { writeInOtherOrder } from "./order.ts";
import { compared } from "./use.ts";
import { writeOne, writeTruth } from "./write.ts";
import { helped, type PrintedExpression, printedExpression, type Scope, truth, unguarded } from "./written.ts";

/** `and` and `or` as `&&` and `||`. */
export function writeLogic(
  { name: operator, args: [left, right] }: Logic,
  scope: Scope,
): PrintedExpression | undefined {
  const [a, b] = [writeTruth(left, scope), writeTruth(right, unguarded(scope))];
  return a && b && truth(js.binary(a.code, operator === "and" ? "&&" : "||", b.code));
}

/** Arithmetic and comparison: with JavaScript's operators where types make them the same, else with the functions of the runtime. */
export function writeBinary(
  { name: operator, args: [left, right] }: Binary,
  scope: Scope,
): PrintedExpression | undefined {
  const asked = operator === "==" && right.kind === "literal" ? typeArgument(left) : undefined;
  if (asked && right.kind === "literal" && typeTests.has(right.value))
    return writeTypeTest(asked, right.value as string, scope);
  const operands = writeInOtherOrder([right, left], scope);
  if (!operands) return undefined;
  const [b, a] = operands as readonly [PrintedExpression, PrintedExpression];
  return writeOperation({ name: operator, args: [left, right] }, a, b, scope);
}

/** An operation on operands that have been printed. */
export function writeOperation(
  { name: operator, args: [left, right] }: Pick<Binary, "name" | "args">,
  a: PrintedExpression,
  b: PrintedExpression,
  scope: Scope,
): PrintedExpression {
  const native = nativeOperator(operator, a, b, left, right);
  if (native) return native;
  const type = ["==", "!=", "<", "<=", ">", ">="].includes(operator) ? "boolean" : undefined;
  return printedExpression(helped(scope, functionName(operator, 2)!, [a.code, b.code]), { type });
}

const typeArgument = (expression: Expression): Expression | undefined =>
  expression.kind === "call" && expression.name === "type" ? expression.args[0] : undefined;

const typeTests: ReadonlySet<unknown> = new Set(["null", "boolean", "number", "string", "array"]);

/** Whether a value has a type that JavaScript knows: `type == "array"` → `Array.isArray(value)` */
function writeTypeTest(expression: Expression, type: string, scope: Scope): PrintedExpression | undefined {
  const value = writeOne(expression, scope);
  if (!value) return undefined;
  if (type === "array") return truth(js.method(js.name("Array"), "isArray", [value.code]));
  return type === "null"
    ? truth(js.binary(value.code, "===", js.literal(null)))
    : truth(js.binary(js.unary("typeof", value.code), "===", js.literal(type)));
}

/** A side of a comparison: whether it is null or undefined makes no difference to other scalars. */
function comparedWith(other: Expression, side: Code): Code {
  const isNullable = side.kind === "binary" && side.operator === "??";
  const isOfNull = isNullable && side.right.kind === "literal" && side.right.value === null;
  const isOther = other.kind === "literal" && other.value !== null;
  return unasserted(isOfNull && isOther ? side.left : side);
}

/**
 * An operator of JavaScript with the same result for these operands. In jq, NaN is less than all numbers, so it must
 * not be on the smaller side.
 */
function nativeOperator(
  operator: Binary["name"],
  a: PrintedExpression,
  b: PrintedExpression,
  left: Expression,
  right: Expression,
): PrintedExpression | undefined {
  const [typeOfA, typeOfB] = [a.type ?? a.inferred, b.type ?? b.inferred];
  const isSameType = typeOfA === undefined || typeOfB === undefined || typeOfA === typeOfB;
  const isWithScalar = (isScalar(left) || isScalar(right)) && isSameType && mayBeEqual(left, right);
  if (isWithScalar) for (const side of [a, b]) compared(side);
  if (isWithScalar && (operator === "==" || operator === "!=")) {
    const [first, second] = [comparedWith(right, a.code), comparedWith(left, b.code)];
    return truth(js.binary(first, operator === "==" ? "===" : "!==", second));
  }
  const common = a.type === b.type ? a.type : undefined;
  const isLeast = (operator.startsWith("<") ? a : b).isCount || isFiniteNumber(operator.startsWith("<") ? left : right);
  if (common === "number" && isLeast && /^[<>]/.test(operator))
    return truth(js.binary(a.code, operator as "<", b.code));
  const isSum = operator === "+" && (common === "number" || common === "string");
  const isProduct = (operator === "-" || operator === "*") && common === "number";
  return isSum || isProduct ? printedExpression(js.binary(a.code, operator, b.code), { type: common }) : undefined;
}

/** Code without an assertion, which comparisons for equality do not need. */
const unasserted = (code: Code): Code => (code.kind === "nonNull" ? code.operand : code);

/** Whether values can be equal as the type checker sees it, which takes the comparison of others with `===` for a mistake. */
function mayBeEqual(left: Expression, right: Expression): boolean {
  if ([left, right].some(isNotNumber)) return false;
  const [a, b] = [effectsOf(left).type, effectsOf(right).type];
  if (a !== undefined && b !== undefined && a !== b) return false;
  return isTypeName(left, right) && isTypeName(right, left);
}

/** Whether a string that the name of a type is compared with is the name of a type. */
const isTypeName = (name: Expression, text: Expression): boolean =>
  text.kind !== "literal" || !givesTypeName(name) || typeNames.has(text.value);

const givesTypeName = (expression: Expression): boolean =>
  expression.kind === "pipe" ? givesTypeName(expression.right) : typeArgument(expression) !== undefined;

/** `nan` */
const isNotNumber = (expression: Expression): boolean => expression.kind === "call" && expression.name === "nan";

const typeNames: ReadonlySet<unknown> = new Set([...typeTests, "object"]);

/** Whether an expression is a string, a number, a boolean or null. */
export const isScalar = (expression: Expression): boolean =>
  expression.kind === "literal" && (expression.value === null || typeof expression.value !== "object");

const isFiniteNumber = (expression: Expression): boolean =>
  expression.kind === "literal" && Number.isFinite(expression.value);
