import type { Marks } from "../graph/marks.ts";
import type { Graph, GraphEdge, GraphNode, GraphScope } from "../graph/model.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import { type Matching, matchConstructs } from "./match.ts";
import type { WorkflowDiff } from "./model.ts";
import { type Construct, type Outline, outlineOf } from "./outline.ts";

/** The graph of the new workflow with what only the old one has, and marks of what is added, removed or changed. */
export function graphOfDiff(
  diff: WorkflowDiff,
  old: Program,
  created: Program,
): { readonly graph: Graph; readonly marks: Marks } | undefined {
  const find = ({ workflows }: Program, id: string | undefined): Workflow | undefined =>
    workflows.find((workflow) => workflow.id === id);
  const [before, after] = [find(old, diff.old?.id), find(created, diff.new?.id)];
  if (!before || !after) return undefined;
  const union = new Union(outlineOf(before), outlineOf(after));
  const changed = new Set(diff.changes.flatMap((change) => (change.kind === "added" ? [] : [keyOf(change)])));
  return union.build(changed);
}

const keyOf = ({ noun, name }: { readonly noun: string; readonly name: string }): string => `${noun}\0${name}`;

class Union {
  readonly #old: Outline;
  readonly #new: Outline;
  readonly #matching: Matching;
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(old: Outline, created: Outline) {
    this.#old = old;
    this.#new = created;
    this.#matching = matchConstructs(old, created);
  }

  build(changes: ReadonlySet<string>): { readonly graph: Graph; readonly marks: Marks } {
    const { graph } = this.#new.built;
    const changed = new Set<string>();
    for (const { node, noun, kind, label } of this.#new.constructs)
      if (changes.has(keyOf({ noun: noun ?? kind, name: label }))) changed.add(node.id);
    for (const { node } of this.#matching.added) this.#added.add(node.id);
    const scope = this.#scope(graph.scope, undefined, "");
    for (const id of this.#added) changed.delete(id);
    return { graph: { ...graph, scope }, marks: { added: this.#added, removed: this.#removed, changed } };
  }

  /** A scope of the new workflow, with the removed constructs and transitions of its counterpart. */
  #scope(scope: GraphScope, parent: Construct | undefined, part: string): GraphScope {
    const oldParent = parent && this.#matching.counterparts.get(parent);
    const isHere = (construct: Construct): boolean =>
      construct.parent === oldParent &&
      (parent === undefined || oldParent !== undefined) &&
      (construct.part?.label ?? "") === part;
    const before = this.#old.constructs.filter(isHere);
    const removed = before.filter((construct) => !this.#matching.counterparts.has(construct));
    const own = new Map(this.#new.constructs.map((construct) => [construct.node.id, construct]));
    for (const { id, from, to } of scope.edges) if (this.#isNew(own.get(from)!, own.get(to)!)) this.#added.add(id);
    return {
      nodes: [
        ...scope.nodes.map((node) => this.#node(node, own.get(node.id)!)),
        ...removed.map((each) => this.#removedNode(each)),
      ],
      edges: [...scope.edges, ...before.flatMap((construct) => this.#removedEdges(construct, scope))],
    };
  }

  #node(node: GraphNode, construct: Construct): GraphNode {
    const parts = node.parts.map((part) => ({ ...part, scope: this.#scope(part.scope, construct, part.label) }));
    return { ...node, parts };
  }

  #removedNode({ node }: Construct): GraphNode {
    const id = `(old) ${node.id}`;
    this.#removed.add(id);
    return { ...node, id, parts: [] };
  }

  #isNew(from: Construct, to: Construct): boolean {
    const [before, target] = [this.#matching.counterparts.get(from), this.#matching.counterparts.get(to)];
    return !before || !target || !before.exits.some((exit) => exit.to === target);
  }

  /** The transitions of an old construct that its counterpart does not have. */
  #removedEdges(construct: Construct, scope: GraphScope): readonly GraphEdge[] {
    const ids = new Set(scope.nodes.map(({ id }) => id));
    const idOf = (each: Construct): string | undefined => {
      const found = this.#matching.counterparts.get(each);
      return found ? (ids.has(found.node.id) ? found.node.id : undefined) : `(old) ${each.node.id}`;
    };
    const kept = this.#matching.counterparts.get(construct);
    return construct.exits.flatMap(({ to, kind, label }): readonly GraphEdge[] => {
      const [from, target] = [idOf(construct), idOf(to)];
      const isKept = kept?.exits.some((exit) => exit.to === this.#matching.counterparts.get(to)) ?? false;
      if (from === undefined || target === undefined || isKept) return [];
      const id = `(old) ${from}→${target} ${kind}`;
      this.#removed.add(id);
      return [{ id, from, to: target, kind, label }];
    });
  }
}
