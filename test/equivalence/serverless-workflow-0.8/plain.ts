import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { plain } from "./constructs.ts";

/** Replacements of what plain definitions lack, in their JSON. */
const replacements: readonly (readonly [from: RegExp, to: string])[] = [
  [/"list":\[("(?:[^"\\]|\\.)*"),"text"\]/g, '"list":$1'],
  [/\(\.list \/\/ \[\]\) == \[\]/g, ".n == 1"],
  [/\(\.list \/\/ \[\] \| length\)/g, ".n"],
  [/\.list \/\/ \[1, 2\]/g, "[1, 2]"],
  [/\.list\[\]\?/g, ".a"],
  [/\[\.a, \.n\]|\[\.\]/g, "{n: .}"],
  [/("toStateData":"\$\{ )\.list(?:\[0\])? /g, "$1.a "],
  [/\$\{ \.list \}(?="[^:])/g, `\${ .a }`],
];

/**
 * A definition whose data have no arrays but the results of iterations, without what the newer version lacks: handlers
 * of switches, correlation, and filters that select nothing.
 */
export function plainDefinition(members: { readonly [name: string]: Json | undefined }): JsonObject {
  const definition = plain(members);
  const events = (definition["events"] as readonly JsonObject[]).map(({ correlation: _, ...event }) => event);
  const states = (definition["states"] as readonly JsonObject[]).map(plainState);
  const text = replacements.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(states));
  return { ...definition, events, states: JSON.parse(text) as Json };
}

function plainState({ onErrors, stateDataFilter, ...state }: JsonObject): JsonObject {
  const filter = JSON.stringify(stateDataFilter ?? null);
  return plain({
    ...state,
    onErrors: state["type"] === "switch" ? undefined : onErrors,
    stateDataFilter: /empty|\{ \.b \}/.test(filter) ? undefined : stateDataFilter,
    ...(isObject(state["data"] ?? null) && state["type"] === "inject" ? { data: withoutArrays(state["data"]!) } : {}),
  });
}

/** A scenario without arrays whose functions and events have objects, so that merges have no special cases. */
export function plainScenario(scenario: JsonObject): JsonObject {
  const {
    input,
    functions,
    events: arriving,
  } = scenario as {
    readonly input: JsonObject;
    readonly functions: { readonly [name: string]: readonly JsonObject[] };
    readonly events: readonly { readonly event: JsonObject }[];
  };
  return {
    input: withoutArrays(input),
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, all]) => [
        name,
        all.map((each) => (each["returns"] === undefined ? each : { ...each, returns: asObject(each["returns"]) })),
      ]),
    ),
    events: arriving.map((each) => ({ ...each, event: { ...each.event, data: asObject(each.event["data"]!) } })),
  };
}

const asObject = (value: Json): Json => (isObject(value) ? withoutArrays(value) : { a: withoutArrays(value) });

function withoutArrays(value: Json): Json {
  if (Array.isArray(value)) return value.length;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutArrays(item)]));
}
