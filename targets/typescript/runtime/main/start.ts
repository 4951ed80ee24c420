import type { RunDetail, RunSummary } from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import { inputError } from "../inputs.ts";
import { equalJson, isObject, type Json } from "../json.ts";
import { structuredEvent } from "../server/cloudevents.ts";
import { Refusal } from "../server/refusal.ts";
import { type Runs, withRuns } from "./access.ts";
import { inputOf, read, remoteOptions } from "./arguments.ts";
import { printable } from "./log.ts";
import type { Command, Program } from "./program.ts";
import { watch } from "./progress.ts";
import { CommandFailure, type Terminal, UsageError } from "./terminal.ts";

const options = {
  ...remoteOptions,
  input: { type: "string" },
  event: { type: "string" },
  id: { type: "string" },
  wait: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** Starts a run: prints its id, or with `--wait` its output. */
export const start: Command = {
  name: "start",
  operands: "[WORKFLOW]",
  summary: "start a run",
  help: `  --input JSON    the input, as JSON; @FILE reads it from a file, - from standard input; {} by default
  --event JSON    an event to deliver after the start, so that the run can receive it; with --id, an existing run can
                  receive it
  --id ID         the id of the run; if a run with this id exists, none is started, and a different --input is an error
  --wait          wait until the run has ended, and print its output; other runs of the store continue meanwhile
  --json          print the run as a JSON object: its id, status, and with --wait its output or error
WORKFLOW is optional if the program has only one. Without --wait, the run continues when the program serves.`,
  options,
  async run({ program, args, terminal }) {
    const { values, positionals } = read(args, options, [0, 1]);
    const isRemote = values.url !== undefined;
    const workflow = workflowNamed(program, positionals[0], isRemote);
    const input = await inputOf(values.input, terminal);
    const event = values.event === undefined ? undefined : eventFrom(await inputOf(values.event, terminal));
    const isWaiting = values.wait ?? false;
    const work = async (runs: Runs) => {
      const known = values.id === undefined || isRemote ? undefined : await runs.show(values.id);
      if (!known && !isRemote) requireValid(program, workflow, input);
      const run = await runs.start(workflow, input, { id: values.id });
      if (values.id !== undefined && !isRemote)
        requireSame(await runs.show(run.id), workflow, values.input === undefined ? undefined : input);
      if (event) await runs.deliver(event);
      const show = values.json ? showJson : showResult;
      if (isWaiting) return waitFor(runs, run, terminal, show);
      terminal.out(values.json ? `${JSON.stringify(run)}\n` : `${run.id}\n`);
      return 0;
    };
    return withRuns(program, values, terminal, work, { isPaused: !isWaiting, mayBeNew: true });
  },
};

/** The event of `--event`. Its id is random, and its source is the command, unless it has others. */
function eventFrom(given: Json): CloudEvent {
  const defaults = { specversion: "1.0", id: crypto.randomUUID(), source: "/command-line" };
  try {
    return structuredEvent(isObject(given) ? { ...defaults, ...given } : given, "The event");
  } catch (thrown) {
    throw thrown instanceof Refusal ? new UsageError(thrown.message) : thrown;
  }
}

/** Rejects an input that the workflow does not accept. */
function requireValid({ workflows }: Program, id: string, input: Json): void {
  const workflow = workflows.find((each) => each.id === id);
  const invalid = workflow && inputError(workflow, input);
  if (invalid) throw new CommandFailure(printable(invalid.message));
}

/** Checks that an existing run has the same workflow and, if one is given, the same input. */
function requireSame(run: RunDetail | undefined, workflow: string, input: Json | undefined): void {
  if (run === undefined) return;
  const isSame = run.workflow === workflow && (input === undefined || equalJson(run.input, input));
  if (!isSame)
    throw new CommandFailure(`There is a run ${printable(run.id)} that began with another workflow or another input.`);
}

function workflowNamed({ workflows }: Program, given: string | undefined, isRemote: boolean): string {
  const known = [...new Set(workflows.map(({ id }) => id))];
  if (given === undefined && known.length === 1) return known[0]!;
  if (given !== undefined && (isRemote || known.includes(given))) return given;
  throw new UsageError(
    `${given === undefined ? "Which workflow?" : `Unknown workflow ${printable(given)}.`} The workflows are ${known.join(", ")}.`,
  );
}

/**
 * Waits for the end of a run and prints its result. If the process is to stop before, the run continues at the next
 * start.
 */
async function waitFor(runs: Runs, { id }: RunSummary, terminal: Terminal, show: typeof showResult): Promise<number> {
  const stopping = new AbortController();
  const forget = terminal.onStop(() => stopping.abort());
  const done = watch(runs, id, terminal);
  try {
    return show(await runs.ended(id, stopping.signal), terminal);
  } catch (thrown) {
    if (!stopping.signal.aborted) throw thrown;
    terminal.err(`Run ${id} has not ended; it continues when the program is started again.\n`);
    return 130;
  } finally {
    done();
    forget();
  }
}

function showJson(run: RunSummary, terminal: Terminal): number {
  terminal.out(`${JSON.stringify(run)}\n`);
  return run.status === "succeeded" ? 0 : 1;
}

function showResult({ id, status, output, error, reason }: RunSummary, terminal: Terminal): number {
  if (status === "succeeded") {
    terminal.out(`${JSON.stringify(output ?? null, undefined, 2)}\n`);
    return 0;
  }
  terminal.err(
    `Run ${id} ${error ? `failed: ${printable(error.name)}: ${printable(error.message)}` : `is ${status}${reason === undefined ? "." : `: ${printable(reason)}`}`}\n`,
  );
  return 1;
}
