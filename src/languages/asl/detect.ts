import { isObject, type Json, own } from "../../json.ts";
import { certainScore, type Detection, noMatch } from "../../language.ts";

/** Detects machines by `StartAt` and a state with one of the types. */
export function detect(value: Json): Detection {
  const states = isObject(value) ? own(value, "States") : undefined;
  if (!isObject(value) || typeof own(value, "StartAt") !== "string" || !isObject(states ?? null)) return noMatch;
  const hasState = Object.values(states as object).some((state) => isObject(state) && types.has(own(state, "Type")));
  return { score: hasState ? 3 * certainScore : certainScore, evidence: [{ owner: value, key: "StartAt" }] };
}

const types: ReadonlySet<unknown> = new Set("Pass Task Choice Wait Succeed Fail Parallel Map".split(" "));
