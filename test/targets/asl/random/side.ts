import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";

/**
 * One machine that has others as its branches, so that a validator that takes long to begin looks at all of them at once. Names of states get
 * the number of their machine in front.
 */
export function side(machines: readonly JsonObject[]): JsonObject {
  const branches = machines.map(({ QueryLanguage: _, ...machine }, i) => renamed(machine, `${i} `));
  return {
    QueryLanguage: "JSONata",
    StartAt: "All",
    States: { All: { Type: "Parallel", Branches: branches, End: true } },
  };
}

const references: ReadonlySet<string> = new Set(["StartAt", "Next", "Default"]);

function renamed(value: Json, prefix: string, key?: string): Json {
  if (key !== undefined && references.has(key)) return prefix + String(value);
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item, prefix));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [key === "States" ? prefix + name : name, renamed(item, prefix, name)]),
  );
}
