import type { Expression } from "../../expressions/index.ts";
import type { StartDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import type { Scope, Window } from "../../ir/workflow.ts";
import { boundsOf, formatInstant, isTimeSyntaxError, parseInterval } from "../../text/iso8601.ts";
import { spanOf } from "../shared/properties.ts";
import { stepsIn } from "../shared/steps.ts";
import { type Context, createWriter, type ScopeWriter, type Writer } from "./context.ts";
import {
  invalidSchedule,
  missingSchedule,
  relativeSchedule,
  repeatingSchedule,
  withoutEffect,
} from "./diagnostics/kinds.ts";
import { type ScopePlan, startState } from "./plan.ts";
import { lowerState } from "./states.ts";

/** What a scope takes from its parent construct. */
export interface ScopeSetup {
  readonly variables: readonly (readonly [string, Expression | undefined])[];
  /** The scope's result per final state; may add variables. */
  value(variables: Map<string, Expression | undefined>): (state: State) => Expression;
}

/** Lowers a branch or an iteration. */
export function lowerScope(context: Context, plan: ScopePlan, surroundings: ScopeSetup): Scope {
  const start = startState(context, plan);
  const window = windowOf(context, start.start);
  return { ...lowerStates(context, plan, start, surroundings), window };
}

/** Lowers the states of a scope from `start`. */
export function lowerStates(context: Context, plan: ScopePlan, start: State, surroundings: ScopeSetup): Scope {
  const variables = new Map(surroundings.variables);
  const scope: ScopeWriter = { plan, start, variables, value: surroundings.value(variables) };
  const slots: Writer["slots"] = [];
  for (const state of plan.states) lowerState(createWriter(context, scope, state, slots));
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  const entry = { name: plan.entries.get(start)!, span: spanOf(context, start, "name") };
  return { entry, variables: declared, steps: stepsIn({ slots }), span: spanOf(context, plan.owner) };
}

/** Serverless Workflow (draft of 2020), Schedule Definition: when a start state is active; always if undefined. */
export function windowOf(context: Context, start: StartDefinition | undefined): Window | undefined {
  if (!start) return undefined;
  const { kind, schedule } = start;
  if (kind === "default") {
    const why = "only a start of kind `scheduled` has a schedule";
    if (schedule) context.report(withoutEffect(spanOf(context, start, "schedule", "key"), { name: "schedule", why }));
    return undefined;
  }
  if (schedule) return intervalOf(context, schedule);
  context.report(missingSchedule(spanOf(context, start, "kind"), {}));
  return undefined;
}

function intervalOf(context: Context, schedule: { readonly interval: string }): Window | undefined {
  const { interval: text } = schedule;
  const span = spanOf(context, schedule, "interval");
  const { deployed } = context.settings;
  const refuse = (diagnostic: Parameters<Context["report"]>[0]): undefined => {
    context.report(diagnostic);
  };
  if (/^R\d*\//.test(text)) return refuse(repeatingSchedule(span, { text }));
  const interval = parseInterval(text);
  if (isTimeSyntaxError(interval)) return refuse(invalidSchedule(span, { text, ...interval }));
  if (interval.kind === "duration" && deployed === undefined) return refuse(relativeSchedule(span, { text }));
  const bounds = boundsOf(interval, deployed);
  return isTimeSyntaxError(bounds)
    ? refuse(invalidSchedule(span, { text, ...bounds }))
    : { from: formatInstant(bounds.from), until: formatInstant(bounds.until) };
}
