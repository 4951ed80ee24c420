import {
  and,
  balanced,
  binary,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  readJq,
  simplify,
  substitute,
  variable,
} from "../../expressions/index.ts";
import type { Action, ErrorHandler, RetryDefinition } from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Backoff, Handler, Retry } from "../../ir/workflow.ts";
import { isTimeSyntaxError, parseDuration } from "../../text/iso8601.ts";
import { secondsAt, spanOf, statedSpan } from "../shared/properties.ts";
import { complete, reserveAttempt, type StepFragment } from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import {
  anyError,
  ignoredBySonataflow,
  invalidNumber,
  noEffect,
  shadowedHandler,
  singleAttempt,
  unknownName,
  unlimitedRetries,
} from "./diagnostics/kinds.ts";

const error = variable("error");
const text = (name: "name" | "message"): Expression => firstOr(member(error, name), literal(""));
const status = firstOr(member(error, "data", "status"), literal(null));
const is = (left: Expression, value: string | number): Expression => binary("==", left, literal(value));

/**
 * Serverless Workflow 0.8, Defining Errors: runs the work of a state with its timeout and its `onErrors`. `leave` builds
 * what follows a handled error.
 */
export function withHandlers(
  writer: Writer,
  timeout: { readonly seconds: number; readonly owner: object; readonly key: string } | undefined,
  work: (inner: Writer) => StepFragment,
  leave: (handler: ErrorHandler) => StepFragment,
): StepFragment {
  const { onErrors = [] } = writer.state;
  if (onErrors.length === 0 && !timeout) return work(writer);
  const { context } = writer;
  const { step, fill } = reserveAttempt(writer, literal(null), work);
  reportShadowed(context, onErrors);
  const handlers = onErrors.map((each): Handler => {
    const span = spanOf(context, each, each.errorRef === undefined ? "errorRefs" : "errorRef");
    return { when: simplify(conditionOf(context, each)), next: complete(leave(each), span), span };
  });
  const limit = timeout && {
    timeout: timeout.seconds,
    spans: { timeout: spanOf(context, timeout.owner, timeout.key) },
  };
  return (next) => {
    fill({ restore: [], retries: [], handlers, next, ...limit });
    return step.reference;
  };
}

/** Whether a handler of the state takes the error that SonataFlow raises when an event does not arrive in time. */
export const catchesTimedOut = ({ context, state }: Writer): boolean =>
  context.dialect === "sonataflow" &&
  (state.onErrors ?? []).some((each) =>
    refsOf(each).some((name) => String(context.errors.get(name)?.code) === "TimedOut"),
  );

const refsOf = ({ errorRef, errorRefs = [] }: ErrorHandler): readonly string[] =>
  errorRef === undefined ? errorRefs : [errorRef];

function reportShadowed(context: Context, handlers: readonly ErrorHandler[]): void {
  const taken = new Set<string>();
  for (const each of handlers) {
    const names = refsOf(each);
    const key = each.errorRef === undefined ? "errorRefs" : "errorRef";
    if (names.length > 0 && names.every((name) => taken.has(name) || taken.has("*")))
      context.report(shadowedHandler(spanOf(context, each, key), { names }));
    for (const name of names) taken.add(name);
  }
}

function conditionOf(context: Context, handler: ErrorHandler): Expression {
  const names = refsOf(handler);
  if (handler.errorRef !== undefined && handler.errorRefs !== undefined)
    context.report(
      noEffect(spanOf(context, handler, "errorRefs", "key"), {
        name: "errorRefs",
        why: "`errorRef` names the error of this handler",
      }),
    );
  if (names.length === 0)
    context.report(noEffect(spanOf(context, handler), { name: "onErrors", why: "this handler names no error" }));
  const [owner, keys] =
    handler.errorRef === undefined ? [handler.errorRefs ?? [], names.map((_, i) => i)] : [handler, ["errorRef"]];
  return balanced("or", [
    literal(false),
    ...names.map((name, i) => errorNamed(context, name, () => spanOf(context, owner, keys[i]))),
  ]);
}

/** Whether the error is one that the definition of this name describes. */
function errorNamed(context: Context, name: string, spanAt: () => ReturnType<typeof spanOf>): Expression {
  const definition = context.errors.get(name);
  if (!definition) {
    if (name === "*") context.report(anyError(spanAt(), {}));
    else context.report(unknownName(spanAt(), { noun: "error", name, known: context.errors.keys(), under: "errors" }));
    return literal(name === "*");
  }
  const code = definition.code === undefined ? undefined : String(definition.code);
  const codes = code === undefined ? [] : [is(text("name"), code), ...statusIs(code), ...foundInMessage(context, code)];
  return balanced("or", [is(text("name"), name), ...codes]);
}

function statusIs(code: string): readonly Expression[] {
  const [, number] = /^(?:HTTP:)?(\d{3})$/.exec(code) ?? [];
  if (number === undefined) return [];
  return [is(status, number), is(status, Number(number)), is(text("name"), `HTTP_${number}`)];
}

/** SonataFlow: a code is a pattern that is found in the message, or the class of the error. */
function foundInMessage({ dialect }: Context, code: string): readonly Expression[] {
  if (dialect === "spec" || /^(?:HTTP:)?\d{3}$/.test(code)) return [];
  const simple = code.slice(code.lastIndexOf(".") + 1);
  const program = readJq(`$message | test(${JSON.stringify(code)})`, { variables: ["message"] });
  const found =
    "expression" in program ? [substitute(program.expression, new Map([["message", text("message")]]))] : [];
  return [...(simple === code ? [] : [is(text("name"), simple)]), ...found];
}

