import type { Document } from "../../documents/index.ts";
import type { State } from "../../generated/serverless-workflow-definition.ts";
import type { Report } from "../../text/diagnostics.ts";
import { truncate } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { createStepIds, type StepIds } from "../shared/steps.ts";
import type { Context } from "./context.ts";
import {
  duplicateBranch,
  duplicateStateId,
  impliedStart,
  multipleStarts,
  noStart,
  outdatedStartsAt,
  unknownStart,
} from "./diagnostics/kinds.ts";

/** The states of a workflow, a branch or a foreach state. */
export interface ScopePlan {
  readonly kind: "workflow" | "branch" | "iteration";
  readonly owner: object;
  readonly subject: string;
  readonly states: readonly State[];
  readonly entries: ReadonlyMap<State, string>;
  readonly byName: ReadonlyMap<string, State>;
  readonly byId: ReadonlyMap<string, State>;
  readonly inner: ReadonlyMap<object, ScopePlan>;
}

/** The names in all scopes, known before lowering. */
export interface Plan {
  readonly root: ScopePlan;
  /** By name or id; the outermost scope wins. */
  readonly entriesByName: ReadonlyMap<string, string>;
  readonly ids: StepIds;
}

/** Plans all scopes and the ids of entry steps; nested ids are qualified. */
export function planScopes(document: Document, states: readonly State[], report: Report): Plan {
  const planning: PlanContext = { document, report, entriesByName: new Map(), ids: createStepIds() };
  const root = planScope(
    planning,
    { kind: "workflow", owner: document.value as object, subject: "The workflow", states },
    [],
  );
  return { root, entriesByName: planning.entriesByName, ids: planning.ids };
}

/** The start state; otherwise reports and returns the first. */
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

interface PlanContext {
  readonly document: Document;
  readonly report: Report;
  readonly entriesByName: Map<string, string>;
  readonly ids: StepIds;
}

function planScope(
  planning: PlanContext,
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

function planId({ document, report }: PlanContext, byId: Map<string, State>, state: State, id: string): void {
  const first = byId.get(id);
  if (!first) byId.set(id, state);
  else
    report(
      duplicateStateId(document.spanOf(state, "id"), { id, first: first.name }, [
        { message: "The first one is here.", span: document.spanOf(first, "id") },
      ]),
    );
}

function planInner(
  planning: PlanContext,
  state: State,
  around: readonly string[],
  inner: Map<object, ScopePlan>,
): void {
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
  { document, report }: PlanContext,
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

function impliedStartState(context: Context, plan: ScopePlan): State {
  const first = plan.states[0]!;
  if (plan.kind === "workflow" && context.definition.startsAt !== undefined) return first;
  const name = spanOf(context, first, "name");
  if (plan.states.length === 1) context.report(impliedStart(name, { state: first.name }));
  else context.report(noStart(spanOf(context, plan.owner, "states", "key"), { owner: plan.subject }));
  return first;
}

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
