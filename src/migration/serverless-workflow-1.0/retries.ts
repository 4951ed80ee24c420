import { similarForm } from "../../diagnostics/migration.ts";
import type { Retry } from "../model.ts";
import type { Task, WriterContext } from "./context.ts";
import { durationOf } from "./durations.ts";

/** A policy, or the name of one in `use.retries`. */
export function policyOf(context: WriterContext, retry: Retry): Task | string {
  const { name, limit, delay, place } = retry;
  const policy = {
    ...(delay === undefined ? {} : { delay: durationOf(delay) }),
    ...backoffOf(context, retry),
    ...(limit === undefined ? {} : { limit: { attempt: { count: limit } } }),
  };
  if (retry.hasJitter)
    context.tell(similarForm, place, {
      construct: "The jitter of a retry",
      form: "nothing",
      difference: "1.0 has a range of durations, `jitter: { from, to }`",
    });
  if (name === undefined) return policy;
  context.retries[name] = context.place(policy, place);
  return name;
}

function backoffOf(context: WriterContext, { multiplier, increment, maximum, delay, place }: Retry): Task {
  const cap = maximum === undefined ? {} : { maxDelay: durationOf(maximum) };
  const isLinear = increment !== undefined && !/^P(?:T?0[DHMS])?$/.test(increment);
  const steps = {
    ...(isLinear && increment !== delay ? { increment: durationOf(increment) } : {}),
    ...(multiplier !== 1 && multiplier !== 2 ? { factor: multiplier } : {}),
    ...cap,
  };
  if (Object.keys(steps).length > 0)
    context.tell(similarForm, place, {
      construct: "The backoff of a retry",
      form: "members that 1.0 does not define (`factor`, `increment`, `maxDelay`)",
      difference: "other engines ignore them",
    });
  if (multiplier !== 1 && isLinear)
    context.tell(similarForm, place, {
      construct: "A retry with `multiplier` and `increment`",
      form: "exponential backoff",
      difference: "the increment is omitted",
    });
  if (multiplier !== 1) return { backoff: { exponential: steps } };
  if (isLinear) return { backoff: { linear: steps } };
  return maximum === undefined ? {} : { backoff: { constant: steps } };
}
