import type { Edge } from "../environment/environment.ts";
import { type BuiltGraph, buildGraph } from "../graph/build.ts";
import type { EdgeKind, GraphNode, GraphPart, GraphScope, NodeKind } from "../graph/model.ts";
import type { Step, Workflow } from "../ir/workflow.ts";
import type { Span } from "../text/source.ts";
import { decisionsOf, expression, type Fact, factOf, type Property } from "./facts.ts";

/** A workflow as its author reads it: states or steps, what they do, and where they lead. */
export interface Outline {
  readonly workflow: Workflow;
  readonly built: BuiltGraph;
  /** Outer before inner, each in the order of the source. */
  readonly constructs: readonly Construct[];
  readonly start: Construct;
}

/** A state, step or action, or a start or end. */
export interface Construct {
  readonly node: GraphNode;
  readonly kind: NodeKind;
  readonly label: string;
  readonly noun: string | undefined;
  readonly steps: readonly Step[];
  readonly facts: readonly Fact[];
  readonly exits: readonly ConstructExit[];
  /** The construct around its scope, and the part of that. */
  readonly parent: Construct | undefined;
  readonly part: Pick<GraphPart, "kind" | "label"> | undefined;
  readonly span: Span | undefined;
}

/** A transition of a construct. */
export interface ConstructExit {
  readonly to: Construct;
  readonly kind: EdgeKind;
  /** In the source's text. */
  readonly label: string | undefined;
  readonly conditions: readonly Property[];
}

/** Outlines a workflow. */
export function outlineOf(workflow: Workflow): Outline {
  const built = buildGraph(workflow);
  const shown = new Set([...built.exits.values()].flat());
  const constructs = constructsIn(built.graph.scope, { ...built, shown }, undefined, undefined);
  return { workflow, built, constructs, start: constructs.find(({ kind }) => kind === "start")! };
}

/** A graph, with all exits that its edges show. */
interface ShownGraph extends BuiltGraph {
  readonly shown: ReadonlySet<Edge>;
}

/** A construct whose exits are added after all constructs of its scope are known. */
type OpenConstruct = Construct & { readonly exits: ConstructExit[] };

function constructsIn(
  { nodes, edges }: GraphScope,
  built: ShownGraph,
  parent: Construct | undefined,
  part: Construct["part"],
): readonly Construct[] {
  const own = new Map(nodes.map((node) => [node.id, openConstruct(node, built, parent, part)]));
  for (const { id, from, to, kind, label } of edges)
    own.get(from)!.exits.push({ to: own.get(to)!, kind, label, conditions: conditionsOf(built, id, label) });
  return [...own.values()].flatMap((construct) => [
    construct,
    ...construct.node.parts.flatMap((inner) => constructsIn(inner.scope, built, construct, inner)),
  ]);
}

function openConstruct(
  node: GraphNode,
  built: ShownGraph,
  parent: Construct | undefined,
  part: Construct["part"],
): OpenConstruct {
  const steps = built.steps.get(node.id) ?? [];
  const { kind, label, noun } = node;
  const own = new Set(steps.map(({ id }) => id));
  const { shown } = built;
  const facts = withLimits(steps.flatMap((step) => [factOf(step) ?? [], decisionsOf(step, own, shown)].flat()));
  return { node, kind, label, noun, steps, facts, exits: [], parent, part, span: steps[0]?.span };
}

/** The retries and the timeout of an attempt around the only call of a construct are those of the call. */
function withLimits(facts: readonly Fact[]): readonly Fact[] {
  const attempts = facts.filter(({ aspect }) => aspect === "attempt");
  const calls = facts.filter(({ aspect }) => aspect === "call" || aspect === "subflow");
  const [attempt, call] = [attempts[0], calls[0]];
  if (!attempt || !call || attempts.length > 1 || calls.length > 1) return facts;
  if ([...attempt.properties.keys()].some((name) => call.properties.has(name))) return facts;
  const merged: Fact = { ...call, properties: new Map([...call.properties, ...attempt.properties]) };
  return facts.flatMap((fact) => (fact === attempt ? [] : fact === call ? [merged] : [fact]));
}

/** The conditions of an edge, in the source's text if each has one. */
function conditionsOf({ exits }: BuiltGraph, edge: string, label: string | undefined): readonly Property[] {
  const conditions = (exits.get(edge) ?? []).flatMap((exit) =>
    "when" in exit ? [expression(exit.when, exit.span)] : [],
  );
  const labels = label?.split("\n") ?? [];
  return labels.length === conditions.length
    ? conditions.map((condition, i) => ({ ...condition, text: labels[i]! }))
    : conditions;
}

/** A construct in words, such as `operation state "Check"`. */
export const describeConstruct = ({ noun, label }: Pick<Construct, "noun" | "label">): string =>
  noun === undefined ? label : `${noun} ${label}`;

/** Where a construct is: `branch Stock of parallel state Reserve`; undefined in the workflow itself. */
export function describeScope({ parent, part }: Construct): string | undefined {
  if (!parent || !part) return undefined;
  const inner =
    part.kind === "branch" ? `branch ${part.label}` : part.kind === "iteration" ? "an iteration" : "attempt";
  return `${inner} of ${describeConstruct(parent)}`;
}
