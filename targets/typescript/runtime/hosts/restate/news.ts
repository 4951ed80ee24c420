import type { EngineOptions, RunSummary } from "../../engine.ts";
import type { Begin } from "../broker/messages.ts";
import type { Summary } from "./messages.ts";
import type { WorkflowContext } from "./sdk.ts";

/** What the log and telemetry hear of a run. */
export interface News {
  begins(): void;
  /** It goes on in this process, until Restate puts the execution away. */
  goesOn(): void;
  ends(end: Summary): void;
}

/**
 * The news of a run: that it begins and ends each once, by the process in which it does, and not again where it is executed again. So each is told before
 * what Restate has of it.
 */
export function newsOf(ctx: WorkflowContext, options: EngineOptions, begin: Begin): News {
  const { log, telemetry } = options;
  const { id, workflow, version } = begin;
  const name = { id, workflow, version };
  ctx.request().attemptCompletedSignal.addEventListener("abort", () => telemetry?.rests(id));
  const once = (tell: () => void) => ctx.console.info(tell);
  return {
    begins: () =>
      once(() => {
        telemetry?.started(name);
        log({ level: "info", message: "The run begins.", run: id, workflow });
      }),
    goesOn: () => telemetry?.goesOn(name),
    ends: ({ status, updated, output, error }) =>
      once(() => {
        const instant = (at: number) => new Date(at).toISOString();
        tellEnd(options, { ...name, status, created: instant(begin.at), updated: instant(updated), output, error });
      }),
  };
}

/** Tells the log and telemetry how a run has ended. */
export function tellEnd({ log, telemetry }: EngineOptions, run: RunSummary): void {
  const { id, workflow, status, error } = run;
  log({
    level: error ? "error" : "info",
    message: `The run has ${said[status] ?? "ended"}.`,
    run: id,
    workflow,
    ...(error && { error: error.name, reason: error.message }),
  });
  telemetry?.ended(run);
}

/** What of the package's log is a thing to do is done, but not where an execution is gone through again. */
export function loggerOf(log: EngineOptions["log"]) {
  return ({ level, replaying }: Logged, message: unknown): void => {
    if (typeof message === "function") {
      if (!replaying) message();
    } else if (level === "warn" || level === "error") log({ level: "debug", message: `Restate: ${String(message)}` });
  };
}

/** What the package says of what it logs. */
interface Logged {
  readonly level: string;
  readonly replaying: boolean;
}

const said: { readonly [status: string]: string } = {
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "been cancelled",
};
