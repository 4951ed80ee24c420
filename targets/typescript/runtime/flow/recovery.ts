import { type ErrorNames, failure, failureOf, RunEnd, WorkflowError } from "../errors.ts";
import type { Given, Limits, Retry } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { begin, outcomeOf, wait } from "./activities.ts";
import { type Context, keyOf } from "./context.ts";

/** Repeats work until it succeeds or no retry is left. */
export async function withRetries<T>(
  context: Context,
  name: string,
  limits: Limits,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (!limits.retries?.length) return withTimeout(context, name, limits.timeout, work);
  const used = new Map<Retry, number>();
  const inner = { ...context, attempts: context.attempts ?? new Map<string, number>() };
  const restoreCalls = context.counts.saveCalls();
  const isTimed = limits.retries.some(({ within }) => within !== undefined);
  const begun = isTimed ? await recordedTime(context, name) : 0;
  for (;;) {
    try {
      return await withTimeout(inner, name, limits.timeout, work);
    } catch (thrown) {
      if (thrown instanceof RunEnd || context.signal.aborted) throw thrown;
      restoreCalls();
      const key = keyOf(context, name, "retry");
      const next = retryOf(limits.retries, used, thrown, context.run.workflow.errors);
      if (!next) throw thrown;
      const seconds = backoff(next, used.get(next)!, context.host.random(key));
      if (next.within !== undefined) {
        const elapsed = (await recordedTime(context, name)) - begun;
        if (elapsed + seconds * 1000 > next.within * 1000) throw thrown;
      }
      if (seconds > 0) await outcomeOf(context, context.host.sleep(key, seconds, context));
    }
  }
}

/** Computes a value that is computed in each attempt. */
export const evaluate = <T extends Json>(given: Given<T>): T => (typeof given === "function" ? given() : given);

/** Cancels work after a number of seconds; it then fails with `Timeout`. */
export function withTimeout<T>(
  context: Context,
  name: string,
  seconds: number | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(context);
  return wait<T>(context, (wake) => {
    const { signal, stop } = stoppable(context.signal);
    const inner = { ...context, signal };
    begin(inner, () => work(inner), wake);
    context.host.sleep(keyOf(context, name, "timeout"), seconds, inner).then(
      () => wake({ error: new WorkflowError("Timeout", "The time allowed has passed.", { origin: "timeout" }) }),
      () => undefined,
    );
    return stop;
  });
}

/** The time in milliseconds since 1970, as recorded. */
function recordedTime(context: Context, name: string): Promise<number> {
  const { host, signal } = context;
  return outcomeOf(
    context,
    host.once(keyOf(context, name, "time"), () => host.now(), signal),
  );
}

/** The first retry that applies; undefined if none applies or it is used up. */
function retryOf(
  retries: readonly Retry[],
  used: Map<Retry, number>,
  thrown: unknown,
  names: ErrorNames | undefined,
): Retry | undefined {
  if (failureOf(thrown).fatal) return undefined;
  const error = failure(thrown, names);
  const retry = retries.find(({ when }) => when === undefined || when(error));
  const count = retry ? (used.get(retry) ?? 0) + 1 : 0;
  if (!retry || (retry.limit !== undefined && count > retry.limit)) return undefined;
  used.set(retry, count);
  return retry;
}

/** The delay before the n-th retry in seconds. `chance` in [0, 1) determines the jitter. */
function backoff({ base = 0, factor = 1, step = 0, cap, jitter }: Retry, n: number, chance: number): number {
  const delay = Math.min(base * factor ** (n - 1) + (n - 1) * step, cap ?? Number.POSITIVE_INFINITY);
  if (jitter === undefined) return delay;
  const distance = Math.abs(2 * chance - 1);
  if ("full" in jitter) return delay * (1 - distance);
  if ("from" in jitter) return delay + jitter.from + distance * Math.max(0, jitter.to - jitter.from);
  const maxJitter = "spread" in jitter ? jitter.spread : jitter.fraction * delay;
  return Math.max(0, delay + (2 * chance - 1) * maxJitter);
}
