import { loadJsonata } from "#lazy";
import { type Expression, effectsOf } from "../../../src/expressions/index.ts";

/** Step Functions' limit on nested evaluations. */
export const maxDepth = 100;

/**
 * Whether Step Functions would refuse to evaluate an expression or a function body in it. Recursion may still exceed
 * the limit in a run.
 */
export function isTooDeep(expression: Expression, printed: string): boolean {
  if (effectsOf(expression).weight.depth <= maxShallowDepth) return false;
  const bodies = [treeOf(printed)];
  for (const body of bodies) if (nestingOf(body, bodies) > maxDepth) return true;
  return false;
}

/** Safe: each level prints at most five nested evaluations, and helpers have fewer than thirty. */
const maxShallowDepth = 12;

const treeOf = (text: string): unknown => loadJsonata()(text).ast();

/** Function bodies are evaluated at their calls, so they are collected instead. */
function nestingOf(part: unknown, bodies: unknown[]): number {
  if (typeof part !== "object" || part === null) return 0;
  if ("body" in part) bodies.push(part.body);
  const inner = Object.entries(part).map(([name, each]) => (name === "body" ? 0 : nestingOf(each, bodies)));
  return Math.max(0, ...inner) + ("type" in part ? 1 : 0);
}
