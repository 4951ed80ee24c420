import { spelling } from "../../generated/yawl-definition.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";
import { nearestName } from "../../text/messages.ts";

/** Detects YaWL by its version and kinds of steps. */
export function detect(value: Json): Detection {
  if (!isObject(value)) return noMatch;
  const keys = Object.keys(value).slice(0, maxInspected);
  const named = Object.hasOwn(value, "yawl") ? "yawl" : keys.find((key) => nearestName(key, ["yawl"]) !== undefined);
  const steps = own(value, "steps");
  const typed = isObject(steps) ? Object.values(steps).slice(0, maxInspected).filter(isStep).length : 0;
  const evidence: Evidence[] = named === undefined ? [] : [{ owner: value, key: named }];
  if (typed > 0) evidence.push({ owner: value, key: "steps" });
  const score =
    (named === "yawl" ? certainScore : named === undefined ? 0 : (threshold * 2) / 3) + (typed > 0 ? threshold : 0);
  return { score, evidence };
}

const maxInspected = 50;

/** Kinds of steps that other languages lack. */
export const typicalKinds: ReadonlySet<string> = new Set(
  Object.keys(spelling["step"]?.parts ?? {}).concat(["switch", "wait", "success", "noOp"]),
);

const isStep = (value: Json): value is JsonObject =>
  isObject(value) && Object.keys(value).some((key) => typicalKinds.has(key) && isObject(value[key]!));
