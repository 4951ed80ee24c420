import type { Json, JsonObject } from "../../../../src/json.ts";
import { type Awaited, changeBoard, register } from "./board.ts";
import { type Caller, isInside, joinOf, suspended } from "./continuation.ts";
import { answerFor, deliver } from "./events.ts";
import type { Alternative, Definitions } from "./matching.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { type Checkpoint, checkpoint, forksAround, goOn, plain, setAlarm } from "./threads.ts";

/** What a wait is asked for with. */
export interface Suspension {
  readonly wait: { readonly id: string; readonly alternatives: readonly Alternative[]; readonly unused?: "drop" };
  /** All event definitions of the workflow. */
  readonly events: Definitions;
  /** What the conditions of patterns look at, besides the event. */
  readonly variables?: JsonObject;
  /** The run's correlation value, as far as the run knows. */
  readonly token?: Json;
  /** How much time the workflow gives the wait. */
  readonly timeoutMs?: number;
  readonly $waybill: Caller;
}

/**
 * Waits for events: answers `{ received, token }` at once where they have come, else keeps where the run goes on. `received` is
 * `{ alternative, events, groups }`; `token` the run's correlation value since.
 *
 * A run that has not been suspended yet is, in any case: from then on it can be told from one that stands still, and says how it ends.
 */
export async function suspend(params: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const { wait, events, variables = {}, token = null, timeoutMs, $waybill: caller } = params as unknown as Suspension;
  if (isInside(caller)) throw new Error("A branch that its fork waits for inside an action cannot wait for events.");
  const { thread, inbox } = joinOf(caller);
  const forks = await forksAround(joinOf(caller), surroundings);
  if (!forks) return suspended;
  const { id } = surroundings;
  const since = surroundings.now();
  const waiting = { thread, at: id, inbox, began: caller.began, since, variables, forks };
  const { alternatives, unused } = wait;
  const awaited: Awaited = { alternatives, definitions: events, ...(unused === undefined ? {} : { unused }) };
  const timeoutAt = timeoutMs === undefined ? undefined : since + timeoutMs;
  const due = dueOf(alternatives, since, timeoutAt);
  const at: Checkpoint = { kind: "wait", id, waiting, awaited, token, ...plain({ timeoutAt, due }) };
  if (!(await checkpoint(caller, at, surroundings))) return suspended;
  const board = await changeBoard(surroundings, "wait", (now) => register(now, waiting, awaited, token));
  const answer = caller.join && answerFor(board, thread, id);
  if (answer && (await goOn(thread, id, answer, surroundings))) return answer;
  await deliver(board, surroundings);
  await setAlarm(thread, at, surroundings);
  return suspended;
}

/** When a wait ends without an event: when all its alternatives are given up, or the workflow gives it no more time. */
function dueOf(
  alternatives: readonly Alternative[],
  since: number,
  timeoutAt: number = Number.POSITIVE_INFINITY,
): number | undefined {
  const ends = alternatives.map(({ withinMs = Number.POSITIVE_INFINITY }) => since + withinMs);
  const due = Math.min(timeoutAt, Math.max(...ends));
  return Number.isFinite(due) ? due : undefined;
}

export const main = served(suspend);
