import type { JsonObject } from "../../../../src/json.ts";
import type { HelperContext, Operation } from "./action.ts";
import { advance, branchThread, startBranch } from "./forks.ts";
import { forgetThread, going, isAwaited, launch, move, readThread, type Thread } from "./threads.ts";
import { ring, type WaitTimers } from "./timers.ts";

/** A thread that should have continued: an activation was lost, or takes very long. */
export interface StalledThread {
  readonly thread: string;
  readonly flow: string;
  readonly run?: string | undefined;
  /** The next state. Undefined: the beginning. */
  readonly state?: string | null | undefined;
  readonly since: string;
  readonly activation?: string | undefined;
}

/** A thread that waits. */
export interface WaitingThread {
  readonly thread: string;
  readonly flow: string;
  readonly run?: string | undefined;
  readonly state?: string | null | undefined;
  readonly waitsFor: "events" | "time" | "branches";
  readonly since: string;
  readonly due?: string | undefined;
}

/** How the janitor treats events and waits for them. */
export interface EventJanitor<Context extends HelperContext> extends WaitTimers<Context> {
  /** Begins the wait of a thread again if its partition does not know it. */
  beginAgain(thread: Thread, context: Context): Promise<void>;
  /** Performs what partitions have decided, and deletes what has expired; `read` reads all threads. */
  tidy(read: () => Promise<readonly Thread[]>, context: Context): Promise<void>;
}

/**
 * Creates the operation that runs once a minute: it performs what crashes have left undone, fires missed timers and
 * deletes what has expired. It returns the stalled threads.
 */
export const createJanitor =
  <Context extends HelperContext>(events?: EventJanitor<Context>): Operation =>
  async (_, given) => {
    const context = given as Context;
    let threads: readonly Thread[] | undefined;
    const read = async () => {
      threads ??= await readThreads(context);
      return threads;
    };
    await events?.tidy(read, context);
    const kept: Thread[] = [];
    for (const thread of await read()) {
      if (await isAwaited(thread.join, context)) {
        await lookAfter(thread, context, events);
        kept.push(thread);
        continue;
      }
      if (thread.at.kind === "wait") await events?.cancelWait(thread, thread.at, context);
      await forgetThread(thread, context);
    }
    return { stalled: await findStalled(kept, context) } as unknown as JsonObject;
  };

/** Lists threads (`list: true`), or resumes a stalled one at its last checkpoint, which repeats what it did since. */
export const operate: Operation = async ({ resume }, context) => {
  if (typeof resume === "string") return { resumed: await resumeStalled(resume, context) };
  const all = await readThreads(context);
  const alive: Thread[] = [];
  for (const thread of all) if (await isAwaited(thread.join, context)) alive.push(thread);
  const waiting = alive.flatMap(waitingThread);
  return { stalled: await findStalled(alive, context), waiting } as unknown as JsonObject;
};

async function readThreads(context: HelperContext): Promise<readonly Thread[]> {
  const threads: Thread[] = [];
  for (const key of await context.documents.keys("thread:")) {
    const thread = await readThread(context, key.slice("thread:".length));
    if (thread) threads.push(thread);
  }
  return threads;
}

async function lookAfter<Context extends HelperContext>(
  thread: Thread,
  context: Context,
  events: EventJanitor<Context> | undefined,
): Promise<void> {
  const { at, join } = thread;
  if (at.kind === "wait") await events?.beginAgain(thread, context);
  if (at.kind === "fork") await advance(join.thread, at.id, context);
  if (at.due !== undefined && at.due <= context.now()) await ring(join.thread, at.id, context, events);
}

/** The stalled threads, without branches that have a later checkpoint of their own. */
async function findStalled(threads: readonly Thread[], context: HelperContext): Promise<readonly StalledThread[]> {
  const found = new Map(threads.flatMap((thread) => stalledIn(thread, context)).map((each) => [each.thread, each]));
  const stalled: StalledThread[] = [];
  for (const each of found.values()) {
    const thread = await readThread(context, each.thread);
    if (!thread || thread.at.kind === "going") stalled.push(each);
  }
  return stalled;
}

/** The thread itself, or branches that it has started. */
function stalledIn(
  { at, join: { thread }, flow, run, state, since }: Thread,
  { now, settings }: HelperContext,
): readonly StalledThread[] {
  const isLong = (from: number) => now() - from > settings.stalledMs;
  if (at.kind === "going" && isLong(since))
    return [{ thread, flow, run, state, since: isoTime(since), activation: at.activation }];
  if (at.kind !== "fork") return [];
  const { started, ended } = at.progress;
  return started.flatMap((from, index) => {
    if (ended.some((end) => end.index === index) || !isLong(from)) return [];
    const branch = at.branches[index]!;
    const name = branchThread(at.id, index);
    return [{ thread: name, flow: branch.flow ?? flow, run, state: branch.state, since: isoTime(from) }];
  });
}

function waitingThread({ at, join: { thread }, flow, run, state, since }: Thread): readonly WaitingThread[] {
  if (at.kind === "going" || at.kind === "ended") return [];
  const waitsFor = ({ wait: "events", delay: "time", fork: "branches" } as const)[at.kind];
  const due = at.due === undefined ? {} : { due: isoTime(at.due) };
  return [{ thread, flow, run, state, waitsFor, since: isoTime(since), ...due }];
}

const isoTime = (at: number): string => new Date(at).toISOString();

/** Activations of the thread that still run no longer count. */
async function resumeStalled(thread: string, context: HelperContext): Promise<boolean> {
  const stored = await readThread(context, thread);
  if (!stored) return startAgain(thread, context);
  if (stored.at.kind !== "going") return false;
  const { params = {}, isInspected } = stored.at;
  const { id } = context;
  const moved = await move(thread, stored.at.id, id, context, (old) => {
    const resumed = going(old, params, `${id}!`, context.now());
    return { ...resumed, at: { ...resumed.at, ...(isInspected === undefined ? {} : { isInspected }) } as Thread["at"] };
  });
  if (moved) await launch(moved, context);
  return moved !== undefined;
}

/** Starts a branch again that has no checkpoint. */
async function startAgain(thread: string, context: HelperContext): Promise<boolean> {
  const [, id, index] = /^(.*)\.(\d+)$/.exec(thread) ?? [];
  if (id === undefined) return false;
  const parent = (await readThreads(context)).find(({ at }) => at.kind === "fork" && at.id === id);
  if (parent?.at.kind !== "fork") return false;
  const { started, ended } = parent.at.progress;
  if (Number(index) >= started.length || ended.some((end) => end.index === Number(index))) return false;
  await startBranch(parent, Number(index), context);
  return true;
}
