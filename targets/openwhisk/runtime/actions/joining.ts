import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { compositionError, errorOf, toError } from "../../helpers/errors.ts";
import { platformFailure } from "./action.ts";

/** A branch: a state of this composition, or another workflow with its input. */
export interface Branch {
  readonly state?: string | undefined;
  readonly params?: JsonObject | undefined;
  readonly flow?: string | undefined;
  readonly input?: JsonObject | undefined;
}

/** How branches run concurrently and are joined. */
export interface Plan {
  readonly total: number;
  /** The number of branches that must succeed. Default: all. */
  readonly count?: number | undefined;
  /** `fatal`: a failure fails the fork; `spare`: only if too few branches are left. */
  readonly failure: "fatal" | "spare";
  /** The maximum number of concurrent branches. Default: all. */
  readonly width?: number | undefined;
  /** The minimum time between two starts. */
  readonly gapMs?: number | undefined;
  /** Whether the branches are native compositions, which have other errors. */
  readonly isComposition?: boolean | undefined;
}

/** The progress of a fork: when each branch was started, by index, and the ends of branches in their order. */
export interface Progress {
  readonly started: readonly number[];
  readonly ended: readonly BranchEnd[];
}

/** The end of a branch. */
export type BranchEnd = { readonly index: number } & (
  | { readonly result: Json; readonly error?: never }
  | { readonly error: Json; readonly result?: never }
);

/** The progress of a fork that has started nothing. */
export const nothingStarted: Progress = { started: [], ended: [] };

/** The result of the fork, once it is decided. */
export function decisionOf(plan: Plan, { ended }: Progress): JsonObject | undefined {
  const wanted = plan.count ?? plan.total;
  const counted: { readonly index: number; readonly result: Json }[] = [];
  const result = () => ({ results: counted.toSorted((a, b) => a.index - b.index) });
  let failed = 0;
  if (wanted === 0) return result();
  for (const each of ended) {
    if (each.error === undefined) {
      counted.push({ index: each.index, result: each.result });
      if (counted.length >= wanted) return result();
    } else {
      failed += 1;
      if (plan.failure === "fatal" || endsRun(each.error) || plan.total - failed < wanted) return { error: each.error };
    }
  }
  return undefined;
}

/** Whether an error ends the whole run, or bypasses handlers: such an error always fails the fork. */
const endsRun = (error: Json): boolean =>
  isObject(error) &&
  (own(error, "$waybill") === "ended" || (Object.hasOwn(error, "$waybill") && own(error, "fatal") === true));

/** Adds the end of a branch. Undefined if it does not count: the branch has ended before, or the fork is decided. */
export function withEnd(plan: Plan, progress: Progress, end: BranchEnd): Progress | undefined {
  const isAwaited = end.index < progress.started.length && !progress.ended.some(({ index }) => index === end.index);
  if (!isAwaited || decisionOf(plan, progress) !== undefined) return undefined;
  const known = end.error === undefined ? end : { index: end.index, error: ofWorkflow(end.error, plan) };
  return { ...progress, ended: [...progress.ended, known] };
}

/**
 * Converts the error of a branch to an error of the workflow, which is an object. Failures of the platform or the store
 * stay strings.
 */
function ofWorkflow(error: Json, { isComposition }: Plan): Json {
  if (typeof error === "string" && error.startsWith(platformFailure)) return error;
  if (isComposition) return compositionError(error);
  return typeof error === "string" ? toError(errorOf(error)) : error;
}

/** The branches that may start now, and when the next one may if only time prevents it. */
export interface DueBranches {
  readonly progress: Progress;
  readonly starting: readonly number[];
  readonly again?: number | undefined;
}

/** Starts branches, in order, as far as width and gap allow. */
export function startDue(plan: Plan, progress: Progress, now: number): DueBranches {
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
