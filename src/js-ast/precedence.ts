import type { JsBinaryOperator, JsExpression, LiteralExpression } from "./tree.ts";

/** How tightly expressions bind; the printer adds parentheses around an operand that binds less than it must. */
export const precedence = {
  assignment: 1,
  conditional: 2,
  // An operator after the type would be parsed as part of it.
  assertion: 2.5,
  relation: 10,
  power: 14,
  unary: 15,
  postfix: 16,
  primary: 17,
} as const;

/** The precedence of binary operators. */
export const binaryPrecedence: { readonly [operator in JsBinaryOperator]: number } = {
  "??": 3,
  "||": 4,
  "&&": 5,
  "|": 6,
  "^": 7,
  "&": 8,
  "===": 9,
  "!==": 9,
  "==": 9,
  "!=": 9,
  "<": 10,
  "<=": 10,
  ">": 10,
  ">=": 10,
  in: 10,
  instanceof: 10,
  "<<": 11,
  ">>": 11,
  ">>>": 11,
  "+": 12,
  "-": 12,
  "*": 13,
  "/": 13,
  "%": 13,
  "**": 14,
};

/** Returns the precedence of an expression. */
export function precedenceOf(expression: JsExpression): number {
  switch (expression.kind) {
    case "literal":
      return isNegative(expression) ? precedence.unary : precedence.primary;
    case "function":
      return expression.style === "arrow" ? precedence.assignment : precedence.primary;
    case "assign":
    case "yield":
    case "spread":
      return precedence.assignment;
    case "conditional":
      return precedence.conditional;
    case "binary":
      return binaryPrecedence[expression.operator];
    case "unary":
    case "await":
      return precedence.unary;
    case "assertion":
      return precedence.assertion;
    case "nonNull":
    case "member":
    case "element":
    case "call":
    case "new":
      return precedence.postfix;
    default:
      return precedence.primary;
  }
}

/** Whether a number is printed with a sign. */
export const isNegative = ({ value }: LiteralExpression): boolean =>
  typeof value === "number" && (value < 0 || Object.is(value, -0));

/** Whether an operator is `&&`, `||` or `??`. */
export const isLogical = (operator: JsBinaryOperator): boolean => binaryPrecedence[operator] <= binaryPrecedence["&&"];

const isMultiplicative = (operator: JsBinaryOperator): boolean => binaryPrecedence[operator] === binaryPrecedence["*"];

/**
 * Whether `a inner b outer c` is one chain of operands. Chains of comparisons, shifts, and different operators of
 * multiplication have parentheses, because few readers know their grouping.
 */
export function isChain(outer: JsBinaryOperator, inner: JsBinaryOperator): boolean {
  if (binaryPrecedence[outer] !== binaryPrecedence[inner] || outer === "**") return false;
  const group = binaryPrecedence[outer];
  if (group === binaryPrecedence["==="] || group === binaryPrecedence["<<"]) return false;
  return !isMultiplicative(outer) || (outer === inner && outer !== "%");
}

/** Whether an operand that is itself a binary operation has parentheses: where it needs them, or is clearer with them. */
export function isParenthesized(outer: JsBinaryOperator, inner: JsBinaryOperator, isRight: boolean): boolean {
  const [above, below] = [binaryPrecedence[outer], binaryPrecedence[inner]];
  if (isLogical(outer) && isLogical(inner)) return outer !== inner;
  if (below < above) return true;
  if (below === above) return isRight ? outer !== "**" : !isChain(outer, inner);
  const isBitwise = above >= binaryPrecedence["|"] && above <= binaryPrecedence["&"];
  const isShift = above === binaryPrecedence["<<"];
  return isBitwise || isShift || (inner === "%" && above === binaryPrecedence["+"]);
}
