import type { RunRecorder } from "../environment/environment.ts";
import type { Step } from "../ir/workflow.ts";
import type { Work } from "./activities.ts";
import type { Context } from "./context.ts";
import { RunEnd, StepFailure } from "./failure.ts";
import type { Done } from "./recovery.ts";

/** Reports the beginning and the end of a step's execution to a recorder. */
export function* traced(
  step: Step,
  { run, environment, position }: Context,
  work: Work<Done>,
  begins: NonNullable<RunRecorder["begins"]>,
): Work<Done> {
  const { simulated, workflow } = run;
  const now = () => ({ at: simulated.now(), variables: environment.own });
  const ends = begins({ step, workflow, position, ...now() });
  let hasEnded = false;
  try {
    const done = yield* work;
    hasEnded = true;
    ends({ outcome: "done", left: done.kind === "next" ? (done.by ?? step) : undefined, ...now() });
    return done;
  } catch (error) {
    hasEnded = true;
    const isLeft = error instanceof RunEnd && error.ending.kind === "leave";
    ends({ outcome: isLeft ? "done" : "failed", error: errorIn(error), ...now() });
    throw error;
  } finally {
    if (!hasEnded) ends({ outcome: "stopped", ...now() });
  }
}

function errorIn(error: unknown) {
  if (error instanceof StepFailure) return error.error;
  return error instanceof RunEnd && error.ending.kind === "fail" ? error.ending.error : undefined;
}
