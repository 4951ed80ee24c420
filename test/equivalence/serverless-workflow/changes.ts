import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, EquivalenceCase } from "../case.ts";

type StateList = readonly JsonObject[];
type RandomPick = (below: number) => number;

/** Changes that preserve the meaning of a program. */
export const changes: readonly CaseChange[] = [
  {
    name: "rename",
    change: (original, pick) => (namesStates(original) ? undefined : inScope(original, pick, renameStates)),
  },
  { name: "reorder", change: (original, pick) => inScope(original, pick, reorder) },
  { name: "unreachable state", change: (original, pick) => inScope(original, pick, withUnreachable) },
  { name: "idle state", change: (original, pick) => inScope(original, pick, withIdle) },
  { name: "split", change: (original, pick) => inScope(original, pick, split) },
  {
    name: "wrap in a branch",
    change: (original, pick) =>
      reducesData(original)
        ? undefined
        : inScope(original, pick, (states) =>
            changeOne(states, pick, (state) => (isMovable(state) ? inBranch(state) : state)),
          ),
  },
  {
    name: "move into a subflow",
    change: (original, pick) => (reducesData(original) ? undefined : moveIntoSubflow(original, pick)),
  },
];

const text = (value: unknown): string => JSON.stringify(value);

/** Whether messages or error data may contain state names. */
const namesStates = ({ definitions }: EquivalenceCase): boolean =>
  /"nextState":"[^"]*","expression"|"expression":[^}]*\}?,"nextState"/.test(text(definitions)) ||
  /"inputCollection".*"onError"|"onError".*"inputCollection"/.test(text(definitions)) ||
  text(definitions).split('"dataConditions"').length > text(definitions).split('"default":{').length;

/** Whether some data is reduced, so that merging it into other data would not remove members. */
const reducesData = ({ definitions, options }: EquivalenceCase): boolean =>
  options["merge"] === "shallow" || text(definitions).includes('"stateDataFilter"');

/** Changes the states of one scope of the main definition. */
function inScope(
  original: EquivalenceCase,
  pick: RandomPick,
  change: (states: StateList, pick: RandomPick) => StateList | undefined,
): EquivalenceCase | undefined {
  const [main, ...others] = original.definitions;
  if (!isObject(main)) return undefined;
  const count = scopesIn(main).length;
  const chosen = scopesIn(main)[pick(count)]!;
  const states = change(chosen, pick);
  return states && { ...original, definitions: [replaceScope(main, chosen, states) as JsonObject, ...others] };
}

/** Returns the original arrays, so that `replaced` can find them by identity. */
function scopesIn(value: Json): readonly StateList[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => scopesIn(item));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key === "states" && Array.isArray(item) ? [item as StateList] : []),
    ...scopesIn(item as Json),
  ]);
}

function replaceScope(value: Json, scope: StateList, states: StateList): Json {
  if (value === scope) return states as Json;
  if (Array.isArray(value)) return value.map((item: Json) => replaceScope(item, scope, states));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceScope(item as Json, scope, states)]),
  );
}

/** Renames the states of one scope, except for nested scopes. */
function renameStates(states: StateList): StateList {
  const names = new Map(states.map(({ name }, i) => [name, `other ${i} ${String(name)}`]));
  const led = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => led(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (key === "nextState") return [key, names.get(item as string) ?? item];
        return [key, key === "states" || key === "data" || key === "parameters" ? item : led(item as Json)];
      }),
    );
  };
  return states.map((state) => ({ ...(led(state) as JsonObject), name: names.get(state["name"]!)! }));
}

function reorder(states: StateList, pick: RandomPick): StateList | undefined {
  if (states.length < 2) return undefined;
  const left = [...states];
  const shuffled: JsonObject[] = [];
  while (left.length > 0) shuffled.push(...left.splice(pick(left.length), 1));
  return shuffled;
}

const withUnreachable = (states: StateList, pick: RandomPick): StateList => {
  const state = { name: "never entered", type: "inject", data: { never: true }, end: { kind: "default" } };
  const at = pick(states.length + 1);
  return [...states.slice(0, at), state, ...states.slice(at)];
};

