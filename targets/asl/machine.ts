import { createNames, shortHash, type NameScope, identifierStyle } from "../../src/ir/names.ts";
import { type ScopeNode, scopesOf } from "../../src/ir/walk.ts";
import type { StepOrigin, Step, Workflow } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";

/** A state machine, a branch or an item processor, before its states have their names: states refer to each other by `StateKey`. */
export interface Machine {
  readonly start: StateKey;
  readonly states: readonly State[];
}

/** Tells a state from all others of its machine, branches included: the id of the step that it begins with, or a derivative. */
export type StateKey = string;

/** A part of the definition that a Task performs. */
export interface TaskAction {
  readonly kind: "function" | "workflow" | "event";
  readonly name: string;
  /** Where the function's argument stands in `Arguments`, as a JSON Pointer; absent: it is all of them. */
  readonly argument?: string;
  /** The member of the result that is the function's answer; absent: it is all of it. */
  readonly answer?: string;
}

/** One state. `fields` are those of its type in the order in which they are written; references and branches stand in the other members. */
export interface State {
  readonly key: StateKey;
  readonly type: "Pass" | "Task" | "Choice" | "Wait" | "Parallel" | "Map" | "Succeed" | "Fail";
  /** The step that it stands for. */
  readonly step: string;
  /** What it does of all that the step does, where the step has several states. */
  readonly part?: string | undefined;
  /** Whether it only computes expressions for states that follow. */
  readonly computes?: boolean | undefined;
  /** What a Task does in the words of the definition: it calls a function, starts a workflow, or emits an event. */
  readonly performs?: TaskAction | undefined;
  readonly fields: readonly (readonly [string, Json])[];
  readonly choices?: readonly StateRule[] | undefined;
  /** `Default` of a Choice. */
  readonly otherwise?: StateKey | undefined;
  readonly branches?: readonly Machine[] | undefined;
  readonly processor?: Machine | undefined;
  /** Whether the iterations of a Map are executions of their own. */
  readonly isDistributed?: true | undefined;
  /** How many items a Map goes through, where that is the same in every run. */
  readonly itemCount?: number | undefined;
  readonly retry?: readonly Json[] | undefined;
  readonly catch?: readonly StateRule[] | undefined;
  readonly exit?: StateExit | undefined;
}

/** A choice rule or a catcher: what it asks (`Condition`, or `ErrorEquals`), where it leads, and the data on the way. */
export interface StateRule {
  readonly when: readonly [string, Json];
  readonly next: StateKey;
  readonly output?: Json | undefined;
  readonly assign?: { readonly [variable: string]: Json } | undefined;
}

/** How a state is left when it succeeds; no `next` ends its `States` object. */
export interface StateExit {
  readonly next: StateKey | undefined;
  readonly output?: Json | undefined;
  readonly assign?: { readonly [variable: string]: Json } | undefined;
}

/**
 * A machine without what does nothing: states that do the same as another of their construct or only lead on, choice rules that lead where the rest
 * leads, and choices to which only the Default of another leads.
 */
export function simplifyMachine(machine: Machine, constructOf: (state: State) => string): Machine {
  let tidied = machine;
  for (;;) {
    const states = mergeChoices(tidied.states.map(withoutRedundantRules), tidied.start);
    const idle = forwardingStates(states);
    const others = idle.size > 0 ? idle : duplicates(states, constructOf);
    tidied = {
      start: others.get(tidied.start) ?? tidied.start,
      states: states.filter(({ key }) => !others.has(key)).map(redirected(others)),
    };
    if (others.size === 0) return tidied;
  }
}

/** States that only lead on, each with the key of the state that is reached by it. A circle of such states stays. */
function forwardingStates(states: readonly State[]): ReadonlyMap<StateKey, StateKey> {
  const next = new Map(states.flatMap((state) => (isIdle(state) ? [[state.key, state.exit!.next!] as const] : [])));
  const reached = new Map<StateKey, StateKey>();
  for (const key of next.keys()) {
    const passed = new Set([key]);
    let last = next.get(key)!;
    for (let on = next.get(last); on !== undefined && !passed.has(last); on = next.get(last)) {
      passed.add(last);
      last = on;
    }
    if (!passed.has(last)) reached.set(key, last);
  }
  return reached;
}

