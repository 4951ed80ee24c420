import { popHeap, pushHeap } from "../../../../src/priority-queue.ts";

/** Something that stands in a line: in one at a time, where it knows what is behind it. */
export interface Standing {
  readonly position: readonly number[];
  order: number;
  next: Standing | undefined;
}

/**
 * What stands in line: the first position first, and of one position what came first. What comes in that order already, as items do, is only put behind
 * the last; the rest is sorted in.
 */
export class Line<T extends Standing> {
  #first: Standing | undefined;
  #last: Standing | undefined;
  /** A heap of what came too late for its place in the list. */
  readonly #late: Standing[] = [];
  #order = 0;

  get isEmpty(): boolean {
    return this.#first === undefined && this.#late.length === 0;
  }

  put(item: T): void {
    item.order = this.#order++;
    const last = this.#last;
    if (last && byPosition(item.position, last.position) < 0) {
      pushHeap(this.#late, item, isBefore);
      return;
    }
    if (last) last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Takes the first out of the line. */
  take(): T | undefined {
    const first = this.#first;
    if (first === undefined || (this.#late.length > 0 && isBefore(this.#late[0]!, first)))
      return popHeap(this.#late, isBefore) as T | undefined;
    this.#first = first.next;
    if (this.#first === undefined) this.#last = undefined;
    first.next = undefined;
    return first as T;
  }
}

const isBefore = (a: Standing, b: Standing): boolean => (byPosition(a.position, b.position) || a.order - b.order) < 0;

/** Compares two positions: below 0 where the first comes first. */
export function byPosition(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
