/** Whether the first of two comes out of a heap before the second. */
export type Before<T> = (a: T, b: T) => boolean;

/** Puts something into a heap. */
export function put<T>(heap: T[], item: T, isBefore: Before<T>): void {
  let place = heap.push(item) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(item, heap[parent]!)) break;
    heap[place] = heap[parent]!;
    place = parent;
  }
  heap[place] = item;
}

/** Takes the first out of a heap. */
export function taken<T>(heap: T[], isBefore: Before<T>): T | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[place] = heap[child]!;
    place = child;
  }
  heap[place] = last;
  return first;
}
