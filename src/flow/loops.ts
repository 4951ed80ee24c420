import { goesBack, type Order } from "./dominators.ts";

/** The loops of a graph. */
export interface Loops {
  /** The outermost loop that is left on the way from a node's dominator to the node, by the node that begins it. */
  outermostLeft(id: string, dominator: string): string | undefined;
  /** Of the nodes to which a loop is left, the one that most comes after. */
  followOf(header: string): string | undefined;
}

/** Finds the loops: a node that an edge goes back to begins one, with all from which that edge can be reached without it. */
export function loopsOf(order: Order): Loops {
  const bodies = new Map<string, ReadonlySet<string>>();
  for (const id of order.numbers.keys()) {
    const ends = order.predecessors.get(id)!.filter((from) => goesBack(order, from, id));
    if (ends.length > 0) bodies.set(id, bodyOf(id, ends, order));
  }
  const sizes = sizesOf(order);
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

function bodyOf(header: string, ends: readonly string[], order: Order): ReadonlySet<string> {
  const body = new Set([header, ...ends]);
  for (const id of body) if (id !== header) for (const from of order.predecessors.get(id)!) body.add(from);
  return body;
}

/** How many nodes each node dominates. */
function sizesOf({ numbers, dominators }: Order): ReadonlyMap<string, number> {
  const sizes = new Map([...numbers.keys()].map((id) => [id, 1]));
  for (const id of [...numbers.keys()].reverse()) {
    const above = dominators.get(id)!;
    if (above !== id) sizes.set(above, sizes.get(above)! + sizes.get(id)!);
  }
  return sizes;
}
