import type { Json, JsonObject } from "../../../../src/json.ts";
import { same } from "../store/documents.ts";
import { type Awaited, changeBoard, cutOff, type Outgoing, type Waiting } from "./board.ts";
import { type Caller, type Continuation, type Join, joinOf } from "./continuation.ts";
import type { Plan, Progress } from "./joining.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * A thread of a run, at its last checkpoint: what is stored of it whenever it waits for something. Who resumes it says so here first, and only who
 * could say it starts the conductor: so it is resumed once, whatever comes twice; what is lost after that is found by the sweeper as stalled.
 */
export interface Thread {
  readonly flow: string;
  readonly run?: string | undefined;
  readonly began: number;
  readonly position: readonly number[];
  /** Absent: at the beginning of the flow; null: behind its end. */
  readonly state?: string | null | undefined;
  readonly stack: readonly Json[];
  readonly join: Join;
  readonly at: Checkpoint;
  /** When it came to where it is. */
  readonly since: number;
}

/** What a thread waits for; `id` is of this one time only. `due`: when it goes on without. */
export type Checkpoint = { readonly id: string; readonly due?: number | undefined } & (
  | {
      readonly kind: "going";
      readonly params?: JsonObject | undefined;
      readonly isInspected?: boolean | undefined;
      readonly activation?: string;
      /** The fork that it has come from, where branches of that still go on. */
      readonly decided?: string | undefined;
    }
  | {
      readonly kind: "wait";
      readonly waiting: Omit<Waiting, "kind">;
      readonly awaited: Awaited;
      readonly token?: Json;
      readonly timeoutAt?: number | undefined;
    }
  | { readonly kind: "delay"; readonly isTimeout: boolean }
  | {
      readonly kind: "fork";
      readonly plan: Plan;
      readonly progress: Progress;
      readonly branches: readonly Branch[];
      readonly timeoutAt?: number | undefined;
    }
  | { readonly kind: "ended" }
);

/** A branch of a fork: where in its flow it begins, or another flow with its input. */
export interface Branch {
  readonly state?: string | undefined;
  readonly params?: JsonObject | undefined;
  readonly flow?: string | undefined;
  readonly input?: JsonObject | undefined;
}

/** The key of a thread's document. */
export const threadKey = (thread: string): string => `thread:${thread}`;

/** The thread as it is stored; undefined where there is none. */
export const readThread = ({ documents }: Surroundings, thread: string): Promise<Thread | undefined> =>
  documents.read<Thread>(threadKey(thread));

/**
 * Stores that a thread has come to a checkpoint. False where it may not go on from where it was called: it was resumed since by somebody else,
 * or this has been said before, or nobody waits for it any more.
 */
export async function checkpoint(caller: Caller, at: Checkpoint, surroundings: Surroundings): Promise<boolean> {
  const join = joinOf(caller);
  if (!(await forksAround(join, surroundings))) return false;
  const { isMine } = await surroundings.documents.change<Thread>(threadKey(join.thread), surroundings.id, (old) =>
    isCurrent(old, join) ? threadOf(caller, at, surroundings.now()) : same,
  );
  return isMine;
}

/** The forks that a thread runs in, the nearest first; undefined where one of them has been decided: nobody waits for the thread any more. */
export async function forksAround(
  { parent, id }: Join,
  surroundings: Surroundings,
): Promise<readonly string[] | undefined> {
  if (parent === undefined) return [];
  const around = await readThread(surroundings, parent);
  if (around?.at.kind !== "fork" || around.at.id !== id) return undefined;
  const outer = await forksAround(around.join, surroundings);
  return outer && [id, ...outer];
}

/** A thread at a checkpoint, as its caller tells it. */
export const threadOf = (caller: Caller, at: Checkpoint, since: number): Thread => {
  const { flow, run, began, position = [], state, stack } = caller;
  return { flow, run, began, position, state, stack, join: joinOf(caller), at, since };
};

/** Whether an activation still has a say: the thread is going, by the resumption that it comes from. */
export const isCurrent = (thread: Thread | undefined, { fence }: Join): boolean =>
  thread ? thread.at.kind === "going" && thread.join.fence === fence : fence === undefined;

/** Changes a thread that is still at a checkpoint; what became of it, or undefined where somebody was faster. */
export async function move(
  thread: string,
  at: string,
  mark: string,
  surroundings: Surroundings,
  next: (thread: Thread) => Thread | undefined,
): Promise<Thread | undefined> {
  const { value, isMine } = await surroundings.documents.change<Thread>(threadKey(thread), mark, (old) =>
    old && old.at.id === at ? (next(old) ?? same) : same,
  );
  return isMine ? value : undefined;
}

/** A thread that goes on from its checkpoint with what a helper would have answered; `fence` names the resumption. */
export const going = (thread: Thread, params: JsonObject, fence: string, now: number): Thread => ({
  ...thread,
  join: { ...thread.join, fence },
  at: { kind: "going", id: fence, params, ...leftBy(thread.at) },
  since: now,
});

