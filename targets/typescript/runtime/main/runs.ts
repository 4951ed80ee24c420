import type { ListedRun, RunStatus } from "../engine.ts";
import { defaultLimit, isCursor, maxLimit } from "../paging.ts";
import { reading, withRuns } from "./access.ts";
import { instantOf, read, remoteOptions, wholeNumber } from "./arguments.ts";
import { printable } from "./log.ts";
import type { Command } from "./program.ts";
import { noRun } from "./show.ts";
import { table } from "./table.ts";
import { CommandFailure, UsageError } from "./terminal.ts";

const statuses: readonly RunStatus[] = ["running", "waiting", "succeeded", "failed", "cancelled", "stranded"];

const listOptions = {
  ...remoteOptions,
  workflow: { type: "string" },
  status: { type: "string" },
  limit: { type: "string" },
  after: { type: "string" },
  from: { type: "string" },
  until: { type: "string" },
  value: { type: "string" },
  error: { type: "string" },
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
  --from TIME     only runs that started at this instant or later, such as 2026-01-31T08:00:00Z
  --until TIME    only runs that started before this instant
  --value TEXT    only runs with this correlation value
  --error TEXT    only failed runs whose error contains this text
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
    const period = { from: instantOf("from", values.from), until: instantOf("until", values.until) };
    const search = { ...period, value: values.value, error: values.error };
    const filter = { workflow: values.workflow, status, limit, after, ...search };
    const { runs, next } = await withRuns(program, values, terminal, (all) => all.list(filter), reading);
    terminal.out(values.json ? runs.map((run) => `${JSON.stringify(run)}\n`).join("") : tableOf(runs));
    if (next !== undefined) terminal.err(`There are more runs: --after ${next} lists the next ones.\n`);
    return 0;
  },
};

/** Cancels a run. */
export const cancel: Command = {
  name: "cancel",
  operands: "RUN",
  summary: "cancel an active run",
  help: "",
  options: remoteOptions,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, remoteOptions, [1, 1]);
    const id = positionals[0]!;
    await withRuns(program, values, terminal, async (runs) => {
      if (!(await runs.show(id))) throw noRun(id);
      if (!(await runs.cancel(id))) throw new CommandFailure(`Run ${printable(id)} has ended already.`);
    });
    return 0;
  },
};

const retryOptions = { ...remoteOptions, from: { type: "string" } } as const;

/** Resumes a failed run. */
export const retry: Command = {
  name: "retry",
  operands: "RUN",
  summary: "resume a failed or stranded run, and resend events that sinks have rejected",
  help: `  --from STEP     repeat a failed run from this step on, by its key in show --steps: functions are called again`,
  options: retryOptions,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, retryOptions, [1, 1]);
    const id = positionals[0]!;
    await withRuns(program, values, terminal, async (runs) => {
      if (!(await runs.show(id))) throw noRun(id);
      const retried = await runs.retry(id, { from: values.from }).catch((thrown: unknown) => {
        if (!(thrown instanceof Error && thrown.name === "CannotRetry")) throw thrown;
        throw new CommandFailure(thrown.message);
      });
      if (retried) return;
      const reason = "has neither failed nor is it stranded, and no sink has rejected an event of it";
      throw new CommandFailure(`Run ${printable(id)} ${reason}.`);
    });
    return 0;
  },
};

const versionOptions = { ...remoteOptions, json: { type: "boolean" } } as const;

/** Prints the available versions of workflows, and how many runs need each. */
export const versions: Command = {
  name: "versions",
  operands: "",
  summary: "list the versions of workflows, and how many runs need each",
  help: `  --json          one JSON object per line
CODE is new for the version of new runs, previous for one in the folder of that name, and missing if runs are stranded without it.
A folder in previous that no run needs can be removed.`,
  options: versionOptions,
  async run({ program, args, terminal }) {
    const { values } = read(args, versionOptions, [0, 0]);
    const all = await withRuns(program, values, terminal, (runs) => runs.versions(), reading);
    if (values.json) {
      terminal.out(all.map((each) => `${JSON.stringify(each)}\n`).join(""));
      return 0;
    }
    const rows = all.map(({ workflow, version, runs, code }) => [workflow, version, `${runs}`, code]);
    terminal.out(table([["WORKFLOW", "VERSION", "RUNS", "CODE"], ...rows]));
    return 0;
  },
};

function tableOf(runs: readonly ListedRun[]): string {
  const rows = runs.map(({ id, workflow, status, created, updated }) => [id, workflow, status, created, updated]);
  return table([["RUN", "WORKFLOW", "STATUS", "CREATED", "UPDATED"], ...rows]);
}
