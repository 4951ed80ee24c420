import type { Expression } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";

/** Whether an expression has a break in it to a label around it. */
export function breaksOut(expression: Expression, inside: ReadonlySet<string> = new Set()): boolean {
  if (expression.kind === "break") return !inside.has(expression.name);
  const known = expression.kind === "label" ? new Set([...inside, expression.name]) : inside;
  return childrenOf(expression).some((child) => breaksOut(child.expression, known));
}

/** Whether a function that is given to a function in an expression may break to a label around it. */
export const givesBreaks = (expression: Expression): boolean =>
  (expression.kind === "apply" && expression.args.some((argument) => breaksOut(argument))) ||
  childrenOf(expression).some((child) => givesBreaks(child.expression));
