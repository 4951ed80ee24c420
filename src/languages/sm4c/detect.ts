import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";
import { nearestName } from "../../text/messages.ts";

/** Detects SM4C by states without types and typical properties. */
export function detect(value: Json): Detection {
  if (!isObject(value)) return noMatch;
  const states = memberOf(value, "states");
  const listed = Array.isArray(states) ? (states as readonly Json[]).slice(0, maxInspected).filter(isObject) : [];
  const own = listed.filter((state) => memberOf(state, "type") === undefined);
  if (own.length === 0) return noMatch;
  const evidence = own.flatMap(marksOf);
  const names = new Set(evidence.map(({ key }) => key!.toLowerCase()));
  const isStarted = own.some((state) => ["boolean", "string"].includes(typeof memberOf(state, "start")));
  if (names.size === 0 && !isStarted && !isMachine(value, own))
    return { score: (threshold * 2) / 3, evidence: [{ owner: value, key: "states" }] };
  const telling = [...names].some((name) => typicalNames.has(name));
  return { score: (telling ? certainScore : threshold) + names.size, evidence };
}

/** Whether an object has only names: its own, its version, and those of its states. */
const isMachine = (value: JsonObject, states: readonly JsonObject[]): boolean =>
  typeof memberOf(value, "name") === "string" &&
  memberOf(value, "version") !== undefined &&
  states.every((state) => typeof memberOf(state, "name") === "string" && Object.keys(state).length === 1);

const maxInspected = 50;

const typicalNames: ReadonlySet<string> = new Set(
  "enteraction enterresulthandler exitaction exitresulthandler transitions inputfilter".split(" "),
);

const marksOf = (state: JsonObject): readonly Evidence[] =>
  Object.keys(state)
    .slice(0, maxInspected)
    .flatMap((key) => {
      const folded = key.toLowerCase();
      return typicalNames.has(folded) || nearestName(folded, typicalNames) !== undefined ? [{ owner: state, key }] : [];
    });

function memberOf(object: JsonObject, name: string): Json | undefined {
  const key = Object.keys(object)
    .slice(0, maxInspected)
    .find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : own(object, key);
}
