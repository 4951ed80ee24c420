import { iconPath } from "./icons.ts";
import {
  layoutScope,
  type PlacedEdge,
  type PlacedNode,
  type PlacedPart,
  type PlacedScope,
  type Point,
} from "./layout.ts";
import type { Marks } from "./marks.ts";
import { type Detail, edgesOf, type Graph, type GraphNode, nodesOf } from "./model.ts";
import { hasMark, isTerminal, sizes } from "./node-text.ts";
import { graphStyle } from "./style.ts";
import { printable, textWidth } from "./text.ts";

export type { Marks } from "./marks.ts";
export { graphStyle } from "./style.ts";

/** Options of `renderSvg`. */
export interface SvgOptions extends Marks {
  /** Whether the picture contains its style sheet. Default: true. */
  readonly style?: boolean | undefined;
}

/**
 * Draws a graph. The text has no scripts, references or `style` attributes; all strings of the graph are escaped.
 * `src/graph/README.md` documents its classes and attributes.
 */
export function renderSvg(graph: Graph, options: SvgOptions = {}): string {
  const placed = layoutScope(graph.scope);
  const [width, height] = [Math.ceil(placed.width + 2 * margin), Math.ceil(placed.height + 2 * margin)];
  const printer = new Printer(graph, options);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="wb-graph" role="img" aria-label="${escapeXml(titleOf(graph))}"`,
    ` viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n`,
    `<title>${escapeXml(titleOf(graph))}</title>\n<desc>${escapeXml(describe(graph))}</desc>\n`,
    options.style === false ? "" : `<style>${graphStyle}</style>\n`,
    `<rect class="wb-paper" width="${width}" height="${height}"/>\n`,
    ...printer.scope(placed, { x: margin, y: margin }),
    "</svg>\n",
  ].join("");
}

const margin = 16;

const titleOf = ({ name, workflow }: Graph): string =>
  name === "" || name === workflow
    ? `Workflow ${printable(workflow)}`
    : `${printable(name)} (workflow ${printable(workflow)})`;

const describe = ({ scope }: Graph): string => {
  const nodes = nodesOf(scope).filter(({ noun }) => noun !== undefined);
  const steps = nodes.map(({ noun, label }) => `${printable(noun ?? "")} ${printable(label)}`);
  const shown = steps.slice(0, 20).join(", ");
  const more = steps.length > 20 ? ` and ${steps.length - 20} more` : "";
  return `${edgesOf(scope).length} transitions between: ${shown}${more}.`;
};

class Printer {
  readonly #marks: SvgOptions;
  readonly #prefix: string;
  #count = 0;

  constructor({ workflow }: Graph, marks: SvgOptions) {
    this.#marks = marks;
    this.#prefix = `wb-${workflow.replace(/[^\w-]/g, "_").slice(0, 60)}`;
  }

  /** Edges before nodes, so that nodes cover their ends; labels last. */
  scope({ nodes, edges }: PlacedScope, at: Point): readonly string[] {
    return [
      ...edges.map((edge) => this.#edge(edge, at)),
      ...nodes.map((node) => this.#node(node, at)),
      ...edges.map((edge) => this.#label(edge, at)),
    ];
  }

  #node(placed: PlacedNode, at: Point): string {
    const { node, box, parts } = placed;
    const [x, y] = [box.x + at.x, box.y + at.y];
    this.#count += 1;
    const id = `${this.#prefix}-${this.#count}`;
    const classes = `wb-node wb-${node.kind}${parts.length > 0 ? " wb-container" : ""}${this.#classes(node.id)}`;
    return [
      `<g class="${classes}" id="${id}" data-node="${escapeId(node.id)}" data-steps="${escapeId(JSON.stringify(node.steps))}">`,
      `<title>${escapeXml(tooltip(node))}</title>`,
      shape(placed, x, y),
      ...texts(placed, x, y),
      ...parts.flatMap((part) => this.#part(part, { x, y })),
      "</g>\n",
    ].join("");
  }

  #part({ part, box, title, scope, offset }: PlacedPart, at: Point): readonly string[] {
    const [x, y] = [at.x + box.x, at.y + box.y];
    const heading = title === "" ? "" : text("wb-title", x + box.width / 2, y + 17, title);
    return [
      `\n<g class="wb-group wb-${part.kind}-group">`,
      part.kind === "attempt" ? "" : rect("wb-frame", x, y, box.width, box.height, 6),
      heading,
      "\n",
      ...this.scope(scope, { x: x + offset.x, y: y + offset.y }),
      "</g>",
    ];
  }

  #edge({ edge, points }: PlacedEdge, at: Point): string {
    const moved = points.map(({ x, y }) => ({ x: x + at.x, y: y + at.y }));
    const isLoop = edge.from === edge.to;
    const title = edge.label === undefined ? "" : `<title>${escapeXml(printable(edge.label))}</title>`;
    return [
      `<g ${this.#edgeAttributes(edge)}>${title}`,
      `<path class="wb-line" d="${curve(moved, isLoop)}"/><path class="wb-arrow" d="${arrow(moved, isLoop)}"/></g>\n`,
    ].join("");
  }

  #label({ edge, label }: PlacedEdge, at: Point): string {
    if (!label) return "";
    const { box, lines } = label;
    const [x, y] = [box.x + at.x, box.y + at.y];
    const rows = lines.map((line, i) => text("wb-label", x + box.width / 2, y + 13 + i * sizes.line, line));
    const background = rect("wb-label-box", x, y, box.width, box.height, 3);
    return `<g ${this.#edgeAttributes(edge)}>${background}${rows.join("")}</g>\n`;
  }

  #edgeAttributes({ id, from, to, kind }: PlacedEdge["edge"]): string {
    const name = escapeId(id);
    return `class="wb-edge wb-${kind}${this.#classes(id)}" data-edge="${name}" data-from="${escapeId(from)}" data-to="${escapeId(to)}"`;
  }

  #classes(id: string): string {
    const { taken, current, failed, covered } = this.#marks;
    return [
      taken?.has(id) ? " is-taken" : "",
      current?.has(id) ? " is-current" : "",
      failed?.has(id) ? " is-failed" : "",
      covered ? (covered.has(id) ? " is-covered" : " is-unreached") : "",
    ].join("");
  }
}

