import type { Json } from "../../../../src/json.ts";
import type { Store } from "./store.ts";

/** Stored as JSON, so that callers cannot change it. */
interface MemoryDocument {
  readonly text: string;
  readonly revision: string;
  readonly until: number;
}

/** A store in memory, for tests. */
export function createMemoryStore(now: () => number): Store {
  const documents = new Map<string, MemoryDocument>();
  let revisions = 0;
  const current = (key: string): MemoryDocument | undefined => {
    const kept = documents.get(key);
    return kept !== undefined && kept.until > now() ? kept : undefined;
  };
  return {
    async get(key) {
      const kept = current(key);
      return kept && { value: JSON.parse(kept.text) as Json, revision: kept.revision };
    },
    async put(key, value, revision, { keepMs = Number.POSITIVE_INFINITY } = {}) {
      if (current(key)?.revision !== revision) return false;
      revisions += 1;
      documents.set(key, { text: JSON.stringify(value), revision: String(revisions), until: now() + keepMs });
      return true;
    },
    async remove(key, revision) {
      return current(key)?.revision === revision && documents.delete(key);
    },
    async keys(prefix) {
      return [...documents.keys()].filter((key) => key.startsWith(prefix) && current(key) !== undefined).sort();
    },
    async close() {},
  };
}
