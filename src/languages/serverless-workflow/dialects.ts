import { isObject, type Json, type JsonObject, own } from "../../json.ts";

/** The related language that a document shows to be in by what it has at its top and in its states; of several versions the youngest. */
export function dialectOf(value: JsonObject): string | undefined {
  const { states, byName } = statesOf(value);
  const version = own(value, "specVersion");
  const document = own(value, "document");
  if (isObject(document) && Object.hasOwn(document, "dsl")) return "Serverless Workflow 1.0";
  if (version !== undefined && states.length > 0)
    return `Serverless Workflow ${typeof version === "string" ? version.slice(0, 10) : "0.7 to 0.9"}`;
  if (Object.hasOwn(value, "trigger-defs") || states.some(isOfFunctionWorkflow)) return "CNCF Function Workflow 0.1";
  if (Object.hasOwn(value, "StartAt") && isObject(own(value, "States"))) return "Amazon States Language";
  return byName ? undefined : successorOf(value, states);
}

/** Whether a dialect is a version of Serverless Workflow, such as a user might expect to be read. */
export const isSuccessor = (dialect: string | undefined): boolean =>
  dialect?.startsWith("Serverless Workflow ") ?? false;

/** A version that has no number of its own, of a document with a list of states. */
function successorOf(value: JsonObject, states: readonly JsonObject[]): string | undefined {
  if (states.length === 0) return undefined;
  if (Object.hasOwn(value, "start") || functionsHave(value, "operation") || states.some(isOfVersion06))
    return "Serverless Workflow 0.6";
  if (Object.hasOwn(value, "retries") || states.some((state) => Object.hasOwn(state, "onEvents")))
    return "Serverless Workflow 0.5";
  if (states.some((state) => Object.hasOwn(state, "choices") || own(state, "type") === "RELAY"))
    return "Serverless Workflow 0.1";
  return undefined;
}

/** The states that have a type: all other languages with states are none of this family. */
function statesOf(value: JsonObject): { readonly states: readonly JsonObject[]; readonly byName: boolean } {
  const states = own(value, "states");
  const listed: readonly Json[] = Array.isArray(states) ? states : isObject(states) ? Object.values(states) : [];
  return {
    states: listed.filter(isObject).filter((state) => Object.hasOwn(state, "type")),
    byName: !Array.isArray(states),
  };
}

const isOfFunctionWorkflow = (state: JsonObject): boolean =>
  ["next-state", "action-mode"].some((name) => Object.hasOwn(state, name)) || own(state, "type") === "END";

const isOfVersion06 = (state: JsonObject): boolean =>
  own(state, "end") === true || typeof own(state, "transition") === "string";

function functionsHave(value: JsonObject, property: string): boolean {
  const functions = own(value, "functions");
  return (
    Array.isArray(functions) &&
    functions.some((definition) => isObject(definition) && Object.hasOwn(definition, property))
  );
}
