import type { Json } from "../../../../src/json.ts";

/**
 * A set of documents with compare-and-set: all that runs which wait have in common.
 *
 * Its laws, which every adapter keeps and which the contract's test states one by one:
 * 1. What `put` has stored is what `get` gives, until somebody puts or removes it.
 * 2. `put` and `remove` do something only where the document still has the revision that they name (`undefined`: there is none), and say
 *    whether they did: of several that name the same revision exactly one succeeds.
 * 3. A revision is never given twice to one key, even when its document was removed in between.
 * 4. `keys` gives the keys that begin with a text, sorted by their UTF-16 units; those of documents that were there all the time are among them.
 * 5. A document with `keepMs` is gone after that time; one that is put without it stays.
 * 6. Where an operation fails by a `StoreFailure`, it was done whole or not at all, and nobody can tell which.
 */
export interface Store {
  get(key: string): Promise<Stored | undefined>;
  put(key: string, value: Json, revision: string | undefined, options?: PutOptions): Promise<boolean>;
  remove(key: string, revision: string): Promise<boolean>;
  keys(prefix: string): Promise<readonly string[]>;
  /** Lets go of connections. The next operation opens new ones. */
  close(): Promise<void>;
}

/** A document, and by which revision it can be replaced. */
export interface Stored {
  readonly value: Json;
  readonly revision: string;
}

/** How a document is kept: for ever where nothing is said. */
export interface PutOptions {
  /** Milliseconds from now. */
  readonly keepMs?: number | undefined;
}

/** The store could not be reached, or did not answer as it should; whether anything was done is not known. */
export class StoreFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreFailure";
  }
}

/** Where a store is, and what it is opened with. */
export interface StoreAddress {
  /** `redis://user:password@host:6379/0`, `rediss://…` by TLS, or the database of a CouchDB: `https://user:password@host/waybill`. */
  readonly url: string;
  /** Begins all keys, where several programs share a store. */
  readonly prefix?: string | undefined;
  /** How long to wait for an answer, in milliseconds; 5,000 where nothing is said. */
  readonly timeoutMs?: number | undefined;
}
