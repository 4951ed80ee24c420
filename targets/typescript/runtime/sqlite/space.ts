import type { DatabaseSync } from "node:sqlite";
import type { Core } from "./core.ts";
import { deleteSecurely, isIncremental, numberOf, storeErrorOf } from "./file.ts";

/** The space that a store takes in the file system. */
export interface Space {
  /**
   * Returns free pages to the file system, a few at a time, so that their content is gone. Stores of earlier versions,
   * whose free pages are overwritten instead, keep their size until they are compacted. The time grows with the square
   * of the number of free pages: it is called after each slice of a deletion.
   */
  returnPages(): Promise<void>;
  /** Empties the log, which contains pages that have been returned. */
  emptyLog(): void;
  /** Rewrites the file without free pages, so that it can return pages from then on. */
  compact(): void;
}

/** The pages that are returned at once, and the milliseconds that this should take. */
const [minPages, maxPages, wantedTime] = [20, 300, 10];

/** The space of a store that is a file. */
export function spaceOf(core: Core, db: DatabaseSync): Space {
  const { log, options } = core;
  const warn = (reason: unknown) =>
    log({ level: "warn", message: "Free space cannot be returned to the file system.", reason: String(reason) });
  const hasFreePages = () => !core.isClosing && isIncremental(db) && numberOf(db, "PRAGMA freelist_count") > 0;
  return {
    async returnPages() {
      try {
        for (let pages = minPages; hasFreePages(); ) {
          const began = performance.now();
          db.exec(`PRAGMA incremental_vacuum(${pages})`);
          pages *= performance.now() - began < wantedTime ? 2 : 0.5;
          pages = Math.min(Math.max(Math.floor(pages), minPages), maxPages);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } catch (reason) {
        warn(reason);
      }
    },
    emptyLog() {
      try {
        if (!core.isClosing) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (reason) {
        warn(reason);
      }
    },
    compact() {
      try {
        db.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
        deleteSecurely(db);
      } catch (reason) {
        throw storeErrorOf(reason, options.store);
      }
    },
  };
}
