import { binary, literal, unary } from "./build.ts";
import type { Block, Statement } from "./statements.ts";
import type { JsBinaryOperator, JsExpression } from "./tree.ts";

/** Negates a condition: `a === b` → `a !== b`, `!a` → `a`, `a && b` → `!(a && b)`. */
export function negate(condition: JsExpression): JsExpression {
  if (condition.kind === "unary" && condition.operator === "!") return condition.operand;
  if (condition.kind === "literal" && typeof condition.value === "boolean") return literal(!condition.value);
  const opposite = condition.kind === "binary" ? opposites[condition.operator] : undefined;
  return condition.kind === "binary" && opposite
    ? binary(condition.left, opposite, condition.right)
    : unary("!", condition);
}

/** Only equality: `a < b` and `a >= b` are both false for NaN. */
const opposites: { readonly [operator in JsBinaryOperator]?: JsBinaryOperator } = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
};

/** Whether an expression is a name or literal. */
export const isAtom = ({ kind }: JsExpression): boolean => kind === "identifier" || kind === "literal";

/** Whether an expression is a member path. */
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

/** Whether an expression has no effects and cannot fail. */
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

/** Whether a statement may complete normally. */
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

/** Whether a block may complete normally. */
export const blockMayComplete = (block: Block): boolean => block.every(mayComplete);

/** Drops statements after one that cannot complete. */
export function withoutUnreachable(block: Block): Block {
  const last = block.findIndex((statement) => !mayComplete(statement));
  return last < 0 ? block : block.slice(0, last + 1);
}
