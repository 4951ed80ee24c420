import { workflowNames } from "../../../src/ir/names.ts";
import { retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Retry, Step, Workflow } from "../../../src/ir/workflow.ts";
import { expandRecovery, type RecoverySupport, retriesNatively } from "../../../src/passes/index.ts";
import { canRetry } from "../errors.ts";

/**
 * Lowers retries with a limit of their time or a random part of their delay to steps: `Retry` has neither, except that
 * its delay can be random as a whole. A random part is a whole number of seconds.
 */
export function timeRetries<W extends Workflow>(workflow: W): W {
  return expandTimed(
    workflow,
    (step) => retriesOf(step).some(hasTime) || (retriesOf(step).some(isRandom) && !canRetry(step, workflow)),
  );
}

/** Lowers retries whose delay is random as a whole where `flatten-exceptions` would make steps without chance of them. */
export const drawDelays = <W extends Workflow>(workflow: W, support: RecoverySupport): W =>
  expandTimed(workflow, (step) => retriesOf(step).some(isRandom) && !retriesNatively(step, support));

function expandTimed<W extends Workflow>(workflow: W, expands: (step: Step) => boolean): W {
  if (!stepsOf(workflow).some(expands)) return workflow;
  return expandRecovery(workflow, workflowNames(workflow), { expands, wholeSeconds: true });
}

const isRandom = ({ delay }: Retry): boolean => delay.jitter?.kind === "full";

const hasTime = ({ within, delay }: Retry): boolean => within !== undefined || delay.jitter?.kind === "range";
