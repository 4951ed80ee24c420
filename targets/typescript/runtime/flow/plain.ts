import { WorkflowError } from "../errors.ts";
import type { Json } from "../json.ts";

/**
 * What a function has answered, as JSON: as it is where it is plain data, else what `JSON.stringify` makes of it; nothing is null. What has no JSON
 * fails with `DataError`.
 */
export function jsonOf(answer: unknown): Json {
  if (isPlain(answer, 0)) return answer;
  try {
    const text: string | undefined = JSON.stringify(answer);
    return text === undefined ? null : (JSON.parse(text) as Json);
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new WorkflowError("DataError", `The function's answer is not JSON: ${why}`, { origin: "function" });
  }
}

const deepest = 1000;

function isPlain(value: unknown, depth: number): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > deepest) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!isPlain((value as { [name: string]: unknown })[name], depth + 1)) return false;
  return true;
}
