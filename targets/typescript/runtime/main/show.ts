import type { PendingStep, StepRecord } from "../engine.ts";
import { maxLimit } from "../paging.ts";
import { stepPageOf } from "../server/inspection.ts";
import { detailOf } from "../server/runs.ts";
import { type Runs, reading, withRuns } from "./access.ts";
import { read, remoteOptions } from "./arguments.ts";
import { printable } from "./log.ts";
import type { Command } from "./program.ts";
import { table } from "./table.ts";
import { CommandFailure, type Terminal } from "./terminal.ts";

const options = { ...remoteOptions, steps: { type: "boolean" }, json: { type: "boolean" } } as const;

/** Prints the details of a run, or its steps. */
export const show: Command = {
  name: "show",
  operands: "RUN",
  summary: "print the details of a run as JSON, or its steps",
  help: `  --steps         a table of its steps with their results and errors
  --json          with --steps: one JSON object per line, with the whole results`,
  options,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, options, [1, 1]);
    const id = positionals[0]!;
    const print = (runs: Runs) =>
      values.steps ? printSteps(runs, id, terminal, values.json ?? false) : printDetails(runs, id, terminal);
    await withRuns(program, values, terminal, print, reading);
    return 0;
  },
};

/** The failure of a command that names a run that does not exist. */
export const noRun = (id: string): CommandFailure => new CommandFailure(`There is no run ${printable(id)}.`);

async function printDetails(runs: Runs, id: string, terminal: Terminal): Promise<void> {
  const run = await runs.show(id);
  if (!run) throw noRun(id);
  terminal.out(`${JSON.stringify(detailOf(run), undefined, 2)}\n`);
}

/** Prints page by page, so that the results of a long run are not in memory together. */
async function printSteps(runs: Runs, id: string, terminal: Terminal, isJson: boolean): Promise<void> {
  const rows: (readonly string[])[] = [["STEP", "STATUS", "ATTEMPT", "TOOK", "AT", "RESULT"]];
  for (let after: string | undefined; ; ) {
    const page = await runs.steps(id, { limit: isJson ? jsonPage : maxLimit, after });
    if (!page) throw noRun(id);
    if (isJson) {
      const { steps, pending } = stepPageOf(page);
      terminal.out([...steps, ...pending].map((step) => `${JSON.stringify(step)}\n`).join(""));
    } else rows.push(...page.steps.map(rowOf), ...page.pending.map(pendingRow));
    if (page.next === undefined) break;
    after = page.next;
  }
  if (!isJson) terminal.out(table(rows));
}

/** Few steps per page leave much space for each result. */
const jsonPage = 10;

function rowOf({ key, status, attempt, began, at, result, size, error }: StepRecord): readonly string[] {
  const took = began === undefined ? "" : `${Date.parse(at) - Date.parse(began)} ms`;
  const content = error
    ? `${error.name}: ${error.message}`
    : size === undefined
      ? (JSON.stringify(result) ?? "")
      : `(${size} bytes)`;
  return [key, status, attempt === undefined ? "" : `${attempt}`, took, at, shortened(content)];
}

function pendingRow({ key, began = "", events, isTask, activity, until }: PendingStep): readonly string[] {
  const awaited = [
    ...(events ? [`waits for ${events.join(", ")}`] : []),
    ...(isTask ? ["waits for the answer of its task"] : []),
    ...(activity === undefined ? [] : [`waits for a worker of ${activity}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
  return [key, awaited.length > 0 ? "waiting" : "running", "", "", began, awaited.join(" ")];
}

const maxWidth = 60;

const shortened = (text: string): string => (text.length <= maxWidth ? text : `${text.slice(0, maxWidth - 1)}…`);
