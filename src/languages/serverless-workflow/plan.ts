import type { Document } from "../../document/index.ts";
import { clip } from "../../text/clip.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { State } from "./definition.ts";
import { duplicateBranch, duplicateStateId } from "./diagnostics/kinds.ts";

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
  readonly everywhere: ReadonlyMap<string, string>;
  readonly used: UsedIds;
}

/** All ids that steps have been given, and for each the number to try next when it is wanted again. */
export type UsedIds = Map<string, number>;

/** Gives the first step of every state its id, in all scopes: the state's name, inside branches and iterations with the way to it before it. */
export function planOf(document: Document, states: readonly State[], report: Report): Plan {
  const planning: Planning = { document, report, everywhere: new Map(), used: new Map() };
  const root = planScope(
    planning,
    { kind: "workflow", owner: document.value as object, subject: "The workflow", states },
    "",
  );
  return { root, everywhere: planning.everywhere, used: planning.used };
}

/** An id that no step has yet: the one wanted, or that with a number. */
export function uniqueId(used: UsedIds, wanted: string): string {
  let id = wanted;
  let count = used.get(wanted) ?? 2;
  for (; used.has(id); count++) id = `${wanted}-${count}`;
  used.set(wanted, count);
  if (id !== wanted) used.set(id, 2);
  return id;
}

interface Planning {
  readonly document: Document;
  readonly report: Report;
  readonly everywhere: Map<string, string>;
  readonly used: UsedIds;
}

function planScope(
  planning: Planning,
  scope: Pick<ScopePlan, "kind" | "owner" | "subject" | "states">,
  prefix: string,
): ScopePlan {
  const entries = new Map<State, string>();
  const byName = new Map<string, State>();
  const byId = new Map<string, State>();
  for (const state of scope.states) {
    entries.set(state, uniqueId(planning.used, `${prefix}${state.name}`));
    if (!byName.has(state.name)) byName.set(state.name, state);
    if (state.id !== undefined) planId(planning, byId, state, state.id);
  }
  const inner = new Map<object, ScopePlan>();
  for (const names of [byName, byId]) {
    for (const [name, state] of names)
      if (!planning.everywhere.has(name)) planning.everywhere.set(name, entries.get(state)!);
  }
  for (const state of scope.states) planInner(planning, state, `${prefix}${state.name}/`, inner);
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

function planInner(planning: Planning, state: State, prefix: string, inner: Map<object, ScopePlan>): void {
  if (state.type === "foreach") {
    const { states, name } = state;
    inner.set(
      state,
      planScope(
        planning,
        { kind: "iteration", owner: state, subject: `The foreach state \`${clip(name)}\``, states },
        prefix,
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
      planScope(
        planning,
        { kind: "branch", owner: branch, subject: `The branch \`${clip(name)}\``, states },
        `${prefix}${name}/`,
      ),
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
