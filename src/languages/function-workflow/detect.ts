import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";
import { nearestName } from "../../text/messages.ts";

/** Detects Function Workflow 0.1 by triggers and typical properties, even misspelled. */
export function detect(value: Json): Detection {
  if (!isObject(value)) return noMatch;
  const marks = [...triggersIn(value), ...statesIn(value).flatMap(marksOf), ...typesOf(value)];
  const kinds = new Set(marks.map(({ kind }) => kind));
  if (kinds.size === 0) return noMatch;
  const isSure = marks.some(({ isExact }) => isExact);
  return {
    score: (isSure ? certainScore : 0) + (kinds.size * threshold) / 2,
    evidence: marks.map(({ evidence }) => evidence),
  };
}

interface LanguageMark {
  readonly kind: string;
  readonly isExact: boolean;
  readonly evidence: Evidence;
}

const maxInspected = 50;

const typicalNames: readonly string[] = ["next-state", "action-mode", "event-expression", "time-delay"];

function triggersIn(value: JsonObject): readonly LanguageMark[] {
  const keys = Object.keys(value).slice(0, maxInspected);
  return keys.flatMap((key) => markOf(value, key, ["trigger-defs"]));
}

function statesIn(value: JsonObject): readonly JsonObject[] {
  const states = own(value, "states") ?? null;
  const listed: readonly Json[] = Array.isArray(states) ? states : isObject(states) ? Object.values(states) : [];
  const found = listed.slice(0, maxInspected).filter(isObject);
  return found.flatMap((state) => [state, ...nestedObjects(state)]);
}

const stateTypes: ReadonlySet<Json | undefined> = new Set(["EVENT", "OPERATION", "SWITCH", "DELAY", "PARALLEL"]);

/** Types in capitals, of states that are members of an object. */
function typesOf(value: JsonObject): readonly LanguageMark[] {
  const states = own(value, "states") ?? null;
  const found = isObject(states) ? Object.values(states).slice(0, maxInspected).filter(isObject) : [];
  const state = found.find((each) => stateTypes.has(own(each, "type")));
  return state ? [{ kind: "type", isExact: true, evidence: { owner: state, key: "type" } }] : [];
}

const nestedObjects = (state: JsonObject): readonly JsonObject[] =>
  Object.values(state)
    .slice(0, maxInspected)
    .flatMap((member) => (Array.isArray(member) ? (member as readonly Json[]).slice(0, maxInspected) : [member]))
    .filter(isObject);

function marksOf(state: JsonObject): readonly LanguageMark[] {
  const keys = Object.keys(state).slice(0, maxInspected);
  const end =
    own(state, "type") === "END" ? [{ kind: "END", isExact: true, evidence: { owner: state, key: "type" } }] : [];
  return [...keys.flatMap((key) => markOf(state, key, typicalNames)), ...end];
}

function markOf(owner: JsonObject, key: string, known: readonly string[]): readonly LanguageMark[] {
  const lower = key.toLowerCase();
  if (known.includes(lower)) return [{ kind: lower, isExact: true, evidence: { owner, key } }];
  const kind = key.includes("-") ? nearestName(key, known) : undefined;
  return kind === undefined ? [] : [{ kind, isExact: false, evidence: { owner, key } }];
}
