import { type Graph, reversePostorder, successorsOf } from "./graph.ts";

/** What is known of the order of a graph's nodes. */
export interface Order {
  /** The number of each reached node in reverse postorder. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly predecessors: ReadonlyMap<string, readonly string[]>;
  /** The closest node that every way to a node goes through; of the entry, itself. */
  readonly dominators: ReadonlyMap<string, string>;
}

/**
 * Finds the dominators by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"). Of many predecessors the last come first, so that no
 * way up is gone again and again.
 */
export function orderOf(graph: Graph): Order {
  const sequence = reversePostorder(graph);
  const numbers = new Map(sequence.map((id, i) => [id, i]));
  const predecessors = predecessorsOf(graph, sequence);
  const dominators = new Map([[graph.entry, graph.entry]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of sequence.slice(1)) {
      const known = predecessors.get(id)!.filter((other) => dominators.has(other));
      const closest = known.reduceRight((a, b) => common(a, b, numbers, dominators));
      if (dominators.get(id) === closest) continue;
      dominators.set(id, closest);
      changed = true;
    }
  }
  return { numbers, predecessors, dominators };
}

/** Whether every way to a node goes through another. */
export function dominates({ dominators, numbers }: Order, above: string, node: string): boolean {
  let current = node;
  while (numbers.get(current)! > numbers.get(above)!) current = dominators.get(current)!;
  return current === above;
}

/** Whether an edge goes back, to a node that comes before its beginning or is it. */
export const goesBack = ({ numbers }: Order, from: string, to: string): boolean =>
  numbers.get(to)! <= numbers.get(from)!;

function predecessorsOf({ nodes }: Graph, sequence: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>(sequence.map((id) => [id, []]));
  for (const id of sequence) for (const next of new Set(successorsOf(nodes.get(id)!))) found.get(next)!.push(id);
  return found;
}

function common(
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
