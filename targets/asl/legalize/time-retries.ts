import { workflowNames } from "../../../src/ir/names.ts";
import { retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Retry, Step, Workflow } from "../../../src/ir/workflow.ts";
import { expandRecovery } from "../../../src/passes/index.ts";
import { canRetry } from "../errors.ts";

/**
 * Lowers retries with a limit of their time or a random part of their delay to steps: `Retry` has neither, except that
 * its delay can be random as a whole. A random part is a whole number of seconds.
 */
export function timeRetries<W extends Workflow>(workflow: W): W {
  const isTimed = (step: Step): boolean =>
    retriesOf(step).some(
      (retry) => hasTime(retry) || (retry.delay.jitter?.kind === "full" && !canRetry(step, workflow)),
    );
  if (!stepsOf(workflow).some(isTimed)) return workflow;
  return expandRecovery(workflow, workflowNames(workflow), { expands: isTimed, wholeSeconds: true });
}

const hasTime = ({ within, delay }: Retry): boolean => within !== undefined || delay.jitter?.kind === "range";
