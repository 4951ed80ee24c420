import type { Choose, Scope, Step } from "../ir/workflow.ts";
import {
  computeDominance,
  createGraph,
  type Dominance,
  type FlowGraph,
  findLoops,
  isBackEdge,
  makeReducible,
  successorsOf,
} from "./graph.ts";
import { removeRedundantJumps, type StructuredBlock, type StructuredItem } from "./tree.ts";

/** Structures a scope without duplicating steps, following Ramsey, "Beyond Relooper" (2022). */
export function structureScope(scope: Scope): StructuredBlock {
  const graph = makeReducible(createGraph(scope));
  const order = computeDominance(graph);
  return removeRedundantJumps(
    structureSubtree(graph.entry, { graph, order, depth: 0, ...findFollowers(graph, order) }),
  );
}

interface StructuringContext {
  readonly graph: FlowGraph;
  readonly depth: number;
  readonly order: Dominance;
  /** Last first; inside the loop that the node heads, or outside. */
  readonly after: ReadonlyMap<string, Followers>;
  readonly followers: ReadonlySet<string>;
}

interface Followers {
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/** The last follower is not nested, so a long workflow is not deep. */
function structureSubtree(id: string, context: StructuringContext): StructuredBlock {
  const items: StructuredItem[] = [];
  for (let next: string | undefined = id; next !== undefined; ) next = appendNode(next, context, items);
  return items;
}

/** Returns the node that follows. */
function appendNode(id: string, context: StructuringContext, items: StructuredItem[]): string | undefined {
  const { inside, outside } = context.after.get(id)!;
  const isLoop = context.order.predecessors.get(id)!.some((from) => isBackEdge(context.order, from, id));
  const targets = isLoop ? outside : [...outside, ...inside];
  if (targets.length === 0 && !isLoop) return appendStep(id, context, items);
  const body = isLoop ? wrapInLabels(inside, context, () => structureNode(id, context)) : undefined;
  const [last, ...rest] = targets;
  const inner = wrapInLabels(rest, context, () =>
    body ? [{ kind: "loop", label: id, body }] : structureNode(id, context),
  );
  if (last === undefined) items.push(...inner);
  else items.push({ kind: "labeled", label: last, body: inner });
  return last;
}

function wrapInLabels(
  targets: readonly string[],
  context: StructuringContext,
  inner: () => StructuredBlock,
): StructuredBlock {
  const [target, ...rest] = targets;
  if (target === undefined) return inner();
  return [
    { kind: "labeled", label: target, body: wrapInLabels(rest, context, inner) },
    ...structureSubtree(target, context),
  ];
}

function structureNode(id: string, context: StructuringContext): StructuredBlock {
  const items: StructuredItem[] = [];
  const next = appendStep(id, context, items);
  return next === undefined ? items : [...items, ...structureSubtree(next, context)];
}

/** Returns the successor if only this step reaches it. */
function appendStep(id: string, context: StructuringContext, items: StructuredItem[]): string | undefined {
  const found = context.graph.nodes.get(id)!;
  const successors = successorsOf(found);
  const blockTo = (to: string) => structureEdge(id, to, context);
  if (found.kind === "dispatch") {
    items.push({
      kind: "branch",
      by: { kind: "select", targets: found.targets },
      arms: successors.map(blockTo),
      otherwise: undefined,
    });
    return undefined;
  }
  if (found.kind === "step" && found.step.kind === "choose") {
    return appendChoice(found.step, successors, context, items);
  }
  if (found.kind === "select") items.push({ kind: "select", target: found.target });
  else items.push(stepItem(found.step, successors.slice(1).map(blockTo)));
  const [next] = successors;
  const jump = next === undefined ? [] : jumpTo(id, next, context);
  if (!jump) return next;
  items.push(...jump);
  return undefined;
}

/** Beyond the maximum depth, the last branch follows instead of nesting. */
function appendChoice(
  step: Choose,
  successors: readonly string[],
  context: StructuringContext,
  items: StructuredItem[],
): string | undefined {
  const last = successors.at(-1);
  const next = last !== undefined && context.depth >= maxNesting && !jumpTo(step.id, last, context) ? last : undefined;
  const blocks = successors.map((to, i) =>
    next !== undefined && i === successors.length - 1 ? [] : structureEdge(step.id, to, context),
  );
  const count = step.cases.length;
  items.push({ kind: "branch", by: { kind: "step", step }, arms: blocks.slice(0, count), otherwise: blocks[count] });
  return next;
}

const maxNesting = 12;

const stepItem = (step: Step, handlers: readonly StructuredBlock[]): StructuredItem => ({
  kind: "step",
  step,
  handlers,
  body: step.kind === "attempt" ? structureScope(step.body) : undefined,
});

const structureEdge = (from: string, to: string, context: StructuringContext): StructuredBlock =>
  jumpTo(from, to, context) ?? structureSubtree(to, { ...context, depth: context.depth + 1 });

function jumpTo(from: string, to: string, { order, followers }: StructuringContext): StructuredBlock | undefined {
  if (isBackEdge(order, from, to)) return [{ kind: "continue", label: to }];
  return followers.has(to) ? [{ kind: "break", label: to }] : undefined;
}

/** Merge nodes follow their dominator. Nodes behind a loop follow it if they are merge nodes or its main exit. */
function findFollowers(graph: FlowGraph, order: Dominance): Pick<StructuringContext, "after" | "followers"> {
  const after = new Map(
    [...order.numbers.keys()].map((id) => [id, { inside: [] as string[], outside: [] as string[] }]),
  );
  const followers = new Set<string>();
  const loops = findLoops(order);
  const merges = findMergeNodes(graph, order);
  for (const id of [...order.numbers.keys()].reverse()) {
    if (id === graph.entry) continue;
    const dominator = order.dominators.get(id)!;
    const header = loops.outermostLeft(id, dominator);
    if (!merges.has(id) && (header === undefined || loops.followOf(header) !== id)) continue;
    followers.add(id);
    if (header === undefined) after.get(dominator)!.inside.push(id);
    else after.get(header)!.outside.push(id);
  }
  return { after, followers };
}

function findMergeNodes({ nodes }: FlowGraph, order: Dominance): ReadonlySet<string> {
  const [reached, merges] = [new Set<string>(), new Set<string>()];
  for (const id of order.numbers.keys()) {
    for (const next of successorsOf(nodes.get(id)!)) {
      if (isBackEdge(order, id, next)) continue;
      if (reached.has(next)) merges.add(next);
      reached.add(next);
    }
  }
  return merges;
}