/** Serverless Workflow 0.8, Defining Retries: the retries of an action. */
export function retriesOf(context: Context, action: Action): readonly Retry[] {
  const { retryRef, retryableErrors, nonRetryableErrors } = action;
  const isAutomatic = context.definition.autoRetries === true;
  if (context.dialect === "sonataflow") {
    for (const key of retryKeys)
      if (action[key] !== undefined)
        context.report(
          ignoredBySonataflow(spanOf(context, action, key, "key"), { name: key, why: "does not retry actions" }),
        );
    return [];
  }
  if (retryRef === undefined && !isAutomatic) {
    reportUnusedRetries(context, action, "the action has no `retryRef`");
    return [];
  }
  if (isAutomatic) reportUnused(context, action, ["retryableErrors"], "with `autoRetries`, all errors are retried");
  else if (retryableErrors)
    reportUnused(context, action, ["nonRetryableErrors"], "only the errors in `retryableErrors` are retried");
  const named = (key: "retryableErrors" | "nonRetryableErrors", names: readonly string[]) =>
    balanced("or", [
      literal(false),
      ...names.map((name, i) => errorNamed(context, name, () => spanOf(context, action[key]!, i))),
    ]);
  const excluded = conditional(named("nonRetryableErrors", nonRetryableErrors ?? []), literal(false), literal(true));
  const wanted = !isAutomatic && retryableErrors ? named("retryableErrors", retryableErrors) : excluded;
  const isOfCall = binary("!=", member(error, "origin"), literal("expression"));
  const when = simplify(and(isOfCall, wanted));
  const span = retryRef === undefined ? spanOf(context, action) : spanOf(context, action, "retryRef");
  const definition = retryRef === undefined ? undefined : context.retries.get(retryRef);
  if (definition) return [{ when, span, ...policyOf(context, definition) }];
  if (retryRef !== undefined)
    context.report(
      unknownName(span, { noun: "retry definition", name: retryRef, known: context.retries.keys(), under: "retries" }),
    );
  else context.report(unlimitedRetries(spanOf(context, context.definition, "autoRetries"), {}));
  return [{ when, span, delay: { base: 1, factor: 2, step: 0 } }];
}

const retryKeys = ["retryRef", "retryableErrors", "nonRetryableErrors"] as const;

/** Reports what an action says about retries, if it is never retried. */
export const reportUnusedRetries = (context: Context, action: Action, why: string): void =>
  reportUnused(context, action, retryKeys, why);

/** Reports the properties of an owner that have no effect. */
export function reportUnused<Owner extends object>(
  context: Context,
  owner: Owner,
  keys: readonly (keyof Owner & string)[],
  why: string,
): void {
  for (const name of keys)
    if (owner[name] !== undefined) context.report(noEffect(spanOf(context, owner, name, "key"), { name, why }));
}

function policyOf(context: Context, definition: RetryDefinition): Pick<Retry, "limit" | "delay" | "spans"> {
  const { maxAttempts, multiplier, increment, maxDelay, delay } = definition;
  const limit = numberAt(context, definition, "maxAttempts", (value) => Number.isSafeInteger(value) && value >= 0);
  if (limit === 1) context.report(singleAttempt(spanOf(context, definition, "maxAttempts"), {}));
  const base = delay === undefined ? 0 : (secondsAt(context, definition, "delay") ?? 0);
  const factor = multiplier === undefined ? 1 : numberAt(context, definition, "multiplier", (value) => value >= 1);
  const step = increment === undefined ? 0 : (secondsAt(context, definition, "increment") ?? 0);
  const cap = maxDelay === undefined ? undefined : secondsAt(context, definition, "maxDelay");
  const jitter = context.lowering.options["jitter"] === "off" ? undefined : jitterOf(context, definition);
  return {
    limit: maxAttempts === undefined ? 0 : (limit ?? 0),
    delay: { base, factor: factor ?? 1, step, cap, jitter },
    spans: {
      limit: statedSpan(context, definition, "maxAttempts"),
      base: statedSpan(context, definition, "delay"),
      factor: statedSpan(context, definition, "multiplier"),
      step: statedSpan(context, definition, "increment"),
      cap: statedSpan(context, definition, "maxDelay"),
      jitter: statedSpan(context, definition, "jitter"),
    },
  };
}

function jitterOf(context: Context, definition: RetryDefinition): Backoff["jitter"] {
  const { jitter } = definition;
  if (jitter === undefined) return undefined;
  if (typeof jitter === "number" || /^[\d.]+$/.test(jitter)) {
    const amount = numberAt(context, definition, "jitter", (value) => value >= 0 && value <= 1) ?? 0;
    return amount === 0 ? undefined : { kind: "fraction", amount };
  }
  const amount = isTimeSyntaxError(parseDuration(jitter)) ? undefined : secondsAt(context, definition, "jitter");
  if (amount === undefined) secondsAt(context, definition, "jitter");
  return amount ? { kind: "spread", amount } : undefined;
}

/** The number in `owner[key]`, which may be a string of digits; reports and returns undefined if it is not valid. */
export function numberAt(
  context: Context,
  owner: object,
  key: string,
  isValid: (value: number) => boolean,
): number | undefined {
  const written = (owner as { readonly [key: string]: string | number })[key]!;
  const value =
    typeof written === "number" ? written : /^\s*\d+(?:\.\d+)?\s*$/.test(written) ? Number(written) : undefined;
  if (value !== undefined && isValid(value)) return value;
  context.report(invalidNumber(spanOf(context, owner, key), { name: key, wanted: "a number in its range" }));
  return undefined;
}
