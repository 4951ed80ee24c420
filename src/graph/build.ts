import type { Edge } from "../environment/environment.ts";
import { commonPrefix, stepNameIn } from "../ir/step-keys.ts";
import type { Scope, Step, Workflow } from "../ir/workflow.ts";
import { positionOf } from "../text/source.ts";
import { combinationText, delayText, detailsOf, startDetails } from "./labels.ts";
import type { Graph, GraphEdge, GraphNode, GraphPart, GraphScope, GraphSpan, NodeKind } from "./model.ts";
import { type Construct, constructSpan, type FlatScope, flattenScope, isSilent, shownScopes } from "./scope.ts";
import { branchPrefix, iterationPrefix } from "./step-keys.ts";
import { type Transition, transitionsOf } from "./transitions.ts";

/** A graph, and the parts of the workflow that its nodes and edges show, by their ids. */
export interface BuiltGraph {
  readonly graph: Graph;
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  readonly exits: ReadonlyMap<string, readonly Edge[]>;
}

/** Builds the graph of a workflow. */
export function buildGraph(workflow: Workflow): BuiltGraph {
  const builder = new Builder();
  const scope = builder.scope(workflow.body, { ids: "", keys: "", isOuter: true });
  const start = builder.node({
    id: "(start)",
    kind: "start",
    label: "Start",
    details: startDetails(workflow),
  });
  const first = builder.entryOf(scope);
  const nodes = [start, ...scope.nodes];
  const edges =
    first === undefined ? scope.edges : [builder.edge(start.id, first, { kind: "next", by: [] }), ...scope.edges];
  const { id, name, version, language } = workflow;
  return {
    graph: { workflow: id, name, version, language, scope: { nodes, edges } },
    steps: builder.steps,
    exits: builder.exits,
  };
}

/** Where a scope is: the prefixes of the ids of its steps and of the patterns of their keys. */
interface Place {
  readonly ids: string;
  readonly keys: string;
  /** The scope of the workflow itself. */
  readonly isOuter: boolean;
}

/** A scope of the graph, and the node that it begins with. */
interface BuiltScope extends GraphScope {
  readonly entry: string | undefined;
}

class Builder {
  readonly steps = new Map<string, readonly Step[]>();
  readonly exits = new Map<string, readonly Edge[]>();
  readonly #ids = new Set<string>();

  entryOf = ({ entry }: BuiltScope): string | undefined => entry;

  scope(source: Scope, place: Place): BuiltScope {
    const flat = flattenScope(source);
    const nodes = new Map<Construct, GraphNode>();
    for (const construct of new Set(flat.constructs.values()))
      if (construct.isNamed || isShown(construct, flat)) nodes.set(construct, this.#construct(construct, flat, place));
    const { transitions, entry } = transitionsOf(flat, new Set(nodes.keys()));
    const ends = this.#ends(transitions, entry, place);
    const idOf = (construct: Construct | "end" | "fail"): string =>
      typeof construct === "string" ? ends.get(construct)!.id : nodes.get(construct)!.id;
    const shown = transitions.filter(({ to }) => typeof to !== "string" || ends.has(to));
    return {
      nodes: [...nodes.values(), ...ends.values()],
      edges: shown.map((each) => this.edge(idOf(each.from), idOf(each.to), each)),
      entry: entry === undefined || (typeof entry === "string" && !ends.has(entry)) ? undefined : idOf(entry),
    };
  }

  /** The ends of a scope. In a branch, a node without an exit is an end. */
  #ends(
    transitions: readonly Transition[],
    entry: Construct | "end" | "fail" | undefined,
    { keys, isOuter }: Place,
  ): ReadonlyMap<"end" | "fail", GraphNode> {
    const ends = new Map<"end" | "fail", GraphNode>();
    const counts = new Map<Construct, number>();
    for (const { from } of transitions) counts.set(from, (counts.get(from) ?? 0) + 1);
    for (const kind of ["end", "fail"] as const) {
      const into = transitions.filter(({ to }) => to === kind);
      const isNeeded = isOuter ? into.length > 0 || entry === kind : into.some(({ from }) => counts.get(from)! > 1);
      if (!isNeeded) continue;
      const label = kind === "end" ? "End" : "Fail";
      ends.set(kind, this.node({ id: `${keys}(${kind})`, kind, label, details: [] }));
    }
    return ends;
  }

