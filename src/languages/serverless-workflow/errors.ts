import { balanced, type Expression, literal, member, object, simplify, substitute } from "../../expressions/index.ts";
import type { Expression as Condition, ErrorDefinition } from "../../generated/serverless-workflow-definition.ts";
import type { Handler } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { pathAt, spanOf } from "../shared/properties.ts";
import { mayRetryOnSuccess, type RetryRule, retryLoop } from "../shared/retry-loop.ts";
import { complete, declare, reserveAttempt, type StepFragment, sequence } from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import { assignData, data, mergeByPath, mergeObject, readCondition, setAtPath } from "./data.ts";
import { errorFields, scopeOf, withError } from "./error-value.ts";
import { beginAttempt, retryRules } from "./retries.ts";
import { transitionTo } from "./transitions.ts";

/**
 * Serverless Workflow (draft of 2020), Retry Definition and Error Definition: each attempt starts with the state's
 * original data. Rules that may retry after success need a loop.
 */
export function withErrorHandling(writer: Writer, work: (inner: Writer) => StepFragment): StepFragment {
  const { onError = [] } = writer.state;
  const { rules, attemptData } = retryRules(writer);
  const loops = rules.some(mayRetryOnSuccess);
  if (rules.length + onError.length === 0) return work(writer);
  const attempted = (inner: Writer): StepFragment =>
    attemptData === undefined
      ? work(inner)
      : sequence(beginAttempt(inner, attemptData), work({ ...inner, attemptData }));
  if (!loops) return attemptWork(writer, attempted, rules, onError);
  const loop = (inner: Writer) =>
    retryLoop(inner, { rules, data: "data", span: spanOf(writer.context, writer.state, "retry", "key") }, attempted);
  return onError.length === 0 ? loop(writer) : attemptWork(writer, loop, [], onError);
}

/** The error of a timeout. */
export const timeoutError: { readonly [key: string]: Json } = { origin: "timeout", name: "Timeout", message: "" };

/** Whether some `onError` catches a timeout; a constant where possible. */
export function catchesTimeout({ context, state }: Writer): Expression {
  const taken = (state.onError ?? []).map((handler) =>
    substitute(
      conditionOnError({ ...context, report: () => {} }, handler),
      new Map([["error", literal(timeoutError)]]),
    ),
  );
  return simplify(balanced("or", taken));
}

function attemptWork(
  writer: Writer,
  work: (inner: Writer) => StepFragment,
  rules: readonly RetryRule[],
  onError: readonly ErrorDefinition[],
): StepFragment {
  const { step, fill } = reserveAttempt(writer, data, work);
  const handlers = onError.map((handler) => handlerOf(writer, handler));
  const retries = rules.map(({ onError: when, ...rule }) => ({
    when: simplify(when),
    limit: rule.limit,
    delay: rule.delay,
    spans: rule.spans,
    span: rule.span,
  }));
  return (next) => {
    fill({ restore: retries.length === 0 ? [] : ["data"], retries, handlers, next });
    return step.reference;
  };
}

function handlerOf(writer: Writer, handler: ErrorDefinition): Handler {
  const { context } = writer;
  const { expression } = handler;
  const span =
    typeof expression === "string" ? spanOf(context, handler, "expression") : spanOf(context, expression, "body");
  const when = simplify(conditionOnError(context, handler));
  const merged = assignData(writer, "onError", span, dataWithError(writer, handler));
  const next = complete(sequence(merged, transitionTo(writer, handler.transition)), span);
  return { when, bind: declare(writer, "error"), next, span };
}

function dataWithError({ context }: Writer, { errorDataFilter: filter }: ErrorDefinition): Expression {
  const whole = (error: Expression) => setAtPath(data, ["error"], error);
  if (filter?.dataOutputPath === undefined) return withError(whole);
  const path = pathAt(context, filter, "dataOutputPath", data);
  const [first, ...rest] = path?.chain ?? [];
  if (first !== undefined && !errorFields.has(first)) return withError((error) => setAtPath(data, path!.chain!, error));
  if (first !== undefined && first !== "trace" && rest.length === 0)
    return withError((error) => mergeObject(context, data, object([[first, member(error, first)]])));
  return withError(
    (error) =>
      mergeByPath(context, filter, "dataOutputPath", { target: data, roots: [error], key: literal("error") }) ??
      whole(error),
  );
}

const conditionOnError = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  withError((error) => readCondition(context, owner, scopeOf(error)));
