import { durationOf } from "../server/commands.ts";
import { type Runs, withRuns } from "./access.ts";
import { commonOptions, read, remoteOptions } from "./arguments.ts";
import { printable } from "./log.ts";
import { open } from "./opening.ts";
import type { Command } from "./program.ts";
import { CommandFailure, UsageError } from "./terminal.ts";

const pruneOptions = { ...remoteOptions, "older-than": { type: "string" } } as const;

/** Deletes one run, or those that ended long ago. */
export const prune: Command = {
  name: "prune",
  operands: "[RUN]",
  summary: "delete a run that has ended, or all runs that ended long ago",
  help: `  --older-than D  delete the runs that ended longer ago than an ISO 8601 duration in weeks, days and less, such as P30D
Prints the number of deleted runs. Their content is overwritten in the store. A run is kept while events that it has
emitted are not sent.`,
  options: pruneOptions,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, pruneOptions, [0, 1]);
    const [id] = positionals;
    const age = durationOf(values["older-than"] ?? "");
    if (id !== undefined && values["older-than"] !== undefined)
      throw new UsageError("RUN and --older-than exclude each other.");
    if (id === undefined && age === undefined)
      throw new UsageError("--older-than needs an ISO 8601 duration in weeks, days and less, such as P30D.");
    const remove = (runs: Runs) => (id === undefined ? runs.prune(age!) : forget(runs, id));
    terminal.out(`${await withRuns(program, values, terminal, remove)}\n`);
    return 0;
  },
};

/** Deletes a run. Returns the number of deleted runs. */
async function forget(runs: Runs, id: string): Promise<number> {
  const result = await runs.forget(id);
  if (result === "missing") throw new CommandFailure(`There is no run ${printable(id)}.`);
  if (result === "active")
    throw new CommandFailure(`Run ${printable(id)} has not ended, or has emitted events that are not sent.`);
  return 1;
}

/** Rewrites a store without its free pages. */
export const compact: Command = {
  name: "compact",
  operands: "",
  summary: "rewrite the store so that it takes the least space",
  help: `Needs as much free space on the disk as the store takes. A store returns the space of deleted runs without this,
unless an earlier version of Waybill has created it: such a store does so when it has been compacted once.`,
  options: commonOptions,
  async run({ program, args, terminal }) {
    const { values } = read(args, commonOptions, [0, 0]);
    const { engine } = await open(program, values, terminal, { isPaused: true, mayBeNew: false });
    try {
      await engine.compact();
    } catch (thrown) {
      throw new CommandFailure(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      await engine.close();
    }
    return 0;
  },
};
