import { childrenOf, type Expression, inferType, type PathObserver, type PathStep } from "../../expressions/index.ts";
import { handlersOf, ownExpressions, patternsOf, retriesOf, stepsOf } from "../../ir/walk.ts";
import type { Step, Workflow } from "../../ir/workflow.ts";
import type { Source } from "../../text/source.ts";
import { any, elementOf, integer, isNever, type Type } from "../../types/index.ts";
import type { DataFlow } from "./flow.ts";
import { eventType } from "./received.ts";
import { assignTypes, type StepTypes } from "./variables.ts";

/** A path step at one span, in all its contexts. */
export type SightingGroup = readonly [PathStep, ...PathStep[]];

/** Collects all reachable path steps, by span. */
export function sightingsIn(workflow: Workflow, { before }: DataFlow): readonly SightingGroup[] {
  const bySource = new Map<Source, Map<string, [PathStep, ...PathStep[]]>>();
  const watch: PathObserver = (sighting) => {
    const { source, start, end } = sighting.span;
    const groups = bySource.get(source) ?? new Map<string, [PathStep, ...PathStep[]]>();
    bySource.set(source, groups);
    const key = `${start}:${end}:${sighting.step}`;
    const known = groups.get(key);
    if (known) known.push(sighting);
    else groups.set(key, [sighting]);
  };
  const typeOfEvent = (name: string): Type => {
    const definition = workflow.events.find((each) => each.name === name);
    return definition?.dataType ? eventType(definition) : any;
  };
  for (const step of stepsOf(workflow)) {
    const variables = before.get(step.id);
    if (variables) inferStep(step, variables, typeOfEvent, watch);
  }
  return [...bySource.values()].flatMap((groups) => [...groups.values()]);
}

function inferStep(step: Step, variables: StepTypes, typeOfEvent: (name: string) => Type, watch: PathObserver): void {
  const look = (expression: Expression | undefined, seen: StepTypes = variables) => {
    if (expression && hasSpan(expression)) inferType(expression, seen, watch);
  };
  if (step.kind !== "receive") for (const expression of ownExpressions(step)) look(expression);
  const failed = assignTypes(variables, [["error", any]]);
  for (const { when } of [...retriesOf(step), ...handlersOf(step)]) look(when, failed);
  switch (step.kind) {
    case "receive":
      for (const { when, event } of patternsOf(step.alternatives))
        look(when, assignTypes(variables, [["event", typeOfEvent(event.name)]]));
      for (const { value } of step.correlation ?? []) look(value);
      return;
    case "fork":
      for (const { scope } of step.branches) for (const { initial } of scope.variables) look(initial);
      return;
    case "foreach": {
      const element = elementOf(inferType(step.items, variables));
      const seen = assignTypes(variables, [
        [step.element, element],
        [step.index, integer],
      ]);
      if (!isNever(element)) for (const { initial } of step.scope.variables) look(initial, seen);
      return;
    }
    default:
      return;
  }
}

function hasSpan(expression: Expression): boolean {
  if (expression.span) return true;
  const selectors = expression.kind === "query" ? expression.segments.flatMap((segment) => segment.selectors) : [];
  return selectors.some(({ span }) => span) || childrenOf(expression).some((child) => hasSpan(child.expression));
}
