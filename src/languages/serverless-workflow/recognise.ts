import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { stateTypes } from "./spelling.ts";

/** Whether a document has the marks of the draft of June 2020: states of its types, and nothing that only its successors or relatives have. */
export function recognises(value: Json): boolean {
  if (!isObject(value)) return false;
  const states = statesOf(value);
  return states !== undefined && (states.length === 0 || states.some(hasKnownType)) && (isDraft(value) || dialectOf(value) === undefined);
}

/** The name of a related language that the document is in. */
export function foreign(value: Json): string | undefined {
  return isObject(value) && !isDraft(value) ? dialectOf(value) : undefined;
}

/** The states, if they are a list of objects. */
function statesOf(value: JsonObject): readonly JsonObject[] | undefined {
  const states = own(value, "states");
  return Array.isArray(states) && states.every(isObject) ? states : undefined;
}

const hasKnownType = (state: JsonObject): boolean => {
  const type = own(state, "type");
  return typeof type === "string" && stateTypes.has(type.toLowerCase());
};

/** What later versions do not have: conditions with a path, actions by event, and starts and ends that say their kind. */
function isDraft(value: JsonObject): boolean {
  if (own(value, "specVersion") !== undefined || isDsl(value)) return false;
  return (statesOf(value) ?? []).some((state) => {
    const [start, end] = [own(state, "start"), own(state, "end")];
    return hasKnownType(state) && (Object.hasOwn(state, "eventsActions") || hasKind(start) || hasKind(end));
  });
}

const hasKind = (value: Json | undefined): boolean => isObject(value) && Object.hasOwn(value, "kind");
const isDsl = (value: JsonObject): boolean => {
  const document = own(value, "document");
  return isObject(document) && Object.hasOwn(document, "dsl");
};

/** The dialect that a document shows by what it has at its top and in its states, the youngest first. */
function dialectOf(value: JsonObject): string | undefined {
  const version = own(value, "specVersion");
  const states = statesOf(value) ?? [];
  if (isDsl(value)) return "Serverless Workflow 1.0";
  if (version !== undefined) return `Serverless Workflow ${typeof version === "string" ? version.slice(0, 10) : "0.7 to 0.9"}`;
  if (Object.hasOwn(value, "trigger-defs") || states.some((state) => Object.hasOwn(state, "next-state")))
    return "CNCF Function Workflow 0.1";
  if (Object.hasOwn(value, "start") || functionsHave(value, "operation") || states.some(isOfVersion06)) return "Serverless Workflow 0.6";
  if (Object.hasOwn(value, "retries") || states.some((state) => Object.hasOwn(state, "onEvents"))) return "Serverless Workflow 0.5";
  if (states.some((state) => Object.hasOwn(state, "choices") || own(state, "type") === "RELAY")) return "Serverless Workflow 0.1";
  return undefined;
}

const isOfVersion06 = (state: JsonObject): boolean => own(state, "end") === true || typeof own(state, "transition") === "string";

function functionsHave(value: JsonObject, property: string): boolean {
  const functions = own(value, "functions");
  return Array.isArray(functions) && functions.some((definition) => isObject(definition) && Object.hasOwn(definition, property));
}
