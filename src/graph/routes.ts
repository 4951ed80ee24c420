import type { Box, Point } from "./layout.ts";

/** An edge between two placed nodes, with the bends that the layout gives it between them. */
export interface Course {
  readonly from: Box;
  readonly to: Box;
  readonly bends: readonly Point[];
}

/** Keeps ends of edges away from the corners of nodes. */
const inset = 18;
const portGap = 14;

/** An edge is straight under its arrow. */
const arrowLength = 9;

/**
 * Routes edges so that they cross no node: an edge is vertical while it passes a row of nodes, and moves sideways only
 * between rows. Ends of edges at one side of a node are apart. The result is a list of points, in pairs of vertical
 * pieces; between pairs, an edge is a curve.
 */
export function routeEdges(courses: readonly Course[], rows: readonly Box[]): readonly (readonly Point[])[] {
  const halves = rowHalves(rows);
  const isUp = courses.map(({ from, to }) => from.y > to.y);
  const ports = placePorts(courses, isUp);
  return courses.map(({ from, to, bends }, i): readonly Point[] => {
    const up = isUp[i]!;
    const [start, end] = ports[i]!;
    const half = (box: Box): number => halves.get(rowOf(box.y + box.height / 2)) ?? box.height / 2;
    const middle = (box: Box): number => box.y + box.height / 2;
    const side = up ? -1 : 1;
    const points: Point[] = [
      { x: start, y: up ? from.y : from.y + from.height },
      { x: start, y: middle(from) + side * half(from) },
    ];
    for (const { x, y } of bends) {
      const reach = side * (halves.get(rowOf(y)) ?? 0);
      points.push({ x, y: y - reach }, { x, y: y + reach });
    }
    points.push(
      { x: end, y: middle(to) - side * (half(to) + arrowLength) },
      { x: end, y: up ? to.y + to.height : to.y },
    );
    return points;
  });
}

const rowOf = (y: number): number => Math.round(y);

/** Half of the height of each row, by the middle of its boxes. */
function rowHalves(rows: readonly Box[]): ReadonlyMap<number, number> {
  const halves = new Map<number, number>();
  for (const { y, height } of rows) {
    const row = rowOf(y + height / 2);
    halves.set(row, Math.max(halves.get(row) ?? 0, height / 2));
  }
  return halves;
}

/** An end of an edge at a side of a node. */
interface Port {
  readonly edge: number;
  readonly end: 0 | 1;
  readonly wanted: number;
}

function placePorts(courses: readonly Course[], isUp: readonly boolean[]): readonly (readonly [number, number])[] {
  const sides = new Map<Box, { readonly top: Port[]; readonly bottom: Port[] }>();
  const add = (box: Box, port: Port, side: "top" | "bottom"): void => {
    const found = sides.get(box) ?? { top: [], bottom: [] };
    sides.set(box, found);
    found[side].push(port);
  };
  const center = ({ x, width }: Box): number => x + width / 2;
  for (const [edge, { from, to, bends }] of courses.entries()) {
    const up = isUp[edge]!;
    add(from, { edge, end: 0, wanted: bends[0]?.x ?? center(to) }, up ? "top" : "bottom");
    add(to, { edge, end: 1, wanted: bends.at(-1)?.x ?? center(from) }, up ? "bottom" : "top");
  }
  const places = courses.map((): [number, number] => [0, 0]);
  for (const [box, { top, bottom }] of sides)
    for (const side of [top, bottom]) for (const [port, x] of spread(side, box)) places[port.edge]![port.end] = x;
  return places;
}

/** Places ports as near as possible to where they want to be, in that order, and apart. */
function spread(ports: readonly Port[], { x, width }: Box): readonly (readonly [Port, number])[] {
  const margin = Math.min(inset, width / 4);
  const [left, right] = [x + margin, x + width - margin];
  const sorted = ports.toSorted((a, b) => a.wanted - b.wanted);
  const gap = Math.min(portGap, (right - left) / Math.max(1, sorted.length - 1));
  const places: number[] = [];
  for (const [i, { wanted }] of sorted.entries())
    places.push(
      Math.max(
        Math.min(wanted, right - gap * (sorted.length - 1 - i)),
        left + gap * i,
        (places[i - 1] ?? -Infinity) + gap,
      ),
    );
  for (let i = places.length - 1; i >= 0; i--)
    places[i] = Math.min(places[i]!, i === places.length - 1 ? right : places[i + 1]! - gap);
  return sorted.map((port, i) => [port, places[i]!] as const);
}
