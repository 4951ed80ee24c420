import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** Delays each parallel action and each state's first action, waits for all actions, and makes loops sequential. */
export const separateActions = (definition: JsonObject): JsonObject => inside(definition) as JsonObject;

function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inside(item));
  if (!isObject(value)) return value;
  const all = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item as Json)])) as JsonObject;
  if (all["type"] === "foreach") return { ...all, maxParallel: 1 };
  if (all["type"] === "invokeSubflow") return between(all);
  if (all["type"] !== "parallel") return all;
  const { completionType: _, n: __, actions, ...rest } = all;
  return { ...rest, actions: (actions as readonly JsonObject[]).map(late) };
}

const pause: JsonObject = { type: "delay", timeout: "PT0S" };

/** An action after a delay. */
const late = ({ name, ...action }: JsonObject): JsonObject => ({
  ...(name === undefined ? {} : { name }),
  type: "sequence",
  actions: [pause, { ...action, name: "late" }],
});

/** An action between two delays. */
const between = ({ name, ...action }: JsonObject): JsonObject => ({
  ...(name === undefined ? {} : { name }),
  type: "sequence",
  actions: [pause, { ...action, name: "started" }, pause],
});
