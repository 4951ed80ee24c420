import { childrenOf, type Expression } from "../../src/expressions/index.ts";
import { expressionsOf, stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";

/** The error of a call that Lambda has rejected before the function ran. */
export const throttled = "Lambda.TooManyRequestsException";

/** Errors of Lambda after which the function may have run. */
const serviceErrors: readonly string[] = [
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
];

/** The errors of the Lambda service itself: `throttled` is safe to retry, the others only for idempotent functions. */
export const lambdaErrors: readonly string[] = [throttled, ...serviceErrors];

/**
 * The errors of the Lambda service that Tasks retry in addition to the definition's retries. A program that names one
 * of them handles it itself.
 */
export function retriedErrors(setting: "throttled" | "all", workflows: readonly Workflow[]): readonly string[] {
  const named = new Set(workflows.flatMap((workflow) => namesIn(workflow, lambdaErrors)));
  return (setting === "all" ? lambdaErrors : [throttled]).filter((error) => !named.has(error));
}

/** The names that occur in constants of a workflow. */
function namesIn(workflow: Workflow, names: readonly string[]): readonly string[] {
  const pending: Expression[] = stepsOf(workflow).flatMap(expressionsOf);
  const texts: string[] = [];
  for (let each = pending.pop(); each; each = pending.pop()) {
    if (each.kind === "literal") {
      texts.push(typeof each.value === "string" ? each.value : JSON.stringify(each.value));
      continue;
    }
    for (const { expression } of childrenOf(each)) pending.push(expression);
  }
  return names.filter((name) => texts.some((text) => text.includes(name)));
}

/**
 * Retriers for errors of the Lambda service. They precede the definition's own, so its limits do not count these
 * retries: Step Functions counts per retrier. Throttled calls are retried for about an hour.
 */
export function serviceRetries(errors: readonly string[]): readonly Json[] {
  const others = errors.filter((error) => error !== throttled);
  return [
    ...(errors.includes(throttled)
      ? [
          {
            ErrorEquals: [throttled],
            IntervalSeconds: 1,
            MaxAttempts: 64,
            BackoffRate: 2,
            MaxDelaySeconds: 60,
            JitterStrategy: "FULL",
          },
        ]
      : []),
    ...(others.length > 0 ? [{ ErrorEquals: others, IntervalSeconds: 1, MaxAttempts: 5, BackoffRate: 2 }] : []),
  ];
}

/** Whether a resource is a Lambda function, called directly or by an integration. */
export const isLambda = (kind: string, resource: string): boolean =>
  kind === "lambda" || /:states:::(?:aws-sdk:)?lambda:invoke(?:\.|$)/.test(resource);
