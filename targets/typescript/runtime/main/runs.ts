import type { ListedRun, RunStatus } from "../engine.ts";
import { defaultLimit, isCursor, maxLimit } from "../paging.ts";
import { detailOf } from "../server/runs.ts";
import { withRuns } from "./access.ts";
import { read, remoteOptions, wholeNumber } from "./arguments.ts";
import { printable } from "./log.ts";
import type { Use } from "./opening.ts";
import type { Command } from "./program.ts";
import { CommandFailure, UsageError } from "./terminal.ts";

/** Nothing is changed: a store that another process holds is read as it is. */
const reading: Use = { isPaused: true, isReading: true, mayBeNew: false };

const statuses: readonly RunStatus[] = ["running", "waiting", "succeeded", "failed", "cancelled", "stranded"];

const listOptions = {
  ...remoteOptions,
  workflow: { type: "string" },
  status: { type: "string" },
  limit: { type: "string" },
  after: { type: "string" },
  json: { type: "boolean" },
} as const;

/** Prints a page of runs, newest first. */
export const list: Command = {
  name: "list",
  operands: "",
  summary: "list runs, newest first",
  help: `  --workflow ID   only runs of this workflow
  --status WORD   only those that are ${statuses.join(", ")}
  --limit N       the maximum number of runs; 100 by default, at most 1000
  --after CURSOR  the next page, after the one that ended with this cursor
  --json          one JSON object per line`,
  options: listOptions,
  async run({ program, args, terminal }) {
    const { values } = read(args, listOptions, [0, 0]);
    const status = statuses.find((known) => known === values.status);
    if (values.status !== undefined && status === undefined)
      throw new UsageError(`--status is one of ${statuses.join(", ")}.`);
    const limit = wholeNumber("limit", values.limit, maxLimit) ?? defaultLimit;
    if (limit === 0) throw new UsageError(`--limit is a number from 1 to ${maxLimit}.`);
    const { after } = values;
    if (after !== undefined && !isCursor(after)) throw new UsageError("--after needs the cursor of a previous page.");
    const filter = { workflow: values.workflow, status, limit, after };
    const { runs, next } = await withRuns(program, values, terminal, (all) => all.list(filter), reading);
    terminal.out(values.json ? runs.map((run) => `${JSON.stringify(run)}\n`).join("") : tableOf(runs));
    if (next !== undefined) terminal.err(`There are more runs: --after ${next} lists the next ones.\n`);
    return 0;
  },
};

/** Prints all that is known of a run. */
export const show: Command = {
  name: "show",
  operands: "RUN",
  summary: "tell all of a run, as JSON",
  help: "",
  options: remoteOptions,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, remoteOptions, [1, 1]);
    const run = await withRuns(program, values, terminal, (runs) => runs.show(positionals[0]!), reading);
    if (!run) throw notThere(positionals[0]!);
    terminal.out(`${JSON.stringify(detailOf(run), undefined, 2)}\n`);
    return 0;
  },
};

/** Ends a run. */
export const cancel = changing("cancel", "end a run that goes on", "has ended already");

/** Lets a failed run go on. */
export const retry = changing(
  "retry",
  "let a failed or stranded run go on from where it was, and send again what sinks have refused",
  "has neither failed nor is it stranded, and no sink has refused an event of it",
);

function changing(name: "cancel" | "retry", summary: string, otherwise: string): Command {
  return {
    name,
    operands: "RUN",
    summary,
    help: "",
    options: remoteOptions,
    async run({ program, args, terminal }) {
      const { values, positionals } = read(args, remoteOptions, [1, 1]);
      const id = positionals[0]!;
      await withRuns(program, values, terminal, async (runs) => {
        if (!(await runs.show(id))) throw notThere(id);
        if (!(await runs[name](id))) throw new CommandFailure(`Run ${printable(id)} ${otherwise}.`);
      });
      return 0;
    },
  };
}

/** Prints which versions of workflows are there, and how many runs need each. */
export const versions: Command = {
  name: "versions",
  operands: "",
  summary: "list the versions of workflows, and how many runs need each",
  help: `CODE is new for what new runs begin with, previous for what is in the folder of that name, and missing where runs are stranded without it.
A folder in previous that no run needs can be removed.`,
  options: remoteOptions,
  async run({ program, args, terminal }) {
    const { values } = read(args, remoteOptions, [0, 0]);
    const all = await withRuns(program, values, terminal, (runs) => runs.versions(), reading);
    const rows = all.map(({ workflow, version, runs, code }) => [workflow, version, `${runs}`, code]);
    terminal.out(table([["WORKFLOW", "VERSION", "RUNS", "CODE"], ...rows]));
    return 0;
  },
};

const notThere = (id: string): CommandFailure => new CommandFailure(`There is no run ${printable(id)}.`);

function tableOf(runs: readonly ListedRun[]): string {
  const rows = runs.map(({ id, workflow, status, created, updated }) => [id, workflow, status, created, updated]);
  return table([["RUN", "WORKFLOW", "STATUS", "CREATED", "UPDATED"], ...rows]);
}

function table(lines: readonly (readonly string[])[]): string {
  const rows = lines.map((line) => line.map(printable));
  const widths = rows[0]!.map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]!.length), 0));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
