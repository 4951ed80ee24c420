import { createNames, type NameSpace } from "../ir/names.ts";
import { exits, handlersOf, redirectStep } from "../ir/walk.ts";
import type { Scope, Step } from "../ir/workflow.ts";

/** The control flow graph of a scope. */
export interface FlowGraph {
  readonly entry: string;
  readonly nodes: ReadonlyMap<string, FlowNode>;
}

/** For an irreducible region, `select` records the entry and `dispatch` jumps to it. */
export type FlowNode =
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "select"; readonly region: string; readonly target: string }
  | { readonly kind: "dispatch"; readonly targets: readonly string[] };

/** Creates the control flow graph of a scope. */
export const createGraph = ({ entry, steps }: Scope): FlowGraph => ({
  entry: entry.name,
  nodes: new Map(steps.map((step) => [step.id, { kind: "step", step }])),
});

/** The successors of a node: exits in order, then handlers. */
export function successorsOf(node: FlowNode): readonly string[] {
  switch (node.kind) {
    case "step":
      return [...exits(node.step), ...handlersOf(node.step).map(({ next }) => next)].map(({ name }) => name);
    case "select":
      return [node.region];
    case "dispatch":
      return node.targets;
  }
}

/** The reachable nodes in reverse postorder. */
export function reversePostorder({ entry, nodes }: FlowGraph): readonly string[] {
  const order: string[] = [];
  const seen = new Set([entry]);
  const rest = (id: string) => [...new Set(successorsOf(nodes.get(id)!))];
  const path = [{ id: entry, rest: rest(entry) }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const next = top.rest.pop();
    if (next === undefined) order.push(path.pop()!.id);
    else if (!seen.has(next)) {
      seen.add(next);
      path.push({ id: next, rest: rest(next) });
    }
  }
  return order.reverse();
}

/** The order and dominators of the reachable nodes. */
export interface Dominance {
  readonly numbers: ReadonlyMap<string, number>;
  readonly predecessors: ReadonlyMap<string, readonly string[]>;
  /** Immediate; the entry's is itself. */
  readonly dominators: ReadonlyMap<string, string>;
}

/** Computes dominators by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"). */
export function computeDominance(graph: FlowGraph): Dominance {
  const sequence = reversePostorder(graph);
  const numbers = new Map(sequence.map((id, i) => [id, i]));
  const predecessors = predecessorsOf(graph, sequence);
  const dominators = new Map([[graph.entry, graph.entry]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of sequence.slice(1)) {
      const known = predecessors.get(id)!.filter((other) => dominators.has(other));
      const closest = known.reduceRight((a, b) => nearestCommonDominator(a, b, numbers, dominators));
      if (dominators.get(id) === closest) continue;
      dominators.set(id, closest);
      changed = true;
    }
  }
  return { numbers, predecessors, dominators };
}

/** Whether `above` dominates `node`. */
export function dominates({ dominators, numbers }: Dominance, above: string, node: string): boolean {
  let current = node;
  while (numbers.get(current)! > numbers.get(above)!) current = dominators.get(current)!;
  return current === above;
}

/** Whether an edge leads backward in reverse postorder. */
export const isBackEdge = ({ numbers }: Dominance, from: string, to: string): boolean =>
  numbers.get(to)! <= numbers.get(from)!;

function predecessorsOf({ nodes }: FlowGraph, sequence: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>(sequence.map((id) => [id, []]));
  for (const id of sequence) for (const next of new Set(successorsOf(nodes.get(id)!))) found.get(next)!.push(id);
  return found;
}

function nearestCommonDominator(
  a: string,
  b: string,
  numbers: ReadonlyMap<string, number>,
  dominators: ReadonlyMap<string, string>,
): string {
  let [left, right] = [a, b];
  while (left !== right) {
    if (numbers.get(left)! > numbers.get(right)!) left = dominators.get(left)!;
    else right = dominators.get(right)!;
  }
  return left;
}

/** The natural loops of a graph. */
export interface LoopForest {
  outermostLeft(id: string, dominator: string): string | undefined;
  /** The exit target that dominates the most nodes. */
  followOf(header: string): string | undefined;
}

