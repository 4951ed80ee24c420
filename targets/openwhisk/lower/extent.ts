import { type Block, innerBlocks, structured } from "../../../src/flow/index.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
import type { Scope, Step } from "../../../src/ir/workflow.ts";
import type { FlowContext } from "./context.ts";

// How long parts of a workflow may take, and how many components: what has no known bound goes on without anybody who waits for it in an activation.

/** The longest time that an activation waits for branches, in seconds, with some left for what it does itself. */
const longest = 240;

/** How long an action may take where nothing is said, in seconds. */
const actionLimit = 60;

/** Whether a scope may wait, or may take longer than an activation that waits for it. */
export const mayOutlast = (scope: Scope, flow: FlowContext): boolean => seconds(scope, flow, new Set()) > longest;

/** The most seconds that a scope takes: infinite where there is no bound. */
function seconds(scope: Scope, flow: FlowContext, within: ReadonlySet<string>): number {
  if (hasLoop(structured(scope))) return Number.POSITIVE_INFINITY;
  return scope.steps.reduce((sum, step) => sum + secondsOf(step, flow, within), 0);
}

function secondsOf(step: Step, flow: FlowContext, within: ReadonlySet<string>): number {
  const inner = innerScopes(step).reduce((sum, scope) => sum + seconds(scope, flow, within), 0);
  switch (step.kind) {
    case "call":
    case "emit":
      return actionLimit;
    case "delay":
      return step.wait.kind === "for" && step.wait.seconds.kind === "literal"
        ? Number(step.wait.seconds.value)
        : Number.POSITIVE_INFINITY;
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

/** The most components that a scope takes, those of subflows too: infinite where there is no bound. */
export function components(scope: Scope, flow: FlowContext, within: ReadonlySet<string> = new Set()): number {
  if (hasLoop(structured(scope))) return Number.POSITIVE_INFINITY;
  return scope.steps.reduce((sum, step) => sum + componentsOf(step, flow, within), 0);
}

function componentsOf(step: Step, flow: FlowContext, within: ReadonlySet<string>): number {
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

const hasLoop = (block: Block): boolean =>
  block.some((item) => item.kind === "loop" || innerBlocks(item).some(hasLoop));
