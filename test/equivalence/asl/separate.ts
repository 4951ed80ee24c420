import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** Delays the branches of Parallel states apart, and makes the iterations of Map states sequential. */
export const separateStates = (definition: JsonObject): JsonObject => inside(definition) as JsonObject;

function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inside(item));
  if (!isObject(value)) return value;
  const all = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item as Json)])) as JsonObject;
  if (all["Type"] === "Map") {
    const { MaxConcurrencyPath: _, ...rest } = all;
    return { ...rest, MaxConcurrency: 1 };
  }
  if (all["Type"] !== "Parallel" || !Array.isArray(all["Branches"])) return all;
  return { ...all, Branches: all["Branches"].map((branch: Json, i) => late(branch as JsonObject, i)) };
}

/** A branch that begins with a wait. */
function late(branch: JsonObject, index: number): JsonObject {
  const name = `wait before ${String(branch["StartAt"])}`;
  const wait = { Type: "Wait", Seconds: 1 + 100 * index, Next: branch["StartAt"]! };
  return { ...branch, StartAt: name, States: { [name]: wait, ...(branch["States"] as JsonObject) } };
}
