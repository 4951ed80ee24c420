import { createNames, identifierStyle, type NameSpace, shortHash } from "../../src/ir/names.ts";
import { type ScopeNode, scopesOf } from "../../src/ir/walk.ts";
import type { Step, StepOrigin, Workflow } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import type { SecretPlace } from "./runtime/secrets.ts";

/** A state machine, branch or item processor before naming: states refer to each other by `StateKey`. */
export interface Machine {
  readonly start: StateKey;
  readonly states: readonly MachineState[];
}

/** Identifies a state within its machine, including nested ones: the id of its first step, or derived from it. */
export type StateKey = string;

/** What a Task does in terms of the definition. */
export interface TaskAction {
  readonly kind: "function" | "workflow" | "event" | "continuation";
  readonly name: string;
  /** JSON Pointer to the function's argument in `Arguments`; default: all of it. */
  readonly argument?: string;
  /** Where the argument refers to secrets. */
  readonly secrets?: readonly SecretPlace[];
  /** The member of the result that holds the function's response; default: all of it. */
  readonly answer?: string;
  /** Whether errors of the function or workflow carry data in their message. */
  readonly detailed?: true;
}

/** One state. `fields` are those of its type, in output order, except references and nested machines. */
export interface MachineState {
  readonly key: StateKey;
  readonly type: "Pass" | "Task" | "Choice" | "Wait" | "Parallel" | "Map" | "Succeed" | "Fail";
  readonly step: string;
  /** The pointer of the step whose errors it fails with; default: that of `step`. */
  readonly pointer?: string | undefined;
  /** Its role, if its step needs several states. */
  readonly part?: string | undefined;
  /** Whether it only evaluates expressions for later states. */
  readonly computes?: boolean | undefined;
  readonly performs?: TaskAction | undefined;
  readonly fields: readonly (readonly [string, Json])[];
  readonly choices?: readonly StateRule[] | undefined;
  readonly otherwise?: StateKey | undefined;
  readonly branches?: readonly Machine[] | undefined;
  readonly processor?: Machine | undefined;
  /** Whether the iterations of a Map are child executions. */
  readonly isDistributed?: true | undefined;
  readonly itemCount?: number | undefined;
  readonly retry?: readonly Json[] | undefined;
  readonly catch?: readonly StateRule[] | undefined;
  readonly exit?: StateExit | undefined;
}

/** A choice rule or a catcher: its `Condition` or `ErrorEquals`, its target, and the data for it. */
export interface StateRule {
  readonly when: readonly [string, Json];
  readonly next: StateKey;
  readonly output?: Json | undefined;
  readonly assign?: { readonly [variable: string]: Json } | undefined;
}

/** What follows when a state succeeds; without `next`, its `States` object ends. */
export interface StateExit {
  readonly next: StateKey | undefined;
  readonly output?: Json | undefined;
  readonly assign?: { readonly [variable: string]: Json } | undefined;
}

/**
 * Removes redundant parts of a machine: duplicate and forwarding states, choice rules with the Default's target, and
 * Choices reached only by another's Default.
 */
export function simplifyMachine(machine: Machine, constructOf: (state: MachineState) => string): Machine {
  let simplified = machine;
  for (;;) {
    const states = mergeChoices(simplified.states.map(withoutRedundantRules), simplified.start);
    const idle = forwardingStates(states);
    const others = idle.size > 0 ? idle : duplicates(states, constructOf);
    simplified = {
      start: others.get(simplified.start) ?? simplified.start,
      states: states.filter(({ key }) => !others.has(key)).map(redirected(others)),
    };
    if (others.size === 0) return simplified;
  }
}

/** States that only forward, each with its final target. Cycles of such states stay. */
function forwardingStates(states: readonly MachineState[]): ReadonlyMap<StateKey, StateKey> {
  const next = new Map(states.flatMap((state) => (isIdle(state) ? [[state.key, state.exit!.next!] as const] : [])));
  const reached = new Map<StateKey, StateKey>();
  for (const key of next.keys()) {
    const visited = new Set([key]);
    let last = next.get(key)!;
    for (let on = next.get(last); on !== undefined && !visited.has(last); on = next.get(last)) {
      visited.add(last);
      last = on;
    }
    if (!visited.has(last)) reached.set(key, last);
  }
  return reached;
}

const isIdle = ({ type, fields, exit }: MachineState): boolean =>
  type === "Pass" &&
  fields.length === 0 &&
  exit?.next !== undefined &&
  exit.output === undefined &&
  exit.assign === undefined;

