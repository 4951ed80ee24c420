/** A queue whose smallest item leaves first. Each operation takes logarithmic time. */
export interface PriorityQueue<Item> {
  push(item: Item): void;
  /** Removes and returns the first item; undefined if the queue is empty. */
  pop(): Item | undefined;
}

/** Whether `a` leaves the queue before `b`. */
export type IsBefore<Item> = (a: Item, b: Item) => boolean;

/** Creates an empty queue. */
export function createPriorityQueue<Item>(isBefore: IsBefore<Item>): PriorityQueue<Item> {
  const heap: Item[] = [];
  return { push: (item) => pushHeap(heap, item, isBefore), pop: () => popHeap(heap, isBefore) };
}

/** Adds an item to a binary heap, an array whose first item leaves first. */
export function pushHeap<Item>(heap: Item[], item: Item, isBefore: IsBefore<Item>): void {
  let i = heap.push(item) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(item, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = item;
}

/** Removes and returns the first item of a binary heap; undefined if it is empty. */
export function popHeap<Item>(heap: Item[], isBefore: IsBefore<Item>): Item | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = last;
  return first;
}
