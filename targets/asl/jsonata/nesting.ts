import { createRequire } from "node:module";
import { type Expression, factsOf } from "../../../src/expressions/index.ts";

/** Step Functions evaluates no expression in more others than this. */
export const maxDepth = 100;

/**
 * Whether Step Functions would refuse to evaluate what is printed for an expression whatever its data: in it, or in the body of one of its functions, more
 * parts stand in each other than are evaluated in each other. Functions that call themselves go deeper with the data; that only a run shows.
 */
export function isTooDeep(expression: Expression, printed: string): boolean {
  if (factsOf(expression).weight.depth <= maxShallowDepth) return false;
  const bodies = [treeOf(printed)];
  for (const body of bodies) if (nestingOf(body, bodies) > maxDepth) return true;
  return false;
}

/** The print of no expression of this depth comes near: each level of it becomes at most five, and helpers have less than thirty. */
const maxShallowDepth = 12;

/** A text as JSONata reads it. The reader is loaded for expressions that may be too deep: for nearly none. */
const treeOf = (text: string): unknown => (require("jsonata") as typeof import("jsonata"))(text).ast();

const require = createRequire(import.meta.url);

/** How many evaluations stand in each other in a part of JSONata's tree; bodies of functions, which are evaluated where they are called, are put to the others. */
function nestingOf(part: unknown, bodies: unknown[]): number {
  if (typeof part !== "object" || part === null) return 0;
  if ("body" in part) bodies.push(part.body);
  const inner = Object.entries(part).map(([name, each]) => (name === "body" ? 0 : nestingOf(each, bodies)));
  return Math.max(0, ...inner) + ("type" in part ? 1 : 0);
}
