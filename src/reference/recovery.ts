import { missedHeartbeatError, stepTimeoutError } from "../ir/errors.ts";
import { maxRetries } from "../ir/recovery.ts";
import type { Backoff, ChooseCase, Handler, Reference, Retry, Seconds } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { promised, type Work, waiting } from "./activities.ts";
import { type Context, compute } from "./context.ts";
import { asJson, failureIn, RunEnd, StepFailure } from "./failure.ts";

/** The outcome of a step: the next step (`by` the case or handler that led to it, if any), or the end of its scope. */
export type Done =
  | { readonly kind: "next"; readonly next: Reference; readonly by?: ChooseCase | Handler | undefined }
  | { readonly kind: "ended"; readonly value: Json };

/** The properties of steps that can fail. */
interface Recoverable {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
  readonly bind?: string | undefined;
  readonly next: Reference;
}

/** Repeats a step's work as its retries allow; then a handler may catch the error. */
export function* recovering(step: Recoverable, context: Context, work: () => Work<Json>): Work<Done> {
  const { own } = context.environment;
  const used = new Map<Retry, number>();
  const begun = context.run.simulated.now();
  for (;;) {
    try {
      const value = yield* work();
      if (step.bind !== undefined) own.set(step.bind, value);
      return { kind: "next", next: step.next };
    } catch (error) {
      if (error instanceof RunEnd) throw error;
      const failure = failureIn(context.run.workflow, error);
      const wait = failure.error.fatal ? undefined : delayOf(step.retries, { used, begun }, failure, context);
      if (wait === undefined) return handled(step, failure, context);
      if (wait > 0) yield* slept(wait, context);
    }
  }
}

/** The attempts of a step: how often each retry has been used, and when the first one began. */
interface Attempts {
  readonly used: Map<Retry, number>;
  readonly begun: number;
}

/**
 * The delay before the next attempt in seconds, by the first matching retry; undefined without a further attempt.
 */
function delayOf(
  retries: readonly Retry[],
  { used, begun }: Attempts,
  failure: StepFailure,
  context: Context,
): number | undefined {
  const retry = retries.find(({ when }) => applies(when, failure, context));
  const count = retry ? (used.get(retry) ?? 0) + 1 : 0;
  if (!retry || count > maxRetries(retry)) return undefined;
  const delay = backoff(retry.delay, count, context);
  const within = retry.within === undefined ? Number.POSITIVE_INFINITY : secondsOf(retry.within, context);
  if (context.run.simulated.now() - begun + delay * 1000 > within * 1000) return undefined;
  used.set(retry, count);
  return delay;
}

/** The delay before the n-th retry. The random part of jitter is 0 on virtual time. */
function backoff({ base, factor, step, cap, jitter }: Backoff, n: number, context: Context): number {
  const delay = secondsOf(base, context) * factor ** (n - 1) + (n - 1) * step;
  const most = cap === undefined ? Number.POSITIVE_INFINITY : secondsOf(cap, context);
  return Math.min(delay, most) + (jitter?.kind === "range" ? jitter.from : 0);
}

/** The number of seconds that a step has for a limit or a delay. */
function secondsOf(seconds: Seconds, context: Context): number {
  const value = typeof seconds === "number" ? seconds : compute(seconds, context);
  if (typeof value !== "number") throw new Error("There is no number of seconds.");
  return value;
}

function handled({ handlers }: Recoverable, failure: StepFailure, context: Context): Done {
  const handler = failure.error.fatal ? undefined : handlers.find(({ when }) => applies(when, failure, context));
  if (!handler) throw failure;
  if (handler.bind !== undefined) context.environment.own.set(handler.bind, asJson(failure.error));
  return { kind: "next", next: handler.next, by: handler };
}

const applies = (when: Handler["when"], { error }: StepFailure, context: Context): boolean =>
  compute(when, context, new Map([["error", asJson(error)]])) === true;

/** Waits for a number of seconds. */
export const slept = (seconds: number, { run, position }: Context): Work<void> =>
  promised((signal) => run.simulated.sleep(seconds, signal, position));

/** Runs a coroutine that must call its argument, a heartbeat, at least every so many seconds; otherwise stops it. */
export function* beating<Value>(
  limit: Seconds | undefined,
  context: Context,
  work: (onHeartbeat: () => void) => Work<Value>,
): Work<Value> {
  if (limit === undefined) return yield* work(() => undefined);
  const { run, position } = context;
  const { simulated: environment, activities } = run;
  const seconds = secondsOf(limit, context);
  return yield* waiting<Value>((wake) => {
    let timer = new AbortController();
    const begin = () => {
      timer = new AbortController();
      environment.sleep(seconds, timer.signal, position).then(
        () => wake({ error: new StepFailure(missedHeartbeatError) }),
        () => undefined,
      );
    };
    const end = () => timer.abort(new Error("cut off"));
    const stop = activities.begin(
      () =>
        work(() => {
          end();
          begin();
        }),
      position,
      wake,
    );
    begin();
    return () => {
      stop();
      end();
    };
  });
}

/** Runs a coroutine for at most a number of seconds; then stops it and fails with a timeout. */
export function* limited<Value>(timeout: Seconds | undefined, context: Context, work: () => Work<Value>): Work<Value> {
  if (timeout === undefined) return yield* work();
  const { run, position } = context;
  const { simulated: environment, activities } = run;
  const seconds = secondsOf(timeout, context);
  return yield* waiting<Value>((wake) => {
    const stop = activities.begin(work, position, wake);
    const timer = new AbortController();
    environment.sleep(seconds, timer.signal, position).then(
      () => wake({ error: new StepFailure(stepTimeoutError) }),
      () => undefined,
    );
    return () => {
      stop();
      timer.abort(new Error("cut off"));
    };
  });
}
