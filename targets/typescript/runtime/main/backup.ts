import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { commonOptions, read, storeOf } from "./arguments.ts";
import { copyOf } from "./copy.ts";
import { printable } from "./log.ts";
import { isAddress } from "./opening.ts";
import type { Command } from "./program.ts";
import { CommandFailure } from "./terminal.ts";

/** Copies the store to a file. */
export const backup: Command = {
  name: "backup",
  operands: "FILE",
  summary: "copy the store to a file, also while a server uses it",
  help: `FILE must not exist. It contains the store as it was at one moment, checked and compacted, and takes its place if no
process uses the store: runs continue as they were then, and calls since then are repeated with the same keys.`,
  options: commonOptions,
  async run({ args, terminal }) {
    const { values, positionals } = read(args, commonOptions, [1, 1]);
    const store = storeOf(values, terminal);
    if (isAddress(store)) throw new CommandFailure("This store is backed up with the tools of its server.");
    if (!existsSync(store)) throw new CommandFailure(`There is no store ${printable(store)}.`);
    const copy = copyOf(store);
    try {
      writeChecked(copy.store, positionals[0]!);
    } finally {
      copy.remove();
    }
    return 0;
  },
};

/** Writes a copy without its log and its free pages, readable only by its owner. */
function writeChecked(copy: string, path: string): void {
  createPrivate(path);
  const db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(copy);
  try {
    const [fault] = Object.values(db.prepare("PRAGMA quick_check(1)").get() ?? {});
    if (fault !== "ok") throw new CommandFailure(`The store is damaged: ${printable(String(fault))}`);
    db.prepare("VACUUM INTO ?").run(path);
  } catch (reason) {
    rmSync(path, { force: true });
    if (reason instanceof CommandFailure) throw reason;
    throw new CommandFailure(`The backup failed: ${reason instanceof Error ? reason.message : String(reason)}`);
  } finally {
    db.close();
  }
}

function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (reason) {
    throw new CommandFailure(
      `${printable(path)} cannot be created: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  }
}
