import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Figure, Measure } from "../../src/target.ts";
import { mostEvents } from "./history.ts";

/** The most bytes that a definition may have. */
export const mostBytes = 1_048_576;

/**
 * The figures of a machine: how many states it has, how large it is, how many events a run leaves in the history at least, and how much JSONata stands in it
 * and in each of its states.
 */
export function figuresOf(
  workflow: string,
  definition: JsonObject,
  { bytes, events }: { readonly bytes: number; readonly events: number },
): readonly Figure[] {
  const states = statesIn(definition).map(([state, json]) => ({ workflow, state, value: jsonataIn(json) }));
  return [
    { workflow, name: "states", value: states.length },
    { workflow, name: "bytes", value: bytes, limit: mostBytes },
    { workflow, name: "events of history in the shortest run", value: events, limit: mostEvents },
    { workflow, name: jsonata, value: states.reduce((sum, { value }) => sum + value, 0) },
    ...states.filter(({ value }) => value > 0).map((state) => ({ ...state, name: jsonata })),
  ];
}

const jsonata = "bytes of JSONata";

/** What a million transitions of a Standard workflow cost, in dollars, in the most regions. */
const dollarsPerTransition = 25;

/** What a run costs, and how much of the history of its execution it takes. */
export function measuresOf(used: (what: string) => number): readonly Measure[] {
  const transitions = used("transitions");
  return [
    { name: "transitions", value: transitions },
    { name: "dollars per million runs", value: transitions * dollarsPerTransition },
    { name: "events of history", value: used("events of history"), limit: mostEvents },
  ];
}

/** All states of a machine, by their names, each before those within it. */
function statesIn(machine: JsonObject): readonly (readonly [name: string, state: JsonObject])[] {
  const states = own(machine, "States");
  return Object.entries(isObject(states) ? states : {}).flatMap(([name, state]) =>
    isObject(state) ? [[name, state] as const, ...machinesIn(state).flatMap(statesIn)] : [],
  );
}

/** The machines that a state runs: its branches, or what an item goes through. */
function machinesIn(state: JsonObject): readonly JsonObject[] {
  const branches = own(state, "Branches");
  return [...(Array.isArray(branches) ? branches : []), own(state, "ItemProcessor")].filter((each) => isObject(each));
}

/** How many bytes of JSONata stand in a state, between `{%` and `%}`, but for those of the states within it. */
function jsonataIn({ Branches: _, ItemProcessor: __, ...state }: JsonObject): number {
  const within = (value: Json): number => {
    if (typeof value === "string") return /^\{%.*%\}$/s.test(value) ? Buffer.byteLength(value.slice(2, -2).trim()) : 0;
    return Object.values(value ?? {}).reduce<number>((sum, part) => sum + within(part), 0);
  };
  return within(state);
}
