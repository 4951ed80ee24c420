import type { Signature } from "../builtins.ts";
import type { Definition, Jq } from "../syntax.ts";
import { childrenOf } from "../walk.ts";

/** How often a function is called in a query by that name, and more than once if it is called in a definition. Names that mean another function count too. */
export function callsOf(query: Jq, signature: Signature): number {
  const own = query.kind === "call" && `${query.name}/${query.args.length}` === signature ? 1 : 0;
  const inside = childrenOf(query).reduce((count, child) => count + callsOf(child, signature), own);
  return query.kind === "definition" && callsOf(query.body, signature) > 0 ? inside + 1 : inside;
}

/** Definitions of more queries than this are not written twice. */
const smallest = 40;

/**
 * Whether a definition is written in the places of its calls: it does not call itself, needs no argument in two places, and is called once, or
 * is small and calls no other definition.
 */
export function isInlined({ name, parameters, body, rest }: Definition): boolean {
  const signature: Signature = `${name}/${parameters.length}`;
  if (callsOf(body, signature) > 0) return false;
  const uses = (parameter: (typeof parameters)[number]) =>
    callsOf(body, `${parameter.name}/0`) + (parameter.byValue ? 1 : 0);
  if (parameters.some((parameter) => uses(parameter) > 1)) return false;
  return callsOf(rest, signature) <= 1 || (sizeOf(body) <= smallest && !definesOrRefers(body, parameters));
}

const sizeOf = (query: Jq): number => childrenOf(query).reduce((size, child) => size + sizeOf(child), 1);

/** Whether a body may call another definition of the program: all that is no parameter counts, but for what has nothing to be written out. */
function definesOrRefers(body: Jq, parameters: Definition["parameters"]): boolean {
  if (body.kind === "definition") return true;
  if (body.kind === "call" && body.args.length > 0) return true;
  return childrenOf(body).some((child) => definesOrRefers(child, parameters));
}
