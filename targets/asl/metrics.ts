import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Metric, WorkflowMetric } from "../../src/target/contract.ts";
import { byteLength } from "../../src/text/source.ts";
import { maxHistoryEvents } from "./history.ts";

/** Step Functions' limit on the size of a definition. */
export const maxDefinitionBytes = 1_048_576;

/** The metrics of a machine: states, size, the shortest history, and JSONata in total and by state. */
export function machineMetrics(
  workflow: string,
  definition: JsonObject,
  { bytes, events }: { readonly bytes: number; readonly events: number },
): readonly WorkflowMetric[] {
  const states = statesIn(definition).map(([state, json]) => ({ workflow, state, value: jsonataIn(json) }));
  return [
    { workflow, name: "states", value: states.length },
    { workflow, name: "bytes", value: bytes, limit: maxDefinitionBytes },
    { workflow, name: "events of history in the shortest run", value: events, limit: maxHistoryEvents },
    { workflow, name: jsonata, value: states.reduce((sum, { value }) => sum + value, 0) },
    ...states.filter(({ value }) => value > 0).map((state) => ({ ...state, name: jsonata })),
  ];
}

const jsonata = "bytes of JSONata";

/** The price of a million Standard transitions in most regions, in dollars. */
const dollarsPerTransition = 25;

/** The cost of a run, and its share of the history limit. */
export function runMetrics(used: (what: string) => number): readonly Metric[] {
  const transitions = used("transitions");
  return [
    { name: "transitions", value: transitions },
    { name: "dollars per million runs", value: transitions * dollarsPerTransition },
    { name: "events of history", value: used("events of history"), limit: maxHistoryEvents },
  ];
}

function statesIn(machine: JsonObject): readonly (readonly [name: string, state: JsonObject])[] {
  const states = own(machine, "States");
  return Object.entries(isObject(states) ? states : {}).flatMap(([name, state]) =>
    isObject(state) ? [[name, state] as const, ...nestedMachines(state).flatMap(statesIn)] : [],
  );
}

function nestedMachines(state: JsonObject): readonly JsonObject[] {
  const branches = own(state, "Branches");
  return [...(Array.isArray(branches) ? branches : []), own(state, "ItemProcessor")].filter((each) => isObject(each));
}

function jsonataIn({ Branches: _, ItemProcessor: __, ...state }: JsonObject): number {
  const within = (value: Json): number => {
    if (typeof value === "string") return /^\{%.*%\}$/s.test(value) ? byteLength(value.slice(2, -2).trim()) : 0;
    return Object.values(value ?? {}).reduce<number>((sum, part) => sum + within(part), 0);
  };
  return within(state);
}
