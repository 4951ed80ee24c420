import type { Command, Effect } from "../../../../src/events/commands.ts";
import { answerOf, type StoredWait } from "../../../../src/events/partition.ts";
import { pendingEffects } from "../../../../src/events/pending.ts";
import { assertNever, type Json, type JsonObject } from "../../../../src/json.ts";
import { timedOut } from "./caller.ts";
import { type Awaited, digestOf } from "./event-rules.ts";
import { branchThread } from "./forks.ts";
import type { LeaveEvents } from "./join.ts";
import {
  type EventContext,
  newWait,
  type PartitionDocument,
  partitionFor,
  readPartition,
  runValueOf,
  type Waiting,
  waitId,
} from "./partition-documents.ts";
import { changePartition } from "./partitions.ts";
import { expireIdle } from "./seen.ts";
import type { AbandonBranches } from "./threads.ts";
import { isAwaited, readThread, resume, startThread, type Thread } from "./threads.ts";

/** The checkpoint of a thread that waits for events. */
export interface SuspendedWait {
  readonly waiting: Waiting;
  readonly awaited: Awaited;
  /** The run's correlation value, as far as the thread knows. */
  readonly token?: Json;
  /** Undefined in stores of form 1. */
  readonly partition?: string;
}

type WaitCheckpoint = Extract<Thread["at"], { readonly kind: "wait" }>;

/** The partition of a thread's wait. */
export const partitionOfWait = (thread: Thread, at: WaitCheckpoint, { program }: EventContext): string =>
  at.partition ?? partitionFor(thread, at.waiting.values, at.token, program);

/** Begins the wait of a thread, unless its partition knows it already. */
export function register(
  key: string,
  { waiting, awaited, token = null }: SuspendedWait,
  context: EventContext,
): Promise<PartitionDocument> {
  const digest = digestOf(awaited);
  const id = waitId(waiting.thread, waiting.at);
  const commands = (document: PartitionDocument): readonly Command[] => {
    if (document.partition.waits.some((wait) => wait.id === id)) return [];
    const isKnown = token === null || runValueOf(document, waiting.inbox) !== undefined;
    const bind: Command = { kind: "setToken", run: waiting.inbox, value: token, at: waiting.since };
    return [...(isKnown ? [] : [bind]), { kind: "wait", wait: newWait(waiting, digest) }];
  };
  return changePartition(key, `wait ${id}`, commands, context, { [digest]: awaited });
}

/** The result of a wait that has ended, for its thread. */
export function resultOf(document: PartitionDocument, wait: StoredWait): JsonObject {
  const { alternative, events, groups, error } = answerOf(document.partition, wait);
  if (error !== undefined) return { error };
  const value = runValueOf(document, wait.run);
  const received = { alternative, events, groups } as unknown as Json;
  return { received, ...(value === undefined || value === null ? {} : { token: value }) };
}

/** Whether a wait has ended and its thread may not know. */
export const isPending = ({ end, isConfirmed }: StoredWait): boolean => end !== undefined && isConfirmed !== true;

/** Performs the pending effects of a partition, and notes them. Those that fail stay for the next activation. */
export async function deliver(key: string, document: PartitionDocument, context: EventContext): Promise<void> {
  const commands: Command[] = [];
  const failures: unknown[] = [];
  for (const effect of pendingEffects(document.partition))
    try {
      commands.push(...(await perform(effect, key, document, context)));
    } catch (error) {
      failures.push(error);
    }
  if (commands.length > 0) {
    const names = commands.map((command) => ("id" in command ? command.id : "run" in command ? command.run : ""));
    await changePartition(
      key,
      `performed ${names.join()}`,
      () => [...commands, { kind: "sweep", before: 0, limit: 1000 }],
      context,
    );
  }
  if (failures.length > 0) throw failures[0];
}

/** Performs an effect. Returns the command that notes it. */
async function perform(
  effect: Effect,
  partition: string,
  document: PartitionDocument,
  context: EventContext,
): Promise<readonly Command[]> {
  switch (effect.kind) {
    case "wake":
      return [await wake(effect.wait, resultOf(document, effect.wait), context)];
    case "start": {
      const { run, workflow: flow, at: began, value: token } = effect;
      await startThread({ thread: run, flow, began, token, partition }, context);
      return [{ kind: "join", run }];
    }
    case "forget":
      return [];
    default:
      return assertNever(effect);
  }
}

/**
 * Resumes the thread of a wait. If a fork around it has been decided before, the wait has not ended: it is cancelled,
 * which releases its events.
 */
async function wake(wait: StoredWait, result: JsonObject, context: EventContext): Promise<Command> {
  const { id } = wait;
  const { thread: name, at } = wait.data as unknown as { readonly thread: string; readonly at: string };
  const thread = await readThread(context, name);
  const isThere = thread?.at.id === at;
  if (thread && !isThere) return { kind: "confirm", id };
  if (!thread || !(await isAwaited(thread.join, context))) return { kind: "cancelWait", id, at: context.now() };
  await resume(name, at, result, context);
  return { kind: "confirm", id };
}

/** Ends a wait whose alternatives have timed out. */
export async function giveUp(thread: Thread, at: WaitCheckpoint, context: EventContext): Promise<void> {
  const key = partitionOfWait(thread, at, context);
  const id = waitId(thread.join.thread, at.id);
  const expire: Command = { kind: "expire", id, at: context.now() };
  await deliver(key, await changePartition(key, "expire", () => [expire], context), context);
}

/** Ends a wait because the time that the workflow allows has passed, unless it has already ended. */
export async function stopWaiting(thread: Thread, at: WaitCheckpoint, context: EventContext): Promise<void> {
  const key = partitionOfWait(thread, at, context);
  const id = waitId(thread.join.thread, at.id);
  const isEnded = (document: PartitionDocument) =>
    document.partition.waits.some((wait) => wait.id === id && isPending(wait));
  const cancel: Command = { kind: "cancelWait", id, at: context.now() };
  const document = await changePartition(key, "stop", (now) => (isEnded(now) ? [] : [cancel]), context);
  if (!isEnded(document)) await resume(thread.join.thread, at.id, timedOut, context);
  await deliver(key, document, context);
}

/** Cancels the waits of branches that no longer count, so that they take no events. */
export const abandonBranches: AbandonBranches = async ({ id, branches }, context) => {
  for (const index of branches) {
    const thread = await readThread(context, branchThread(id, index));
    if (thread?.at.kind === "fork") {
      const { started } = thread.at.progress;
      await abandonBranches({ id: thread.at.id, branches: [...started.keys()] }, context);
    }
    if (thread?.at.kind === "wait") await cancelWait(thread, thread.at, context as EventContext);
  }
};

/** Cancels the wait of a thread. */
export async function cancelWait(thread: Thread, at: WaitCheckpoint, context: EventContext): Promise<void> {
  const key = partitionOfWait(thread, at, context);
  const id = waitId(thread.join.thread, at.id);
  const cancel: Command = { kind: "cancelWait", id, at: context.now() };
  await deliver(key, await changePartition(key, `cancel ${id}`, () => [cancel], context), context);
}

/** Forgets a run in its partitions. */
export const leaveEvents: LeaveEvents = async ({ join, partitions = [] }, given) => {
  const context = given as EventContext;
  for (const key of partitions) {
    await deliver(key, await readPartition(key, context), context);
    const leave: Command = { kind: "leave", run: join.inbox, at: context.now() };
    const document = await changePartition(key, "leave", () => [leave], context);
    await deliver(key, document, context);
    await expireIdle(key, document, context);
  }
};
