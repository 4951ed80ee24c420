import type { Choose, Scope, Step } from "../ir/workflow.ts";
import {
  type FlowGraph,
  isBackEdge,
  createGraph,
  findLoops,
  type Dominance,
  computeDominance,
  makeReducible,
  successorsOf,
} from "./graph.ts";
import { type StructuredBlock, type StructuredItem, removeRedundantJumps } from "./tree.ts";

/** The control flow of a scope as loops, branches and labelled blocks, after Ramsey ("Beyond Relooper", 2022): every step stands in it once. */
export function structureScope(scope: Scope): StructuredBlock {
  const graph = makeReducible(createGraph(scope));
  const order = computeDominance(graph);
  return removeRedundantJumps(
    structureSubtree(graph.entry, { graph, order, depth: 0, ...findFollowers(graph, order) }),
  );
}

/** What the translation goes by. */
interface StructuringContext {
  readonly graph: FlowGraph;
  /** How many ways of choices are within each other here. */
  readonly depth: number;
  readonly order: Dominance;
  /** The nodes that stand after a node (`inside` the loop that it begins, if it does, or `outside`), the last one first. */
  readonly after: ReadonlyMap<string, Followers>;
  /** All of those: who goes to one of them leaves a block. */
  readonly placed: ReadonlySet<string>;
}

interface Followers {
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/** A node with all that it dominates. What comes last is not nested, so that a long workflow is no deep one. */
function structureSubtree(id: string, shape: StructuringContext): StructuredBlock {
  const items: StructuredItem[] = [];
  for (let next: string | undefined = id; next !== undefined; ) next = appendNode(next, shape, items);
  return items;
}

/** Adds a node, and what is nested in it; gives the node that comes next. */
function appendNode(id: string, shape: StructuringContext, items: StructuredItem[]): string | undefined {
  const { inside, outside } = shape.after.get(id)!;
  const isLoop = shape.order.predecessors.get(id)!.some((from) => isBackEdge(shape.order, from, id));
  const targets = isLoop ? outside : [...outside, ...inside];
  if (targets.length === 0 && !isLoop) return appendStep(id, shape, items);
  const body = isLoop ? wrapInLabels(inside, shape, () => structureNode(id, shape)) : undefined;
  const [last, ...rest] = targets;
  const inner = wrapInLabels(rest, shape, () =>
    body ? [{ kind: "loop", label: id, body }] : structureNode(id, shape),
  );
  if (last === undefined) items.push(...inner);
  else items.push({ kind: "labeled", label: last, body: inner });
  return last;
}

/** A block, and behind it the nodes that jumps in it lead to. */
function wrapInLabels(
  targets: readonly string[],
  shape: StructuringContext,
  inner: () => StructuredBlock,
): StructuredBlock {
  const [target, ...rest] = targets;
  if (target === undefined) return inner();
  return [
    { kind: "labeled", label: target, body: wrapInLabels(rest, shape, inner) },
    ...structureSubtree(target, shape),
  ];
}

/** A node with those that it leads to alone, without what stands after it. */
function structureNode(id: string, shape: StructuringContext): StructuredBlock {
  const items: StructuredItem[] = [];
  const next = appendStep(id, shape, items);
  return next === undefined ? items : [...items, ...structureSubtree(next, shape)];
}

/** Adds what a node does; gives the node that comes next where that is the only way on and nothing else leads there. */
function appendStep(id: string, shape: StructuringContext, items: StructuredItem[]): string | undefined {
  const found = shape.graph.nodes.get(id)!;
  const successors = successorsOf(found);
  const blockTo = (to: string) => structureEdge(id, to, shape);
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
    return appendChoice(found.step, successors, shape, items);
  }
  if (found.kind === "select") items.push({ kind: "select", target: found.target });
  else items.push(stepItem(found.step, successors.slice(1).map(blockTo)));
  const [next] = successors;
  const jump = next === undefined ? [] : jumpTo(id, next, shape);
  if (!jump) return next;
  items.push(...jump);
  return undefined;
}

/** Where choices are deep within each other already, the last way is not nested: it comes next. */
function appendChoice(
  step: Choose,
  successors: readonly string[],
  shape: StructuringContext,
  items: StructuredItem[],
): string | undefined {
  const last = successors.at(-1);
  const next = last !== undefined && shape.depth >= maxNesting && !jumpTo(step.id, last, shape) ? last : undefined;
  const blocks = successors.map((to, i) =>
    next !== undefined && i === successors.length - 1 ? [] : structureEdge(step.id, to, shape),
  );
  const count = step.cases.length;
  items.push({ kind: "branch", by: { kind: "step", step }, arms: blocks.slice(0, count), otherwise: blocks[count] });
  return next;
}

/** More ways within each other than this do not read well. */
const maxNesting = 12;

const stepItem = (step: Step, handlers: readonly StructuredBlock[]): StructuredItem => ({
  kind: "step",
  step,
  handlers,
  body: step.kind === "attempt" ? structureScope(step.body) : undefined,
});

/** How a node is gone to from another: by a jump, or by standing there. */
const structureEdge = (from: string, to: string, shape: StructuringContext): StructuredBlock =>
  jumpTo(from, to, shape) ?? structureSubtree(to, { ...shape, depth: shape.depth + 1 });

function jumpTo(from: string, to: string, { order, placed }: StructuringContext): StructuredBlock | undefined {
  if (isBackEdge(order, from, to)) return [{ kind: "continue", label: to }];
  return placed.has(to) ? [{ kind: "break", label: to }] : undefined;
}

/**
 * Which nodes stand after which: those that several ways lead to, after the node that dominates them; those behind a loop, after the loop, if several
 * ways lead there or if it is the one that most comes after.
 */
function findFollowers(graph: FlowGraph, order: Dominance): Pick<StructuringContext, "after" | "placed"> {
  const after = new Map(
    [...order.numbers.keys()].map((id) => [id, { inside: [] as string[], outside: [] as string[] }]),
  );
  const placed = new Set<string>();
  const loops = findLoops(order);
  const merges = findMergeNodes(graph, order);
  for (const id of [...order.numbers.keys()].reverse()) {
    if (id === graph.entry) continue;
    const dominator = order.dominators.get(id)!;
    const header = loops.outermostLeft(id, dominator);
    if (!merges.has(id) && (header === undefined || loops.followOf(header) !== id)) continue;
    placed.add(id);
    if (header === undefined) after.get(dominator)!.inside.push(id);
    else after.get(header)!.outside.push(id);
  }
  return { after, placed };
}

/** The nodes that several ways lead to, without those that go back to them. */
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
