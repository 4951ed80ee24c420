import { stepsOf } from "../../src/ir/walk.ts";
import type { Program, Workflow } from "../../src/ir/workflow.ts";

/**
 * Whether an execution ends at the limit of a workflow's runs by its `TimeoutSeconds`, whole seconds. Its status is then
 * `TIMED_OUT`, which an execution that waits for it cannot tell from other failures: those workflows have an attempt.
 */
export const limitsRuns = ({ id, timeout }: Workflow, { workflows }: Program): boolean =>
  timeout !== undefined &&
  typeof timeout.seconds === "number" &&
  Number.isInteger(timeout.seconds) &&
  timeout.seconds <= maxExecutionSeconds &&
  !workflows.some((workflow) =>
    stepsOf(workflow).some((step) => step.kind === "invoke" && step.wait && step.workflow.name === id),
  );

const maxExecutionSeconds = 99_999_999;
