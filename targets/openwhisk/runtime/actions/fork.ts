import { type JsonObject, own } from "../../../../src/json.ts";
import type { ActionContext, Operation } from "./action.ts";
import { inputOf } from "./branch-input.ts";
import { type Caller, suspended, timedOut } from "./caller.ts";
import { type Branch, decisionOf, nothingStarted, type Plan, type Progress, startDue, withEnd } from "./joining.ts";

/** A fork: branches that run concurrently, each in its own activation. */
export interface ForkRequest {
  readonly branches: readonly Branch[];
  readonly count?: number;
  readonly failure?: "fatal" | "spare";
  readonly width?: number;
  readonly gapMs?: number;
  readonly isComposition?: boolean | undefined;
  /** The time that the workflow allows for all branches. */
  readonly timeoutMs?: number;
  /** `blocking`: this activation waits for the branches; `joined`: the run is suspended until they have ended. */
  readonly mode: "blocking" | "joined";
  readonly $waybill: Caller;
}

/** Suspends a run until its branches have ended. */
export type SuspendFork<Context> = (plan: Plan, request: ForkRequest, context: Context) => Promise<void>;

/** Creates the operation for forks. The result is `{ results: [{ index, result }] }` by index, or `{ error }`. */
export const createFork =
  <Context extends ActionContext>(suspendFork?: SuspendFork<Context>): Operation<Context> =>
  async (params, context) => {
    const request = params as unknown as ForkRequest;
    const { branches, count, failure = "fatal", width, gapMs, isComposition, timeoutMs, mode } = request;
    const plan: Plan = { total: branches.length, count, failure, width, gapMs, isComposition };
    const decided = decisionOf(plan, nothingStarted);
    if (decided) return decided;
    if (suspendFork && mode === "joined") {
      await suspendFork(plan, request, context);
      return suspended;
    }
    const result = runBranches(plan, request, context);
    if (timeoutMs === undefined) return result;
    return Promise.race([result, context.sleep(timeoutMs).then(() => timedOut)]);
  };

/** Invokes branches and waits for them in this activation. */
function runBranches(
  plan: Plan,
  { branches, $waybill: caller }: ForkRequest,
  context: ActionContext,
): Promise<JsonObject> {
  const { platform, now, sleep } = context;
  let progress: Progress = nothingStarted;
  return new Promise((resolve, reject) => {
    const run = async (index: number) => {
      const branch = branches[index]!;
      const { flow = caller.flow } = branch;
      const result = await platform.call(flow, inputOf({ ...caller, join: undefined, branch, index }, context));
      const error = own(result, "error");
      progress = withEnd(plan, progress, error === undefined ? { index, result } : { index, error }) ?? progress;
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
