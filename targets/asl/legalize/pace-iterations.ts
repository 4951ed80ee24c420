import {
  binary,
  call,
  collect,
  conditional,
  type Expression,
  literal,
  member,
  variable,
} from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Delay, End, ForEach, Fork, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";
import { replaceSteps } from "./replace-steps.ts";

/**
 * Lowers sequential iterations with a gap: each runs its work in parallel with a delay until the next may start,
 * because a Map does not say when it starts an iteration.
 *
 *   for each element in items, 1 at once, 10 s apart { work }
 *   → for each element in items, 1 at once { fork work, wait for 10 s joining all; end with work }
 */
export function paceIterations<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some(isPaced)) return workflow;
  const names = workflowNames(workflow);
  return replaceSteps(workflow, (step) => (isPaced(step) ? [paceLoop(step, names)] : [step]));
}

/** Whether iterations are sequential with a gap between starts. */
export const isPaced = (step: Step): step is ForEach & { readonly gap: number } =>
  step.kind === "foreach" && step.width === 1 && step.gap !== undefined;

function paceLoop(step: ForEach & { readonly gap: number }, { steps: names, variables }: WorkflowNames): ForEach {
  const { span, items, gap, scope: work, index = variables.fresh("index") } = step;
  const derive = (part: string) => ({ id: names.fresh(`${step.id}/${part}`), origin: derivedOrigin(step, part), span });
  const ending = (part: string, value: Expression): End => ({
    ...derive(part),
    kind: "end",
    outcome: "leave",
    extent: "scope",
    value,
  });
  const both = variables.fresh("both");
  const over = ending("rested", literal(null));
  const isLast = binary(
    "==",
    binary("+", variable(index), literal(1)),
    call("length", collect({ kind: "iterate", source: items, optional: true })),
  );
  const wait: Delay["wait"] = { kind: "for", seconds: conditional(isLast, literal(0), literal(gap)) };
  const rest: Delay = { ...derive("rest"), kind: "delay", wait, next: { name: over.id, span } };
  const pause: Scope = { entry: { name: rest.id, span }, variables: [], steps: [rest, over], span };
  const end = ending("paced", member(variable(both), "work"));
  const fork: Fork = {
    ...derive("iteration"),
    kind: "fork",
    branches: [
      { name: "work", scope: work, span },
      { name: "pause", scope: pause, span },
    ],
    join: { kind: "all" },
    failure: "fatal",
    retries: [],
    bind: both,
    handlers: [],
    next: { name: end.id, span },
  };
  const scope: Scope = { entry: { name: fork.id, span }, variables: [{ name: both }], steps: [fork, end], span };
  return { ...step, gap: undefined, index, scope };
}
