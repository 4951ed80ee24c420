import { stepsOf } from "../../src/ir/walk.ts";
import type { Program, Workflow } from "../../src/ir/workflow.ts";
import { isWaitedFor, passesAge } from "./run-age.ts";

/** Why runs of a workflow cannot continue in new executions, as a clause; undefined if they can. */
export const continuationRefusal = (workflow: Workflow, program: Program): string | undefined =>
  isWaitedFor(workflow, program) ? "another workflow waits for the result of its execution" : undefined;

/** Whether states of a workflow read the id or the start of their run: waits, and subflows that may wait. */
export const readsRun = (workflow: Workflow, program: Program): boolean =>
  stepsOf(workflow).some((step) => step.kind === "receive" || (step.kind === "invoke" && passesAge(step, program)));