/** Finds natural loops by their back edges. */
export function findLoops(order: Dominance): LoopForest {
  const bodies = new Map<string, ReadonlySet<string>>();
  for (const id of order.numbers.keys()) {
    const ends = order.predecessors.get(id)!.filter((from) => isBackEdge(order, from, id));
    if (ends.length > 0) bodies.set(id, loopBody(id, ends, order));
  }
  const sizes = dominatedCounts(order);
  const outermostLeft = (id: string, dominator: string) =>
    [...bodies.keys()].find((header) => bodies.get(header)!.has(dominator) && !bodies.get(header)!.has(id));
  const follows = new Map<string, string>();
  for (const [id, dominator] of order.dominators) {
    const header = outermostLeft(id, dominator);
    const known = header === undefined ? undefined : follows.get(header);
    if (header !== undefined && (known === undefined || sizes.get(id)! > sizes.get(known)!)) follows.set(header, id);
  }
  return { outermostLeft, followOf: (header) => follows.get(header) };
}

function loopBody(header: string, ends: readonly string[], order: Dominance): ReadonlySet<string> {
  const body = new Set([header, ...ends]);
  for (const id of body) if (id !== header) for (const from of order.predecessors.get(id)!) body.add(from);
  return body;
}

function dominatedCounts({ numbers, dominators }: Dominance): ReadonlyMap<string, number> {
  const sizes = new Map([...numbers.keys()].map((id) => [id, 1]));
  for (const id of [...numbers.keys()].reverse()) {
    const above = dominators.get(id)!;
    if (above !== id) sizes.set(above, sizes.get(above)! + sizes.get(id)!);
  }
  return sizes;
}

/** Gives each region with several entries a dispatch node. */
export function makeReducible(graph: FlowGraph): FlowGraph {
  const names = createNames(graph.nodes.keys());
  for (let current = graph; ; ) {
    const order = computeDominance(current);
    const entries = findMultipleEntries(current, order);
    if (!entries) return current;
    current = withDispatcher(current, entries, names);
  }
}

/** Of a cycle that no single node dominates. */
function findMultipleEntries(graph: FlowGraph, order: Dominance): readonly string[] | undefined {
  for (const [id] of order.numbers) {
    for (const next of successorsOf(graph.nodes.get(id)!)) {
      if (!isBackEdge(order, id, next) || dominates(order, next, id)) continue;
      const region = findCycle(next, graph, order);
      const entered = [...region].filter(
        (node) => node === graph.entry || order.predecessors.get(node)!.some((from) => !region.has(from)),
      );
      return entered.sort((a, b) => order.numbers.get(a)! - order.numbers.get(b)!);
    }
  }
  return undefined;
}

function findCycle(node: string, graph: FlowGraph, order: Dominance): ReadonlySet<string> {
  const above = order.dominators.get(node)!;
  const isInside = (id: string) => id !== above && dominates(order, above, id);
  const forward = reachableFrom(node, (id) => successorsOf(graph.nodes.get(id)!).filter(isInside));
  const backward = reachableFrom(node, (id) => order.predecessors.get(id)!.filter(isInside));
  return new Set([...forward].filter((id) => backward.has(id)));
}

function reachableFrom(start: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const id of seen) for (const other of next(id)) seen.add(other);
  return seen;
}

/** Edges from outside merge only at the dispatch node. */
function withDispatcher({ entry, nodes }: FlowGraph, entries: readonly string[], names: NameSpace): FlowGraph {
  const region = names.fresh("region");
  const result = new Map<string, FlowNode>();
  const aimFrom = (source: string) => (target: string) => {
    if (!entries.includes(target)) return target;
    const id = names.fresh(`${region}, ${source} to ${target}`);
    result.set(id, { kind: "select", region, target });
    return id;
  };
  for (const [id, node] of nodes) result.set(id, redirect(node, aimFrom(id)));
  result.set(region, { kind: "dispatch", targets: entries });
  return { entry: aimFrom("the beginning")(entry), nodes: result };
}

function redirect(node: FlowNode, to: (target: string) => string): FlowNode {
  if (node.kind === "step")
    return { kind: "step", step: redirectStep(node.step, (given) => ({ ...given, name: to(given.name) })) };
  return node.kind === "dispatch"
    ? { kind: "dispatch", targets: node.targets.map(to) }
    : { ...node, region: to(node.region) };
}
