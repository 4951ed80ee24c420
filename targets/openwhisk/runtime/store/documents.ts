import type { Json } from "../../../../src/json.ts";
import { withRetries } from "./client.ts";
import type { PutOptions, Store, StoredValue } from "./store.ts";

/** The documents of a program, with retries, and changes that are safe to repeat. */
export interface Documents {
  read<T>(key: string): Promise<T | undefined>;
  /**
   * Replaces a document by `next` of it (undefined: no document), or leaves it if that is `unchanged`. `next` is called
   * again whenever another activation was faster. `mark` identifies this change: if the connection fails, it shows
   * whether the change had been made.
   */
  change<T>(
    key: string,
    mark: string,
    next: (value: T | undefined) => T | typeof unchanged,
    options?: PutOptions,
  ): Promise<DocumentChange<T>>;
  /** Removes a document if it satisfies a condition. */
  remove<T>(key: string, isExpected: (value: T) => boolean): Promise<void>;
  keys(prefix: string): Promise<readonly string[]>;
}

/** A document after a change. */
export interface DocumentChange<T> {
  readonly value: T | undefined;
  /** Whether this change has replaced it. */
  readonly isMine: boolean;
}

/** Leaves a document unchanged. */
export const unchanged: unique symbol = Symbol("unchanged");

/**
 * The version of the form of documents. 1: all waits and events in the document `board`; 2: one document per partition, with
 * the source code of functions; 3: with their ids.
 * Documents of form 1 have no version.
 */
export const formVersion = 3;

interface MarkedValue {
  readonly form?: number;
  readonly mark: string;
  readonly value: Json;
}

/** Creates the documents of a store. `sleep` takes milliseconds. */
export function createDocuments(
  store: Store,
  { sleep }: { readonly sleep: (ms: number) => Promise<unknown> },
): Documents {
  const retrying = <T>(work: () => Promise<T>): Promise<T> => withRetries(work, sleep);
  return {
    read: <T>(key: string) => retrying(async () => markedValue(await store.get(key))?.value as T | undefined),
    change: (key, mark, next, options) => retrying(() => change(store, key, mark, next, options)),
    remove: <T>(key: string, isExpected: (value: T) => boolean) =>
      retrying(async () => {
        for (;;) {
          const stored = await store.get(key);
          if (!stored || !isExpected(markedValue(stored)!.value as T)) return;
          if (await store.remove(key, stored.revision)) return;
        }
      }),
    keys: (prefix) => retrying(() => store.keys(prefix)),
  };
}

async function change<T>(
  store: Store,
  key: string,
  mark: string,
  next: (value: T | undefined) => T | typeof unchanged,
  options: PutOptions | undefined,
): Promise<DocumentChange<T>> {
  for (;;) {
    const stored = await store.get(key);
    const marked = markedValue(stored);
    const value = marked?.value as T | undefined;
    if (marked?.mark === mark) return { value, isMine: true };
    const changed = next(value);
    if (changed === unchanged) return { value, isMine: false };
    const document = { form: formVersion, mark, value: changed as Json };
    if (await store.put(key, document, stored?.revision, options)) return { value: changed, isMine: true };
  }
}

/** Fails for a document of a newer program, which this one would misread. */
function markedValue(stored: StoredValue | undefined): MarkedValue | undefined {
  const marked = stored?.value as unknown as MarkedValue | undefined;
  if ((marked?.form ?? 1) > formVersion)
    throw new Error(
      `The store has form ${marked!.form}, but this program reads forms up to ${formVersion}. Deploy a program that was ` +
        "compiled with the version of Waybill that wrote the store, or a newer one.",
    );
  return marked;
}
