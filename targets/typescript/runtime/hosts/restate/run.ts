import { RunEnd, runWorkflow, WorkflowError } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import type { Begin } from "../broker/messages.ts";
import { restateHost } from "./host.ts";
import { excessOf } from "./limits.ts";
import type { Summary } from "./messages.ts";
import { ReplayingRun } from "./replay.ts";
import { reporterOf } from "./run-log.ts";
import type { Sdk, WorkflowContext } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** The outcome of an execution of a run. */
type Outcome = { readonly output: Json } | { readonly thrown: unknown };

/**
 * Executes a run in the handler of its workflow. The output is only in the run's state: Restate's ingress returns the
 * result of a handler to anyone who knows the id of the run.
 */
export async function execute(ctx: WorkflowContext, setting: Setting, begin: Begin, sdk: Errors): Promise<void> {
  const workflow = setting.options.workflows.find(
    ({ id, version }) => id === begin.workflow && version === begin.version,
  );
  if (!workflow) throw new Error(`There is no version ${begin.version} of ${begin.workflow} here.`);
  const live = new ReplayingRun(ctx, setting, begin, workflow);
  const reporter = reporterOf(ctx, setting.options, begin);
  reporter.started();
  reporter.resumed();
  const ended = (end: End) => {
    reporter.ended({ ...end, updated: live.clock });
    live.show(end);
    setting.ended(begin.id);
  };
  try {
    for (;;) {
      const outcome = await attempt(live, workflow);
      const end = endOf(outcome);
      if ("output" in end) {
        live.leave();
        ended({ status: "succeeded", events: [], output: end.output });
        while (live.background.size > 0) await live.applyNext();
        return;
      }
      const failedAt = live.clock;
      live.fail();
      ended({ status: "failed", events: [], error: end.error, failures: live.failures });
      const cause = causeOf(live, outcome);
      await retried(live);
      live.again(cause, failedAt, live.clock);
      reporter.resumed();
    }
  } catch (thrown) {
    if (!(thrown instanceof sdk.CancelledError)) throw thrown;
    live.controller.abort(new Error("The run was cancelled."));
    await live.rest();
    live.leave();
    ended({ status: "cancelled", events: [] });
    throw thrown;
  }
}

/** The errors of the SDK. */
type Errors = Pick<Sdk, "CancelledError">;

async function attempt(live: ReplayingRun, workflow: AnyWorkflow): Promise<Outcome> {
  const { begin, setting, controller } = live;
  let outcome: Outcome | undefined;
  const starting = {
    input: begin.input,
    prefix: "",
    position: [],
    signal: controller.signal,
    isSubflow: false,
    events: begin.taken,
  };
  const cast = { host: restateHost(live), workflow, functions: setting.options.functions };
  runWorkflow(cast, starting).then(
    (output) => {
      outcome = { output };
    },
    (thrown: unknown) => {
      outcome = { thrown };
    },
  );
  await live.pump(() => outcome !== undefined);
  return outcome!;
}

/** Waits until a failed run is retried. */
async function retried(live: ReplayingRun): Promise<void> {
  for (;;) {
    const entry = await live.applyNext();
    await live.rest();
    if (entry.kind === "retry") return;
  }
}

/** The end of a run, without its time. */
type End = Omit<Summary, "updated">;

/** The result of a run. */
type Result = { readonly output: Json } | { readonly error: NonNullable<Summary["error"]> };

function endOf(outcome: Outcome): Result {
  if ("output" in outcome) return given(outcome.output);
  const { thrown } = outcome;
  if (thrown instanceof RunEnd)
    return "value" in thrown.ending ? given(thrown.ending.value) : { error: errorIn(thrown.ending.error) };
  return { error: errorIn(thrown instanceof Error ? thrown : new Error(String(thrown))) };
}

/** An output, or the error that it is too long. */
function given(output: Json): Result {
  const excess = excessOf(output);
  if (excess === undefined) return { output };
  return { error: { name: "DataError", message: `The output cannot be recorded: ${excess}.` } };
}

const errorIn = (error: Error): NonNullable<Summary["error"]> => ({
  name: error.name,
  message: error.message,
  ...(error instanceof WorkflowError && error.data !== undefined && { data: error.data }),
});

/** The key of the result that made a run fail. */
function causeOf(live: ReplayingRun, outcome: Outcome): string | undefined {
  if (!("thrown" in outcome)) return undefined;
  const { thrown } = outcome;
  const error = thrown instanceof RunEnd && "error" in thrown.ending ? thrown.ending.error : thrown;
  const known = [error, thrown].flatMap((each) => live.causes.get(Object(each)) ?? [])[0];
  return known ?? live.lastFailure(errorIn(error as Error));
}
