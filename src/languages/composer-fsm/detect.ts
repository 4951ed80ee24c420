import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";

/** Detects compositions by their top-level members and state types. */
export function detect(value: Json): Detection {
  if (!isObject(value) || Object.hasOwn(value, "StartAt")) return noMatch;
  const evidence: readonly Evidence[] = ["Entry", "Exit"]
    .filter((key) => typeof own(value, key) === "string")
    .map((key) => ({ owner: value, key }));
  const states = own(value, "States");
  const stateful = isObject(states)
    ? Object.values(states).filter((state) => isObject(state) && hasTypicalType(state))
    : [];
  const score =
    (evidence.length + (isObject(states) ? 1 : 0)) * (threshold / 3) + (stateful.length > 0 ? threshold / 3 : 0);
  return { score: isObject(states) && evidence.length === 2 ? certainScore : score, evidence };
}

const hasTypicalType = (state: JsonObject): boolean => typicalTypes.has(own(state, "Type"));

const typicalTypes: ReadonlySet<unknown> = new Set(["Push", "Pop", "Try", "Catch", "Let", "End"]);
