import type { Engine, LogEntry, VersionUse } from "../engine.ts";
import { isTimerVersion, timerWorkflows } from "../timers.ts";
import type { AnyWorkflow } from "../workflow.ts";

/**
 * Begins the timers of a program that are not active in the store, and cancels those that it does not have any more.
 * Several processes may do so at once: the first run of a timer has the same id in all of them.
 */
export async function beginTimers(
  engine: Engine,
  workflows: readonly AnyWorkflow[],
  log: (entry: LogEntry) => void,
): Promise<void> {
  const timers = timerWorkflows(workflows);
  const stored = (await engine.versions()).filter(({ version, runs }) => isTimerVersion(version) && runs > 0);
  const isSame = (use: VersionUse, { id, version }: AnyWorkflow) => use.workflow === id && use.version === version;
  for (const use of stored)
    if (!timers.some(({ workflow }) => isSame(use, workflow))) await cancelAll(engine, use, log);
  for (const { workflow, firstRun } of timers) {
    if (stored.some((use) => isSame(use, workflow))) continue;
    const { status } = await engine.start(workflow.id, {}, { id: firstRun });
    const isActive = status === "running" || status === "waiting";
    const message = isActive ? "A timer begins." : "A timer does not begin again, because its run has ended.";
    log({ level: "info", message, run: firstRun, workflow: workflow.id });
  }
}

/** Cancels the runs of a timer that have not ended. */
async function cancelAll(
  engine: Engine,
  { workflow, version }: VersionUse,
  log: (entry: LogEntry) => void,
): Promise<void> {
  for (const status of ["running", "waiting", "stranded"] as const) {
    const { runs } = await engine.list({ workflow, status, limit: 1000 });
    for (const { id, version: own } of runs) {
      if (own !== version || !(await engine.cancel(id))) continue;
      log({ level: "info", message: "A timer that the program does not have any more ends.", run: id, workflow });
    }
  }
}