/** The fork that a thread comes from, where branches of it go on. */
function leftBy(at: Checkpoint): { readonly decided?: string } {
  if (at.kind === "going") return at.decided === undefined ? {} : { decided: at.decided };
  return at.kind === "fork" && at.progress.started.length > at.progress.ended.length ? { decided: at.id } : {};
}

/** Resumes a thread that is still at a checkpoint, if nobody else does. */
export async function resume(
  thread: string,
  at: string,
  params: JsonObject,
  surroundings: Surroundings,
): Promise<boolean> {
  const mark = `${surroundings.id}>${at}`;
  const moved = await move(thread, at, mark, surroundings, (old) =>
    isResting(old.at) ? going(old, params, `${at}!`, surroundings.now()) : undefined,
  );
  if (!moved) return false;
  await launch(moved, surroundings);
  return true;
}

const isResting = ({ kind }: Checkpoint): boolean => kind !== "going" && kind !== "ended";

/** Starts the conductor where a thread goes on, and notes by which activation. */
export async function launch(thread: Thread, surroundings: Surroundings): Promise<void> {
  const { flow, run, began, position, state, stack, join, at } = thread;
  if (at.kind !== "going") return;
  const { decided } = at;
  if (decided !== undefined) await changeBoard(surroundings, `cut off ${decided}`, (board) => cutOff(board, decided));
  const middle = state === undefined ? {} : { state, stack, params: at.params, isInspected: at.isInspected };
  const continuation: Continuation = { run, began, position, join, ...middle };
  const input = state === undefined ? at.params : {};
  const activation = await surroundings.platform.start(flow, { ...input, $waybill: plain(continuation) });
  await move(join.thread, at.id, `${surroundings.id}@${at.id}`, surroundings, (old) =>
    old.at.kind === "going" ? { ...old, at: { ...old.at, activation } } : undefined,
  );
}

/** A value without the members that are undefined. */
export const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/**
 * Sets the alarm of a checkpoint, where it has one and the sweeper does not look after it. What is due already rings as soon as what comes at this instant has
 * come: alarms take no date that is past. Where no alarm can be set the sweeper rings, later.
 */
export async function setAlarm(thread: string, { id, due }: Checkpoint, surroundings: Surroundings): Promise<void> {
  const { platform, settings, now, sleep } = surroundings;
  if (due === undefined) return;
  const [action, params] = [`${settings.package}/rt-timeout`, { thread, at: id }];
  if (due <= now()) {
    await sleep(0);
    await platform.start(action, params);
  } else if (settings.timers === "alarms")
    await platform.setAlarm(alarmName(id, due), due, action, params).catch((error) => console.error(error));
}

/** Removes the alarm of a checkpoint, which is not needed any more: it would do no harm. */
export async function removeAlarm({ id, due }: Checkpoint, { platform, settings }: Surroundings): Promise<void> {
  if (due !== undefined && settings.timers === "alarms") await platform.removeAlarm(alarmName(id, due));
}

const alarmName = (id: string, due: number): string => `waybill-${id.replaceAll(/[^\w.-]/g, "-").slice(0, 200)}-${due}`;

/** Ends a thread. A run that an event has started leaves a trace for some time, so that no late hand starts it again. */
export async function endThread({ thread, fence }: Join, surroundings: Surroundings): Promise<void> {
  const { documents, settings, now } = surroundings;
  if (fence === undefined) return documents.remove<Thread>(threadKey(thread), ({ at }) => at.kind === "going");
  await documents.change<Thread>(
    threadKey(thread),
    `${surroundings.id}.`,
    (old) =>
      old && old.at.kind === "going"
        ? { ...old, stack: [], at: { kind: "ended", id: `${fence}.` }, since: now() }
        : same,
    { keepMs: settings.keepOutcomesMs },
  );
}

/** Forgets a thread that nobody waits for any more. */
export const forgetThread = ({ at, join }: Thread, { documents }: Surroundings): Promise<void> =>
  documents.remove<Thread>(threadKey(join.thread), (stored) => stored.at.id === at.id);

/** Starts a thread that an event has started, if nobody has. */
export async function startThread(
  { thread, flow, began }: Outgoing & { readonly flow: string },
  surroundings: Surroundings,
): Promise<void> {
  const join: Join = { id: "run", index: 0, thread, inbox: thread, fence: thread };
  const at: Checkpoint = { kind: "going", id: thread, params: {} };
  const begun: Thread = { flow, began, position: [], stack: [], join, at, since: surroundings.now() };
  const mark = `${surroundings.id}+${thread}`;
  const { isMine } = await surroundings.documents.change<Thread>(threadKey(thread), mark, (old) =>
    old ? same : begun,
  );
  if (isMine) await launch(begun, surroundings);
}

/** Goes on with a thread where it is: what it came to wait for is there, and its activation is still at work. False where somebody else resumes it. */
export async function goOn(
  thread: string,
  at: string,
  params: JsonObject,
  surroundings: Surroundings,
): Promise<boolean> {
  const mark = `${surroundings.id}=${at}`;
  const moved = await move(thread, at, mark, surroundings, (old) =>
    isResting(old.at) ? { ...old, at: { kind: "going", id: `${at}!`, params }, since: surroundings.now() } : undefined,
  );
  return moved !== undefined;
}
