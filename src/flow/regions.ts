import { freshNames, type Names } from "../ir/names.ts";
import { redirected } from "../ir/walk.ts";
import { dominates, type Graph, goesBack, type Node, type Order, orderOf, successorsOf } from "./graph.ts";

/**
 * The same control flow with every loop entered at one place: a region that is entered at several gets a dispatcher before it, and who goes to one of its
 * entries notes which and goes to the dispatcher. Graphs in which that is so already stay as they are.
 */
export function reducible(graph: Graph): Graph {
  const names = freshNames(graph.nodes.keys());
  for (let current = graph; ; ) {
    const order = orderOf(current);
    const entries = entriesOfRegion(current, order);
    if (!entries) return current;
    current = withDispatcher(current, entries, names);
  }
}

/** The nodes at which a cycle without a common entry is entered; undefined when there is none. */
function entriesOfRegion(graph: Graph, order: Order): readonly string[] | undefined {
  for (const [id] of order.numbers) {
    for (const next of successorsOf(graph.nodes.get(id)!)) {
      if (!goesBack(order, id, next) || dominates(order, next, id)) continue;
      const region = cycleOf(next, graph, order);
      const entered = [...region].filter(
        (node) => node === graph.entry || order.predecessors.get(node)!.some((from) => !region.has(from)),
      );
      return entered.sort((a, b) => order.numbers.get(a)! - order.numbers.get(b)!);
    }
  }
  return undefined;
}

/** The nodes that lie on a cycle with a node and are below its dominator. */
function cycleOf(node: string, graph: Graph, order: Order): ReadonlySet<string> {
  const above = order.dominators.get(node)!;
  const isInside = (id: string) => id !== above && dominates(order, above, id);
  const forward = reach(node, (id) => successorsOf(graph.nodes.get(id)!).filter(isInside));
  const backward = reach(node, (id) => order.predecessors.get(id)!.filter(isInside));
  return new Set([...forward].filter((id) => backward.has(id)));
}

function reach(start: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const id of seen) for (const other of next(id)) seen.add(other);
  return seen;
}

/** Each way into the region has an aim of its own, so that those from outside come together at the dispatcher and nowhere else. */
function withDispatcher({ entry, nodes }: Graph, entries: readonly string[], names: Names): Graph {
  const region = names.fresh("region");
  const result = new Map<string, Node>();
  const aimFrom = (source: string) => (target: string) => {
    if (!entries.includes(target)) return target;
    const id = names.fresh(`${region}, ${source} to ${target}`);
    result.set(id, { kind: "aim", region, target });
    return id;
  };
  for (const [id, node] of nodes) result.set(id, redirect(node, aimFrom(id)));
  result.set(region, { kind: "dispatch", targets: entries });
  return { entry: aimFrom("the beginning")(entry), nodes: result };
}

/** A node that goes to the aims instead of their targets. */
function redirect(node: Node, to: (target: string) => string): Node {
  if (node.kind === "step")
    return { kind: "step", step: redirected(node.step, (given) => ({ ...given, name: to(given.name) })) };
  return node.kind === "dispatch"
    ? { kind: "dispatch", targets: node.targets.map(to) }
    : { ...node, region: to(node.region) };
}
