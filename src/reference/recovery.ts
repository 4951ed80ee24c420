import { timedOut } from "../ir/failures.ts";
import type { Backoff, Case, Handler, Reference, Retry } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { type Context, compute } from "./context.ts";
import { asJson, failureOf, RunEnd, StepFailure } from "./failure.ts";

/** What a step leads to: the next step (`by` the case or the handler that was taken, if one was), or the end of its scope. */
export type Done =
  | { readonly kind: "next"; readonly next: Reference; readonly by?: Case | Handler | undefined }
  | { readonly kind: "ended"; readonly value: Json };

/** What steps that can fail have in common. */
interface Recoverable {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
  readonly bind?: string | undefined;
  readonly next: Reference;
}

/** Works until it succeeds, until no retry is left and a handler takes the error, or until none does. */
export async function recovering(step: Recoverable, context: Context, work: () => Promise<Json>): Promise<Done> {
  const { own } = context.environment;
  const used = new Map<Retry, number>();
  for (;;) {
    try {
      const value = await work();
      if (step.bind !== undefined) own.set(step.bind, value);
      return { kind: "next", next: step.next };
    } catch (error) {
      if (error instanceof RunEnd || context.signal.aborted) throw error;
      const failure = failureOf(error);
      const wait = failure.error.fatal ? undefined : delayOf(step.retries, used, failure, context);
      if (wait === undefined) return handled(step, failure, context);
      if (wait > 0) await context.run.world.sleep(wait, context.signal);
    }
  }
}

/** Seconds until the next attempt, by the first retry that matches; undefined when that allows none, or none matches. */
function delayOf(
  retries: readonly Retry[],
  used: Map<Retry, number>,
  failure: StepFailure,
  context: Context,
): number | undefined {
  const retry = retries.find(({ when }) => applies(when, failure, context));
  const count = retry ? (used.get(retry) ?? 0) + 1 : 0;
  if (!retry || count > retry.limit) return undefined;
  used.set(retry, count);
  return backoff(retry.delay, count);
}

/** The wait before the n-th retry, without jitter, which is 0 on virtual time. */
function backoff({ base, factor, step, cap }: Backoff, n: number): number {
  return Math.min(base * factor ** (n - 1) + (n - 1) * step, cap ?? Number.POSITIVE_INFINITY);
}

function handled({ handlers }: Recoverable, failure: StepFailure, context: Context): Done {
  const handler = failure.error.fatal ? undefined : handlers.find(({ when }) => applies(when, failure, context));
  if (!handler) throw failure;
  if (handler.bind !== undefined) context.environment.own.set(handler.bind, asJson(failure.error));
  return { kind: "next", next: handler.next, by: handler };
}

const applies = (when: Handler["when"], { error }: StepFailure, context: Context): boolean =>
  compute(when, context, new Map([["error", asJson(error)]])) === true;

/** Lets work go on for so many seconds; then it is cut off, and fails by a time-out. */
export async function limited<T>(
  seconds: number | undefined,
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(context);
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const working = work({ ...context, signal });
  const expiry = context.run.world.sleep(seconds, signal).then(() => {
    throw new StepFailure(timedOut);
  });
  working.catch(() => undefined);
  expiry.catch(() => undefined);
  return Promise.race([working, expiry]).finally(() => stop.abort(new Error("cut off")));
}
