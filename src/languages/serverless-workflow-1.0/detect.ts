import { isObject, type Json, own } from "../../json.ts";
import { certainScore, type Detection, type Evidence, noMatch, threshold } from "../../language.ts";

/** Detects Serverless Workflow 1.0 by `document.dsl`. A document without `dsl` fails the schema. */
export function detect(value: Json): Detection {
  const identity = isObject(value) ? own(value, "document") : undefined;
  if (!isObject(value) || !isObject(identity ?? null)) return noMatch;
  const owner = identity as object;
  const has = (key: string): boolean => Object.hasOwn(owner, key);
  const mark = (key: string): readonly Evidence[] => [{ owner, key }];
  const foreign = zigflowKeys.find(has);
  if (foreign !== undefined)
    return {
      score: 3 * certainScore,
      dialect: "Zigflow, a dialect of Serverless Workflow 1.0",
      evidence: mark(foreign),
    };
  if (has("dsl")) return { score: 3 * certainScore, evidence: mark("dsl") };
  return Object.hasOwn(value, "do") ? { score: threshold, evidence: [{ owner: value, key: "document" }] } : noMatch;
}

const zigflowKeys = ["taskQueue", "workflowType"];
