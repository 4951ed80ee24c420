import type { Choose, Scope, Step } from "../ir/workflow.ts";
import { type Graph, goesBack, graphOf, loopsOf, type Order, orderOf, reducible, successorsOf } from "./graph.ts";
import { type Block, type Item, tidy } from "./tree.ts";

/** The control flow of a scope as loops, branches and labelled blocks, after Ramsey ("Beyond Relooper", 2022): every step stands in it once. */
export function structured(scope: Scope): Block {
  const graph = reducible(graphOf(scope));
  const order = orderOf(graph);
  return tidy(subtree(graph.entry, { graph, order, depth: 0, ...placesAfter(graph, order) }));
}

/** What the translation goes by. */
interface Shape {
  readonly graph: Graph;
  /** How many ways of choices are within each other here. */
  readonly depth: number;
  readonly order: Order;
  /** The nodes that stand after a node (`inside` the loop that it begins, if it does, or `outside`), the last one first. */
  readonly after: ReadonlyMap<string, After>;
  /** All of those: who goes to one of them leaves a block. */
  readonly placed: ReadonlySet<string>;
}

interface After {
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/** A node with all that it dominates. What comes last is not nested, so that a long workflow is no deep one. */
function subtree(id: string, shape: Shape): Block {
  const items: Item[] = [];
  for (let next: string | undefined = id; next !== undefined; ) next = append(next, shape, items);
  return items;
}

/** Adds a node, and what is nested in it; gives the node that comes next. */
function append(id: string, shape: Shape, items: Item[]): string | undefined {
  const { inside, outside } = shape.after.get(id)!;
  const isLoop = shape.order.predecessors.get(id)!.some((from) => goesBack(shape.order, from, id));
  const targets = isLoop ? outside : [...outside, ...inside];
  if (targets.length === 0 && !isLoop) return appendNode(id, shape, items);
  const body = isLoop ? followed(inside, shape, () => alone(id, shape)) : undefined;
  const [last, ...rest] = targets;
  const inner = followed(rest, shape, () => (body ? [{ kind: "loop", label: id, body }] : alone(id, shape)));
  if (last === undefined) items.push(...inner);
  else items.push({ kind: "labelled", label: last, body: inner });
  return last;
}

/** A block, and behind it the nodes that jumps in it lead to. */
function followed(targets: readonly string[], shape: Shape, inner: () => Block): Block {
  const [target, ...rest] = targets;
  if (target === undefined) return inner();
  return [{ kind: "labelled", label: target, body: followed(rest, shape, inner) }, ...subtree(target, shape)];
}

/** A node with those that it leads to alone, without what stands after it. */
function alone(id: string, shape: Shape): Block {
  const items: Item[] = [];
  const next = appendNode(id, shape, items);
  return next === undefined ? items : [...items, ...subtree(next, shape)];
}

/** Adds what a node does; gives the node that comes next where that is the only way on and nothing else leads there. */
function appendNode(id: string, shape: Shape, items: Item[]): string | undefined {
  const found = shape.graph.nodes.get(id)!;
  const ways = successorsOf(found);
  const blockTo = (to: string) => edge(id, to, shape);
  if (found.kind === "dispatch") {
    items.push({
      kind: "branch",
      by: { kind: "aim", targets: found.targets },
      ways: ways.map(blockTo),
      otherwise: undefined,
    });
    return undefined;
  }
  if (found.kind === "step" && found.step.kind === "choose") {
    return appendChoice(found.step, ways, shape, items);
  }
  if (found.kind === "aim") items.push({ kind: "aim", target: found.target });
  else items.push(actOf(found.step, ways.slice(1).map(blockTo)));
  const [next] = ways;
  const jump = next === undefined ? [] : jumpTo(id, next, shape);
  if (!jump) return next;
  items.push(...jump);
  return undefined;
}

/** Where choices are deep within each other already, the last way is not nested: it comes next. */
function appendChoice(step: Choose, ways: readonly string[], shape: Shape, items: Item[]): string | undefined {
  const last = ways.at(-1);
  const next = last !== undefined && shape.depth >= deepest && !jumpTo(step.id, last, shape) ? last : undefined;
  const blocks = ways.map((to, i) => (next !== undefined && i === ways.length - 1 ? [] : edge(step.id, to, shape)));
  const count = step.cases.length;
  items.push({ kind: "branch", by: { kind: "step", step }, ways: blocks.slice(0, count), otherwise: blocks[count] });
  return next;
}

/** More ways within each other than this do not read well. */
const deepest = 12;

const actOf = (step: Step, handlers: readonly Block[]): Item => ({
  kind: "act",
  step,
  handlers,
  body: step.kind === "attempt" ? structured(step.body) : undefined,
});

/** How a node is gone to from another: by a jump, or by standing there. */
const edge = (from: string, to: string, shape: Shape): Block =>
  jumpTo(from, to, shape) ?? subtree(to, { ...shape, depth: shape.depth + 1 });

function jumpTo(from: string, to: string, { order, placed }: Shape): Block | undefined {
  if (goesBack(order, from, to)) return [{ kind: "again", label: to }];
  return placed.has(to) ? [{ kind: "leave", label: to }] : undefined;
}

/**
 * Which nodes stand after which: those that several ways lead to, after the node that dominates them; those behind a loop, after the loop, if several
 * ways lead there or if it is the one that most comes after.
 */
function placesAfter(graph: Graph, order: Order): Pick<Shape, "after" | "placed"> {
  const after = new Map(
    [...order.numbers.keys()].map((id) => [id, { inside: [] as string[], outside: [] as string[] }]),
  );
  const placed = new Set<string>();
  const loops = loopsOf(order);
  const merges = mergesIn(graph, order);
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
function mergesIn({ nodes }: Graph, order: Order): ReadonlySet<string> {
  const [reached, merges] = [new Set<string>(), new Set<string>()];
  for (const id of order.numbers.keys()) {
    for (const next of successorsOf(nodes.get(id)!)) {
      if (goesBack(order, id, next)) continue;
      if (reached.has(next)) merges.add(next);
      reached.add(next);
    }
  }
  return merges;
}
