import { Graph as Digraph, layout } from "@dagrejs/dagre";
import type { Placement, Size } from "./column.ts";
import type { Point } from "./layout.ts";
import type { GraphScope } from "./model.ts";

/** Places nodes in layers from top to bottom, so that edges are short and cross little. */
export function placeInLayers(
  { nodes, edges }: GraphScope,
  sizes: readonly Size[],
  labels: readonly (Size | undefined)[],
  gap: number,
): Placement {
  const isLarge = nodes.length > maxOptimal;
  const graph = new Digraph({ directed: true, multigraph: true });
  const ranker = isLarge ? "longest-path" : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 36, edgesep: 18, ranksep: gap, ranker });
  for (const [i, { width, height }] of sizes.entries()) graph.setNode(String(i), { width, height });
  const indexOf = new Map(nodes.map(({ id }, i) => [id, String(i)]));
  for (const [i, { from, to, kind }] of edges.entries()) {
    const label = labels[i];
    const size = label ? { width: label.width + 8, height: label.height, labelpos: "c" as const } : {};
    const weight = kind === "error" || kind === "timeout" ? 1 : 3;
    graph.setEdge(indexOf.get(from)!, indexOf.get(to)!, { ...size, weight }, String(i));
  }
  layout(graph, { disableOptimalOrderHeuristic: isLarge });
  return {
    nodes: nodes.map((_, i) => pointOf(graph.node(String(i)))),
    edges: edges.map(({ from, to }, i) => {
      const { points, x, y } = graph.edge(indexOf.get(from)!, indexOf.get(to)!, String(i)) as PlacedEdge;
      return { bends: points.slice(1, -1), label: x === undefined || y === undefined ? undefined : { x, y } };
    }),
  };
}

/** Above this number of nodes, layers are not optimal: optimal ones would take seconds. */
const maxOptimal = 150;

interface PlacedEdge {
  readonly points: readonly Point[];
  readonly x?: number;
  readonly y?: number;
}

const pointOf = ({ x = 0, y = 0 }: Partial<Point>): Point => ({ x, y });
