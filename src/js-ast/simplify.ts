import { binary, literal, unary } from "./build.ts";
import type { Block, Statement } from "./statements.ts";
import type { BinaryOperator, JsExpression } from "./tree.ts";

/** The opposite of a condition, of which only the truth matters: `a === b` → `a !== b`, `!a` → `a`, `a && b` → `!(a && b)`. */
export function negate(condition: JsExpression): JsExpression {
  if (condition.kind === "unary" && condition.operator === "!") return condition.operand;
  if (condition.kind === "literal" && typeof condition.value === "boolean") return literal(!condition.value);
  const opposite = condition.kind === "binary" ? opposites[condition.operator] : undefined;
  return condition.kind === "binary" && opposite
    ? binary(condition.left, opposite, condition.right)
    : unary("!", condition);
}

/** Orders are not turned round: neither `a < b` nor `a >= b` holds for what is no number. */
const opposites: { readonly [operator in BinaryOperator]?: BinaryOperator } = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
};

/** Whether an expression is a name or a literal: it may be written twice, and evaluated later. */
export const isAtom = ({ kind }: JsExpression): boolean => kind === "identifier" || kind === "literal";

/** Whether an expression is a name, or members of one: it may be written twice, where nothing is assigned between. */
export function isPath(expression: JsExpression): boolean {
  switch (expression.kind) {
    case "identifier":
      return true;
    case "member":
      return isPath(expression.object);
    case "element":
      return isPath(expression.object) && isAtom(expression.index);
    case "nonNull":
    case "assertion":
      return isPath(expression.operand);
    default:
      return false;
  }
}

/** Whether evaluating an expression does nothing and cannot fail: it calls nothing. */
export function isPure(expression: JsExpression): boolean {
  switch (expression.kind) {
    case "identifier":
    case "literal":
      return true;
    case "member":
      return isPure(expression.object);
    case "binary":
      return isPure(expression.left) && isPure(expression.right);
    case "unary":
    case "assertion":
      return isPure(expression.operand);
    case "array":
      return expression.elements.every(isPure);
    default:
      return false;
  }
}

/** Whether what follows a statement can be reached from its end, as far as its form shows. */
export function mayComplete(statement: Statement): boolean {
  switch (statement.kind) {
    case "return":
    case "throw":
    case "jump":
      return false;
    case "block":
      return blockMayComplete(statement.body);
    case "if":
      return blockMayComplete(statement.then) || blockMayComplete(statement.otherwise ?? []);
    case "try":
      if (statement.finalizer && !blockMayComplete(statement.finalizer)) return false;
      return (
        blockMayComplete(statement.body) ||
        (statement.handler !== undefined && blockMayComplete(statement.handler.body))
      );
    default:
      return true;
  }
}

/** Whether the end of a block can be reached, as far as its form shows. */
export const blockMayComplete = (block: Block): boolean => block.every(mayComplete);

/** A block without what stands behind a statement whose end cannot be reached. */
export function withoutUnreachable(block: Block): Block {
  const last = block.findIndex((statement) => !mayComplete(statement));
  return last < 0 ? block : block.slice(0, last + 1);
}