const isIdle = ({ type, fields, exit }: State): boolean =>
  type === "Pass" &&
  fields.length === 0 &&
  exit?.next !== undefined &&
  exit.output === undefined &&
  exit.assign === undefined;

/** States that do what one before them in their construct does, with the key of that one. */
function duplicates(states: readonly State[], constructOf: (state: State) => string): ReadonlyMap<StateKey, StateKey> {
  const groups = Map.groupBy(states, (state) => `${state.type} ${constructOf(state)}`);
  const same = new Map<StateKey, StateKey>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const first = new Map<string, StateKey>();
    for (const { key, step: _, ...does } of group) {
      const text = JSON.stringify(does);
      const known = first.get(text);
      if (known === undefined) first.set(text, key);
      else same.set(key, known);
    }
  }
  return same;
}

function redirected(others: ReadonlyMap<StateKey, StateKey>): (state: State) => State {
  const nameOf = <K extends StateKey | undefined>(key: K): K =>
    ((key === undefined ? undefined : others.get(key)) ?? key) as K;
  const edge = (each: StateRule): StateRule => ({ ...each, next: nameOf(each.next) });
  return (state) => ({
    ...state,
    ...(state.choices ? { choices: state.choices.map(edge), otherwise: nameOf(state.otherwise) } : {}),
    ...(state.catch ? { catch: state.catch.map(edge) } : {}),
    ...(state.exit ? { exit: { ...state.exit, next: nameOf(state.exit.next) } } : {}),
  });
}

/** A Choice without its last rules where these lead, with the same data, where it leads when no rule holds. */
function withoutRedundantRules(state: State): State {
  const { choices, otherwise } = state;
  if (!choices || otherwise === undefined) return state;
  const used =
    choices.findLastIndex(
      ({ next, output, assign }) => next !== otherwise || output !== undefined || assign !== undefined,
    ) + 1;
  if (used === choices.length) return state;
  if (used > 0) return { ...state, choices: choices.slice(0, used) };
  return { key: state.key, type: "Pass", step: state.step, fields: state.fields, exit: { next: otherwise } };
}

/**
 * Choices, each with the rules of the one that its Default leads to, where nothing else does: what that asks is the same a transition earlier.
 *
 *   A: a? → B, else C; C: c? → D, else E → A: a? → B, c? → D, else E
 */
function mergeChoices(states: readonly State[], start: StateKey): readonly State[] {
  const entries = new Map<StateKey, number>([[start, 1]]);
  for (const next of states.flatMap(successorsOf)) entries.set(next, (entries.get(next) ?? 0) + 1);
  const byKey = new Map(states.map((state) => [state.key, state]));
  const gone = new Set<StateKey>();
  const joined = states.map((state) => {
    let all = state;
    for (let next = choiceOnlyReachedBy(all, entries, byKey); next && next !== state && !gone.has(state.key); ) {
      gone.add(next.key);
      all = { ...all, choices: [...all.choices!, ...next.choices!], otherwise: next.otherwise };
      next = choiceOnlyReachedBy(all, entries, byKey);
    }
    return all;
  });
  return joined.filter(({ key }) => !gone.has(key));
}

/** The Choice to which nothing but the Default of a state leads. */
function choiceOnlyReachedBy(
  { choices, otherwise }: State,
  entries: ReadonlyMap<StateKey, number>,
  states: ReadonlyMap<StateKey, State>,
): State | undefined {
  const next = choices && otherwise !== undefined ? states.get(otherwise) : undefined;
  return next?.choices && entries.get(next.key) === 1 ? next : undefined;
}

/** Everywhere that a state leads to. */
const successorsOf = ({ choices = [], otherwise, catch: catchers = [], exit }: State): readonly StateKey[] => [
  ...choices.map(({ next }) => next),
  ...(otherwise === undefined ? [] : [otherwise]),
  ...catchers.map(({ next }) => next),
  ...(exit?.next === undefined ? [] : [exit.next]),
];

/** The longest name that Step Functions takes. */
const maxNameLength = 80;

