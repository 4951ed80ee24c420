import {
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  firstOr,
  identity,
  iterate,
  literal,
  member,
  object,
  reduce,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { Action, ErrorHandler, RetryPolicy } from "../../generated/sm4c-definition.ts";
import { createNames } from "../../ir/names.ts";
import type { ConstantBackoff, RetrySpans } from "../../ir/recovery.ts";
import type { Handler, Reference, Retry } from "../../ir/workflow.ts";
import { isTimeSyntaxError } from "../../text/iso8601.ts";
import type { Span } from "../../text/source.ts";
import type { JqBinding } from "../shared/jq.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { type Counter, createCounter } from "../shared/retry-loop.ts";
import { assign, choose, declare, end, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { type Context, changesName, data, dataName, freshTemporary, type Writer } from "./context.ts";
import { conflictingBackoff, jitterOutOfRange, unknownRetry } from "./diagnostics/kinds.ts";
import { durationAt, parseTimespan } from "./durations.ts";
import { conditionAt, handlerAt } from "./expressions.ts";
import { resolveName } from "./names.ts";

/** The error handling of a step. */
export interface Recovery {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
  readonly next: Reference;
}

/** A step whose errors are handled. */
export interface HandledStep {
  readonly reference: Reference;
  fill(recovery: Recovery): void;
}

/** How a step yields its result. */
export interface HandlingOptions {
  readonly result: string | undefined;
  /** A timeout then results in null. */
  readonly timesOut: boolean;
}

/** Adds error handlers that retry, or catch with null as the result. */
export function handleErrors(
  writer: Writer,
  action: Action,
  { result, timesOut }: HandlingOptions,
  begin: () => HandledStep,
): StepFragment {
  const rules = rulesOf(writer, action, timesOut);
  const span = spanOf(writer.context, action);
  const toNull = () =>
    result === undefined ? noSteps : assign(writer, "null", span, { variable: result, value: literal(null) });
  const late = timesOut ? [isTimeout] : [];
  if (rules.some(({ policy, handler }) => policy && handler.resultHandler !== undefined))
    return attemptLoop(writer, begin, rules, late, toNull);
  const failing = begin();
  const swallowing = rules.findLastIndex(({ policy }) => !policy);
  const reactions = [
    ...late.map((when) => ({ when, reaction: toNull(), span })),
    ...rules.slice(0, swallowing + 1).map((rule) => ({
      when: rule.when,
      reaction: rule.policy ? rethrow(writer, rule.span) : sequence(applyHandler(writer, rule), toNull()),
      span: rule.span,
    })),
  ];
  return (next) => {
    failing.fill({
      retries: retriesOf(rules),
      handlers: reactions.map((each) => ({
        when: each.when,
        bind: declare(writer, "error"),
        next: each.reaction(next),
        span: each.span,
      })),
      next,
    });
    return failing.reference;
  };
}

const errorBinding = (inCondition: boolean): JqBinding => ({
  value: variable("error"),
  member: (error, name) => errorFields(error, inCondition).get(name) ?? literal(null),
  whole: (error) => object(errorFields(error, inCondition)),
});

const stringFields: ReadonlySet<string> = new Set(["Message", "ClassName"]);

function errorFields(error: Expression, inCondition: boolean): ReadonlyMap<string, Expression> {
  const part = (name: string): Expression =>
    inCondition ? member(error, name) : firstOr(member(error, name), literal(""));
  return new Map([
    ["Message", part("message")],
    ["ClassName", part("name")],
    ["Data", firstOr(member(error, "data", "Data"), literal(null))],
  ]);
}

interface HandlerRule {
  readonly handler: ErrorHandler;
  readonly when: Expression;
  /** Excludes errors that earlier rules match. */
  readonly exclusive: Expression;
  readonly policy:
    | {
        readonly definition: RetryPolicy;
        readonly limit: number;
        readonly delay: ConstantBackoff;
        readonly spans: RetrySpans;
      }
    | undefined;
  readonly span: Span;
}

/** Whether the error is a timeout. */
export const isTimeout = binary("==", member(variable("error"), "origin"), literal("timeout"));
const isNotTimeout = binary("!=", member(variable("error"), "origin"), literal("timeout"));

function rulesOf({ context }: Writer, { errorHandlers = [] }: Action, timesOut: boolean): readonly HandlerRule[] {
  const before: Expression[] = timesOut ? [isNotTimeout] : [];
  return errorHandlers.map((handler) => {
    const when =
      handler.condition === undefined
        ? literal(true)
        : conditionAt(context, handler, "condition", { input: errorBinding(true), stringFields });
    const exclusive = simplify(balanced("and", [...before, when]));
    before.push(simplify(not(when)));
    return { handler, when, exclusive, policy: policyOf(context, handler), span: spanOf(context, handler) };
  });
}

const not = (condition: Expression): Expression => binary("==", condition, literal(false));

function policyOf(context: Context, handler: ErrorHandler): HandlerRule["policy"] {
  if (handler.retryPolicy === undefined) return undefined;
  const span = spanOf(context, handler, "retryPolicy");
  const definition = resolveName(context, context.retries, handler.retryPolicy, span, unknownRetry);
  if (!definition) return undefined;
  const delay = backoffOf(context, definition);
  return { definition, limit: definition.maxAttempts, delay, spans: retrySpans(context, definition) };
}

const retrySpans = (context: Context, policy: RetryPolicy): RetrySpans => ({
  limit: statedSpan(context, policy, "maxAttempts"),
  base: statedSpan(context, policy, "delay"),
  factor: statedSpan(context, policy, "multiplier"),
  step: statedSpan(context, policy, "increment"),
  cap: statedSpan(context, policy, "maxDelay"),
  jitter: statedSpan(context, policy, "jitter"),
});

/** The backoff of a policy. */
export function backoffOf(context: Context, policy: RetryPolicy): ConstantBackoff {
  if (policy.increment !== undefined && policy.multiplier !== undefined)
    context.report(conflictingBackoff(spanOf(context, policy, "multiplier", "key"), {}));
  return {
    base: durationAt(context, policy, "delay") ?? 0,
    factor: policy.multiplier ?? 1,
    step: durationAt(context, policy, "increment") ?? 0,
    cap: durationAt(context, policy, "maxDelay"),
    jitter: jitterOf(context, policy),
  };
}

/** A number is a fraction, even in a string. */
function jitterOf(context: Context, policy: RetryPolicy): ConstantBackoff["jitter"] {
  const { jitter } = policy;
  if (jitter === undefined) return undefined;
  const fraction = typeof jitter === "number" || /^\s*\d*\.?\d+\s*$/.test(jitter) ? Number(jitter) : undefined;
  if (fraction === undefined || (typeof jitter === "string" && !isTimeSyntaxError(parseTimespan(jitter)))) {
    const amount = durationAt(context, policy, "jitter");
    return amount === undefined || amount === 0 ? undefined : { kind: "spread", amount };
  }
  if (fraction < 0 || fraction > 1)
    context.report(jitterOutOfRange(spanOf(context, policy, "jitter"), { jitter: fraction }));
  return fraction === 0 ? undefined : { kind: "fraction", amount: fraction };
}

/** Handlers with the same policy share its attempts. */
function retriesOf(rules: readonly HandlerRule[]): readonly Retry[] {
  const byPolicy = Map.groupBy(
    rules.filter(({ policy }) => policy),
    ({ policy }) => policy!.definition,
  );
  return [...byPolicy.values()].flatMap((sharing) => {
    const { policy, span } = sharing[0]!;
    const when = simplify(
      balanced(
        "or",
        sharing.map(({ exclusive }) => exclusive),
      ),
    );
    return policy!.limit === 0
      ? []
      : [{ when, limit: policy!.limit, delay: policy!.delay, spans: policy!.spans, span }];
  });
}

function applyHandler(writer: Writer, { handler, span }: HandlerRule): StepFragment {
  const { context, scope } = writer;
  if (handler.resultHandler === undefined) return noSteps;
  if (!scope.recordedHandlers)
    return assign(writer, "error", span, {
      variable: dataName,
      value: handlerAt(context, handler, "resultHandler", errorBinding(false)),
    });
  const index = scope.recordedHandlers.push(handler) - 1;
  const change = object([
    ["handler", literal(index)],
    ["error", variable("error")],
  ]);
  const value = binary("+", variable(changesName), collect(change));
  return assign(writer, "error", span, { variable: declare(writer, changesName), value });
}

const rethrow = (writer: Writer, span: Span): StepFragment =>
  end(writer, "raise", span, { outcome: "fail", extent: "scope", value: variable(declare(writer, "error")) });

/** Handlers write after each failed attempt. */
function attemptLoop(
  writer: Writer,
  begin: () => HandledStep,
  rules: readonly HandlerRule[],
  late: readonly Expression[],
  toNull: () => StepFragment,
): StepFragment {
  const counters = createCounters(writer, rules);
  const { span } = rules[0]!;
  const first = assign(writer, "begin", span, ...[...counters.values()].flatMap((counter) => counter.initial));
  const failing = begin();
  const reactions = [
    ...late.map((when) => ({ when, reaction: toNull(), span })),
    ...rules.map((rule) => {
      const counter = rule.policy && counters.get(rule.policy.definition);
      const onward = counter ? retryOrRethrow(writer, rule, counter, failing.reference) : toNull();
      return { when: rule.when, reaction: sequence(applyHandler(writer, rule), onward), span: rule.span };
    }),
  ];
  return (next) => {
    failing.fill({
      retries: [],
      handlers: reactions.map((each) => ({
        when: each.when,
        bind: declare(writer, "error"),
        next: each.reaction(next),
        span: each.span,
      })),
      next,
    });
    return first(failing.reference);
  };
}

function createCounters(writer: Writer, rules: readonly HandlerRule[]): ReadonlyMap<RetryPolicy, Counter> {
  const counters = new Map<RetryPolicy, Counter>();
  for (const { policy } of rules) {
    if (!policy || counters.has(policy.definition)) continue;
    const names = { count: () => freshTemporary(writer, "attempts"), delay: () => freshTemporary(writer, "delay") };
    counters.set(policy.definition, createCounter(policy.delay, names));
  }
  return counters;
}

function retryOrRethrow(
  writer: Writer,
  { policy, span }: HandlerRule,
  counter: Counter,
  attempt: Reference,
): StepFragment {
  const { limit, delay, spans } = policy!;
  const isLeft = binary("<", counter.count, literal(limit));
  const retry = (): StepFragment =>
    sequence(
      waitBetweenAttempts(writer, counter, { delay, spans, span }),
      assign(writer, "again", span, ...counter.increment),
      () => attempt,
    );
  return choose(writer, "judge", span, [{ when: isLeft, span, build: retry }], () => rethrow(writer, span));
}

function waitBetweenAttempts(
  writer: Writer,
  { wait }: Counter,
  { delay: { jitter }, spans, span }: Pick<Retry, "spans" | "span"> & { readonly delay: ConstantBackoff },
): StepFragment {
  if (!wait) return noSteps;
  const delay = (seconds: Expression): StepFragment =>
    step(writer, "wait", span, (base, next) => ({
      ...base,
      kind: "delay",
      wait: { kind: "for", seconds },
      spans: { wait: spans?.base },
      next,
    }));
  if (!jitter) return delay(wait);
  const random = freshTemporary(writer, "random");
  const drawn = step(writer, "jitter", span, (base, next) => ({
    ...base,
    kind: "call",
    function: { name: randomFunction(writer.context, span), span },
    argument: literal(null),
    wait: true,
    retries: [],
    bind: random,
    handlers: [],
    next,
  }));
  const share = binary("-", binary("*", variable(random), literal(2 * jitter.amount)), literal(jitter.amount));
  const varied = binary("+", wait, jitter.kind === "spread" ? share : binary("*", wait, share));
  return sequence(drawn, delay(call("max", collect(comma(literal(0), varied)))));
}

function randomFunction({ calledFunctions }: Context, span: Span): string {
  const known = calledFunctions.find(({ protocol }) => protocol?.kind === "random");
  if (known) return known.name;
  const name = createNames(calledFunctions.map((each) => each.name)).fresh("random");
  calledFunctions.push({ name, protocol: { kind: "random" }, span });
  return name;
}

/** Applies recorded changes in order; each has its handler's index. */
export function applyChanges(context: Context, changes: Expression, handlers: readonly ErrorHandler[]): Expression {
  const change = variable("change");
  const update = handlers.reduceRight<Expression>((otherwise, handler, index) => {
    const isOf = binary("==", member(change, "handler"), literal(index));
    const handled = handlerAt(context, handler, "resultHandler", errorBinding(false));
    return conditional(isOf, bind("error", member(change, "error"), handled), otherwise);
  }, data);
  return reduce(iterate(changes), "change", data, bind(dataName, identity, update));
}
