import { substitute, variable } from "../../../src/expressions/index.ts";
import { awaitsCallback } from "../../../src/ir/callbacks.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { intrinsics } from "../intrinsics.ts";
import { replaceSteps } from "./replace-steps.ts";

/** Makes calls with a callback send the token that Step Functions gives to their Task. */
export function sendTaskTokens(workflow: Workflow): Workflow {
  if (!stepsOf(workflow).some(awaitsCallback)) return workflow;
  const token = intrinsics.taskToken;
  return replaceSteps(workflow, (step) => {
    if (!awaitsCallback(step)) return [step];
    const argument = substitute(step.argument, new Map([[step.callback.token, variable(token)]]));
    return [{ ...step, argument, callback: { ...step.callback, token } }];
  });
}
