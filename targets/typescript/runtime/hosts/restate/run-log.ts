import type { EngineOptions, RunSummary } from "../../engine.ts";
import type { Begin } from "../broker/messages.ts";
import type { Summary } from "./messages.ts";
import type { WorkflowContext } from "./sdk.ts";

/** What the log and telemetry report of a run. */
export interface News {
  begins(): void;
  /** It continues in this process until Restate suspends it. */
  resumes(): void;
  ends(end: Summary): void;
}

/**
 * Reports the beginning and the end of a run once each, in the process where they happen, and not when it is replayed:
 * each report precedes what Restate records.
 */
export function newsOf(ctx: WorkflowContext, options: EngineOptions, begin: Begin): News {
  const { log, telemetry } = options;
  const { id, workflow, version, trace } = begin;
  const name = { id, workflow, version, trace };
  ctx.request().attemptCompletedSignal.addEventListener("abort", () => telemetry?.suspended(id));
  const once = (tell: () => void) => ctx.console.info(tell);
  return {
    begins: () =>
      once(() => {
        telemetry?.started(name);
        log({ level: "info", message: "The run begins.", run: id, workflow });
      }),
    resumes: () => telemetry?.resumed(name),
    ends: ({ status, updated, output, error }) =>
      once(() => {
        const instant = (at: number) => new Date(at).toISOString();
        reportEnd(options, { ...name, status, created: instant(begin.at), updated: instant(updated), output, error });
      }),
  };
}

/** Reports the end of a run. */
export function reportEnd({ log, telemetry }: EngineOptions, run: RunSummary): void {
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

/** The SDK's logger. Functions that are logged are called, unless the execution is replayed. */
export function loggerOf(log: EngineOptions["log"]) {
  return ({ level, replaying }: LogMetadata, message: unknown): void => {
    if (typeof message === "function") {
      if (!replaying) message();
    } else if (level === "warn" || level === "error") log({ level: "debug", message: `Restate: ${String(message)}` });
  };
}

/** The metadata of a log message. */
interface LogMetadata {
  readonly level: string;
  readonly replaying: boolean;
}

const endings: { readonly [status: string]: string } = {
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "been cancelled",
};
