import { innerBlocks, type StructuredBlock, structureScope } from "../../../src/cfg/index.ts";
import { innerScopes, retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Delay, Emit, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { effectiveRetries } from "../../../src/passes/index.ts";
import type { FlowContext } from "./context.ts";

// How long parts of a workflow may take, and how many components: what has no known bound goes on without anybody who waits for it in an activation.

/** How many components an invocation may have, with some left of the 50 that the platform gives it. */
export const mostComponents = 45;

/** So many activations a namespace has at once where nobody has said anything else. */
export const mostAtOnce = 100;

/** The longest delay that is slept, in seconds: for one that is longer a run is suspended. */
export const longestSleep = 30;

/** The longest time that an activation waits for branches, in seconds, with some left for what it does itself. */
const longest = 240;

/** How long an action may take where nothing is said, in seconds. */
const actionLimit = 60;

/** Whether a scope may wait, or may take longer than an activation that waits for it, or more components than one invocation has. */
export const mayOutlast = (scope: Scope, flow: FlowContext): boolean =>
  seconds(scope, flow, new Set()) > longest || goesOnElsewhere(scope, flow);

/** Whether runs of a workflow may be suspended for a delay, which nobody can wait for who has called them as a component. */
export const delaysLong = (workflow: Workflow): boolean =>
  stepsOf(workflow).some((step) => step.kind === "delay" && lengthOf(step) > longestSleep);

/** Whether a scope may have more components than one invocation. */
const goesOnElsewhere = (scope: Scope, flow: FlowContext, within?: ReadonlySet<string>): boolean =>
  components(scope, flow, within) > Math.min(flow.entities.budget, mostComponents);

/** How long a delay is, in seconds: infinite where that is not known. */
const lengthOf = ({ wait }: Delay): number =>
  wait.kind === "for" && wait.seconds.kind === "literal" ? Number(wait.seconds.value) : Number.POSITIVE_INFINITY;

/** The most seconds that a scope takes: infinite where there is no bound. */
function seconds(scope: Scope, flow: FlowContext, within: ReadonlySet<string>): number {
  if (hasLoop(structureScope(scope))) return Number.POSITIVE_INFINITY;
  return scope.steps.reduce((sum, step) => sum + secondsOf(step, flow, within), 0);
}

function secondsOf(step: Step, flow: FlowContext, within: ReadonlySet<string>): number {
  if (isTriedAgain(step)) return Number.POSITIVE_INFINITY;
  const inner = innerScopes(step).reduce((sum, scope) => sum + seconds(scope, flow, within), 0);
  switch (step.kind) {
    case "call":
      return actionLimit;
    case "emit":
      return sharesCorrelation(step, flow.workflow) ? Number.POSITIVE_INFINITY : actionLimit;
    case "delay":
      return lengthOf(step);
    case "fork":
      return step.branches.some(({ scope }) => goesOnElsewhere(scope, flow, within)) ? Number.POSITIVE_INFINITY : inner;
    case "receive":
    case "foreach":
      return Number.POSITIVE_INFINITY;
    case "invoke": {
      const known = flow.program.byId.get(step.workflow.name);
      if (!known || !step.wait) return actionLimit;
      return within.has(known.id)
        ? Number.POSITIVE_INFINITY
        : seconds(known.body, flow, new Set([...within, known.id]));
    }
    default:
      return inner;
  }
}

/**
 * Whether an event that is emitted carries a correlation value that the run may have from an event which another part of it has taken: it is with what all
 * runs have in common, where each thread of a run finds what is the run's own.
 */
export function sharesCorrelation({ event }: Emit, workflow: Workflow): boolean {
  const { events, start } = workflow;
  return (
    events.some(({ name, correlationAttribute }) => name === event.name && correlationAttribute !== undefined) &&
    events.some(({ correlation }) => correlation !== undefined) &&
    (start.on !== undefined || stepsOf(workflow).some(({ kind }) => kind === "receive"))
  );
}

/** The most components that a scope takes, those of subflows too: infinite where there is no bound. */
export function components(scope: Scope, flow: FlowContext, within: ReadonlySet<string> = new Set()): number {
  if (hasLoop(structureScope(scope))) return Number.POSITIVE_INFINITY;
  return scope.steps.reduce((sum, step) => sum + componentsOf(step, flow, within), 0);
}

function componentsOf(step: Step, flow: FlowContext, within: ReadonlySet<string>): number {
  if (isTriedAgain(step)) return Number.POSITIVE_INFINITY;
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
      return components(step.body, flow, within);
    case "invoke": {
      const known = flow.program.byId.get(step.workflow.name);
      if (!known || !step.wait) return 1;
      return within.has(known.id)
        ? Number.POSITIVE_INFINITY
        : 1 + components(known.body, flow, new Set([...within, known.id]));
    }
    default:
      return 0;
  }
}

/** Whether a step of a workflow that is not lowered yet is a loop, as it may be tried again. */
const isTriedAgain = (step: Step): boolean => effectiveRetries(retriesOf(step)).length > 0;

const hasLoop = (block: StructuredBlock): boolean =>
  block.some((item) => item.kind === "loop" || innerBlocks(item).some(hasLoop));
