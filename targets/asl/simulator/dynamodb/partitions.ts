import { compareText, type Item } from "./items.ts";

/** A stored item. */
export interface StoredItem {
  readonly sk: string;
  readonly item: Item;
  /** In bytes. */
  readonly size: number;
}

/** Items by partition key and, within a partition, in the order of their sort keys. */
export interface Partitions {
  get(pk: string, sk: string): StoredItem | undefined;
  set(pk: string, stored: StoredItem): void;
  delete(pk: string, sk: string): void;
  /** The items of a partition. */
  partition(pk: string): readonly StoredItem[];
  all(): Iterable<Item>;
}

/** Creates an empty table. Finding an item takes logarithmic time, and adding one moves those after it. */
export function createPartitions(): Partitions {
  const partitions = new Map<string, StoredItem[]>();
  return {
    get(pk, sk) {
      const items = partitions.get(pk) ?? [];
      const found = items[firstAtLeast(items, sk)];
      return found?.sk === sk ? found : undefined;
    },
    set(pk, stored) {
      const items = partitions.get(pk) ?? [];
      const at = firstAtLeast(items, stored.sk);
      items.splice(at, items[at]?.sk === stored.sk ? 1 : 0, stored);
      partitions.set(pk, items);
    },
    delete(pk, sk) {
      const items = partitions.get(pk) ?? [];
      const at = firstAtLeast(items, sk);
      if (items[at]?.sk !== sk) return;
      items.splice(at, 1);
      if (items.length === 0) partitions.delete(pk);
    },
    partition: (pk) => partitions.get(pk) ?? [],
    *all() {
      for (const items of partitions.values()) for (const { item } of items) yield item;
    },
  };
}

/**
 * The index of the first item that fulfills a predicate that all items after it fulfill; the length if no item does.
 */
export function firstIndex(items: readonly StoredItem[], predicate: (stored: StoredItem) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (predicate(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const firstAtLeast = (items: readonly StoredItem[], key: string): number =>
  firstIndex(items, ({ sk }) => compareText(sk, key) >= 0);