const tooltip = ({ noun, label, details, span }: GraphNode): string =>
  [
    noun === undefined ? printable(label) : `${printable(noun)} ${printable(label)}`,
    ...details.map(({ text: detail }) => printable(detail)),
    ...(span ? [`line ${span.line}`] : []),
  ].join(" · ");

function shape({ node, box, parts }: PlacedNode, x: number, y: number): string {
  const { width, height } = box;
  if (isTerminal(node)) {
    const inner = node.kind === "end" ? rect("wb-inner", x + 3, y + 3, width - 6, height - 6, (height - 6) / 2) : "";
    return rect("wb-shape", x, y, width, height, height / 2) + inner;
  }
  if (node.kind !== "choice" || parts.length > 0) {
    const stripe = parts.length > 0 ? "" : `<path class="wb-stripe" d="${stripePath(x, y, height)}"/>`;
    return rect("wb-shape", x, y, width, height, 6) + stripe;
  }
  const side = 11;
  const corners = [
    [x + side, y],
    [x + width - side, y],
    [x + width, y + height / 2],
    [x + width - side, y + height],
    [x + side, y + height],
    [x, y + height / 2],
  ];
  return `<polygon class="wb-shape" points="${corners.map((corner) => corner.map(number).join(",")).join(" ")}"/>`;
}

const stripePath = (x: number, y: number, height: number): string =>
  `M${number(x + 5)} ${number(y + 0.5)}H${number(x + 6)}A5.5 5.5 0 0 0 ${number(x + 0.5)} ${number(y + 6)}` +
  `V${number(y + height - 6)}A5.5 5.5 0 0 0 ${number(x + 6)} ${number(y + height - 0.5)}H${number(x + 5)}Z`;

function texts({ node, box, text: { noun, name, details } }: PlacedNode, x: number, y: number): readonly string[] {
  const middle = x + box.width / 2;
  if (isTerminal(node)) return name.map((line, i) => text("wb-name", middle, y + 19 + i * sizes.nameLine, line));
  let baseline = y + 9;
  const lines: string[] = [];
  if (noun !== undefined) {
    baseline += sizes.line;
    lines.push(text("wb-noun", middle, baseline - 3, noun));
  }
  for (const line of name) {
    baseline += sizes.nameLine;
    lines.push(text("wb-name", middle, baseline - 3, line));
  }
  baseline += 5;
  for (const { kind, text: detail } of details) {
    baseline += sizes.line;
    lines.push(detailText(kind, detail, middle, baseline - 4));
  }
  return lines;
}

function detailText(kind: Detail["kind"], detail: string, middle: number, y: number): string {
  if (!hasMark(kind)) return text("wb-detail", middle, y, detail);
  const start = middle - (textWidth(detail, sizes.small) + sizes.mark) / 2;
  const mark = `<path class="wb-mark wb-mark-${kind}" transform="translate(${number(start)} ${number(y - 9)})" d="${iconPath(kind)}"/>`;
  return mark + text("wb-detail wb-marked", start + sizes.mark, y, detail);
}

const text = (name: string, x: number, y: number, content: string): string =>
  `<text class="${name}" x="${number(x)}" y="${number(y)}">${escapeXml(content)}</text>`;

const rect = (name: string, x: number, y: number, width: number, height: number, radius: number): string =>
  `<rect class="${name}" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="${number(radius)}"/>`;

const number = (value: number): string => String(Math.round(value * 10) / 10);

/** Straight pieces, and curves between them that begin and end in their direction. */
function curve(points: readonly Point[], isLoop: boolean): string {
  const [first] = points;
  if (!first) return "";
  if (isLoop) return `M${at(first)}C${points.slice(1).map(at).join(" ")}`;
  let path = `M${at(first)}`;
  for (let i = 1; i < points.length; i += 2) {
    const [end, next] = [points[i]!, points[i + 1]];
    if (!isSame(points[i - 1]!, end)) path += `V${number(end.y)}`;
    if (!next) break;
    const middle = (end.y + next.y) / 2;
    path +=
      Math.abs(end.x - next.x) < 0.5
        ? `L${at(next)}`
        : `C${at({ x: end.x, y: middle })} ${at({ x: next.x, y: middle })} ${at(next)}`;
  }
  return path;
}

const isSame = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

const at = ({ x, y }: Point): string => `${number(x)} ${number(y)}`;

/** The head of an arrow at the end of a line: vertical, or to the left at the end of a loop. */
function arrow(points: readonly Point[], isLoop: boolean): string {
  const [before, tip] = [points.at(-3), points.at(-1)];
  if (!before || !tip) return "";
  if (isLoop) return `M${at(tip)}l8 -4v8Z`;
  return before.y > tip.y ? `M${at(tip)}l-4 8h8Z` : `M${at(tip)}l-4 -8h8Z`;
}

/** Escapes text for XML. */
const escapeXml = (content: string): string => escapeMarks(printable(content));

/** Escapes an identifier for XML, which keeps its blanks. Characters that XML forbids are replaced. */
const escapeId = (id: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
  escapeMarks(id.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd"));

const escapeMarks = (text: string): string =>
  text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
