import { isTooLarge, type Placement, placeInColumn, type Size } from "./column.ts";
import { placeInLayers } from "./layers.ts";
import type { GraphEdge, GraphNode, GraphPart, GraphScope } from "./model.ts";
import { type NodeText, nodeText, partTitle, sizes } from "./node-text.ts";
import { type Course, routeEdges } from "./routes.ts";
import { printable, shortenText, textWidth } from "./text.ts";

/** A rectangle by its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point in the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A scope with the places of its nodes and edges, relative to its upper left corner. */
export interface PlacedScope {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** A node with its place and text. */
export interface PlacedNode {
  readonly node: GraphNode;
  readonly box: Box;
  readonly text: NodeText;
  /** Their boxes are relative to the node's. */
  readonly parts: readonly PlacedPart[];
}

/** A part with its place, its title, and the offset of its scope. */
export interface PlacedPart {
  readonly part: GraphPart;
  readonly box: Box;
  readonly title: string;
  readonly scope: PlacedScope;
  readonly offset: Point;
}

/**
 * An edge and its label. Its points are the ends of straight pieces, in pairs; curves lead from each piece to the next.
 * A loop at one node has four points.
 */
export interface PlacedEdge {
  readonly edge: GraphEdge;
  readonly points: readonly Point[];
  readonly label?: { readonly lines: readonly string[]; readonly box: Box } | undefined;
}

/** Places the nodes and edges of a scope from top to bottom; inner scopes first, as boxes of the outer ones. */
export function layoutScope(scope: GraphScope): PlacedScope {
  if (scope.nodes.length === 0) return { nodes: [], edges: [], width: 0, height: 0 };
  const measured = scope.nodes.map(measureNode);
  const labels = scope.edges.map(edgeLabel);
  const placement = isTooLarge(scope)
    ? placeInColumn(scope, measured, sizes.rows)
    : placeInLayers(scope, measured, labels, sizes.rows);
  return placeScope(scope, measured, labels, placement);
}

interface MeasuredNode extends Omit<PlacedNode, "box"> {
  readonly width: number;
  readonly height: number;
}

function measureNode(node: GraphNode): MeasuredNode {
  const text = nodeText(node);
  if (node.parts.length === 0) return { node, text, parts: [], width: text.width, height: text.height };
  const { parts, width, height } = arrangeParts(node.parts);
  const inner = Math.max(width, text.width - 2 * sizes.pad);
  const shift = (inner - width) / 2;
  const placed = parts.map((part) => ({
    ...part,
    box: { ...part.box, x: part.box.x + sizes.pad + shift, y: part.box.y + text.height },
  }));
  return { node, text, parts: placed, width: inner + 2 * sizes.pad, height: text.height + height + sizes.pad };
}

/** Places parts in rows, from left to right. */
function arrangeParts(parts: readonly GraphPart[]) {
  const measured = parts.map(measurePart);
  const area = measured.reduce((sum, { width, height }) => sum + width * height, 0);
  const widest = Math.max(maxRowWidth, Math.sqrt(area) * 1.6, ...measured.map(({ width }) => width));
  const rows: (typeof measured)[] = [[]];
  let used = 0;
  for (const each of measured) {
    if (used > 0 && used + each.width > widest) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)!.push(each);
    used += each.width + sizes.gap;
  }
  const placed: PlacedPart[] = [];
  let y = 0;
  let width = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((each) => each.height));
    let x = 0;
    for (const { part, title, scope, width: own, offset } of row) {
      placed.push({ part, title, scope, offset, box: { x, y, width: own, height } });
      x += own + sizes.gap;
    }
    width = Math.max(width, x - sizes.gap);
    y += height + sizes.gap;
  }
  return { parts: placed, width, height: y - sizes.gap };
}

const maxRowWidth = 900;

