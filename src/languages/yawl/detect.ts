import { spelling } from "../../generated/yawl-definition.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certain, type Evidence, enough, type Likeness, unlike } from "../../language.ts";
import { nearest } from "../../text/suggest.ts";

/** How much a document has of YaWL: its version, and steps of its kinds by their ids. */
export function likeness(value: Json): Likeness {
  if (!isObject(value)) return unlike;
  const keys = Object.keys(value).slice(0, mostLookedAt);
  const named = Object.hasOwn(value, "yawl") ? "yawl" : keys.find((key) => nearest(key, ["yawl"]) !== undefined);
  const steps = own(value, "steps");
  const typed = isObject(steps) ? Object.values(steps).slice(0, mostLookedAt).filter(isStep).length : 0;
  const evidence: Evidence[] = named === undefined ? [] : [{ owner: value, key: named }];
  if (typed > 0) evidence.push({ owner: value, key: "steps" });
  const score = (named === "yawl" ? certain : named === undefined ? 0 : (enough * 2) / 3) + (typed > 0 ? enough : 0);
  return { score, evidence };
}

/** How many keys and steps are looked at. */
const mostLookedAt = 50;

/** What only steps of this language have. */
export const tellingKinds: ReadonlySet<string> = new Set(
  Object.keys(spelling["step"]?.parts ?? {}).concat(["switch", "wait", "success", "noOp"]),
);

const isStep = (value: Json): value is JsonObject =>
  isObject(value) && Object.keys(value).some((key) => tellingKinds.has(key) && isObject(value[key]!));
