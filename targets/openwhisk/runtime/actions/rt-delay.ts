import type { JsonObject } from "../../../../src/json.ts";
import { type Caller, isInside, joinOf, suspended, timedOut } from "./continuation.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { type Checkpoint, checkpoint, setAlarm } from "./threads.ts";

/** What a delay is asked for with: how long, or until when, and how much time the workflow gives it. */
export interface Delay {
  readonly ms?: number;
  /** An ISO 8601 instant. */
  readonly until?: string;
  readonly timeoutMs?: number;
  readonly $waybill: Caller;
}

/** Lets time pass: a short time by sleeping, a longer one without costing anything. */
export async function delay(params: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const { ms, until, timeoutMs = Number.POSITIVE_INFINITY, $waybill: caller } = params as unknown as Delay;
  const { settings, id } = surroundings;
  const now = surroundings.now();
  const wanted = until === undefined ? (ms ?? 0) : Date.parse(until) - now;
  if (Number.isNaN(wanted)) throw new Error("There is no time to wait for.");
  const isTimeout = wanted > timeoutMs;
  const length = Math.max(0, Math.min(wanted, timeoutMs));
  const answer: JsonObject = isTimeout ? timedOut : {};
  if (length <= settings.insideMs || isInside(caller)) {
    if (length > 0) await surroundings.sleep(length);
    return answer;
  }
  const at: Checkpoint = { kind: "delay", id, due: now + length, isTimeout };
  if (await checkpoint(caller, at, surroundings)) await setAlarm(joinOf(caller).thread, at, surroundings);
  return suspended;
}

export const main = served(delay);
