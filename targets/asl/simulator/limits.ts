import type { Json } from "../../../src/json.ts";
import { maxHistoryEvents } from "../history.ts";
import { type ExecutionEnvironment, StateError } from "./environment.ts";

/** Limit on the value of one expression, in bytes of JSON. */
export const maxValueBytes = 6_990_256;

const maxDataBytes = 262_144;

/** Fails if data exceeds Step Functions' limit; `what` names it, for example `output`. */
export function checkData<T extends Json>(value: T, state: string, what: string): T {
  if (exceedsBytes(value, maxDataBytes))
    throw new StateError(
      "States.DataLimitExceeded",
      `The state/task '${state}' has an ${what} with a size exceeding the maximum number of bytes service limit.`,
    );
  return value;
}

/** Whether a value exceeds a size as JSON. Serializes it only if necessary. */
export function exceedsBytes(value: Json, most: number): boolean {
  if (typeof value !== "object" && typeof value !== "string") return false;
  return sizeBound(value, most) > most && Buffer.byteLength(JSON.stringify(value)) > most;
}

/** An upper bound of a value's size, computed until it exceeds `enough`. */
function sizeBound(value: Json, enough: number): number {
  if (typeof value === "string") return 2 + 6 * value.length;
  if (typeof value !== "object" || value === null) return 25;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += 4 + 6 * key.length + sizeBound(item as Json, enough - size);
    if (size > enough) break;
  }
  return size;
}

/** Adds the history limit to an environment. Its error cannot be caught. */
export function withLimitedHistory(environment: ExecutionEnvironment): ExecutionEnvironment {
  let events = 0;
  return {
    ...environment,
    count(what, times) {
      environment.count(what, times);
      if (what !== "events of history") return;
      events += times;
      if (events > maxHistoryEvents)
        throw new StateError(
          "States.Runtime",
          `The execution reached the maximum number of history events (${maxHistoryEvents}).`,
        );
    },
  };
}
