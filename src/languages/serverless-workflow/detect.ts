import { spelling } from "../../generated/serverless-workflow-definition.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";
import { nearestName } from "../../text/messages.ts";

/** Detects the draft of June 2020 and, by their features, later versions. */
export function detect(value: Json): Detection {
  if (Array.isArray(value)) {
    const isList = value.slice(0, maxInspected).some((each) => detect(each).score >= threshold);
    return isList ? { score: 2 * markScore, evidence: [{ owner: value }] } : noMatch;
  }
  if (!isObject(value)) return noMatch;
  const marks = marksOf(value);
  const states = own(value, "states");
  const isMeant = Array.isArray(states) && (states.length === 0 || states.some(hasKnownType));
  const score = marks.size * markScore + (isMeant ? threshold : 0);
  const evidence = [...marks.values()];
  if (isDraft(value)) return { score: score + certainScore, evidence };
  const version = versionOf(value);
  if (!version) return { score, evidence };
  return { score: score + threshold, dialect: `Serverless Workflow ${version.name}`, evidence: [version.mark] };
}

const markScore = threshold / 3;

const stateTypes: ReadonlySet<string> = new Set(Object.keys(spelling["state"]?.variants ?? {}));

const maxInspected = 50;

const typicalNames = (
  "eventsActions dataConditions eventConditions stateDataFilter actionMode actions branches completionType inputCollection outputCollection " +
  "inputParameter workflowId waitForCompletion timeDelay eventRef onError"
).split(" ");

const typicalObjects: ReadonlyMap<string, string> = new Map([
  ["start", "kind"],
  ["end", "kind"],
  ["transition", "nextState"],
]);

function marksOf(value: JsonObject): ReadonlyMap<string, Evidence> {
  const marks = new Map<string, Evidence>();
  const functions = own(value, "functions");
  if (
    Array.isArray(functions) &&
    functions.slice(0, maxInspected).some((each) => isObject(each) && Object.hasOwn(each, "resource"))
  )
    marks.set("functions", { owner: value, key: "functions" });
  for (const key of ["startsAt", "expressionLanguage"])
    if (Object.hasOwn(value, key)) marks.set(key, { owner: value, key });
  for (const state of statesOf(value, marks)) addMarks(state, marks);
  return marks;
}

/** Under any key; other languages have objects. */
function statesOf(value: JsonObject, marks: Map<string, Evidence>): readonly JsonObject[] {
  const key = Object.hasOwn(value, "states")
    ? "states"
    : Object.keys(value).find((each) => isSimilar(each, ["states"]) && Array.isArray(value[each]));
  const states = key === undefined ? undefined : value[key]!;
  if (isObject(states)) return Object.values(states).slice(0, maxInspected).filter(isObject);
  const listed = Array.isArray(states) ? states.slice(0, maxInspected).filter(isObject) : [];
  if (listed.length > 0) marks.set("states", { owner: value, key });
  return listed;
}

function addMarks(state: JsonObject, marks: Map<string, Evidence>): void {
  const add = (name: string, key: string) => {
    if (!marks.has(name)) marks.set(name, { owner: state, key });
  };
  const type = own(state, "type");
  if (typeof type === "string" && isSimilar(type, stateTypes)) add("type", "type");
  for (const key of Object.keys(state).slice(0, maxInspected)) {
    const value = state[key]!;
    const object = similarWord(key, typicalObjects.keys());
    const part = object === undefined ? undefined : typicalObjects.get(object);
    const name =
      part === undefined
        ? similarWord(key, typicalNames)
        : isObject(value) && hasSimilarKey(value, part)
          ? object
          : undefined;
    if (name !== undefined) add(name, key);
  }
}

const hasSimilarKey = (object: JsonObject, name: string): boolean =>
  Object.keys(object)
    .slice(0, maxInspected)
    .some((key) => isSimilar(key, [name]));

const isSimilar = (word: string, known: Iterable<string>): boolean => similarWord(word, known) !== undefined;