  #construct(construct: Construct, flat: FlatScope, place: Place): GraphNode {
    const { first, steps, isNamed } = construct;
    const label = isNamed ? first.origin.name : partLabel(first);
    const noun = isNamed ? { noun: first.origin.noun } : {};
    const effects = steps.filter((step) => !isSilent(step, flat) && step.kind !== "end");
    const keyOf = (step: Step): string => place.keys + stepNameIn(place.ids, step.id);
    const parts = effects.flatMap((step) => this.#parts(step, keyOf(step), flat, place, isNamed));
    const keyed = [first, ...steps.filter((step) => step !== first && isRecorded(step))];
    const node = this.node({
      id: keyOf(first),
      kind: kindOf(construct, flat, parts.length > 0),
      label,
      ...noun,
      details: detailsOf(steps, label),
      steps: keyed.map(keyOf),
      parts,
      span: spanOf(construct),
    });
    this.steps.set(node.id, steps);
    return node;
  }

  #parts(step: Step, key: string, flat: FlatScope, place: Place, isNamed: boolean): readonly GraphPart[] {
    if (shownScopes(step, flat).length === 0) return [];
    switch (step.kind) {
      case "fork":
        return withContent(
          step.branches.map(({ name, scope }) => {
            const ids = commonPrefix(step, scope, `${name}/`);
            return this.#part("branch", name, scope, { ids, keys: branchPrefix(key, name), isOuter: false });
          }),
        );
      case "foreach": {
        const ids = commonPrefix(step, step.scope);
        const label = isNamed ? "for each" : "";
        return [this.#part("iteration", label, step.scope, { ids, keys: iterationPrefix(key), isOuter: false })];
      }
      case "attempt":
        return [this.#part("attempt", "", step.body, { ...place, isOuter: false })];
      default:
        return [];
    }
  }

  #part(kind: GraphPart["kind"], label: string, source: Scope, place: Place): GraphPart {
    const { nodes, edges } = this.scope(source, place);
    return { kind, label, scope: { nodes, edges } };
  }

  node({ id, kind, label, noun, details, steps = [], parts = [], span }: NewNode): GraphNode {
    return {
      id: this.#fresh(id),
      kind,
      label,
      ...(noun === undefined ? {} : { noun }),
      details,
      steps,
      parts,
      ...(span && { span }),
    };
  }

  edge(from: string, to: string, { kind, label, by }: Pick<Transition, "kind" | "label" | "by">): GraphEdge {
    const id = this.#fresh(`${from}→${to}${kind === "next" ? "" : ` ${kind}`}`);
    this.exits.set(id, by);
    return { id, from, to, kind, ...(label === undefined ? {} : { label }) };
  }

  #fresh(wanted: string): string {
    let id = wanted;
    for (let i = 2; this.#ids.has(id); i++) id = `${wanted} (${i})`;
    this.#ids.add(id);
    return id;
  }
}

interface NewNode extends Pick<GraphNode, "id" | "kind" | "label" | "details"> {
  readonly noun?: string;
  readonly steps?: readonly string[];
  readonly parts?: readonly GraphPart[];
  readonly span?: GraphSpan;
}

/** Branches that all do nothing are not shown: they only compute data. */
const withContent = (branches: readonly GraphPart[]): readonly GraphPart[] =>
  branches.some(({ scope }) => scope.nodes.length > 0) ? branches : [];

const isShown = ({ first }: Construct, flat: FlatScope): boolean => !isSilent(first, flat) && first.kind !== "end";

/** Whether a program records the step under its key. */
const isRecorded = ({ kind }: Step): boolean => kind !== "assign" && kind !== "end";

/** The label of a part of a construct, which has no name in the source. */
function partLabel(step: Step): string {
  switch (step.kind) {
    case "call":
      return step.function.name;
    case "emit":
      return step.event.name;
    case "invoke":
      return step.workflow.name;
    case "delay":
      return delayText(step);
    case "receive":
      return step.alternatives.length === 1 ? combinationText(step.alternatives[0]!) : "events";
    case "fork":
      return "parallel";
    case "foreach":
      return "for each";
    default:
      return step.origin.part ?? step.origin.name;
  }
}

const kinds = [
  ["fork", "parallel"],
  ["foreach", "foreach"],
  ["receive", "event"],
  ["invoke", "subflow"],
  ["call", "call"],
  ["delay", "wait"],
  ["emit", "emit"],
] as const;

function kindOf({ first, steps }: Construct, flat: FlatScope, hasParts: boolean): NodeKind {
  if (first.kind === "attempt" && !flat.merged.has(first.id)) return "attempt";
  const found = kinds.find(([kind]) => (kind !== "fork" || hasParts) && steps.some((step) => step.kind === kind));
  if (found) return found[1];
  if (first.kind === "end") return first.outcome === "fail" ? "fail" : "end";
  return steps.some(({ kind }) => kind === "choose") ? "choice" : "data";
}

function spanOf(construct: Construct): GraphSpan {
  const { source, start, end } = constructSpan(construct);
  return { path: source.path, line: positionOf(source, start).line, start, end };
}
