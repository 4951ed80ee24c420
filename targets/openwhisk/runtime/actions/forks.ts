import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { type Continuation, type Join, variablesOn } from "./continuation.ts";
import { decisionOf, type Ended, startDue, withEnd } from "./joining.ts";
import type { Surroundings } from "./surroundings.ts";
import { type Checkpoint, going, launch, move, plain, removeAlarm, setAlarm, type Thread } from "./threads.ts";

/** A thread whose branches run by themselves. */
type Fork = Extract<Checkpoint, { readonly kind: "fork" }>;

/** Starts the branches that may be started now. */
export async function advance(thread: string, at: string, surroundings: Surroundings): Promise<void> {
  const now = surroundings.now();
  let starting: readonly number[] = [];
  const moved = await move(thread, at, `${surroundings.id}^${at}`, surroundings, (old) => {
    if (old.at.kind !== "fork") return undefined;
    const begun = begin(old, old.at, now);
    starting = begun.starting;
    return starting.length > 0 ? begun.thread : undefined;
  });
  if (moved) await startBranches(moved, starting, surroundings);
}

/** A branch has ended: it counts once, and while its fork is still waited for. The last one that counts resumes the thread. */
export async function branchEnded({ parent, id }: Join, end: Ended, surroundings: Surroundings): Promise<void> {
  const now = surroundings.now();
  let starting: readonly number[] = [];
  let before: Checkpoint | undefined;
  const moved = await move(parent!, id, `${surroundings.id}<${id}.${end.index}`, surroundings, (old) => {
    starting = [];
    before = old.at;
    if (old.at.kind !== "fork") return undefined;
    const progress = withEnd(old.at.plan, old.at.progress, end);
    if (!progress) return undefined;
    const answer = decisionOf(old.at.plan, progress);
    if (answer) return going(old, answer, `${id}!`, now);
    const begun = begin(old, { ...old.at, progress }, now);
    starting = begun.starting;
    return begun.thread;
  });
  if (!moved) return;
  if (moved.at.kind === "fork") return startBranches(moved, starting, surroundings);
  await launch(moved, surroundings);
  if (before) await removeAlarm(before, surroundings);
}

/** A fork of which all is started that may be. */
function begin(
  thread: Thread,
  fork: Fork,
  now: number,
): { readonly thread: Thread; readonly starting: readonly number[] } {
  const { progress, starting, again } = startDue(fork.plan, fork.progress, now);
  const due = Math.min(again ?? Number.POSITIVE_INFINITY, fork.timeoutAt ?? Number.POSITIVE_INFINITY);
  const { due: _, ...rest } = fork;
  return { thread: { ...thread, at: { ...rest, progress, ...(Number.isFinite(due) ? { due } : {}) } }, starting };
}

async function startBranches(thread: Thread, starting: readonly number[], surroundings: Surroundings): Promise<void> {
  const failures: unknown[] = [];
  for (const index of starting) await startBranch(thread, index, surroundings).catch((error) => failures.push(error));
  await setAlarm(thread.join.thread, thread.at, surroundings);
  if (failures.length > 0) throw failures[0];
}

/** Starts a branch of a fork: by this flow in the middle, or by another from its beginning. */
export async function startBranch(forking: Thread, index: number, { platform }: Surroundings): Promise<void> {
  if (forking.at.kind !== "fork") return;
  const { id, branches } = forking.at;
  const { inbox, thread: parent } = forking.join;
  const branch = branches[index]!;
  const thread = `${id}.${index}`;
  const join: Join = { id, index, parent, thread, inbox: branch.flow === undefined ? inbox : thread };
  await platform.start(branch.flow ?? forking.flow, inputOf({ ...forking, join, branch, index }));
}

/** What the conductor is started with for a branch. */
export function inputOf({
  branch: { state, params = {}, flow, input = {} },
  index,
  run,
  began,
  position = [],
  stack,
  join,
}: Pick<Thread, "run" | "began" | "stack"> & {
  readonly position?: readonly number[] | undefined;
  readonly join?: Join | undefined;
  readonly branch: Extract<Checkpoint, { readonly kind: "fork" }>["branches"][number];
  readonly index: number;
}): JsonObject {
  const part = { run, position: [...position, index], join };
  const continuation: Continuation =
    flow === undefined ? { ...part, began, state, stack: variablesOn(stack), params, isInspected: true } : part;
  if (flow === undefined) return { $waybill: plain(continuation) as Json };
  const told = own(input, "$waybill");
  const root = isObject(told) ? own(told, "root") : undefined;
  return { ...input, $waybill: plain({ root, ...continuation }) as Json };
}
