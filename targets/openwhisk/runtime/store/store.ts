import type { Json } from "../../../../src/json.ts";

/**
 * Documents with compare-and-set. No operation touches more than one document. Adapters keep these invariants, which
 * one suite tests:
 *
 * 1. `get` returns what `put` stored last.
 * 2. `put` and `remove` have an effect only if the document has the given revision (undefined: no document), and return
 *    whether they had one. Of several concurrent operations with one revision, one succeeds.
 * 3. A key never has the same revision twice, even if its document was removed in between.
 * 4. `keys` returns the keys with a prefix, sorted by UTF-16 units.
 * 5. A document with `keepMs` expires after that time.
 * 6. An operation that fails with a `StoreFailure` had its whole effect or none; which is unknown.
 */
export interface Store {
  get(key: string): Promise<StoredValue | undefined>;
  put(key: string, value: Json, revision: string | undefined, options?: PutOptions): Promise<boolean>;
  remove(key: string, revision: string): Promise<boolean>;
  keys(prefix: string): Promise<readonly string[]>;
  /** Closes connections. The next operation opens new ones. */
  close(): Promise<void>;
}

/** A document and its revision. */
export interface StoredValue {
  readonly value: Json;
  readonly revision: string;
}

/** How long a document is kept. Default: until it is removed. */
export interface PutOptions {
  readonly keepMs?: number | undefined;
}

/** The store cannot be reached, or its response is unexpected. Whether an operation had an effect is unknown. */
export class StoreFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreFailure";
  }
}

/** The address of a store. */
export interface StoreAddress {
  /** `redis://user:password@host:6379/0`, `rediss://…` for TLS, or a CouchDB database: `https://user:password@host/waybill`. */
  readonly url: string;
  /** The prefix of all keys, for programs that share a store. Default: `waybill:`. */
  readonly prefix?: string | undefined;
  /** The maximum time for a response. Default: 5 s. */
  readonly timeoutMs?: number | undefined;
}
