import type { Graph, GraphEdge, GraphNode, GraphScope } from "./model.ts";
import { patternOfKey } from "./step-keys.ts";

/** The nodes and edges that a run has taken, by their ids. */
export interface Path {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

/** The innermost node that a recorded step belongs to. */
export function nodeOfKey(graph: Graph, key: string): GraphNode | undefined {
  return placesOf(graph).get(patternOfKey(key))?.at(-1)?.node;
}

/**
 * The path of a run, by the keys of its recorded steps in order. Nodes that record nothing, such as decisions, are on it
 * if they are on the shortest path between two recorded ones: a detour of such nodes cannot be seen. `isComplete`: the
 * run has succeeded, so the path leads to the end.
 */
export function pathTaken(graph: Graph, keys: readonly string[], { isComplete = false } = {}): Path {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const places = placesOf(graph);
  const last = new Map<GraphScope, string>();
  const known = new Set<string>();
  const walk = (scope: GraphScope, to: string): void => {
    const from = last.get(scope) ?? startOf(scope);
    last.set(scope, to);
    nodes.add(to);
    const ends = `${from}\0${to}`;
    if (from === undefined || from === to || known.has(ends)) return;
    known.add(ends);
    for (const edge of shortestPath(scope, from, to)) {
      edges.add(edge.id);
      nodes.add(edge.from);
    }
  };
  for (const key of keys) for (const { scope, node } of places.get(patternOfKey(key)) ?? []) walk(scope, node.id);
  const end = graph.scope.nodes.find(({ kind, noun }) => kind === "end" && noun === undefined);
  if (isComplete && end) walk(graph.scope, end.id);
  return { nodes, edges };
}

interface Place {
  readonly scope: GraphScope;
  readonly node: GraphNode;
}

/** The nodes of each pattern, outer before inner. */
function placesOf({ scope }: Graph): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, readonly Place[]>();
  const visit = (inner: GraphScope, outer: readonly Place[]): void => {
    for (const node of inner.nodes) {
      const path = [...outer, { scope: inner, node }];
      for (const step of node.steps) if (!places.has(step)) places.set(step, path);
      for (const part of node.parts) visit(part.scope, path);
    }
  };
  visit(scope, []);
  return places;
}

/** The start, or the only node without an incoming edge. */
function startOf({ nodes, edges }: GraphScope): string | undefined {
  const start = nodes.find(({ kind }) => kind === "start");
  if (start) return start.id;
  const entered = new Set(edges.map(({ to }) => to));
  const first = nodes.filter(({ id }) => !entered.has(id));
  return first.length === 1 ? first[0]!.id : undefined;
}

/** The edges of the shortest path whose inner nodes record nothing; empty without such a path. */
function shortestPath({ nodes, edges }: GraphScope, from: string, to: string): readonly GraphEdge[] {
  const silent = new Set(nodes.filter(isSilent).map(({ id }) => id));
  const outgoing = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    const known = outgoing.get(edge.from);
    if (known) known.push(edge);
    else outgoing.set(edge.from, [edge]);
  }
  const reached = new Map<string, GraphEdge | undefined>([[from, undefined]]);
  for (const [id] of reached) {
    if (id === to) break;
    if (id !== from && !silent.has(id)) continue;
    for (const edge of outgoing.get(id) ?? []) if (!reached.has(edge.to)) reached.set(edge.to, edge);
  }
  const path: GraphEdge[] = [];
  for (let edge = reached.get(to); edge; edge = reached.get(edge.from)) path.unshift(edge);
  return path;
}

const isSilent = ({ kind, parts }: GraphNode): boolean => parts.length === 0 && (kind === "choice" || kind === "data");
