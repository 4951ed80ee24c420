import { closeSync, copyFileSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandFailure } from "./terminal.ts";

/** A consistent copy of a store. */
export interface Copy {
  readonly store: string;
  remove(): void;
}

/**
 * Copies a store that another process holds and changes. The log contains all changes since it began, including those
 * that are already in the store file: so the two files are consistent if the log has not begun anew meanwhile.
 */
export function copyOf(store: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), "waybill-store-"));
  const copy = { store: join(folder, "runs.db"), remove: () => rmSync(folder, { recursive: true, force: true }) };
  try {
    for (let times = 0; times < mostTimes; times++) if (copied(store, copy.store)) return copy;
    throw new CommandFailure(`The store ${store} changes too fast to be copied. Use --url for the server that has it.`);
  } catch (reason) {
    copy.remove();
    throw reason;
  }
}

const mostTimes = 20;

function copied(from: string, to: string): boolean {
  const log = `${from}-wal`;
  const before = beginningOf(log);
  copyFileSync(from, to);
  rmSync(`${to}-wal`, { force: true });
  if (before !== "") copyFileSync(log, `${to}-wal`);
  return beginningOf(log) === before;
}

/** The header of a log, which changes each time it begins anew. */
function beginningOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return "";
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(32);
    return header.subarray(0, readSync(file, header, 0, 32, 0)).toString("hex");
  } finally {
    closeSync(file);
  }
}
