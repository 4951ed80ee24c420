import type { Point } from "./layout.ts";
import type { GraphScope } from "./model.ts";

/** Places of nodes by their centers, and of the bends of edges. */
export interface Placement {
  readonly nodes: readonly Point[];
  readonly edges: readonly { readonly bends: readonly Point[]; readonly label?: Point | undefined }[];
}

/** The size of a node or a label. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** More nodes, or edges that pass more rows of nodes in total, would take seconds to place in layers. */
const maxNodes = 1200;
const maxPassed = 6_500;

/** Whether a scope is placed in a column: it has too many nodes, or edges that are too long. */
export function isTooLarge({ nodes, edges }: GraphScope): boolean {
  if (nodes.length > maxNodes) return true;
  const indexOf = new Map(nodes.map(({ id }, i) => [id, i]));
  let passed = 0;
  for (const { from, to } of edges) passed += Math.abs(indexOf.get(from)! - indexOf.get(to)!);
  return passed > maxPassed;
}

/** Places nodes in a column, in their order; edges to other nodes than the next pass it in lanes at its right. */
export function placeInColumn({ nodes, edges }: GraphScope, sizes: readonly Size[], gap: number): Placement {
  const indexOf = new Map(nodes.map(({ id }, i) => [id, i]));
  const width = Math.max(...sizes.map((size) => size.width));
  let y = 0;
  const places = sizes.map(({ height }): Point => {
    const place = { x: width / 2, y: y + height / 2 };
    y += height + gap;
    return place;
  });
  const lanes: number[] = [];
  return {
    nodes: places,
    edges: edges.map(({ from, to }) => {
      const [start, end] = [indexOf.get(from)!, indexOf.get(to)!];
      const [top, bottom] = [Math.min(start, end), Math.max(start, end)];
      if (bottom - top < 2) return { bends: [] };
      const x = width + laneGap * (1 + takeLane(lanes, top, bottom));
      const [first, last] = start < end ? [top + 1, bottom - 1] : [bottom - 1, top + 1];
      return { bends: [{ x, y: places[first]!.y }, ...(first === last ? [] : [{ x, y: places[last]!.y }])] };
    }),
  };
}

const laneGap = 10;
const maxLanes = 60;

/** The first lane whose edges end before a row; otherwise the last one. */
function takeLane(lanes: number[], top: number, bottom: number): number {
  const free = lanes.findIndex((end) => end < top);
  const lane = free >= 0 ? free : Math.min(lanes.length, maxLanes - 1);
  lanes[lane] = Math.max(lanes[lane] ?? 0, bottom);
  return lane;
}
