import { exits, handlersOf } from "../ir/walk.ts";
import type { Scope, Step } from "../ir/workflow.ts";

/** A graph of a scope's control flow. */
export interface Graph {
  readonly entry: string;
  readonly nodes: ReadonlyMap<string, Node>;
}

/**
 * A node: a step; or, where a region is entered at several places, what stands before it: `aim` notes which of them is meant, and `dispatch` goes there.
 */
export type Node =
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "aim"; readonly region: string; readonly target: string }
  | { readonly kind: "dispatch"; readonly targets: readonly string[] };

/** The control flow of a scope. */
export const graphOf = ({ entry, steps }: Scope): Graph => ({
  entry: entry.name,
  nodes: new Map(steps.map((step) => [step.id, { kind: "step", step }])),
});

/** Where a node leads: of a step the ways out in their order, then its handlers. */
export function successorsOf(node: Node): readonly string[] {
  switch (node.kind) {
    case "step":
      return [...exits(node.step), ...handlersOf(node.step).map(({ next }) => next)].map(({ name }) => name);
    case "aim":
      return [node.region];
    case "dispatch":
      return node.targets;
  }
}

/** The nodes that are reached, each before those it leads to (but for loops): in reverse postorder. */
export function reversePostorder({ entry, nodes }: Graph): readonly string[] {
  const order: string[] = [];
  const seen = new Set([entry]);
  const rest = (id: string) => [...new Set(successorsOf(nodes.get(id)!))];
  const path = [{ id: entry, rest: rest(entry) }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const next = top.rest.pop();
    if (next === undefined) order.push(path.pop()!.id);
    else if (!seen.has(next)) {
      seen.add(next);
      path.push({ id: next, rest: rest(next) });
    }
  }
  return order.reverse();
}
