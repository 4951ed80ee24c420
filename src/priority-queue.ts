/** A list of which the first is always at hand; `before` tells which of two comes first. */
export interface PriorityQueue<Item> {
  push(item: Item): void;
  /** Takes the first; undefined where there is none. */
  pop(): Item | undefined;
}

/** An empty heap. */
export function createPriorityQueue<Item>(before: (a: Item, b: Item) => boolean): PriorityQueue<Item> {
  const items: Item[] = [];
  return {
    push(item) {
      let i = items.push(item) - 1;
      for (let up = (i - 1) >> 1; i > 0 && before(item, items[up]!); up = (i - 1) >> 1) {
        items[i] = items[up]!;
        i = up;
      }
      items[i] = item;
    },
    pop() {
      const top = items[0];
      const last = items.pop();
      if (top === undefined || last === undefined || items.length === 0) return top;
      let i = 0;
      for (let child = 1; child < items.length; child = 2 * i + 1) {
        if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1;
        if (!before(items[child]!, last)) break;
        items[i] = items[child]!;
        i = child;
      }
      items[i] = last;
      return top;
    },
  };
}
