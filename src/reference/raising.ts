import { evaluateOne } from "../expressions/index.ts";
import type { Step, Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Work } from "./activities.ts";
import type { Context } from "./context.ts";
import { asJson, errorValueOf, failureIn, RunEnd, StepFailure } from "./failure.ts";
import type { Done } from "./recovery.ts";

/** Executes a step. An error that leaves it becomes what the workflow's `raisedError` says. */
export function* raising(step: Step, { run: { workflow } }: Context, work: Work<Done>): Work<Done> {
  const { pointer } = step.origin;
  if (!workflow.raisedError || pointer === undefined) return yield* work;
  try {
    return yield* work;
  } catch (error) {
    throw error instanceof RunEnd ? error : raisedFailure(workflow, pointer, failureIn(workflow, error));
  }
}

function raisedFailure({ raisedError }: Workflow, pointer: string, failure: StepFailure): StepFailure {
  const { error } = failure;
  if (!raisedError || error.fatal) return failure;
  const variables = new Map<string, Json>([
    ["error", asJson(error)],
    ["pointer", pointer],
  ]);
  return new StepFailure(errorValueOf(evaluateOne(raisedError, { input: null, variables })));
}
