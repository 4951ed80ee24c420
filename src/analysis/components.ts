/** Finds strongly connected components in reverse topological order (Tarjan, iterative). */
export function stronglyConnectedComponents<Node>(
  nodes: Iterable<Node>,
  next: (node: Node) => readonly Node[],
): readonly (readonly Node[])[] {
  const search: TarjanState<Node> = {
    order: new Map(),
    low: new Map(),
    open: new Set(),
    stack: [],
    path: [],
    found: [],
  };
  for (const root of nodes) {
    if (search.order.has(root)) continue;
    enter(search, root, next(root));
    for (let top = search.path.at(-1); top; top = search.path.at(-1)) {
      const child = top.rest[top.done++];
      if (child === undefined) leave(search, search.path.pop()!.node);
      else if (!search.order.has(child)) enter(search, child, next(child));
      else if (search.open.has(child)) lowerLink(search, top.node, search.order.get(child)!);
    }
  }
  return search.found;
}

/** A shortest cycle through members, or an empty array. */
export function cycleFrom<Node>(
  first: Node,
  members: ReadonlySet<Node>,
  next: (node: Node) => readonly Node[],
): readonly Node[] {
  const before = new Map<Node, Node>();
  const pending = [first];
  for (const node of pending) {
    for (const child of next(node)) {
      if (child === first) return pathTo(node, before);
      if (!members.has(child) || before.has(child)) continue;
      before.set(child, node);
      pending.push(child);
    }
  }
  return [];
}

function pathTo<Node>(last: Node, before: ReadonlyMap<Node, Node>): readonly Node[] {
  const way: Node[] = [];
  for (let node: Node | undefined = last; node !== undefined; node = before.get(node)) way.push(node);
  return way.reverse();
}

interface TarjanState<Node> {
  readonly order: Map<Node, number>;
  readonly low: Map<Node, number>;
  readonly open: Set<Node>;
  readonly stack: Node[];
  readonly path: { readonly node: Node; readonly rest: readonly Node[]; done: number }[];
  readonly found: Node[][];
}

function enter<Node>({ order, low, open, stack, path }: TarjanState<Node>, node: Node, rest: readonly Node[]): void {
  low.set(node, order.size);
  order.set(node, order.size);
  open.add(node);
  stack.push(node);
  path.push({ node, rest, done: 0 });
}

function leave<Node>(search: TarjanState<Node>, node: Node): void {
  const { order, low, open, stack, path, found } = search;
  const parent = path.at(-1);
  if (parent) lowerLink(search, parent.node, low.get(node)!);
  if (low.get(node) !== order.get(node)) return;
  const members = stack.splice(stack.lastIndexOf(node));
  for (const member of members) open.delete(member);
  found.push(members);
}

function lowerLink<Node>({ low }: TarjanState<Node>, node: Node, bound: number): void {
  if (bound < low.get(node)!) low.set(node, bound);
}
