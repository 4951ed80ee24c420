import type {
  Engine,
  ForgetResult,
  RunDetail,
  RunFilter,
  RunPage,
  RunSummary,
  StepFilter,
  StepPage,
  VersionUse,
} from "../engine.ts";
import type { CloudEvent } from "../events.ts";
import type { TaskReceipt, TaskReport } from "../tasks.ts";
import { type Common, levelOf } from "./arguments.ts";
import { open, type Use } from "./opening.ts";
import type { Program } from "./program.ts";
import { remoteRuns } from "./remote.ts";
import type { Terminal } from "./terminal.ts";

/** The runs of a store, or of a server that has it open. */
export interface Runs {
  start(
    workflow: string,
    input: RunDetail["input"],
    options: { readonly id?: string | undefined },
  ): Promise<RunSummary>;
  /** Delivers an event to the runs. */
  deliver(event: CloudEvent): Promise<void>;
  /** Reports about a task by its token. */
  report(token: string, report: TaskReport): Promise<TaskReceipt>;
  list(filter: RunFilter): Promise<RunPage>;
  show(id: string): Promise<RunDetail | undefined>;
  cancel(id: string): Promise<boolean>;
  /** The steps of a run behind a cursor; undefined if the run does not exist. */
  steps(id: string, filter: StepFilter): Promise<StepPage | undefined>;
  retry(id: string, options: { readonly from?: string | undefined }): Promise<boolean>;
  versions(): Promise<readonly VersionUse[]>;
  /** Deletes runs that ended longer ago than a duration in milliseconds; resolves to their number. */
  prune(age: number): Promise<number>;
  /** Deletes a run that has ended. */
  forget(id: string): Promise<ForgetResult>;
  /** Resolves when a run has ended. */
  ended(id: string, signal: AbortSignal): Promise<RunSummary>;
  close(): Promise<void>;
}

/** How commands open a store that they only read: if another process holds it, they read a copy. */
export const reading: Use = { isPaused: true, isReading: true, mayBeNew: false };

/** Provides runs to a function: those of the server at `--url`, or those of the store, which is open that long. */
export async function withRuns<T>(
  program: Program,
  options: Common,
  terminal: Terminal,
  work: (runs: Runs) => Promise<T>,
  use: Use = { isPaused: true, mayBeNew: false },
): Promise<T> {
  levelOf(options, terminal);
  const runs = await runsFor(program, options, terminal, use);
  try {
    return await work(runs);
  } finally {
    await runs.close();
  }
}

async function runsFor(program: Program, options: Common, terminal: Terminal, use: Use): Promise<Runs> {
  const { url, token = terminal.environment["WAYBILL_TOKEN"] } = options;
  if (url !== undefined) return remoteRuns(url, token);
  const { engine } = await open(program, options, terminal, use);
  return runsOf(engine);
}

const runsOf = (engine: Engine): Runs => ({
  start: (workflow, input, options) => engine.start(workflow, input, options),
  deliver: async (event) => void (await engine.deliver(event)),
  report: (token, report) => engine.reportTask(token, report),
  list: (filter) => engine.list(filter),
  show: (id) => engine.show(id),
  cancel: (id) => engine.cancel(id),
  steps: (id, filter) => engine.steps(id, filter),
  retry: (id, options) => engine.retry(id, options),
  versions: () => engine.versions(),
  prune: (age) => engine.prune(Date.now() - age),
  forget: (id) => engine.forget(id),
  ended: (id, signal) => engine.ended(id, signal),
  close: () => engine.close(),
});
