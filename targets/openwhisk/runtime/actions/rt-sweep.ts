import type { JsonObject } from "../../../../src/json.ts";
import { type Board, changeBoard, readBoard, register } from "./board.ts";
import { deliver } from "./events.ts";
import { advance, startBranch } from "./forks.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { forgetThread, forksAround, going, launch, move, readThread, type Thread } from "./threads.ts";
import { ring } from "./timers.ts";

/** A thread that should have come further long ago: an activation was lost, or is at work for very long. */
export interface Stalled {
  readonly thread: string;
  readonly flow: string;
  readonly run?: string | undefined;
  /** The state that it goes on with; absent: the beginning. */
  readonly state?: string | null | undefined;
  readonly since: string;
  /** The last activation that is known. */
  readonly activation?: string | undefined;
}

/** A thread that waits as it should. */
export interface Resting {
  readonly thread: string;
  readonly flow: string;
  readonly run?: string | undefined;
  readonly state?: string | null | undefined;
  readonly waitsFor: "events" | "time" | "branches";
  readonly since: string;
  /** When it goes on without. */
  readonly due?: string | undefined;
}

/**
 * Looks after what nobody else does: tells what has been decided and not told, rings alarms that have not rung, forgets threads that nobody waits for, and
 * lists those that have stalled.
 * With `list` it touches nothing, and lists those that wait too. With `resume`, the name of a thread that has stalled, that goes on from its last
 * checkpoint: what it has done since is done again.
 */
export async function sweep({ resume, list }: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  if (typeof resume === "string") return { resumed: await resumeStalled(resume, surroundings) };
  const board = await readBoard(surroundings);
  if (list !== true) await deliver(board, surroundings);
  const stalled: Stalled[] = [];
  const waiting: Resting[] = [];
  for (const key of await surroundings.documents.keys("thread:")) {
    const thread = await readThread(surroundings, key.slice("thread:".length));
    if (!thread) continue;
    if (!(await forksAround(thread.join, surroundings))) {
      if (list !== true) await forgetThread(thread, surroundings);
      continue;
    }
    if (list !== true) await lookAfter(thread, board, surroundings);
    stalled.push(...stalledIn(thread, surroundings));
    waiting.push(...restingIn(thread));
  }
  const lost = stalled.filter(({ thread }, i) => stalled.findIndex((other) => other.thread === thread) === i);
  const found = { stalled: await withoutLive(lost, surroundings), ...(list === true ? { waiting } : {}) };
  return found as unknown as JsonObject;
}

/** Rings an alarm that is overdue, and has a wait or branches begin that were stored and not begun. */
async function lookAfter(
  { at, join: { thread } }: Thread,
  { waits }: Board,
  surroundings: Surroundings,
): Promise<void> {
  if (at.kind === "wait" && !waits.some((waiting) => waiting.at === at.id)) {
    const current = await readThread(surroundings, thread);
    if (current?.at.id !== at.id) return;
    const begun = (board: Board) => register(board, at.waiting, at.awaited, at.token ?? null);
    await deliver(await changeBoard(surroundings, `again ${at.id}`, begun), surroundings);
  }
  if (at.kind === "fork") await advance(thread, at.id, surroundings);
  if (at.due !== undefined && at.due <= surroundings.now()) await ring(thread, at.id, surroundings);
}

/** What of a thread has stalled: itself, or branches that were started and of which nothing was heard. */
function stalledIn(
  { at, join: { thread }, flow, run, state, since }: Thread,
  { now, settings }: Surroundings,
): Stalled[] {
  const isLong = (from: number) => now() - from > settings.stalledMs;
  const at_ = (from: number) => new Date(from).toISOString();
  if (at.kind === "going" && isLong(since))
    return [{ thread, flow, run, state, since: at_(since), activation: at.activation }];
  if (at.kind !== "fork") return [];
  const { started, ended } = at.progress;
  return started.flatMap((from, index) => {
    if (ended.some((end) => end.index === index) || !isLong(from)) return [];
    const branch = at.branches[index]!;
    return [{ thread: `${at.id}.${index}`, flow: branch.flow ?? flow, run, state: branch.state, since: at_(from) }];
  });
}

/** A thread that waits, as it is listed. */
function restingIn({ at, join: { thread }, flow, run, state, since }: Thread): readonly Resting[] {
  if (at.kind === "going" || at.kind === "ended") return [];
  const waitsFor = ({ wait: "events", delay: "time", fork: "branches" } as const)[at.kind];
  const due = at.due === undefined ? {} : { due: new Date(at.due).toISOString() };
  return [{ thread, flow, run, state, waitsFor, since: new Date(since).toISOString(), ...due }];
}

/** Without the branches that have got further: those have a document of their own, which tells of them. */
async function withoutLive(stalled: readonly Stalled[], surroundings: Surroundings): Promise<readonly Stalled[]> {
  const kept: Stalled[] = [];
  for (const each of stalled) {
    const thread = await readThread(surroundings, each.thread);
    if (!thread || thread.at.kind === "going") kept.push(each);
  }
  return kept;
}

/** Goes on with a thread that has stalled. What still runs of it has no say from then on. */
async function resumeStalled(thread: string, surroundings: Surroundings): Promise<boolean> {
  const stored = await readThread(surroundings, thread);
  if (!stored) return startAgain(thread, surroundings);
  if (stored.at.kind !== "going") return false;
  const { params = {}, isInspected } = stored.at;
  const { id } = surroundings;
  const moved = await move(thread, stored.at.id, id, surroundings, (old) => {
    const resumed = going(old, params, `${id}!`, surroundings.now());
    return { ...resumed, at: { ...resumed.at, ...(isInspected === undefined ? {} : { isInspected }) } as Thread["at"] };
  });
  if (moved) await launch(moved, surroundings);
  return moved !== undefined;
}

/** Starts a branch again that has not come to a checkpoint of its own. */
async function startAgain(thread: string, surroundings: Surroundings): Promise<boolean> {
  const [, id, index] = /^(.*)\.(\d+)$/.exec(thread) ?? [];
  if (id === undefined) return false;
  for (const key of await surroundings.documents.keys("thread:")) {
    const parent = await readThread(surroundings, key.slice("thread:".length));
    if (parent?.at.kind !== "fork" || parent.at.id !== id) continue;
    const { started, ended } = parent.at.progress;
    if (Number(index) >= started.length || ended.some((end) => end.index === Number(index))) return false;
    await startBranch(parent, Number(index), surroundings);
    return true;
  }
  return false;
}

export const main = served(sweep);
