import type { Expression } from "../../expressions/index.ts";
import type { Scope, Step } from "../../ir/workflow.ts";
import { type Context, spanOf } from "./context.ts";
import type { State } from "./definition.ts";
import { impliedStart, noStart, severalStarts, startsAt, unknownStart } from "./diagnostics/kinds.ts";
import type { ScopePlan } from "./plan.ts";
import { windowOf } from "./schedule.ts";
import { lowerState } from "./states/state.ts";
import { type ScopeWriter, writerOf } from "./writer.ts";

/** What the construct around a scope decides about it. */
export interface Surroundings {
  /** The variables that the scope begins with. */
  readonly variables: readonly (readonly [string, Expression | undefined])[];
  /** What the scope gives where it ends in a state; may add to its variables. */
  value(variables: Map<string, Expression | undefined>): (state: State) => Expression;
}

/** Lowers the states of a branch or of an iteration. */
export function lowerScope(context: Context, plan: ScopePlan, surroundings: Surroundings): Scope {
  const start = startOf(context, plan);
  const window = windowOf(context, start.start);
  return { ...lowerStates(context, plan, start, surroundings), window };
}

/** Lowers states that transition to each other, beginning with `start`. */
export function lowerStates(context: Context, plan: ScopePlan, start: State, surroundings: Surroundings): Scope {
  const variables = new Map(surroundings.variables);
  const scope: ScopeWriter = { plan, start, variables, value: surroundings.value(variables) };
  const steps: (Step | undefined)[] = [];
  for (const state of plan.states) lowerState(writerOf(context, scope, state, steps));
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  const entry = { name: plan.entries.get(start)!, span: spanOf(context, start, "name") };
  return { entry, variables: declared, steps: steps.flatMap((step) => step ?? []), span: spanOf(context, plan.owner) };
}

/** The state that a scope starts with: the one that says so, or the only one. Where that is not clear, the first; and it is reported. */
export function startOf(context: Context, plan: ScopePlan): State {
  const named = plan.kind === "workflow" ? namedStart(context, plan) : undefined;
  const marked = plan.states.filter((state) => state.start !== undefined || state === named);
  const [first, ...others] = marked;
  for (const other of others) {
    const note = { message: "The first one is here.", span: spanOf(context, first!, "start", "key") };
    const args = { owner: plan.subject, first: first!.name, state: other.name };
    context.report(severalStarts(spanOf(context, other, "start", "key"), args, [note]));
  }
  return first ?? unmarkedStart(context, plan);
}

function unmarkedStart(context: Context, plan: ScopePlan): State {
  const first = plan.states[0]!;
  if (plan.kind === "workflow" && context.definition.startsAt !== undefined) return first;
  const name = spanOf(context, first, "name");
  if (plan.states.length === 1) context.report(impliedStart(name, { state: first.name }));
  else context.report(noStart(spanOf(context, plan.owner, "states", "key"), { owner: plan.subject }));
  return first;
}

/** The state that `startsAt` names. */
function namedStart(context: Context, plan: ScopePlan): State | undefined {
  const { startsAt: name } = context.definition;
  if (name === undefined) return undefined;
  const span = spanOf(context, context.definition, "startsAt");
  const state = plan.byName.get(name) ?? plan.byId.get(name);
  if (state) context.report(startsAt(spanOf(context, context.definition, "startsAt", "key"), { state: state.name }));
  else context.report(unknownStart(span, { name, known: [...plan.byName.keys()] }));
  return state;
}
