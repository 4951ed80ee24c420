import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { errorOf, ofComposition, raised } from "../../helpers/errors.ts";
import { platformFailure } from "./surroundings.ts";

/** How branches run side by side and are joined. */
export interface Plan {
  readonly total: number;
  /** So many have to complete; all where nothing is said. */
  readonly count?: number | undefined;
  /** `fatal`: a failure fails the whole at once; `spare`: only when the join cannot be reached any more. */
  readonly failure: "fatal" | "spare";
  /** So many run at once; all where nothing is said. */
  readonly width?: number | undefined;
  /** Two starts are at least so far apart. */
  readonly gapMs?: number | undefined;
  /** What runs side by side are runs of a composition of Composer, whose errors are texts of its own. */
  readonly isComposition?: boolean | undefined;
}

/** How far a join has come: when each branch was started, in order of their indexes, and how those ended that did, in the order in which they did. */
export interface Progress {
  readonly started: readonly number[];
  readonly ended: readonly Ended[];
}

/** How a branch ended. */
export type Ended = { readonly index: number } & (
  | { readonly result: Json; readonly error?: never }
  | { readonly error: Json; readonly result?: never }
);

/** Nothing has been started. */
export const nothingStarted: Progress = { started: [], ended: [] };

/** What a join has come to: the answer of the fork, once it is decided. */
export function decisionOf(plan: Plan, { ended }: Progress): JsonObject | undefined {
  const wanted = plan.count ?? plan.total;
  const counted: { readonly index: number; readonly result: Json }[] = [];
  const answer = () => ({ results: counted.toSorted((a, b) => a.index - b.index) });
  let failed = 0;
  if (wanted === 0) return answer();
  for (const each of ended) {
    if (each.error === undefined) {
      counted.push({ index: each.index, result: each.result });
      if (counted.length >= wanted) return answer();
    } else {
      failed += 1;
      if (plan.failure === "fatal" || endsRun(each.error) || plan.total - failed < wanted) return { error: each.error };
    }
  }
  return undefined;
}

/** Whether a branch has ended the whole run, or by what nothing takes: nothing spares that. */
const endsRun = (error: Json): boolean =>
  isObject(error) &&
  (own(error, "$waybill") === "ended" || (Object.hasOwn(error, "$waybill") && own(error, "fatal") === true));

/** Notes how a branch ended; undefined where nothing changes by that: it was not started, has ended before, or nobody waits for it any more. */
export function withEnd(plan: Plan, progress: Progress, end: Ended): Progress | undefined {
  const isAwaited = end.index < progress.started.length && !progress.ended.some(({ index }) => index === end.index);
  if (!isAwaited || decisionOf(plan, progress) !== undefined) return undefined;
  const known = end.error === undefined ? end : { index: end.index, error: ofWorkflow(end.error, plan) };
  return { ...progress, ended: [...progress.ended, known] };
}

/**
 * The error of a branch as one of the workflow, which is an object. A text is how a function of the composition fails, or an action of the user's; where a helper
 * says by one that the platform or the store has failed it stays one.
 */
function ofWorkflow(error: Json, { isComposition }: Plan): Json {
  if (typeof error !== "string" || error.startsWith(platformFailure)) return error;
  return isComposition ? ofComposition(error) : raised(errorOf(error));
}

/** What may be started now: the indexes, and when to ask again where only time is in the way of the next. */
export interface Due {
  readonly progress: Progress;
  readonly starting: readonly number[];
  readonly again?: number | undefined;
}

/** Starts what may be started at an instant, in order, as width and gap allow. */
export function startDue(plan: Plan, progress: Progress, now: number): Due {
  const { total, width = Number.POSITIVE_INFINITY, gapMs = 0 } = plan;
  const started = [...progress.started];
  const starting: number[] = [];
  if (decisionOf(plan, progress) !== undefined) return { progress, starting };
  while (started.length < total && started.length - progress.ended.length < width) {
    const last = started.at(-1);
    const soonest = last === undefined ? now : last + gapMs;
    if (soonest > now) return { progress: { ...progress, started }, starting, again: soonest };
    starting.push(started.length);
    started.push(now);
  }
  return { progress: { ...progress, started }, starting };
}
