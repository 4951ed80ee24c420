import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/**
 * Moves concurrent parts of a definition apart: branches and subflows begin after a delay, iterations and actions run
 * one after the other, and joins wait for all branches.
 */
export function separateStates(definition: JsonObject): JsonObject {
  let count = 0;
  return inside(definition, () => `Pause ${++count}`) as JsonObject;
}

type NameSource = () => string;

function inside(value: Json, name: NameSource): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inside(item, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "states"
        ? (item as readonly JsonObject[]).flatMap((state) => separateState(state, name))
        : key === "data" || key === "parameters"
          ? (item as Json)
          : inside(item as Json, name),
    ]),
  );
}

function separateState(state: JsonObject, name: NameSource): readonly JsonObject[] {
  const { actionMode: _, ...inner } = inside(state, name) as JsonObject;
  switch (inner["type"]) {
    case "event": {
      const entries = inner["eventsActions"] as readonly JsonObject[];
      return [{ ...inner, eventsActions: entries.map(({ actionMode: _, ...entry }) => entry) }];
    }
    case "foreach": {
      const { timeDelay: _, ...loop } = inner;
      return [{ ...loop, max: 1 }];
    }
    case "parallel": {
      const { completionType: _, n: __, ...rest } = inner;
      const branches = rest["branches"] as readonly JsonObject[];
      return [{ ...rest, branches: branches.map((branch) => ({ ...branch, states: late(branch["states"]!, name) })) }];
    }
    case "subflow":
      return between(inner, name);
    default:
      return [inner];
  }
}

/** The states of a branch after a delay. */
function late(states: Json, name: NameSource): Json {
  const [first, ...others] = states as readonly JsonObject[];
  const { start, ...rest } = first!;
  return [pause(name(), start, { transition: { nextState: first!["name"]! } }), rest, ...others];
}

/** A subflow state between two delays. The first has its name, and the second its exit. */
function between(state: JsonObject, name: NameSource): readonly JsonObject[] {
  const { name: entry, id, start, transition, end, ...work } = state;
  const [own, after] = [name(), name()];
  const exit = transition === undefined ? { end: end! } : { transition };
  return [
    {
      ...pause(entry as string, start, { transition: { nextState: own } }),
      ...(id === undefined ? {} : { id }),
    },
    { ...work, name: own, transition: { nextState: after } },
    pause(after, undefined, exit),
  ];
}

const pause = (name: string, start: Json | undefined, exit: JsonObject): JsonObject => ({
  name,
  type: "delay",
  timeDelay: "PT0S",
  ...(start === undefined ? {} : { start }),
  ...exit,
});