function withIdle(states: StateList, pick: RandomPick): StateList | undefined {
  const leading = states.filter(({ transition }) => isObject(transition) && !("expression" in transition));
  const chosen = leading[pick(Math.max(1, leading.length))];
  if (!chosen) return undefined;
  const transition = chosen["transition"] as JsonObject;
  const work = pick(2) === 0 ? { type: "inject" } : { type: "operation", actions: [] };
  const idle = { name: "idle", ...work, transition: { nextState: transition["nextState"]! } };
  const led = { ...chosen, transition: { ...transition, nextState: "idle" } };
  return [...states.map((state) => (state === chosen ? led : state)), idle];
}

/** Splits an operation with several sequential actions into two states. */
function split(states: StateList, pick: RandomPick): StateList | undefined {
  const chosen = states.filter(isSplittable);
  const state = chosen[pick(Math.max(1, chosen.length))];
  if (!state) return undefined;
  const { name, start, actions, id, ...rest } = state as JsonObject & { readonly actions: readonly Json[] };
  const { transition: _, end: __, ...work } = rest as JsonObject;
  const head = { ...(start !== undefined && { start }), ...(id !== undefined && { id }) };
  const first = { name, ...head, ...work, actions: actions.slice(0, 1), transition: { nextState: "second half" } };
  const second = { ...rest, name: "second half", actions: actions.slice(1) };
  return states.flatMap((each) => (each === state ? [first as JsonObject, second as JsonObject] : [each]));
}

const isSplittable = (state: JsonObject): boolean =>
  state["type"] === "operation" &&
  String(state["actionMode"] ?? "sequential").toLowerCase() === "sequential" &&
  (state["actions"] as readonly Json[]).length > 1 &&
  !("retry" in state || "onError" in state || "stateDataFilter" in state) &&
  !text(state["actions"]).includes('"timeout"');

/** Whether a state behaves the same in a nested scope. A result that replaces data would instead be merged there. */
const isMovable = (state: JsonObject): boolean =>
  state["type"] !== "switch" &&
  state["type"] !== "event" &&
  !("retry" in state || "onError" in state) &&
  !startsDetached(state) &&
  !/"timeout"|"terminate"|"dataResultsPath"|"outputCollection"/.test(text(state));

/** Whether a state starts a detached workflow, whose order among simultaneous branches is unspecified. */
const startsDetached = (state: JsonObject): boolean =>
  text(state).split('"type":"subflow"').length > text(state).split('"waitForCompletion":true').length;

/** Changes one suitable state. */
function changeOne(
  states: StateList,
  pick: RandomPick,
  change: (state: JsonObject) => JsonObject,
): StateList | undefined {
  const all = states.map(change);
  const indexes = all.flatMap((state, i) => (state === states[i] ? [] : [i]));
  const chosen = indexes[pick(Math.max(1, indexes.length))];
  return chosen === undefined ? undefined : states.map((state, i) => (i === chosen ? all[i]! : state));
}

/** Separates the work of a state from its name and transitions. */
function separate(state: JsonObject): { readonly work: JsonObject; readonly frame: JsonObject } {
  const outside = ["name", "start", "transition", "end", "id"];
  const members = Object.entries(state) as readonly (readonly [string, Json])[];
  const frame = Object.fromEntries(members.filter(([key]) => outside.includes(key)));
  const work = Object.fromEntries(members.filter(([key]) => !outside.includes(key)));
  return { frame, work: { name: "inside", start: { kind: "default" }, ...work, end: { kind: "default" } } };
}

function inBranch(state: JsonObject): JsonObject {
  const { frame, work } = separate(state);
  return { ...frame, type: "parallel", branches: [{ name: "only branch", states: [work] }] };
}

function moveIntoSubflow(original: EquivalenceCase, pick: RandomPick): EquivalenceCase | undefined {
  let subflow: JsonObject | undefined;
  const main = original.definitions[0];
  if (!isObject(main)) return undefined;
  const canMove = (state: JsonObject) => isMovable(state) && !text(state).includes('"eventRef"');
  const other = inScope(original, pick, (states) => {
    const found = states.filter(canMove);
    const chosen = found[pick(Math.max(1, found.length))];
    if (!chosen) return undefined;
    const { frame, work } = separate(chosen);
    const { functions = [], events = [] } = main;
    subflow = { id: "moved here", name: "moved", version: "1", functions: functions!, events: events!, states: [work] };
    const starts = { ...frame, type: "subflow", workflowId: "moved here", waitForCompletion: true };
    return states.map((state) => (state === chosen ? starts : state));
  });
  return other && subflow && { ...other, definitions: [...other.definitions, subflow] };
}
