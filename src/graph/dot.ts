import type { Marks } from "./marks.ts";
import type { EdgeKind, Graph, GraphEdge, GraphNode, GraphScope, NodeKind } from "./model.ts";
import { printable } from "./text.ts";

/** Prints a graph in the DOT language of Graphviz. */
export function renderDot({ workflow, scope }: Graph, marks: Marks = {}): string {
  const printer = new Printer(marks);
  return [
    `digraph ${quote(workflow)} {`,
    "  compound=true",
    '  node [shape=box style=rounded fontname="Helvetica" fontsize=11]',
    '  edge [fontname="Helvetica" fontsize=10]',
    '  graph [fontname="Helvetica" fontsize=11 style=rounded]',
    ...printer.scope(scope, 1),
    "}\n",
  ].join("\n");
}

class Printer {
  readonly #names = new Map<string, string>();
  /** A node inside of each cluster, since edges of Graphviz end at nodes. */
  readonly #inside = new Map<string, string>();
  readonly #marks: Marks;

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  scope({ nodes, edges }: GraphScope, depth: number): readonly string[] {
    const indent = "  ".repeat(depth);
    return [...nodes.flatMap((node) => this.#node(node, depth)), ...edges.map((edge) => indent + this.#edge(edge))];
  }

  #node(node: GraphNode, depth: number): readonly string[] {
    const name = `n${this.#names.size + 1}`;
    this.#names.set(node.id, name);
    const indent = "  ".repeat(depth);
    const parts = node.parts.filter(({ scope }) => scope.nodes.length > 0);
    const label = quote(...linesOf(node));
    if (parts.length === 0)
      return [`${indent}${name} [label=${label}${shapes[node.kind] ?? ""}${this.#markOf(node.id)}]`];
    const inner = parts.flatMap((part, i) => [
      `${indent}  subgraph cluster_${name}_${i + 1} {`,
      `${indent}    label=${quote(part.label)} style="rounded,dashed"`,
      ...this.scope(part.scope, depth + 2),
      `${indent}  }`,
    ]);
    const [first] = parts[0]!.scope.nodes;
    this.#inside.set(node.id, this.#nodeIn(first!.id));
    return [
      `${indent}subgraph cluster_${name} {`,
      `${indent}  label=${label}${this.#markOf(node.id)}`,
      ...inner,
      `${indent}}`,
    ];
  }

  #edge({ id, from, to, kind, label }: GraphEdge): string {
    const text = label ?? (kind === "otherwise" ? kind : undefined);
    const attributes = [
      ...(text === undefined ? [] : [`label=${quote(...text.split("\n"))}`]),
      ...(this.#inside.has(from) ? [`ltail=cluster_${this.#names.get(from)}`] : []),
      ...(this.#inside.has(to) ? [`lhead=cluster_${this.#names.get(to)}`] : []),
      ...styles[kind],
    ].join(" ");
    const marked = `${attributes}${this.#markOf(id)}`.trim();
    const more = marked === "" ? "" : ` [${marked}]`;
    return `${this.#nodeIn(from)} -> ${this.#nodeIn(to)}${more}`;
  }

  #markOf(id: string): string {
    const { taken, covered } = this.#marks;
    if (taken?.has(id)) return " color=green4 penwidth=2";
    return covered?.has(id) === false ? " color=gray fontcolor=gray" : "";
  }

  #nodeIn = (id: string): string => this.#inside.get(id) ?? this.#names.get(id)!;
}

const shapes: { readonly [kind in NodeKind]?: string } = {
  start: " shape=oval",
  end: " shape=oval peripheries=2",
  fail: " shape=oval color=red",
  choice: " shape=hexagon style=solid",
};

const styles: { readonly [kind in EdgeKind]: readonly string[] } = {
  next: [],
  case: [],
  otherwise: [],
  error: ["style=dashed", "color=red"],
  timeout: ["style=dashed"],
};

const linesOf = ({ noun, label, details }: GraphNode): readonly string[] => [
  ...(noun === undefined ? [] : [noun]),
  label,
  ...details.map(({ text }) => text),
];

/** A quoted string with lines; `\` would begin an escape. */
const quote = (...lines: readonly string[]): string =>
  `"${lines.map((line) => printable(line).replace(/["\\]/g, "\\$&")).join("\\n")}"`;
