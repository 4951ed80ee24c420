import type { TaskReceipt, TaskReport } from "../tasks.ts";
import { withRuns } from "./access.ts";
import { inputOf, read, remoteOptions } from "./arguments.ts";
import { printable } from "./log.ts";
import type { Command } from "./program.ts";
import { CommandFailure, type Terminal, UsageError } from "./terminal.ts";

const options = {
  ...remoteOptions,
  output: { type: "string" },
  error: { type: "string" },
  cause: { type: "string" },
} as const;

/** Reports about a task that a run waits for. */
export const task: Command = {
  name: "task",
  operands: "success|failure|heartbeat TOKEN",
  summary: "report the result of a task that a run waits for, its failure, or that it is in progress",
  help: `  --output JSON   the result of a success, as JSON; @FILE reads it from a file, - from standard input
  --error NAME    the name of a failure
  --cause TEXT    its message
TOKEN is the token of the task; - reads it from standard input, so that other users of the machine cannot see it. A repeated report
has no further effect; another one about a task that has ended is an error.`,
  options,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, options, [2, 2]);
    const [kind, operand] = positionals as [string, string];
    const report = await reportOf(kind, values, terminal);
    if (operand === "-" && values.output === "-") throw new UsageError("Only one of TOKEN and --output can be -.");
    const token = operand === "-" ? (await terminal.readStandardInput()).trim() : operand;
    const receipt = await withRuns(program, values, terminal, (runs) => runs.report(token, report));
    if (receipt !== "accepted" && receipt !== "duplicate") throw new CommandFailure(refusals[receipt]);
    return 0;
  },
};

/** The report that a command line describes. */
async function reportOf(
  kind: string,
  { output, error, cause }: { readonly output?: string; readonly error?: string; readonly cause?: string },
  terminal: Terminal,
): Promise<TaskReport> {
  const isFailure = error !== undefined || cause !== undefined;
  switch (kind) {
    case "success":
      if (isFailure) throw new UsageError("--error and --cause are for failures.");
      if (output === undefined) throw new UsageError("A success needs its result in --output.");
      return { kind, output: await inputOf(output, terminal) };
    case "failure":
      if (output !== undefined) throw new UsageError("--output is for successes.");
      return { kind, error: error ?? "", cause: cause ?? "" };
    case "heartbeat":
      if (isFailure || output !== undefined) throw new UsageError("A heartbeat has no --output, --error or --cause.");
      return { kind };
    default:
      throw new UsageError(`A task reports success, failure or heartbeat, not ${printable(kind)}.`);
  }
}

const refusals: { readonly [receipt in Exclude<TaskReceipt, "accepted" | "duplicate">]: string } = {
  answered: "The task has been answered already, by another report.",
  over: "The run does not wait for this task any more.",
  unknown: "There is no task with this token.",
};
