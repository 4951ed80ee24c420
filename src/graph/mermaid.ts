import type { Marks } from "./marks.ts";
import type { Detail, EdgeKind, Graph, GraphEdge, GraphNode, GraphScope, NodeKind } from "./model.ts";
import { printable } from "./text.ts";

/** Prints a graph as a flowchart of Mermaid, with one statement per line. */
export function renderMermaid({ scope }: Graph, marks: Marks = {}): string {
  const printer = new Printer();
  return `${["flowchart TD", ...printer.scope(scope, 1), ...printer.marks(marks)].join("\n")}\n`;
}

class Printer {
  readonly #names = new Map<string, string>();
  /** The ids of edges, in the order of their statements. */
  readonly #edges: string[] = [];

  /** The styles of marked nodes and edges. */
  marks({ taken, covered, added, removed, changed }: Marks): readonly string[] {
    const styles = [
      { style: "stroke:#1a7f37,stroke-width:3px", has: (id: string) => taken?.has(id) ?? false },
      { style: "stroke-dasharray:3", has: (id: string) => covered?.has(id) === false },
      { style: "stroke:#1a7f37,stroke-width:3px", has: (id: string) => added?.has(id) ?? false },
      { style: "stroke:#cf222e,stroke-width:2px,stroke-dasharray:4", has: (id: string) => removed?.has(id) ?? false },
      { style: "stroke:#bf8700,stroke-width:3px", has: (id: string) => changed?.has(id) ?? false },
    ];
    return styles.flatMap(({ style, has }, i) => {
      const nodes = [...this.#names].flatMap(([id, name]) => (has(id) ? [name] : []));
      const edges = this.#edges.flatMap((id, index) => (has(id) ? [index] : []));
      return [
        ...(nodes.length === 0 ? [] : [`  classDef mark${i} ${style}`, `  class ${nodes.join(",")} mark${i}`]),
        ...(edges.length === 0 ? [] : [`  linkStyle ${edges.join(",")} ${style}`]),
      ];
    });
  }

  scope({ nodes, edges }: GraphScope, depth: number): readonly string[] {
    const indent = "  ".repeat(depth);
    return [...nodes.flatMap((node) => this.#node(node, depth)), ...edges.map((edge) => indent + this.#edge(edge))];
  }

  #node(node: GraphNode, depth: number): readonly string[] {
    const name = this.#nameOf(node.id);
    const indent = "  ".repeat(depth);
    const parts = node.parts.filter(({ scope }) => scope.nodes.length > 0);
    if (parts.length === 0) return [`${indent}${name}${shapeOf(node)}`];
    const isPlain = parts.length === 1 && (parts[0]!.label === "" || parts[0]!.kind !== "branch");
    const inner = isPlain
      ? this.scope(parts[0]!.scope, depth + 1)
      : parts.flatMap(({ label, scope }, i) => [
          `${indent}  subgraph ${name}p${i + 1}[${quote([label || " "])}]`,
          ...this.scope(scope, depth + 2),
          `${indent}  end`,
        ]);
    return [`${indent}subgraph ${name}[${quote([linesOf(node).join(" · ")])}]`, ...inner, `${indent}end`];
  }

  #edge({ id, from, to, kind, label }: GraphEdge): string {
    this.#edges.push(id);
    const text = label ?? (kind === "otherwise" ? kind : undefined);
    const condition = text === undefined ? "" : `|${quote(shorten(text.split("\n")))}|`;
    return `${this.#nameOf(from)} ${arrows[kind]}${condition} ${this.#nameOf(to)}`;
  }

  #nameOf(id: string): string {
    const name = this.#names.get(id) ?? `n${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }
}

const arrows: { readonly [kind in EdgeKind]: string } = {
  next: "-->",
  case: "-->",
  otherwise: "-->",
  error: "-.->",
  timeout: "-.->",
};

function shapeOf(node: GraphNode): string {
  const text = quote(linesOf(node));
  switch (node.kind) {
    case "start":
    case "end":
    case "fail":
      return `([${text}])`;
    case "choice":
      return `{{${text}}}`;
    case "subflow":
      return `[[${text}]]`;
    default:
      return `[${text}]`;
  }
}

const linesOf = ({ kind, noun, label, details }: GraphNode): readonly string[] => [
  ...shorten([noun === undefined ? label : `${noun} ${label}`]),
  ...shorten(details.map((detail) => `${verbOf(detail, kind)}${detail.text}`)),
];

function verbOf({ kind }: Detail, node: NodeKind): string {
  switch (kind) {
    case "call":
      return "calls ";
    case "emit":
      return "emits ";
    case "event":
      return node === "start" ? "on " : "awaits ";
    case "subflow":
      return "starts ";
    default:
      return "";
  }
}

const maxLines = 6;
const maxLength = 60;

function shorten(lines: readonly string[]): readonly string[] {
  const kept =
    lines.length > maxLines ? [...lines.slice(0, maxLines - 1), `and ${lines.length - maxLines + 1} more`] : lines;
  return kept.map((line) => (line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line));
}

const quote = (lines: readonly string[]): string => `"${lines.map(escapeMermaid).join("<br>")}"`;

/** Mermaid reads `#35;` as a character. Only letters, digits and marks without a meaning remain. */
const escapeMermaid = (text: string): string =>
  printable(text).replace(/[^\p{L}\p{N}\p{M} .,:;()/$=_+·…→-]/gu, (character) => `#${character.codePointAt(0)};`);
