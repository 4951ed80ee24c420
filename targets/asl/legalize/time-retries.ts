import { workflowNames } from "../../../src/ir/names.ts";
import { retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Retry, Step, Workflow } from "../../../src/ir/workflow.ts";
import { expandRecovery } from "../../../src/passes/index.ts";

/**
 * Lowers retries with a limit of their time or a random part of their delay to steps, because `Retry` has neither. A
 * random part is a whole number of seconds.
 */
export function timeRetries<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some(isTimed)) return workflow;
  return expandRecovery(workflow, workflowNames(workflow), { expands: isTimed, wholeSeconds: true });
}

const isTimed = (step: Step): boolean => retriesOf(step).some(hasTime);

const hasTime = ({ within, delay }: Retry): boolean => within !== undefined || delay.jitter?.kind === "range";