/** States equal to an earlier one of their construct. */
function duplicates(
  states: readonly MachineState[],
  constructOf: (state: MachineState) => string,
): ReadonlyMap<StateKey, StateKey> {
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

function redirected(others: ReadonlyMap<StateKey, StateKey>): (state: MachineState) => MachineState {
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

/** Drops final rules of a Choice that do the same as its Default and cannot fail. */
function withoutRedundantRules(state: MachineState): MachineState {
  const { choices, otherwise } = state;
  if (!choices || otherwise === undefined) return state;
  const used =
    choices.findLastIndex(
      ({ when, next, output, assign }) =>
        next !== otherwise || output !== undefined || assign !== undefined || raises(when),
    ) + 1;
  if (used === choices.length) return state;
  if (used > 0) return { ...state, choices: choices.slice(0, used) };
  return { key: state.key, type: "Pass", step: state.step, fields: state.fields, exit: { next: otherwise } };
}

/**
 * Merges a Choice into the one whose Default is its only predecessor, which saves a transition.
 *
 * A: a? → B, else C; C: c? → D, else E → A: a? → B, c? → D, else E
 */
function mergeChoices(states: readonly MachineState[], start: StateKey): readonly MachineState[] {
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

function choiceOnlyReachedBy(
  { choices, otherwise, pointer }: MachineState,
  entries: ReadonlyMap<StateKey, number>,
  states: ReadonlyMap<StateKey, MachineState>,
): MachineState | undefined {
  const next = choices && otherwise !== undefined ? states.get(otherwise) : undefined;
  if (!next?.choices || entries.get(next.key) !== 1) return undefined;
  return next.pointer === pointer || !mayRaise(next) ? next : undefined;
}

/** Whether one of its expressions, or of the states in it, raises an error. */
export const mayRaise = (state: MachineState): boolean => {
  const { fields, choices = [], catch: caught = [], exit, branches = [], processor } = state;
  const written = [fields, [...choices, ...caught].map(({ when, output, assign }) => [when, output, assign]), exit];
  const inside = [...branches, ...(processor ? [processor] : [])].flatMap(({ states }) => states);
  return raises(written) || inside.some(mayRaise);
};

const raises = (written: unknown): boolean => (JSON.stringify(written) ?? "").includes("$error(");

const successorsOf = ({ choices = [], otherwise, catch: catchers = [], exit }: MachineState): readonly StateKey[] => [
  ...choices.map(({ next }) => next),
  ...(otherwise === undefined ? [] : [otherwise]),
  ...catchers.map(({ next }) => next),
  ...(exit?.next === undefined ? [] : [exit.next]),
];

const maxNameLength = 80;

/** The construct of a state, with the branches and iterations around both, outermost first. */
export interface Provenance {
  readonly origin: StepOrigin;
  readonly constructScopes: readonly string[];
  readonly stateScopes: readonly string[];
}

/** Names all states uniquely, by their construct and role. Outer states and the first of a construct choose first. */
export function stateNames(
  machine: Machine,
  provenance: (state: MachineState) => Provenance,
): ReadonlyMap<MachineState, string> {
  const states = [...allStates(machine)];
  const constructOf = (state: MachineState): string =>
    JSON.stringify([provenance(state).constructScopes, provenance(state).origin.name]);
  const first = new Map<string, MachineState>();
  for (const state of [...states.filter(isMain), ...states])
    if (!first.has(constructOf(state))) first.set(constructOf(state), state);
  const isFirst = (state: MachineState): boolean => first.get(constructOf(state)) === state;
  const rank = new Map(states.map((state) => [state, nestingOf(provenance(state)) * 2 + (isFirst(state) ? 0 : 1)]));
  const names = new Map<MachineState, string>();
  const taken = createNames([], identifierStyle);
  for (const state of states.toSorted((a, b) => rank.get(a)! - rank.get(b)!)) {
    const { origin, stateScopes: around } = provenance(state);
    const name = isFirst(state) ? origin.name : `${origin.name}: ${purpose(state, origin)}`;
    names.set(state, uniqueName(name, around, state.key, taken));
  }
  return names;
}

/** It neither only evaluates expressions nor leads to another state of its construct. */
const isMain = ({ computes, part }: MachineState): boolean => !computes && part !== "start";

const nestingOf = ({ constructScopes: within }: Provenance): number => within.length;

/** All states of a machine, each before those nested in it. */
export function* allStates({ states }: Machine): Generator<MachineState> {
  for (const state of states) {
    yield state;
    for (const branch of state.branches ?? []) yield* allStates(branch);
    if (state.processor) yield* allStates(state.processor);
  }
}

/** The provenance of states by step id. Steps introduced by lowering have the origin of what they implement. */
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

/** Ignores scopes that lowering introduced for the construct itself. */
function constructPlaceOf(place: ScopeNode, { origin }: Step): ScopeNode {
  let outside = place;
  while (outside.parent && outside.owner?.origin.name === origin.name) outside = outside.parent;
  return outside;
}

function scopeNamesOf(place: ScopeNode): readonly string[] {
  const { owner, parent: outer, scope } = place;
  if (!owner || !outer) return [];
  const around = scopeNamesOf(outer);
  const branch =
    owner.kind === "fork" ? owner.branches.find((candidate) => candidate.scope === scope)?.name : undefined;
  return [...around, branch === undefined ? owner.origin.name : `${owner.origin.name}/${branch}`];
}

const purpose = ({ part, type, computes }: MachineState, origin: StepOrigin): string =>
  computes ? "expressions" : (part ?? origin.part ?? type.toLowerCase());

function uniqueName(name: string, within: readonly string[], key: string, taken: NameSpace): string {
  const last = within.at(-1);
  const places = last === undefined ? [] : [last.slice(last.indexOf("/") + 1), last, within.join("/")];
  const candidates = [name, ...places.map((place) => `${place}: ${name}`)].map(withoutControls);
  const found = candidates.find((candidate) => candidate.length <= maxNameLength && !taken.has(candidate));
  return taken.fresh(found ?? shortenedName(candidates[0]!, key));
}

const shortenedName = (name: string, key: string): string =>
  `${name.slice(0, maxNameLength - 12).replace(/[\uD800-\uDBFF]$/, "")} ${shortHash(key)}`;

const withoutControls = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim() || "State";
