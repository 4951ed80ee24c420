import type { Json } from "../../../src/json.ts";
import { type Environment, StateError } from "./environment.ts";

/** What one expression may give, in bytes of JSON. */
export const longestValue = 6_990_256;

/** What a state may be given or give, and what its variables may hold, in bytes of JSON. */
const longestData = 262_144;

/** How many events the history of an execution may have. */
const mostEvents = 25_000;

/** Fails as Step Functions does with data that is too long. `what`: such as `output`. */
export function checkData<T extends Json>(value: T, state: string, what: string): T {
  if (isLonger(value, longestData))
    throw new StateError(
      "States.DataLimitExceeded",
      `The state/task '${state}' has an ${what} with a size exceeding the maximum number of bytes service limit.`,
    );
  return value;
}

/** Whether a value has more bytes as JSON than it may have; one that surely has not is not written out. */
export function isLonger(value: Json, most: number): boolean {
  if (typeof value !== "object" && typeof value !== "string") return false;
  return atMost(value, most) > most && Buffer.byteLength(JSON.stringify(value)) > most;
}

/** What the size of a value is at most, in bytes, counted until it is more than `enough`. */
function atMost(value: Json, enough: number): number {
  if (typeof value === "string") return 2 + 6 * value.length;
  if (typeof value !== "object" || value === null) return 25;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += 4 + 6 * key.length + atMost(item as Json, enough - size);
    if (size > enough) break;
  }
  return size;
}

/** The same world for an execution that fails when its history has too many events. Nothing catches that. */
export function withLimitedHistory(environment: Environment): Environment {
  let events = 0;
  return {
    ...environment,
    uses(what, times) {
      environment.uses(what, times);
      if (what !== "events of history") return;
      events += times;
      if (events > mostEvents)
        throw new StateError(
          "States.Runtime",
          `The execution reached the maximum number of history events (${mostEvents}).`,
        );
    },
  };
}
