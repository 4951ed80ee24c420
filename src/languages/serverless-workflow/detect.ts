import { spelling } from "../../generated/serverless-workflow-definition.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";
import { nearestName } from "../../text/messages.ts";
import { isDefinitionsFile, unreadVersions, versionOf } from "../shared/serverless-workflow-versions.ts";

/** Detects the draft of June 2020 and names the versions that no language reads. */
export function detect(value: Json): Detection {
  if (Array.isArray(value)) {
    const isList = value.slice(0, maxInspected).some((each) => detect(each).score >= threshold);
    return isList ? { score: 2 * markScore, evidence: [{ owner: value }] } : noMatch;
  }
  if (!isObject(value)) return noMatch;
  const version = versionOf(value);
  const unread = version && unreadVersions[version.version];
  if (version && version.version !== "draft" && !unread) return noMatch;
  if (!version && isDefinitionsFile(value)) return { ...definitionsFile, evidence: [{ owner: value }] };
  const marks = marksOf(value);
  const states = own(value, "states");
  const isMeant = Array.isArray(states) && (states.length === 0 || states.some(hasKnownType));
  const score = marks.size * markScore + (isMeant ? threshold : 0);
  const evidence = [...marks.values()];
  if (!version || !unread) return { score: isDraft(value) ? score + certainScore : score, evidence };
  return {
    score: score + (version.isCertain ? 2 * certainScore : threshold),
    dialect: unread.name,
    advice: unread.advice,
    evidence: [version.mark],
  };
}

const definitionsFile = {
  score: threshold,
  dialect: "a file of definitions that workflows refer to, not a workflow",
  advice: "Pass the workflow that refers to it.",
} as const;

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
  const similar = { object: findSimilar([...typicalObjects.keys()]), name: findSimilar(typicalNames) };
  for (const state of statesOf(value, marks)) addMarks(state, similar, marks);
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

/** Finds the typical word that a key is or resembles. */
type SimilarWords = { readonly [kind in "object" | "name"]: (key: string) => string | undefined };

function addMarks(state: JsonObject, similar: SimilarWords, marks: Map<string, Evidence>): void {
  const add = (name: string, key: string) => {
    if (!marks.has(name)) marks.set(name, { owner: state, key });
  };
  const type = own(state, "type");
  if (typeof type === "string" && isSimilar(type, stateTypes)) add("type", "type");
  for (const key of Object.keys(state).slice(0, maxInspected)) {
    const value = state[key]!;
    const object = similar.object(key);
    const part = object === undefined ? undefined : typicalObjects.get(object);
    const name =
      part === undefined ? similar.name(key) : isObject(value) && hasSimilarKey(value, part) ? object : undefined;
    if (name !== undefined) add(name, key);
  }
}

const hasSimilarKey = (object: JsonObject, name: string): boolean =>
  Object.keys(object)
    .slice(0, maxInspected)
    .some((key) => isSimilar(key, [name]));

const isSimilar = (word: string, known: Iterable<string>): boolean => similarWord(word, known) !== undefined;

/** Remembers what it found, as states have the same keys. */
function findSimilar(known: readonly string[]): (word: string) => string | undefined {
  const found = new Map<string, string | undefined>();
  return (word) => {
    if (!found.has(word)) found.set(word, similarWord(word, known));
    return found.get(word);
  };
}

function similarWord(word: string, known: Iterable<string>): string | undefined {
  const words = [...known];
  return words.includes(word) ? word : nearestName(word, words);
}

const hasKnownType = (state: Json): boolean => {
  const type = isObject(state) ? own(state, "type") : undefined;
  return typeof type === "string" && stateTypes.has(type.toLowerCase());
};

/** Typical of the draft: actions by event, and a `kind` in starts and ends. */
function isDraft(value: JsonObject): boolean {
  const states = own(value, "states");
  return (
    Array.isArray(states) && states.some((state) => hasKnownType(state) && isObject(state) && hasDraftMarks(state))
  );
}

const hasDraftMarks = (state: JsonObject): boolean =>
  Object.hasOwn(state, "eventsActions") || hasKind(own(state, "start")) || hasKind(own(state, "end"));

const hasKind = (value: Json | undefined): boolean => isObject(value) && Object.hasOwn(value, "kind");
