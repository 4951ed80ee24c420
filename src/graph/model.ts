/** A workflow as a picture shows it, in the nouns of its language. Plain data: it can be stored as JSON. */
export interface Graph {
  /** The id of the workflow. */
  readonly workflow: string;
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly scope: GraphScope;
}

/** The nodes and edges of a workflow, a branch, an iteration or an attempt. Edges do not leave their scope. */
export interface GraphScope {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A state, step or action, or the start or an end of a scope. */
export interface GraphNode {
  /** Unique in the graph. */
  readonly id: string;
  readonly kind: NodeKind;
  /** The name in the source. */
  readonly label: string;
  /** The language's noun, such as `operation state`; none for what has no name in the source. */
  readonly noun?: string | undefined;
  readonly details: readonly Detail[];
  /** The patterns of the keys of its steps, as in `patternOfKey`: first that of its first step. */
  readonly steps: readonly string[];
  readonly parts: readonly GraphPart[];
  /** Absent for starts and ends. Stored graphs have none. */
  readonly span?: GraphSpan | undefined;
}

/** `wait` waits for a time, `event` for events; `data` only changes data. */
export type NodeKind =
  | "start"
  | "end"
  | "fail"
  | "call"
  | "choice"
  | "wait"
  | "event"
  | "emit"
  | "data"
  | "subflow"
  | "parallel"
  | "foreach"
  | "attempt";

/** What a node does, in a line. */
export interface Detail {
  readonly kind: "call" | "event" | "emit" | "wait" | "subflow" | "retry" | "timeout" | "items" | "note";
  readonly text: string;
}

/** A scope inside a node: a branch with its name, the iterations, or the body of an attempt. */
export interface GraphPart {
  readonly kind: "branch" | "iteration" | "attempt";
  readonly label: string;
  readonly scope: GraphScope;
}

/** A transition. */
export interface GraphEdge {
  /** Unique in the graph. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** The condition in the source's text; several conditions are lines. */
  readonly label?: string | undefined;
}

/** `case` and `otherwise` of a decision; `error` and `timeout` by a handler. */
export type EdgeKind = "next" | "case" | "otherwise" | "error" | "timeout";

/** The source text of a node. */
export interface GraphSpan {
  readonly path: string;
  readonly line: number;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** All nodes of a scope, outer before inner. */
export function nodesOf(scope: GraphScope): readonly GraphNode[] {
  return scope.nodes.flatMap((node) => [node, ...node.parts.flatMap((part) => nodesOf(part.scope))]);
}

/** All edges of a scope, outer before inner. */
export function edgesOf(scope: GraphScope): readonly GraphEdge[] {
  return [...scope.edges, ...scope.nodes.flatMap(({ parts }) => parts.flatMap((part) => edgesOf(part.scope)))];
}

/** A graph without the positions in the source, for storage next to emitted programs. */
export const compactGraph = (graph: Graph): Graph => ({ ...graph, scope: compactScope(graph.scope) });

const compactScope = ({ nodes, edges }: GraphScope): GraphScope => ({
  nodes: nodes.map(({ span: _, parts, ...node }) => ({
    ...node,
    parts: parts.map((part) => ({ ...part, scope: compactScope(part.scope) })),
  })),
  edges,
});
