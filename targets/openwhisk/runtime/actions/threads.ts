import type { Json, JsonObject } from "../../../../src/json.ts";
import { unchanged } from "../store/documents.ts";
import type { HelperContext } from "./action.ts";
import { withoutUndefined } from "./branch-input.ts";
import { type Caller, type Continuation, type ForkReference, type Join, joinOf } from "./caller.ts";
import type { Branch, Plan, Progress } from "./joining.ts";
import type { SuspendedWait } from "./waits.ts";

/**
 * A thread of a run at its last checkpoint, which is stored whenever it waits. An activation resumes a thread by
 * changing this document first: only the one whose change succeeds starts the conductor, so that a thread is resumed
 * once, however often its alarm, event or branch is reported. A thread that is lost after that change is listed as stalled.
 */
export interface Thread extends Pick<Caller, "key" | "calls" | "attempt"> {
  readonly flow: string;
  readonly run?: string | undefined;
  readonly began: number;
  readonly position: readonly number[];
  /** Undefined: the beginning of the workflow; null: its end. */
  readonly state?: string | null | undefined;
  readonly stack: readonly Json[];
  readonly join: Join;
  readonly at: Checkpoint;
  /** When it reached the checkpoint. */
  readonly since: number;
  /** The correlation value of the event that has started the run. */
  readonly token?: Json | undefined;
  /** The partitions that know its waits. */
  readonly partitions?: readonly string[] | undefined;
}

