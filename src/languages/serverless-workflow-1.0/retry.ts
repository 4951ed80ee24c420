import { and, type Expression, simplify } from "../../expressions/index.ts";
import type { RetryPolicy } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Seconds } from "../../ir/seconds.ts";
import type { Backoff, Retry } from "../../ir/workflow.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import type { Context, Writer } from "./context.ts";
import { extraBackoff, retryThenHandle, unboundedRetry } from "./diagnostics/flow.ts";
import { constantSecondsAt, secondsAt } from "./durations.ts";
import { policyConditions, whole } from "./error-filters.ts";

/** A retry, and the steps that compute its delays. */
export interface TaskRetry {
  readonly retry: Retry;
  readonly steps: StepFragment;
}

/** The retry of a policy: n counts retries from 1. */
export function retryOf(writer: Writer, policy: RetryPolicy, filter: Expression): TaskRetry {
  const { context, task } = writer;
  const { limit } = policy;
  const span = policySpan(context, task.catch!);
  if (limit?.attempt?.count === undefined && limit?.duration === undefined) context.report(unboundedRetry(span, {}));
  if (task.catch?.do !== undefined) context.report(retryThenHandle(span, {}));
  const conditions = policyConditions(writer, policy);
  const when = conditions.length === 0 ? filter : simplify(and(filter, whole(conditions)));
  const seconds = (owner: object | undefined, key: string) =>
    owner && Object.hasOwn(owner, key) ? secondsAt(writer, { owner, key }, taskRow(writer), "zero") : undefined;
  const [within, base] = [seconds(limit, "duration"), seconds(policy, "delay")];
  const retry: Retry = {
    when,
    limit: limit?.attempt?.count,
    within: within?.seconds,
    delay: backoffOf(writer, policy, base?.seconds ?? 0),
    spans: {
      limit: limit?.attempt && statedSpan(context, limit.attempt, "count"),
      base: statedSpan(context, policy, "delay"),
      factor: statedSpan(context, policy, "backoff"),
      jitter: statedSpan(context, policy, "jitter"),
    },
    span,
  };
  return { retry, steps: sequence(within?.steps ?? noSteps, base?.steps ?? noSteps) };
}

const policySpan = (context: Context, owner: object): Span => spanOf(context, owner, "retry", "key");

function backoffOf(writer: Writer, policy: RetryPolicy, base: Seconds): Backoff {
  const { context } = writer;
  const row = taskRow(writer);
  const [kind = "constant", given = {}] = Object.entries(policy.backoff ?? {})[0] ?? [];
  const extra: JsonObject = isObject(given) ? given : {};
  const factor = own(extra, "factor");
  const isFactor = typeof factor === "number" && factor > 0;
  const read = [
    "maxDelay",
    ...(kind === "linear" ? ["increment"] : []),
    ...(kind === "exponential" && isFactor ? ["factor"] : []),
  ];
  for (const name of Object.keys(extra))
    context.report(extraBackoff(spanOf(context, extra, name, "key"), { name, isRead: read.includes(name) }));
  const increment = own(extra, "increment");
  const seconds = (key: string): number | undefined =>
    own(extra, key) === undefined ? undefined : constantSecondsAt(context, { owner: extra, key }, row);
  const step = (): number =>
    increment === undefined && policy.delay !== undefined
      ? constantSecondsAt(context, { owner: policy, key: "delay" }, row)
      : (seconds("increment") ?? 0);
  return {
    base,
    factor: kind === "exponential" ? (isFactor ? factor : 2) : 1,
    step: kind === "linear" ? step() : 0,
    cap: seconds("maxDelay"),
    jitter: jitterOf(writer, policy),
  };
}

function jitterOf(writer: Writer, { jitter }: RetryPolicy): Backoff["jitter"] {
  if (!jitter) return undefined;
  const row = taskRow(writer);
  const at = (key: "from" | "to"): number => constantSecondsAt(writer.context, { owner: jitter, key }, row);
  const from = at("from");
  return { kind: "range", from, to: Math.max(from, at("to")) };
}
