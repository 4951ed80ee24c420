import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** Begins each branch with a delay, and runs actions one after the other. */
export function separateStates(definition: JsonObject): JsonObject {
  let count = 0;
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => inside(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (key === "action-mode") return [key, "SEQUENTIAL"];
        const inner = inside(item as Json);
        if (key !== "branches" || !isObject(inner)) return [key, inner];
        return [key, Object.fromEntries(Object.entries(inner).map(([name, branch]) => [name, late(branch)]))];
      }),
    );
  };
  const late = (branch: Json): Json => {
    if (!isObject(branch) || !isObject(branch["states"])) return branch;
    const states = Object.entries(branch["states"]) as readonly (readonly [string, JsonObject])[];
    const [first] = states.find(([, state]) => state["start"] === true)!;
    const others = states.map(([name, { start: _, ...state }]) => [name, state] as const);
    const pause: JsonObject = { start: true, type: "DELAY", "time-delay": 1, "next-state": first };
    return { ...branch, states: Object.fromEntries([[`pause ${++count}`, pause], ...others]) };
  };
  return inside(definition) as JsonObject;
}