/** What a thread waits for. `id` is unique; `due` is when it stops waiting. */
export type Checkpoint = { readonly id: string; readonly due?: number | undefined } & (
  | {
      readonly kind: "going";
      readonly params?: JsonObject | undefined;
      readonly isInspected?: boolean | undefined;
      readonly activation?: string;
      /** The fork that it has left while branches of it still run. */
      readonly left?: LeftFork | undefined;
    }
  | ({ readonly kind: "wait"; readonly timeoutAt?: number | undefined } & SuspendedWait)
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

/** The branches of a decided fork that no longer count. */
export interface LeftFork {
  readonly id: string;
  readonly branches: readonly number[];
}

/** Releases what the abandoned branches of a fork have waited for. Set by programs that receive events. */
export type AbandonBranches = (left: LeftFork, context: HelperContext) => Promise<void>;

/** The key of a thread's document. */
export const threadKey = (thread: string): string => `thread:${thread}`;

/** Reads a thread. */
export const readThread = ({ documents }: HelperContext, thread: string): Promise<Thread | undefined> =>
  documents.read<Thread>(threadKey(thread));

/**
 * Stores a checkpoint. False if the caller may not continue from it: another activation has resumed the thread since,
 * or a fork around it has been decided.
 */
export async function checkpoint(
  caller: Caller,
  at: Checkpoint,
  context: HelperContext,
  partition?: string,
): Promise<boolean> {
  const join = joinOf(caller);
  if (!(await isAwaited(join, context))) return false;
  const { isMine } = await context.documents.change<Thread>(threadKey(join.thread), context.id, (old) => {
    if (!isCurrent(old, join)) return unchanged;
    const partitions = [...new Set([...(old?.partitions ?? []), ...(partition === undefined ? [] : [partition])])];
    return { ...threadOf(caller, at, context.now()), ...(partitions.length > 0 && { partitions }) };
  });
  return isMine;
}

/**
 * Whether no fork around a thread has been decided. Reads the thread that waits for it, and then only forks that may be
 * decided early, so that the cost does not grow with the depth of subflows.
 */
export async function isAwaited(join: Join, context: HelperContext): Promise<boolean> {
  let fork = forkOf(join);
  while (fork) {
    const waiting = await readThread(context, fork.thread);
    if (waiting?.at.kind !== "fork" || waiting.at.id !== fork.id) return false;
    const { enclosing = forkOf(waiting.join) } = waiting.join;
    fork = enclosing ?? undefined;
  }
  return true;
}

/** The fork that the end of a thread is reported to. Undefined for a run. */
const forkOf = ({ parent, id }: Join): ForkReference | undefined =>
  parent === undefined ? undefined : { thread: parent, id };

/** The thread of a caller at a checkpoint. */
export const threadOf = (caller: Caller, at: Checkpoint, since: number): Thread => {
  const { flow, run, began, position = [], state, stack, key, calls, attempt } = caller;
  return { flow, run, began, position, state, stack, key, calls, attempt, join: joinOf(caller), at, since };
};

/** Whether an activation still counts: it belongs to the last resumption of its thread. */
export const isCurrent = (thread: Thread | undefined, { fence }: Join): boolean =>
  thread ? thread.at.kind === "going" && thread.join.fence === fence : fence === undefined;

/** Changes a thread that is still at a checkpoint. Undefined if another activation was faster. */
export async function move(
  thread: string,
  at: string,
  mark: string,
  context: HelperContext,
  next: (thread: Thread) => Thread | undefined,
): Promise<Thread | undefined> {
  const { value, isMine } = await context.documents.change<Thread>(threadKey(thread), mark, (old) =>
    old && old.at.id === at ? (next(old) ?? unchanged) : unchanged,
  );
  return isMine ? value : undefined;
}

/** A thread that continues with the result of an operation. `fence` identifies the resumption. */
export const going = (thread: Thread, params: JsonObject, fence: string, now: number): Thread => ({
  ...thread,
  join: { ...thread.join, fence },
  at: { kind: "going", id: fence, params, ...leftFork(thread.at) },
  since: now,
});

/** The fork that a thread leaves while branches of it run. */
function leftFork(at: Checkpoint): { readonly left?: LeftFork } {
  if (at.kind === "going") return at.left === undefined ? {} : { left: at.left };
  if (at.kind !== "fork") return {};
  const { started, ended } = at.progress;
  const branches = [...started.keys()].filter((index) => !ended.some((end) => end.index === index));
  return branches.length === 0 ? {} : { left: { id: at.id, branches } };
}

/** Resumes a thread that is still at a checkpoint, unless another activation does. */
export async function resume(thread: string, at: string, params: JsonObject, context: HelperContext): Promise<boolean> {
  const mark = `${context.id}>${at}`;
  const moved = await move(thread, at, mark, context, (old) =>
    isSuspended(old.at) ? going(old, params, `${at}!`, context.now()) : undefined,
  );
  if (!moved) return false;
  await launch(moved, context);
  return true;
}

const isSuspended = ({ kind }: Checkpoint): boolean => kind !== "going" && kind !== "ended";

/** Starts the conductor of a thread and notes its activation. */
export async function launch(thread: Thread, context: HelperContext): Promise<void> {
  const { flow, run, began, position, state, stack, key, calls, attempt, join, at, token } = thread;
  if (at.kind !== "going") return;
  if (at.left) await context.abandon?.(at.left, context);
  const middle = state === undefined ? { token } : { state, stack, params: at.params, isInspected: at.isInspected };
  const continuation: Continuation = { run, began, position, key, calls, attempt, join, ...middle };
  const input = state === undefined ? at.params : {};
  const $waybill = context.sign(withoutUndefined(continuation));
  const activation = await context.platform.start(flow, { ...input, $waybill });
  await move(join.thread, at.id, `${context.id}@${at.id}`, context, (old) =>
    old.at.kind === "going" ? { ...old, at: { ...old.at, activation } } : undefined,
  );
}

/** Continues a thread in the activation that has just suspended it. False if another activation resumes it. */
export async function keepGoing(
  thread: string,
  at: string,
  params: JsonObject,
  context: HelperContext,
): Promise<boolean> {
  const moved = await move(thread, at, `${context.id}=${at}`, context, (old) =>
    isSuspended(old.at) ? { ...old, at: { kind: "going", id: `${at}!`, params }, since: context.now() } : undefined,
  );
  return moved !== undefined;
}

/** Ends a thread. The document of a run that an event has started remains for a time, so that it is not started again. */
export async function endThread({ thread, fence }: Join, context: HelperContext): Promise<void> {
  const { documents, settings, now } = context;
  if (fence === undefined) return documents.remove<Thread>(threadKey(thread), ({ at }) => at.kind === "going");
  await documents.change<Thread>(
    threadKey(thread),
    `${context.id}.`,
    (old) =>
      old && old.at.kind === "going"
        ? { ...old, stack: [], at: { kind: "ended", id: `${fence}.` }, since: now() }
        : unchanged,
    { keepMs: settings.keepOutcomesMs },
  );
}

/** Removes a thread that no fork waits for. */
export const forgetThread = ({ at, join }: Thread, { documents }: HelperContext): Promise<void> =>
  documents.remove<Thread>(threadKey(join.thread), (stored) => stored.at.id === at.id);

/** A run that an event starts. */
export interface RunStart {
  readonly thread: string;
  readonly flow: string;
  /** When the event arrived, in milliseconds since 1970. */
  readonly began: number;
  /** The correlation value of the event. */
  readonly token?: Json | undefined;
  readonly partition?: string | undefined;
}

/** Starts a run for an event, once. */
export async function startThread(
  { thread, flow, began, token, partition }: RunStart,
  context: HelperContext,
): Promise<void> {
  const join: Join = { id: "run", index: 0, thread, inbox: thread, fence: thread };
  const at: Checkpoint = { kind: "going", id: thread, params: {} };
  const partitions = partition === undefined ? [] : [partition];
  const state = { position: [], stack: [], key: thread, join, at, since: context.now(), token, partitions };
  const started: Thread = { flow, began, ...state };
  const mark = `${context.id}+${thread}`;
  const { isMine } = await context.documents.change<Thread>(threadKey(thread), mark, (old) =>
    old ? unchanged : started,
  );
  if (isMine) await launch(started, context);
}
