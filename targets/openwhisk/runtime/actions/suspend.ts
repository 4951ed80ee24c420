import type { Json, JsonObject } from "../../../../src/json.ts";
import { setAlarm } from "./alarms.ts";
import { type Caller, isInside, joinOf, suspended } from "./caller.ts";
import { type AlternativeDescription, type Awaited, flowOf } from "./event-rules.ts";
import { type EventContext, partitionFor, type Waiting, waitId } from "./partition-documents.ts";
import { changePartition } from "./partitions.ts";
import { type Checkpoint, checkpoint, isAwaited, keepGoing } from "./threads.ts";
import { deliver, isPending, register, resultOf, type SuspendedWait } from "./waits.ts";

/** A wait for events. */
export interface SuspendRequest {
  readonly wait: {
    readonly id: string;
    readonly alternatives: readonly AlternativeDescription[];
    readonly unused?: "drop";
  };
  /** The variables of conditions. */
  readonly variables?: JsonObject;
  /** The run's correlation value, as far as the thread knows. */
  readonly token?: Json;
  /** The correlation values of this wait, by key. Null, objects and arrays count as absent. */
  readonly values?: { readonly [key: string]: Json };
  /** The time that the workflow allows. */
  readonly timeoutMs?: number;
  readonly $waybill: Caller;
}

/**
 * Waits for events. If they have already arrived, responds with `{ received: { alternative, events, groups }, token }`;
 * otherwise suspends the run. The first wait of a run always suspends it: from then on its end is reported.
 */
export async function suspend(params: JsonObject, context: EventContext): Promise<JsonObject> {
  const request = params as unknown as SuspendRequest;
  const { wait, variables = {}, token = null, timeoutMs, $waybill: caller } = request;
  if (isInside(caller)) throw new Error("A branch whose fork waits for its activation cannot wait for events.");
  const { thread, inbox, age, rootBegan } = joinOf(caller);
  const { id } = context;
  const since = context.now();
  const values = scalarsIn(request.values);
  const { began, position = [] } = caller;
  const waiting: Waiting = {
    thread,
    at: id,
    inbox,
    began,
    since,
    position,
    variables,
    ...(values && { values }),
    ...(age && { age }),
    ...(rootBegan !== undefined && { rootBegan }),
  };
  const { alternatives, unused } = wait;
  const { definitions = {} } = flowOf(context.program, caller.flow) ?? {};
  const awaited: Awaited = { alternatives, definitions, ...(unused && { unused }) };
  const timeoutAt = timeoutMs === undefined ? undefined : since + timeoutMs;
  const due = dueOf(alternatives, since, timeoutAt);
  const partition = partitionFor(caller, values, token, context.program);
  const state: SuspendedWait = { waiting, awaited, token, partition };
  const times = { ...(timeoutAt !== undefined && { timeoutAt }), ...(due !== undefined && { due }) };
  const at: Checkpoint = { kind: "wait", id, ...state, ...times };
  if (!(await checkpoint(caller, at, context, partition))) return suspended;
  const document = await register(partition, state, context);
  const ended = document.partition.waits.find((each) => each.id === waitId(thread, id) && isPending(each));
  if (ended && caller.join && (await isAwaited(caller.join, context))) {
    const result = resultOf(document, ended);
    if (await keepGoing(thread, id, result, context)) {
      await changePartition(partition, "confirm", () => [{ kind: "confirm", id: ended.id }], context);
      return result;
    }
  }
  await deliver(partition, document, context);
  await setAlarm(thread, at, context);
  return suspended;
}

function scalarsIn(values: SuspendRequest["values"] = {}): { readonly [key: string]: Json } | undefined {
  const scalars = Object.entries(values).filter(([, value]) => value !== null && typeof value !== "object");
  return scalars.length === 0 ? undefined : Object.fromEntries(scalars);
}

/** When a wait ends without an event: its last alternative or the time that the workflow allows has passed. */
function dueOf(
  alternatives: readonly AlternativeDescription[],
  since: number,
  timeoutAt: number = Number.POSITIVE_INFINITY,
): number | undefined {
  const ends = alternatives.map(({ withinMs }) =>
    withinMs === undefined ? Number.POSITIVE_INFINITY : Math.ceil(since + (withinMs / 1000) * 1000),
  );
  const due = Math.min(timeoutAt, Math.max(...ends));
  return Number.isFinite(due) ? due : undefined;
}
