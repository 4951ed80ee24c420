import { childrenOf, type Expression } from "../../src/expressions/index.ts";
import { expressionsOf, scopesOf, stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { ReceivedPart } from "./runtime/definition.ts";

/**
 * The part of received events that a workflow reads. The result of a wait has both if they fit into it, and otherwise
 * only this one.
 */
export function receivedPart(workflow: Workflow): ReceivedPart {
  const bound = new Set(stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? [step.bind] : [])));
  if (bound.size === 0) return "events";
  const read = new Set<string>();
  const scopes = scopesOf(workflow).map(({ scope }) => scope);
  const initial = scopes.flatMap(({ variables }) => variables.flatMap((variable) => variable.initial ?? []));
  for (const expression of [...initial, ...stepsOf(workflow).flatMap(expressionsOf)]) addParts(expression, bound, read);
  if (read.has("all") || read.size > 1) return "all";
  return read.has("groups") ? "groups" : "events";
}

function addParts(expression: Expression, bound: ReadonlySet<string>, read: Set<string>): void {
  if (expression.kind === "query" && isBound(expression.source, bound)) {
    const [segment] = expression.segments;
    const [selector, ...others] = segment?.selectors ?? [];
    const name = selector?.kind === "name" && others.length === 0 && !segment!.descend ? selector.name : undefined;
    if (name !== "alternative") read.add(name === "events" || name === "groups" ? name : "all");
    for (const { expression: child } of childrenOf(expression))
      if (child !== expression.source) addParts(child, bound, read);
  } else if (isBound(expression, bound)) read.add("all");
  else for (const { expression: child } of childrenOf(expression)) addParts(child, bound, read);
}

const isBound = (expression: Expression, bound: ReadonlySet<string>): boolean =>
  expression.kind === "variable" && bound.has(expression.name);
