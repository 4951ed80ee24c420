import type { JsonObject } from "../../../../src/json.ts";
import type { HelperContext } from "./action.ts";
import { removeAlarm, setAlarm } from "./alarms.ts";
import { inputOf, withoutUndefined } from "./branch-input.ts";
import { type Join, joinOf } from "./caller.ts";
import type { ForkRequest, SuspendFork } from "./fork.ts";
import { type BranchEnd, decisionOf, nothingStarted, type Plan, startDue, withEnd } from "./joining.ts";
import { type Checkpoint, checkpoint, going, launch, move, type Thread } from "./threads.ts";

type ForkCheckpoint = Extract<Checkpoint, { readonly kind: "fork" }>;

/** Suspends a run and starts its branches; the last one resumes it. */
export const suspendFork: SuspendFork<HelperContext> = async (
  plan: Plan,
  request: ForkRequest,
  context: HelperContext,
) => {
  const { branches, timeoutMs, $waybill: caller } = request;
  const { id } = context;
  const timeoutAt = timeoutMs === undefined ? undefined : context.now() + timeoutMs;
  const state = { plan: withoutUndefined(plan) as unknown as Plan, progress: nothingStarted, branches };
  const at: Checkpoint = { kind: "fork", id, ...state, ...(timeoutAt === undefined ? {} : { timeoutAt }) };
  if (await checkpoint(caller, at, context)) await advance(joinOf(caller).thread, id, context);
};

/** Starts the branches that may start now. */
export async function advance(thread: string, at: string, context: HelperContext): Promise<void> {
  const now = context.now();
  let starting: readonly number[] = [];
  const moved = await move(thread, at, `${context.id}^${at}`, context, (old) => {
    if (old.at.kind !== "fork") return undefined;
    const next = withDueBranches(old, old.at, now);
    starting = next.starting;
    return starting.length > 0 ? next.thread : undefined;
  });
  if (moved) await startBranches(moved, starting, context);
}

/** Counts the end of a branch, once, and resumes the thread if that decides the fork. */
export async function branchEnded({ parent, id }: Join, end: BranchEnd, context: HelperContext): Promise<void> {
  const now = context.now();
  let starting: readonly number[] = [];
  let before: Checkpoint | undefined;
  const moved = await move(parent!, id, `${context.id}<${id}.${end.index}`, context, (old) => {
    starting = [];
    before = old.at;
    if (old.at.kind !== "fork") return undefined;
    const progress = withEnd(old.at.plan, old.at.progress, end);
    if (!progress) return undefined;
    const fork = { ...old.at, progress };
    const decision = decisionOf(fork.plan, progress);
    if (decision) return going({ ...old, at: fork }, decision, `${id}!`, now);
    const next = withDueBranches(old, fork, now);
    starting = next.starting;
    return next.thread;
  });
  if (!moved) return;
  if (moved.at.kind === "fork") return startBranches(moved, starting, context);
  await launch(moved, context);
  if (before) await removeAlarm(before, context);
}

function withDueBranches(
  thread: Thread,
  fork: ForkCheckpoint,
  now: number,
): { readonly thread: Thread; readonly starting: readonly number[] } {
  const { progress, starting, again } = startDue(fork.plan, fork.progress, now);
  const due = Math.min(again ?? Number.POSITIVE_INFINITY, fork.timeoutAt ?? Number.POSITIVE_INFINITY);
  const { due: _, ...rest } = fork;
  return { thread: { ...thread, at: { ...rest, progress, ...(Number.isFinite(due) ? { due } : {}) } }, starting };
}

async function startBranches(thread: Thread, starting: readonly number[], context: HelperContext): Promise<void> {
  const failures: unknown[] = [];
  for (const index of starting) await startBranch(thread, index, context).catch((error) => failures.push(error));
  await setAlarm(thread.join.thread, thread.at, context);
  if (failures.length > 0) throw failures[0];
}

/** Starts a branch: the same workflow at a state, or another one. */
export async function startBranch(forking: Thread, index: number, context: HelperContext): Promise<void> {
  if (forking.at.kind !== "fork") return;
  const { id, branches } = forking.at;
  const { inbox, age, rootBegan, thread: parent } = forking.join;
  const enclosing = mayBeDecidedEarly(forking.at) ? { thread: parent, id } : enclosingOf(forking.join);
  const branch = branches[index]!;
  const thread = branchThread(id, index);
  const events =
    branch.flow === undefined
      ? { inbox, age, rootBegan }
      : { inbox: thread, age: [...forking.position, index], rootBegan: rootBegan ?? forking.began };
  const join: Join = { id, index, parent, thread, ...events, enclosing };
  const input: JsonObject = inputOf({ ...forking, join, branch, index }, context);
  await context.platform.start(branch.flow ?? forking.flow, input);
}

/** Whether a fork may be decided while one of its branches runs. */
const mayBeDecidedEarly = ({ plan, timeoutAt }: ForkCheckpoint): boolean => plan.total > 1 || timeoutAt !== undefined;

const enclosingOf = ({ parent, enclosing }: Join): Join["enclosing"] => (parent === undefined ? null : enclosing);

/** The thread of a branch. */
export const branchThread = (fork: string, index: number): string => `${fork}.${index}`;
