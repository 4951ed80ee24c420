import type { Json } from "../../../../src/json.ts";
import { type PutOptions, type Store, StoreFailure } from "./store.ts";

/** The documents of a store, as those who share them change them. */
export interface Documents {
  read<T>(key: string): Promise<T | undefined>;
  /**
   * Replaces a document by what `next` makes of it (`undefined`: it is not there); `same` leaves it as it is. `next` may be asked several times, when
   * others were faster: the last time counts. `mark` is a text of this change alone: where the connection fails, it tells whether the change had been made.
   */
  change<T>(
    key: string,
    mark: string,
    next: (value: T | undefined) => T | typeof same,
    options?: PutOptions,
  ): Promise<Changed<T>>;
  /** Removes a document where it is as `isMeant` says. */
  remove<T>(key: string, isMeant: (value: T) => boolean): Promise<void>;
  keys(prefix: string): Promise<readonly string[]>;
}

/** What stands in a document after a change, and whether it stands there by that. */
export interface Changed<T> {
  readonly value: T | undefined;
  readonly isMine: boolean;
}

/** Leaves a document as it is. */
export const same: unique symbol = Symbol("same");

/** A document in the store: its value, and which change made it. */
interface Marked {
  readonly mark: string;
  readonly value: Json;
}

/** So many times an operation is tried before its failure is told. */
const tries = 5;

/** The documents of a store. `sleep`: how time passes between attempts, in milliseconds. */
export function createDocuments(
  store: Store,
  { sleep }: { readonly sleep: (ms: number) => Promise<unknown> },
): Documents {
  const persistently = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreFailure) || tried >= tries) throw error;
        await sleep(50 * 2 ** tried);
      }
    }
  };
  return {
    read: <T>(key: string) =>
      persistently(
        async () => ((await store.get(key))?.value as unknown as Marked | undefined)?.value as T | undefined,
      ),
    change: (key, mark, next, options) => persistently(() => changed(store, key, mark, next, options)),
    remove: <T>(key: string, isMeant: (value: T) => boolean) =>
      persistently(async () => {
        for (;;) {
          const stored = await store.get(key);
          if (!stored || !isMeant((stored.value as unknown as Marked).value as T)) return;
          if (await store.remove(key, stored.revision)) return;
        }
      }),
    keys: (prefix) => persistently(() => store.keys(prefix)),
  };
}

/** Replaces a document, as often as it takes until nobody else was faster. */
async function changed<T>(
  store: Store,
  key: string,
  mark: string,
  next: (value: T | undefined) => T | typeof same,
  options: PutOptions | undefined,
): Promise<Changed<T>> {
  for (;;) {
    const stored = await store.get(key);
    const marked = stored?.value as unknown as Marked | undefined;
    const value = marked?.value as T | undefined;
    if (marked?.mark === mark) return { value, isMine: true };
    const made = next(value);
    if (made === same) return { value, isMine: false };
    const document = { mark, value: made as Json };
    if (await store.put(key, document, stored?.revision, options)) return { value: made, isMine: true };
  }
}
