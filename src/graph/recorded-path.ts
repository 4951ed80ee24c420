import type { Edge } from "../environment/environment.ts";
import type { Scope, Step } from "../ir/workflow.ts";
import type { BuiltGraph } from "./build.ts";
import { edgesOf, nodesOf } from "./model.ts";
import type { Path } from "./path.ts";

/** What a recording of a run shows of its steps. */
export interface RecordedSteps {
  readonly entered: ReadonlySet<Step | Scope>;
  readonly left: ReadonlySet<Edge>;
}

/** The nodes and edges that recorded runs have taken: exactly those, unlike `pathTaken`. */
export function recordedPath({ graph, steps, exits }: BuiltGraph, recordings: readonly RecordedSteps[]): Path {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  for (const { entered, left } of recordings) {
    for (const [id, own] of steps) if (own.some((step) => entered.has(step))) nodes.add(id);
    for (const [id, own] of exits) if (own.some((exit) => left.has(exit))) edges.add(id);
  }
  const isStep = (id: string): boolean => steps.has(id);
  for (const { id, from, to } of edgesOf(graph.scope)) {
    if (!isStep(from) && nodes.has(to)) {
      nodes.add(from);
      edges.add(id);
    }
    if (edges.has(id) && !isStep(to)) nodes.add(to);
  }
  return { nodes, edges };
}

/** The ids of all nodes and edges of a path. */
export const idsOf = ({ nodes, edges }: Path): ReadonlySet<string> => new Set([...nodes, ...edges]);

/** Merges paths. */
export const unitePaths = (paths: readonly Path[]): Path => ({
  nodes: new Set(paths.flatMap(({ nodes }) => [...nodes])),
  edges: new Set(paths.flatMap(({ edges }) => [...edges])),
});

/** The share of the nodes and edges of a graph that a path contains, as the title of a picture. */
export function describeCoverage({ graph }: BuiltGraph, { nodes, edges }: Path): string {
  const all = nodesOf(graph.scope);
  const total = edgesOf(graph.scope);
  return `${count(all, nodes)} of ${all.length} nodes, ${count(total, edges)} of ${total.length} transitions`;
}

const count = (parts: readonly { readonly id: string }[], ids: ReadonlySet<string>): number =>
  parts.filter(({ id }) => ids.has(id)).length;