function similarWord(word: string, known: Iterable<string>): string | undefined {
  const words = [...known];
  return words.includes(word) ? word : nearestName(word, words);
}

const hasKnownType = (state: Json): boolean => {
  const type = isObject(state) ? own(state, "type") : undefined;
  return typeof type === "string" && stateTypes.has(type.toLowerCase());
};

/** Later versions lack actions by event, and (after 0.5) a `kind` in starts and ends. */
function isDraft(value: JsonObject): boolean {
  if (own(value, "specVersion") !== undefined || isObject(own(value, "document"))) return false;
  const states = own(value, "states");
  if (!Array.isArray(states) || !states.some((state) => hasKnownType(state) && isObject(state) && hasDraftMarks(state)))
    return false;
  return marksOfVersion05(value, states.filter(isObject)).every((mark) => mark === undefined);
}

const hasDraftMarks = (state: JsonObject): boolean =>
  Object.hasOwn(state, "eventsActions") || hasKind(own(state, "start")) || hasKind(own(state, "end"));

const hasKind = (value: Json | undefined): boolean => isObject(value) && Object.hasOwn(value, "kind");

interface DetectedVersion {
  readonly name: string;
  readonly mark: Evidence;
}

function versionOf(value: JsonObject): DetectedVersion | undefined {
  const states = own(value, "states");
  const listed: readonly Json[] = Array.isArray(states) ? states : isObject(states) ? Object.values(states) : [];
  const typed = listed.filter(isObject).filter((state) => Object.hasOwn(state, "type"));
  const version = own(value, "specVersion");
  const document = own(value, "document");
  if (isObject(document) && Object.hasOwn(document, "dsl"))
    return { name: "1.0", mark: { owner: document, key: "dsl" } };
  if (typed.length === 0) return undefined;
  if (version !== undefined)
    return {
      name: typeof version === "string" ? version.slice(0, 10) : "0.7 to 0.9",
      mark: { owner: value, key: "specVersion" },
    };
  return Array.isArray(states) ? versionByFeatures(value, typed) : undefined;
}

function versionByFeatures(value: JsonObject, states: readonly JsonObject[]): DetectedVersion | undefined {
  const marks: readonly (readonly [version: string, mark: Evidence | undefined])[] = [
    ["0.6", findKey([value], "start")],
    ["0.6", findKey(objectsIn(own(value, "functions")), "operation")],
    ["0.6", findKey(states, "end", (end) => end === true)],
    ["0.6", findKey(states, "transition", (transition) => typeof transition === "string")],
    ["0.5", findKey([value], "retries")],
    ...marksOfVersion05(value, states).map((mark) => ["0.5", mark] as const),
    ["0.1", findKey(states, "choices")],
    ["0.1", findKey(states, "type", (type) => type === "RELAY")],
  ];
  const [name, mark] = marks.find(([, found]) => found) ?? [];
  return name !== undefined && mark ? { name, mark } : undefined;
}

/** The features that 0.5 added: renamed events, separate retries, expressions in braces. */
function marksOfVersion05(value: JsonObject, states: readonly JsonObject[]): readonly (Evidence | undefined)[] {
  const filters = states.flatMap((state) => objectsIn([own(state, "stateDataFilter") ?? null]));
  const inBraces = (path: Json): boolean => typeof path === "string" && /^\s*\{\{/.test(path);
  return [
    findKey([value], "retries", (retries) => objectsIn(retries).length > 0),
    findKey(states, "onEvents", Array.isArray),
    findKey(states, "onErrors", (errors) => objectsIn(errors).some((error) => Object.hasOwn(error, "error"))),
    ...["dataInputPath", "dataOutputPath"].map((key) => findKey(filters, key, inBraces)),
  ];
}

function findKey(
  objects: readonly JsonObject[],
  key: string,
  isMark: (value: Json) => boolean = () => true,
): Evidence | undefined {
  const owner = objects.find((object) => Object.hasOwn(object, key) && isMark(object[key]!));
  return owner && { owner, key };
}

const objectsIn = (list: Json | undefined): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);
