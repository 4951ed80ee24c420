import type { Json, JsonObject } from "../../../../src/json.ts";
import { unchanged } from "../store/documents.ts";
import type { HelperContext, Operation } from "./action.ts";
import { type Caller, type Join, joinOf } from "./caller.ts";
import { branchEnded } from "./forks.ts";
import type { BranchEnd } from "./joining.ts";
import { endThread, isCurrent, readThread, type Thread, threadKey } from "./threads.ts";

/** The end of a thread. */
export interface JoinRequest {
  readonly result?: JsonObject;
  readonly error?: Json;
  readonly $waybill: Caller;
}

/** The outcome of a run, which its trigger reports and the store keeps under `done:<run>`. */
export interface RunOutcome {
  readonly run: string;
  readonly status: "succeeded" | "failed";
  readonly output?: Json;
  readonly error?: Json;
  /** In milliseconds since 1970. */
  readonly ended: number;
}

interface StoredOutcome {
  readonly outcome: RunOutcome;
  /** The resumption that reports it. */
  readonly teller?: string | undefined;
  readonly isTold: boolean;
}

/** Forgets the events and waits of a run that has ended. */
export type LeaveEvents = (thread: Thread, context: HelperContext) => Promise<void>;

/** Creates the operation that reports the end of a thread, once, to its fork or by a trigger. */
export const createJoin =
  (leaveEvents?: LeaveEvents): Operation =>
  async (params, context) => {
    const { result = {}, error, $waybill: caller } = params as unknown as JoinRequest;
    const join = joinOf(caller);
    const thread = await readThread(context, join.thread);
    if (!isCurrent(thread, join)) return {};
    const { index } = join;
    const end: BranchEnd = error === undefined ? { index, result } : { index, error };
    if (join.id === "run") await endRun(caller, join, end, context);
    else await branchEnded(join, end, context);
    await endThread(join, context);
    if (leaveEvents && thread) await (join.inbox === join.thread ? leaveEvents : passPartitions)(thread, context);
    return {};
  };

/** Stores the outcome of a run and fires its trigger; again if the run was resumed because that had failed. */
async function endRun(
  { run, flow }: Caller,
  { fence: teller }: Join,
  { result, error }: BranchEnd,
  { documents, platform, settings, id, now }: HelperContext,
): Promise<void> {
  const outcome: RunOutcome =
    error === undefined
      ? { run, status: "succeeded", output: result ?? null, ended: now() }
      : { run, status: "failed", error, ended: now() };
  const kept = { keepMs: settings.keepOutcomesMs };
  const { value, isMine } = await documents.change<StoredOutcome>(
    `done:${run}`,
    id,
    (old = { outcome, isTold: false }) => (old.isTold || old.teller === teller ? unchanged : { ...old, teller }),
    kept,
  );
  const trigger = Object.entries(settings.ended).find(([action]) => flow.endsWith(`/${action}`))?.[1];
  if (!isMine || !value || trigger === undefined) return;
  await platform.fire(trigger, { ...value.outcome });
  await documents.change<StoredOutcome>(`done:${run}`, `${id}.`, () => ({ ...value, isTold: true }), kept);
}

/** Notes the partitions of a branch in its parent, whose end forgets them. */
async function passPartitions({ join, partitions = [] }: Thread, { documents, id }: HelperContext): Promise<void> {
  if (partitions.length === 0 || join.parent === undefined) return;
  await documents.change<Thread>(threadKey(join.parent), `${id}+`, (old) => {
    if (!old) return unchanged;
    const all = [...new Set([...(old.partitions ?? []), ...partitions])];
    return all.length === (old.partitions ?? []).length ? unchanged : { ...old, partitions: all };
  });
}
