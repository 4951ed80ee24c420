import type { Document } from "../../documents/index.ts";
import type { Expression } from "../../expressions/index.ts";
import type { StartDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import type { Scope, Window } from "../../ir/workflow.ts";
import { truncate } from "../../text/clip.ts";
import type { Report } from "../../text/diagnostics.ts";
import { boundsOf, formatInstant, isTimeSyntaxError, parseInterval } from "../../text/iso8601.ts";
import { createStepIds, type StepIds, spanOf, stepsIn } from "../shared/index.ts";
import { type Context, createWriter, type ScopeWriter, type Writer } from "./context.ts";
import {
  duplicateBranch,
  duplicateStateId,
  impliedStart,
  invalidSchedule,
  missingSchedule,
  multipleStarts,
  noStart,
  outdatedStartsAt,
  relativeSchedule,
  repeatingSchedule,
  unknownStart,
  withoutEffect,
} from "./diagnostics/kinds.ts";
import { lowerState } from "./states.ts";

/** A list of states that may transition to each other: those of the workflow, of a branch or of a foreach state. */
export interface ScopePlan {
  readonly kind: "workflow" | "branch" | "iteration";
  /** The definition, the branch or the state that has the states. */
  readonly owner: object;
  /** The owner as the subject of a sentence. */
  readonly subject: string;
  readonly states: readonly State[];
  /** The id of each state's first step. */
  readonly entries: ReadonlyMap<State, string>;
  /** Of states with equal names, or equal ids, the first. */
  readonly byName: ReadonlyMap<string, State>;
  readonly byId: ReadonlyMap<string, State>;
  /** The scopes inside, by their owner. */
  readonly inner: ReadonlyMap<object, ScopePlan>;
}

/** What is decided about names before anything is lowered. */
export interface Plan {
  readonly root: ScopePlan;
  /** The first step for every name and id in any scope; the outermost scope that has it counts. */
  readonly entriesByName: ReadonlyMap<string, string>;
  readonly ids: StepIds;
}

/** Gives the first step of every state its id, in all scopes: the state's name, inside branches and iterations with the way to it before it. */
export function planScopes(document: Document, states: readonly State[], report: Report): Plan {
  const planning: Planning = { document, report, entriesByName: new Map(), ids: createStepIds() };
  const root = planScope(
    planning,
    { kind: "workflow", owner: document.value as object, subject: "The workflow", states },
    [],
  );
  return { root, entriesByName: planning.entriesByName, ids: planning.ids };
}

interface Planning {
  readonly document: Document;
  readonly report: Report;
  readonly entriesByName: Map<string, string>;
  readonly ids: StepIds;
}

function planScope(
  planning: Planning,
  scope: Pick<ScopePlan, "kind" | "owner" | "subject" | "states">,
  around: readonly string[],
): ScopePlan {
  const entries = new Map<State, string>();
  const byName = new Map<string, State>();
  const byId = new Map<string, State>();
  for (const state of scope.states) {
    entries.set(state, planning.ids.entry(around, state.name));
    if (!byName.has(state.name)) byName.set(state.name, state);
    if (state.id !== undefined) planId(planning, byId, state, state.id);
  }
  const inner = new Map<object, ScopePlan>();
  for (const names of [byName, byId]) {
    for (const [name, state] of names)
      if (!planning.entriesByName.has(name)) planning.entriesByName.set(name, entries.get(state)!);
  }
  for (const state of scope.states) planInner(planning, state, [...around, state.name], inner);
  return { ...scope, entries, byName, byId, inner };
}

function planId({ document, report }: Planning, byId: Map<string, State>, state: State, id: string): void {
  const first = byId.get(id);
  if (!first) byId.set(id, state);
  else
    report(
      duplicateStateId(document.spanOf(state, "id"), { id, first: first.name }, [
        { message: "The first one is here.", span: document.spanOf(first, "id") },
      ]),
    );
}

function planInner(planning: Planning, state: State, around: readonly string[], inner: Map<object, ScopePlan>): void {
  if (state.type === "foreach") {
    const { states, name } = state;
    inner.set(
      state,
      planScope(
        planning,
        { kind: "iteration", owner: state, subject: `The foreach state \`${truncate(name)}\``, states },
        around,
      ),
    );
  }
  if (state.type !== "parallel") return;
  const names = new Map<string, object>();
  for (const branch of state.branches) {
    const { name, states } = branch;
    const first = names.get(name);
    if (first) reportDuplicate(planning, branch, name, first, state.name);
    else names.set(name, branch);
    inner.set(
      branch,
      planScope(planning, { kind: "branch", owner: branch, subject: `The branch \`${truncate(name)}\``, states }, [
        ...around,
        name,
      ]),
    );
  }
}

function reportDuplicate(
  { document, report }: Planning,
  branch: object,
  name: string,
  first: object,
  state: string,
): void {
  report(
    duplicateBranch(document.spanOf(branch, "name"), { name, state }, [
      { message: "The first one is here.", span: document.spanOf(first, "name") },
    ]),
  );
}

/** What the construct around a scope decides about it. */
export interface ScopeSetup {
  /** The variables that the scope begins with. */
  readonly variables: readonly (readonly [string, Expression | undefined])[];
  /** What the scope gives where it ends in a state; may add to its variables. */
  value(variables: Map<string, Expression | undefined>): (state: State) => Expression;
}

/** Lowers the states of a branch or of an iteration. */
export function lowerScope(context: Context, plan: ScopePlan, surroundings: ScopeSetup): Scope {
  const start = startState(context, plan);
  const window = windowOf(context, start.start);
  return { ...lowerStates(context, plan, start, surroundings), window };
}

/** Lowers states that transition to each other, beginning with `start`. */
export function lowerStates(context: Context, plan: ScopePlan, start: State, surroundings: ScopeSetup): Scope {
  const variables = new Map(surroundings.variables);
  const scope: ScopeWriter = { plan, start, variables, value: surroundings.value(variables) };
  const slots: Writer["slots"] = [];
  for (const state of plan.states) lowerState(createWriter(context, scope, state, slots));
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  const entry = { name: plan.entries.get(start)!, span: spanOf(context, start, "name") };
  return { entry, variables: declared, steps: stepsIn({ slots }), span: spanOf(context, plan.owner) };
}

/** The state that a scope starts with: the one that says so, or the only one. Where that is not clear, the first; and it is reported. */
export function startState(context: Context, plan: ScopePlan): State {
  const named = plan.kind === "workflow" ? namedStart(context, plan) : undefined;
  const marked = plan.states.filter((state) => state.start !== undefined || state === named);
  const [first, ...others] = marked;
  for (const other of others) {
    const note = { message: "The first one is here.", span: spanOf(context, first!, "start", "key") };
    const args = { owner: plan.subject, first: first!.name, state: other.name };
    context.report(multipleStarts(spanOf(context, other, "start", "key"), args, [note]));
  }
  return first ?? impliedStartState(context, plan);
}

function impliedStartState(context: Context, plan: ScopePlan): State {
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
  if (state)
    context.report(outdatedStartsAt(spanOf(context, context.definition, "startsAt", "key"), { state: state.name }));
  else context.report(unknownStart(span, { name, known: [...plan.byName.keys()] }));
  return state;
}

/** When a start state is active; undefined: always. */
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