function measurePart(part: GraphPart) {
  const scope = layoutScope(part.scope);
  const full = partTitle(part);
  const wanted = full === "" ? 0 : textWidth(full, sizes.small, true);
  const width = Math.max(scope.width, Math.min(wanted, sizes.maxText), minPartWidth) + 2 * sizes.pad;
  const title = shortenText(full, width - 2 * sizes.pad, sizes.small, true);
  const top = title === "" ? sizes.pad : sizes.title;
  const offset = { x: (width - scope.width) / 2, y: top };
  return { part, title, scope, offset, width, height: top + scope.height + sizes.pad };
}

const minPartWidth = 60;

interface EdgeLabel {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

const maxLabelLines = 3;

function edgeLabel({ label, kind }: GraphEdge): EdgeLabel | undefined {
  const text = label ?? (kind === "otherwise" ? "otherwise" : kind === "next" ? undefined : kind);
  if (text === undefined) return undefined;
  const all = text.split("\n").map(printable);
  const kept =
    all.length > maxLabelLines
      ? [...all.slice(0, maxLabelLines - 1), `and ${all.length - maxLabelLines + 1} more`]
      : all;
  const lines = kept.map((line) => shortenText(line, sizes.maxLabel, sizes.small));
  const width = Math.max(...lines.map((line) => textWidth(line, sizes.small))) + 8;
  return { lines, width, height: lines.length * sizes.line + 4 };
}

function placeScope(
  { nodes: sources, edges: transitions }: GraphScope,
  measured: readonly MeasuredNode[],
  labels: readonly (EdgeLabel | undefined)[],
  placement: Placement,
): PlacedScope {
  const nodes = measured.map(({ node, text, parts, ...size }, i): PlacedNode => {
    return { node, text, parts, box: boxAround(placement.nodes[i]!, size) };
  });
  const boxOf = new Map(sources.map(({ id }, i) => [id, nodes[i]!.box]));
  const labelled = labels.map((label, i) => {
    const at = placement.edges[i]!.label;
    return label && at && { lines: label.lines, box: boxAround(at, label) };
  });
  const courses = transitions.map(({ from, to }, i) => {
    return { from: boxOf.get(from)!, to: boxOf.get(to)!, bends: placement.edges[i]!.bends };
  });
  const straight = courses.filter(({ from, to }) => from !== to);
  const rows = [...boxOf.values(), ...labelled.flatMap((each) => each?.box ?? [])];
  const routes = new Map(routeEdges(straight, rows).map((points, i) => [straight[i]!, points]));
  const edges = transitions.map((edge, i): PlacedEdge => {
    const course = courses[i]!;
    return { edge, points: routes.get(course) ?? loopAround(course), label: labelled[i] };
  });
  return normalize(nodes, edges);
}

const boxAround = ({ x, y }: Point, { width, height }: Size): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** A loop at the right side of a node. */
function loopAround({ from: { x, y, width, height }, bends }: Course): readonly Point[] {
  const right = x + width;
  const reach = Math.min(Math.max(right + 18, ...bends.map((bend) => bend.x)), right + 40);
  const [top, bottom] = [y + height * 0.3, y + height * 0.7];
  return [
    { x: right, y: top },
    { x: reach, y: top },
    { x: reach, y: bottom },
    { x: right, y: bottom },
  ];
}

/** Moves everything so that it begins at the origin. */
function normalize(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): PlacedScope {
  const boxes = [
    ...nodes.map(({ box }) => box),
    ...edges.flatMap(({ points, label }) => [
      ...points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })),
      ...(label ? [label.box] : []),
    ]),
  ];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  const move = <P extends Point>(point: P): P => ({ ...point, x: round(point.x - left), y: round(point.y - top) });
  return {
    nodes: nodes.map((each) => ({ ...each, box: move(each.box) })),
    edges: edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map(move),
      ...(label ? { label: { ...label, box: move(label.box) } } : {}),
    })),
    width: round(right - left),
    height: round(bottom - top),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