/** Where a state comes from: the construct of the definition, and the branch or iteration that this is in. */
export interface Provenance {
  readonly origin: StepOrigin;
  /** The names of the branches and iterations around the construct, outermost first. */
  readonly constructScopes: readonly string[];
  /** The names of those around the state. */
  readonly stateScopes: readonly string[];
}

/**
 * A name for every state, unique in the whole machine: its construct's, and what it does there when the construct has several states. What is
 * further out, and what a construct begins with, has the first choice.
 */
export function stateNames(machine: Machine, provenance: (state: State) => Provenance): ReadonlyMap<State, string> {
  const states = [...allStates(machine)];
  const constructOf = (state: State): string =>
    JSON.stringify([provenance(state).constructScopes, provenance(state).origin.name]);
  const first = new Map<string, State>();
  for (const state of [...states.filter(({ computes }) => !computes), ...states])
    if (!first.has(constructOf(state))) first.set(constructOf(state), state);
  const isFirst = (state: State): boolean => first.get(constructOf(state)) === state;
  const rank = new Map(states.map((state) => [state, nestingOf(provenance(state)) * 2 + (isFirst(state) ? 0 : 1)]));
  const names = new Map<State, string>();
  const taken = createNames([], identifierStyle);
  for (const state of states.toSorted((a, b) => rank.get(a)! - rank.get(b)!)) {
    const { origin, stateScopes: around } = provenance(state);
    const name = isFirst(state) ? origin.name : `${origin.name}: ${purpose(state, origin)}`;
    names.set(state, uniqueName(name, around, state.key, taken));
  }
  return names;
}

const nestingOf = ({ constructScopes: within }: Provenance): number => within.length;

/** All states of a machine, a state before those of its branches. */
export function* allStates({ states }: Machine): Generator<State> {
  for (const state of states) {
    yield state;
    for (const branch of state.branches ?? []) yield* allStates(branch);
    if (state.processor) yield* allStates(state.processor);
  }
}

/** The provenance of a state by the id of its step: what lowering made has the origin of what it was made for. */
export function provenanceByStep(workflow: Workflow): ReadonlyMap<string, Provenance> {
  return new Map(
    scopesOf(workflow).flatMap((place) => {
      return place.scope.steps.map((step): [string, Provenance] => [
        step.id,
        {
          origin: step.origin,
          constructScopes: scopeNamesOf(constructPlaceOf(place, step)),
          stateScopes: scopeNamesOf(place),
        },
      ]);
    }),
  );
}

/** Where a construct is whose step is in a place: branches and iterations that were made for itself are not around it. */
function constructPlaceOf(place: ScopeNode, { origin }: Step): ScopeNode {
  let outside = place;
  while (outside.parent && outside.owner?.origin.name === origin.name) outside = outside.parent;
  return outside;
}

/** The branches and iterations around a scope, outermost first. */
function scopeNamesOf(place: ScopeNode): readonly string[] {
  const { owner, parent: outer, scope } = place;
  if (!owner || !outer) return [];
  const around = scopeNamesOf(outer);
  const branch =
    owner.kind === "fork" ? owner.branches.find((candidate) => candidate.scope === scope)?.name : undefined;
  return [...around, branch === undefined ? owner.origin.name : `${owner.origin.name}/${branch}`];
}

/** What a state does of all that its construct does. */
const purpose = ({ part, type, computes }: State, origin: StepOrigin): string =>
  computes ? "expressions" : (part ?? origin.part ?? type.toLowerCase());

function uniqueName(name: string, within: readonly string[], key: string, taken: NameScope): string {
  const last = within.at(-1);
  const places = last === undefined ? [] : [last.slice(last.indexOf("/") + 1), last, within.join("/")];
  const candidates = [name, ...places.map((place) => `${place}: ${name}`)].map(withoutControls);
  const found = candidates.find((candidate) => candidate.length <= maxNameLength && !taken.has(candidate));
  return taken.fresh(found ?? shortenedName(candidates[0]!, key));
}

const shortenedName = (name: string, key: string): string =>
  `${name.slice(0, maxNameLength - 12).replace(/[\uD800-\uDBFF]$/, "")} ${shortHash(key)}`;

/** Line breaks and the like have no place in a name. */
const withoutControls = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim() || "State";
