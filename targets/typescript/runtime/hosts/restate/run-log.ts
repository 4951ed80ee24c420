import type { EngineOptions } from "../../engine.ts";
import { reportEnd, reportStart } from "../../internal.ts";
import type { Begin } from "../broker/messages.ts";
import type { Summary } from "./messages.ts";
import type { WorkflowContext } from "./sdk.ts";

/** Reports what happens to a run to the log and to telemetry. */
export interface RunReporter {
  started(): void;
  /** It continues in this process until Restate suspends it. */
  resumed(): void;
  ended(end: Summary): void;
}

/**
 * Reports the beginning and the end of a run once each, in the process where they happen, and not when it is replayed:
 * each report precedes what Restate records.
 */
export function reporterOf(ctx: WorkflowContext, options: EngineOptions, begin: Begin): RunReporter {
  const { telemetry } = options;
  const { id, workflow, version, trace } = begin;
  const name = { id, workflow, version, trace };
  ctx.request().attemptCompletedSignal.addEventListener("abort", () => telemetry?.suspended(id));
  const once = (report: () => void) => ctx.console.info(report);
  return {
    started: () => once(() => reportStart(options, name)),
    resumed: () => telemetry?.resumed(name),
    ended: ({ status, updated, output, error }) =>
      once(() => {
        const instant = (at: number) => new Date(at).toISOString();
        reportEnd(options, { ...name, status, created: instant(begin.at), updated: instant(updated), output, error });
      }),
  };
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
