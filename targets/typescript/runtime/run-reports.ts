import type { EngineOptions, RunName, RunStatus, RunSummary } from "./engine.ts";

/** Where runs are reported. */
type Observers = Pick<EngineOptions, "log" | "telemetry">;

/** Reports the beginning of a run to the log and to telemetry. */
export function reportStart({ log, telemetry }: Observers, run: RunName): void {
  telemetry?.started(run);
  log({ level: "info", message: "The run begins.", run: run.id, workflow: run.workflow });
}

/** Reports the end of a run to the log and to telemetry. */
export function reportEnd({ log, telemetry }: Observers, run: RunSummary): void {
  const { id, workflow, status, error } = run;
  log({
    level: error ? "error" : "info",
    message: `The run has ${endings[status] ?? "ended"}.`,
    run: id,
    workflow,
    ...(error && { error: error.name, reason: error.message }),
  });
  telemetry?.ended(run);
}

const endings: { readonly [status in RunStatus]?: string } = {
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "been cancelled",
};
