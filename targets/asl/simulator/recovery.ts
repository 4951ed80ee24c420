import type { Json, JsonObject } from "../../../src/json.ts";
import type { StateError } from "./environment.ts";

interface RetryCounter {
  /** Seconds until the next attempt; undefined if no retrier allows one. */
  next(error: StateError): number | undefined;
  readonly count: number;
}

/** Counts retries for one visit of a state. */
export function createRetryCounter(state: JsonObject): RetryCounter {
  const retriers = (state["Retry"] ?? []) as readonly JsonObject[];
  const used = retriers.map(() => 0);
  let count = 0;
  return {
    get count() {
      return count;
    },
    next(error) {
      const index = retriers.findIndex((retrier) => matches(retrier, error));
      const retrier = retriers[index];
      if (!retrier || used[index]! >= numberOf(retrier["MaxAttempts"], 3)) return undefined;
      const delay = numberOf(retrier["IntervalSeconds"], 1) * numberOf(retrier["BackoffRate"], 2) ** used[index]!;
      used[index]! += 1;
      count += 1;
      return Math.min(delay, numberOf(retrier["MaxDelaySeconds"], Number.POSITIVE_INFINITY));
    },
  };
}

/** The catcher that matches an error, if any. */
export function catcherOf(state: JsonObject, error: StateError): JsonObject | undefined {
  return ((state["Catch"] ?? []) as readonly JsonObject[]).find((catcher) => matches(catcher, error));
}

/** `$states.errorOutput` for an error. That of a callback may have neither a name nor a cause. */
export function errorOutput({ error, cause }: StateError): Json {
  if (error === undefined) return { Error: null, Cause: cause ?? null };
  return { ...(error === undefined ? {} : { Error: error }), ...(cause === undefined ? {} : { Cause: cause }) };
}

const uncatchable = new Set(["States.Runtime"]);

const timeouts = new Set(["States.Timeout", "States.HeartbeatTimeout"]);

function matches(handler: JsonObject, { error, missesHeartbeat }: StateError): boolean {
  return (handler["ErrorEquals"] as readonly string[]).some((name) => {
    if (name === error || (missesHeartbeat && name === "States.HeartbeatTimeout")) return true;
    if (error !== undefined && uncatchable.has(error)) return false;
    if (name === "States.ALL") return true;
    if (name === "States.Timeout") return error === "States.HeartbeatTimeout";
    return name === "States.TaskFailed" && !(error !== undefined && timeouts.has(error));
  });
}

const numberOf = (value: Json | undefined, fallback: number): number => (typeof value === "number" ? value : fallback);
