import { innerBlocks, type StructuredBlock, structureScope } from "../../../src/cfg/index.ts";
import { innerScopes, retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Delay, Emit, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { effectiveRetries } from "../../../src/passes/index.ts";
import type { SelectionContext } from "./context.ts";

// Upper bounds on the time and the components of a scope. A scope without a bound runs detached.

/** The components of an invocation. The platform allows 50. */
export const maxComponents = 45;

/** The default limit on concurrent activations of a namespace. */
export const maxConcurrency = 100;

/** The longest delay that an action sleeps through, in seconds. */
export const maxSleepSeconds = 30;

/** The longest time that an activation waits for branches, in seconds. */
const maxBlockingSeconds = 240;

const defaultActionSeconds = 60;

/** Whether a scope may take longer than an activation can wait, or more components than an invocation has. */
export const mayOutlast = (scope: Scope, flow: SelectionContext): boolean =>
  boundSeconds(scope, flow, new Set()) > maxBlockingSeconds || mayExceedBudget(scope, flow);

/** Whether runs of a workflow may suspend for a delay. A caller cannot wait for such a run as a component. */
export const mayDelayLong = (workflow: Workflow): boolean =>
  stepsOf(workflow).some((step) => step.kind === "delay" && delaySeconds(step) > maxSleepSeconds);

const mayExceedBudget = (scope: Scope, flow: SelectionContext, within?: ReadonlySet<string>): boolean =>
  countComponents(scope, flow, within) > Math.min(flow.platform.budget, maxComponents);

const delaySeconds = ({ wait }: Delay): number =>
  wait.kind === "for" && wait.seconds.kind === "literal" ? Number(wait.seconds.value) : Number.POSITIVE_INFINITY;

function boundSeconds(scope: Scope, flow: SelectionContext, within: ReadonlySet<string>): number {
  if (hasLoop(structureScope(scope))) return Number.POSITIVE_INFINITY;
  return scope.steps.reduce((sum, step) => sum + boundStepSeconds(step, flow, within), 0);
}

function boundStepSeconds(step: Step, flow: SelectionContext, within: ReadonlySet<string>): number {
  if (isRetried(step)) return Number.POSITIVE_INFINITY;
  const inner = innerScopes(step).reduce((sum, scope) => sum + boundSeconds(scope, flow, within), 0);
  switch (step.kind) {
    case "call":
      return defaultActionSeconds;
    case "emit":
      return hasSharedCorrelation(step, flow.workflow) ? Number.POSITIVE_INFINITY : defaultActionSeconds;
    case "delay":
      return delaySeconds(step);
    case "fork":
      return step.branches.some(({ scope }) => mayExceedBudget(scope, flow, within)) ? Number.POSITIVE_INFINITY : inner;
    case "receive":
    case "foreach":
      return Number.POSITIVE_INFINITY;
    case "invoke": {
      const subflow = flow.program.byId.get(step.workflow.name);
      if (!subflow || !step.wait) return defaultActionSeconds;
      return within.has(subflow.id)
        ? Number.POSITIVE_INFINITY
        : boundSeconds(subflow.body, flow, new Set([...within, subflow.id]));
    }
    default:
      return inner;
  }
}

/**
 * Whether an emitted event carries a correlation value that another thread may have set, so that it is in the store.
 */
export function hasSharedCorrelation({ event }: Emit, workflow: Workflow): boolean {
  const { events, start } = workflow;
  return (
    events.some(({ name, correlationAttribute }) => name === event.name && correlationAttribute !== undefined) &&
    events.some(({ correlation }) => correlation !== undefined) &&
    (start.on !== undefined || stepsOf(workflow).some(({ kind }) => kind === "receive"))
  );
}

/** The largest number of components of a scope, including subflows; infinite if unbounded. */
export function countComponents(scope: Scope, flow: SelectionContext, within: ReadonlySet<string> = new Set()): number {
  if (hasLoop(structureScope(scope))) return Number.POSITIVE_INFINITY;
  return scope.steps.reduce((sum, step) => sum + countStepComponents(step, flow, within), 0);
}

function countStepComponents(step: Step, flow: SelectionContext, within: ReadonlySet<string>): number {
  if (isRetried(step)) return Number.POSITIVE_INFINITY;
  switch (step.kind) {
    case "call":
    case "emit":
    case "delay":
    case "fork":
    case "foreach":
      return 1;
    case "receive":
      return Number.POSITIVE_INFINITY;
    case "attempt":
      return countComponents(step.body, flow, within);
    case "invoke": {
      const subflow = flow.program.byId.get(step.workflow.name);
      if (!subflow || !step.wait) return 1;
      return within.has(subflow.id)
        ? Number.POSITIVE_INFINITY
        : 1 + countComponents(subflow.body, flow, new Set([...within, subflow.id]));
    }
    default:
      return 0;
  }
}

const isRetried = (step: Step): boolean => effectiveRetries(retriesOf(step)).length > 0;

const hasLoop = (block: StructuredBlock): boolean =>
  block.some((item) => item.kind === "loop" || innerBlocks(item).some(hasLoop));
