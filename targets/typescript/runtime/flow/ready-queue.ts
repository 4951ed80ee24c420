import { popHeap, pushHeap } from "../../../../src/priority-queue.ts";

/** An item of a queue, at most one at a time. The queue sets `order` and `next`. */
export interface QueueItem {
  readonly position: readonly number[];
  order: number;
  next: QueueItem | undefined;
}

/**
 * A priority queue by position, then by order of insertion. Items that are pushed in this order, as iterations are,
 * form a list; others go to a heap.
 */
export class ReadyQueue<T extends QueueItem> {
  #first: QueueItem | undefined;
  #last: QueueItem | undefined;
  /** A heap of items that precede the end of the list. */
  readonly #heap: QueueItem[] = [];
  #order = 0;

  get isEmpty(): boolean {
    return this.#first === undefined && this.#heap.length === 0;
  }

  push(item: T): void {
    item.order = this.#order++;
    const last = this.#last;
    if (last && byPosition(item.position, last.position) < 0) {
      pushHeap(this.#heap, item, isBefore);
      return;
    }
    if (last) last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Removes the first item. */
  pop(): T | undefined {
    const first = this.#first;
    if (first === undefined || (this.#heap.length > 0 && isBefore(this.#heap[0]!, first)))
      return popHeap(this.#heap, isBefore) as T | undefined;
    this.#first = first.next;
    if (this.#first === undefined) this.#last = undefined;
    first.next = undefined;
    return first as T;
  }
}

const isBefore = (a: QueueItem, b: QueueItem): boolean => (byPosition(a.position, b.position) || a.order - b.order) < 0;

/** Compares two positions; negative if the first one comes first. */
export function byPosition(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
