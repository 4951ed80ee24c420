import { type JsonObject, own } from "../../../../src/json.ts";
import { type Caller, joinOf, suspended, timedOut } from "./continuation.ts";
import { advance, inputOf } from "./forks.ts";
import { decisionOf, nothingStarted, type Plan, type Progress, startDue, withEnd } from "./joining.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { type Branch, type Checkpoint, checkpoint, plain } from "./threads.ts";

/** What a fork is asked for with. */
export interface Fork {
  readonly branches: readonly Branch[];
  readonly count?: number;
  readonly failure?: "fatal" | "spare";
  readonly width?: number;
  readonly gapMs?: number;
  readonly isComposition?: boolean | undefined;
  /** How much time the workflow gives the whole. */
  readonly timeoutMs?: number;
  /** `blocking`: this action waits for the branches; `joined`: the run is suspended, and the last branch resumes it. */
  readonly mode: "blocking" | "joined";
  readonly $waybill: Caller;
}

/** Runs branches side by side, each as an activation of its own: `{ results: [{ index, result }] }` of those that count, in their order, or `{ error }`. */
export async function fork(params: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const asked = params as unknown as Fork;
  const { branches, count, failure = "fatal", width, gapMs, isComposition, timeoutMs, mode, $waybill: caller } = asked;
  const plan: Plan = { total: branches.length, count, failure, width, gapMs, isComposition };
  const decided = decisionOf(plan, nothingStarted);
  if (decided && branches.length === 0) return decided;
  if (mode === "blocking") return decided ?? within(timeoutMs, inside(plan, asked, surroundings), surroundings);
  const { id } = surroundings;
  const timeoutAt = timeoutMs === undefined ? undefined : surroundings.now() + timeoutMs;
  const own = { plan: plain(plan) as unknown as Plan, progress: nothingStarted, branches, ...plain({ timeoutAt }) };
  const at: Checkpoint = { kind: "fork", id, ...own };
  if (await checkpoint(caller, at, surroundings)) await advance(joinOf(caller).thread, id, surroundings);
  return suspended;
}

/** Runs branches and waits for them here. */
function inside(plan: Plan, { branches, $waybill: caller }: Fork, surroundings: Surroundings): Promise<JsonObject> {
  const { platform, now, sleep } = surroundings;
  let progress: Progress = nothingStarted;
  return new Promise((resolve, reject) => {
    const run = async (index: number) => {
      const branch = branches[index]!;
      const { flow = caller.flow } = branch;
      const answer = await platform.call(flow, inputOf({ ...caller, join: undefined, branch, index }));
      const error = own(answer, "error");
      progress =
        withEnd(plan, progress, error === undefined ? { index, result: answer } : { index, error }) ?? progress;
      startMore();
    };
    const startMore = () => {
      const decision = decisionOf(plan, progress);
      if (decision) return resolve(decision);
      const due = startDue(plan, progress, now());
      progress = due.progress;
      for (const index of due.starting) run(index).catch(reject);
      if (due.again !== undefined) sleep(due.again - now()).then(startMore, reject);
    };
    startMore();
  });
}

/** What some work gives, or that the time is over before. */
const within = (ms: number | undefined, work: Promise<JsonObject>, { sleep }: Surroundings): Promise<JsonObject> =>
  ms === undefined ? work : Promise.race([work, sleep(ms).then(() => timedOut)]);

export const main = served(fork);
