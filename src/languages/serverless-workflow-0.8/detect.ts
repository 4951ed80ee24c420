import { isObject, type Json, own } from "../../json.ts";
import { certainScore, type Detection, noMatch } from "../../language.ts";
import { versionOf } from "../shared/serverless-workflow-versions.ts";

/** Detects Serverless Workflow 0.8 and 0.7, and resources of kind SonataFlow with such a definition. */
export function detect(value: Json): Detection {
  if (!isObject(value)) return noMatch;
  const found = versionOf(value);
  if (!found || (found.version !== "0.8" && found.version !== "0.7")) return noMatch;
  const isDeclared = own(value, "specVersion") !== undefined;
  return { score: certainScore * (found.isCertain || isDeclared ? 3 : 2), evidence: [found.mark] };
}
