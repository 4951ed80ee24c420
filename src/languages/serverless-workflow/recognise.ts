import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { nearest } from "../../text/suggest.ts";
import { dialectOf, isSuccessor } from "./dialects.ts";
import { stateTypes } from "./spelling.ts";

/**
 * Whether a document is in the draft of June 2020: it has states of its types, or enough else that only the draft writes, misspelt or not; and
 * nothing that only its successors or relatives have.
 */
export function recognises(value: Json): boolean {
  if (!isObject(value)) return false;
  const states = own(value, "states");
  const isMeant = Array.isArray(states) && (states.length === 0 || states.some(hasKnownType));
  return (isMeant || marksOf(value) >= enough) && (isDraft(value) || dialectOf(value) === undefined);
}

/** Whether a document that is not recognised may be meant as one in this language, or is in a younger version of it. */
export function resembles(value: Json): boolean {
  if (Array.isArray(value)) return value.slice(0, mostLookedAt).some(recognises);
  return isObject(value) && (marksOf(value) >= doubtful || isSuccessor(dialectOf(value)));
}

/** The name of a related language that the document is in. */
export function foreign(value: Json): string | undefined {
  return isObject(value) && !isDraft(value) ? dialectOf(value) : undefined;
}

/** How many marks make a document one in this language, and how many leave a doubt. */
const enough = 3;
const doubtful = 2;

/** How many states, and how many keys of each, are looked at for misspelt words. */
const mostLookedAt = 50;

/** Properties of states that other languages do not have. */
const tellingNames = (
  "eventsActions dataConditions eventConditions stateDataFilter actionMode actions branches completionType inputCollection outputCollection " +
  "inputParameter workflowId waitForCompletion timeDelay eventRef onError"
).split(" ");

/** Properties of states whose values are objects that have this property. */
const tellingObjects: ReadonlyMap<string, string> = new Map([
  ["start", "kind"],
  ["end", "kind"],
  ["transition", "nextState"],
]);

/** How many different things a document has that the draft writes. */
function marksOf(value: JsonObject): number {
  const marks = new Set<string>();
  const functions = own(value, "functions");
  if (
    Array.isArray(functions) &&
    functions.slice(0, mostLookedAt).some((each) => isObject(each) && Object.hasOwn(each, "resource"))
  )
    marks.add("functions");
  for (const name of ["startsAt", "expressionLanguage"]) if (Object.hasOwn(value, name)) marks.add(name);
  for (const state of statesOf(value, marks)) addMarks(state, marks);
  return marks.size;
}

/** The states. A list of them is a mark, also under a misspelt key; states by name are none, as other languages have those. */
function statesOf(value: JsonObject, marks: Set<string>): readonly JsonObject[] {
  const states =
    own(value, "states") ??
    Object.keys(value)
      .flatMap((key) => (isLike(key, ["states"]) ? [value[key]!] : []))
      .find(Array.isArray);
  if (isObject(states)) return Object.values(states).slice(0, mostLookedAt).filter(isObject);
  const listed = Array.isArray(states) ? states.slice(0, mostLookedAt).filter(isObject) : [];
  if (listed.length > 0) marks.add("states");
  return listed;
}

function addMarks(state: JsonObject, marks: Set<string>): void {
  const type = own(state, "type");
  if (typeof type === "string" && isLike(type, stateTypes)) marks.add("type");
  for (const key of Object.keys(state).slice(0, mostLookedAt)) {
    const value = state[key]!;
    const object = near(key, tellingObjects.keys());
    const part = object === undefined ? undefined : tellingObjects.get(object);
    const name =
      part === undefined ? near(key, tellingNames) : isObject(value) && hasLike(value, part) ? object : undefined;
    if (name !== undefined) marks.add(name);
  }
}

const hasLike = (object: JsonObject, name: string): boolean =>
  Object.keys(object)
    .slice(0, mostLookedAt)
    .some((key) => isLike(key, [name]));

const isLike = (word: string, known: Iterable<string>): boolean => near(word, known) !== undefined;

/** The known word that this one is, or is a misspelling of. */
function near(word: string, known: Iterable<string>): string | undefined {
  const words = [...known];
  return words.includes(word) ? word : nearest(word, words);
}

const hasKnownType = (state: Json): boolean => {
  const type = isObject(state) ? own(state, "type") : undefined;
  return typeof type === "string" && stateTypes.has(type.toLowerCase());
};

/** What later versions do not have: actions by event, and starts and ends that say their kind. */
function isDraft(value: JsonObject): boolean {
  if (own(value, "specVersion") !== undefined || isObject(own(value, "document"))) return false;
  const states = own(value, "states");
  return Array.isArray(states) && states.some((state) => hasKnownType(state) && isObject(state) && isOfDraft(state));
}

const isOfDraft = (state: JsonObject): boolean =>
  Object.hasOwn(state, "eventsActions") || hasKind(own(state, "start")) || hasKind(own(state, "end"));

const hasKind = (value: Json | undefined): boolean => isObject(value) && Object.hasOwn(value, "kind");
