import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { ShrinkGrammar } from "../case.ts";

/** Removes a state and redirects its predecessors to its successor. */
export const grammar: ShrinkGrammar = {
  scopes: ["states"],
  without(states, index) {
    const left = states[index]!;
    const others = states.filter((_, i) => i !== index);
    if (others.length === 0) return undefined;
    const after = successor(left);
    const begins = "start" in left ? firstOf(others, after) : undefined;
    const called = [left["name"]!, ...("id" in left ? [left["id"]!] : [])];
    return others.map((state) => {
      const led = called.reduce<JsonObject>(
        (changed, name) =>
          after === undefined ? endInsteadOf(changed, name) : (redirect(changed, name, after) as JsonObject),
        state,
      );
      return state === begins ? { ...led, start: left["start"]! } : led;
    });
  },
};

/** The unconditional successor. */
function successor(state: JsonObject): string | undefined {
  const transition = state["transition"] ?? state["default"];
  const next = isObject(transition) ? transition["nextState"] : undefined;
  return typeof next === "string" && next !== state["name"] ? next : undefined;
}

const firstOf = (states: readonly JsonObject[], name: string | undefined): JsonObject =>
  states.find((state) => state["name"] === name) ?? states[0]!;

function redirect(value: Json, from: Json, to: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => redirect(item, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "nextState" && item === from ? to : redirect(item as Json, from, to),
    ]),
  );
}

/** Ends a state that led to a removed one, and drops its conditional transitions to it. */
function endInsteadOf(state: JsonObject, gone: Json): JsonObject {
  const leads = (transition: Json | undefined) => isObject(transition) && transition["nextState"] === gone;
  const members = Object.entries(state).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    if (key === "transition" && leads(value)) return [["end", { kind: "default" }]];
    if (Array.isArray(value) && (key === "onError" || key.endsWith("Conditions")))
      return [[key, value.filter((each: Json) => !(isObject(each) && leads(each["transition"])))]];
    return [[key, value as Json]];
  });
  return Object.fromEntries(members);
}
