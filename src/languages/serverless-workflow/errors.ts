import {
  balanced,
  call,
  type Expression,
  literal,
  member,
  object,
  simplify,
  substitute,
} from "../../expressions/index.ts";
import type { Handler } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { reserveAttempt } from "./attempt.ts";
import { spanOf } from "./context.ts";
import { conditionOnError, errorMembers, overError } from "./data/error-scope.ts";
import { data, pathAt } from "./data/paths.ts";
import { placed, resultAt } from "./data/results.ts";
import type { ErrorHandler } from "./definition.ts";
import { assignData, complete, type Fragment, sequence } from "./fragments.ts";
import { type RetryRule, retryRule } from "./retries.ts";
import { retriesSuccess, retryLoop } from "./retry-loop.ts";
import { transitionTo } from "./transitions.ts";
import { declare, type Writer } from "./writer.ts";

/**
 * The work of a state under its `retry` and `onError`. Each new attempt begins with the data that the state began with. Where success may be a
 * reason to try again, the retries are a loop of their own.
 */
export function protectedWork(writer: Writer, work: (inner: Writer) => Fragment): Fragment {
  const { retry = [], onError = [] } = writer.state;
  const rules = retry.map((each) => retryRule(writer.context, each));
  const loops = rules.some(retriesSuccess);
  if (rules.length + onError.length === 0) return work(writer);
  if (!loops) return attempted(writer, work, rules, onError);
  const loop = (inner: Writer) => retryLoop(inner, rules, work);
  return onError.length === 0 ? loop(writer) : attempted(writer, loop, [], onError);
}

/** The error that a timeout raises. */
export const timeoutError: { readonly [key: string]: Json } = { origin: "timeout", name: "Timeout", message: "" };

/** Whether some `onError` of the state takes a timeout, as a condition over the data; simplified, so that it is a constant where that is certain. */
export function takesTimeout({ context, state }: Writer): Expression {
  const taken = (state.onError ?? []).map((handler) =>
    substitute(
      conditionOnError({ ...context, report: () => {} }, handler),
      new Map([["error", literal(timeoutError)]]),
    ),
  );
  return simplify(balanced("or", taken));
}

function attempted(
  writer: Writer,
  work: (inner: Writer) => Fragment,
  rules: readonly RetryRule[],
  onError: readonly ErrorHandler[],
): Fragment {
  const { step, fill } = reserveAttempt(writer, work);
  const handlers = onError.map((handler) => handlerOf(writer, handler));
  const retries = rules.map(({ onError: when, limit, delay, span }) => ({ when: simplify(when), limit, delay, span }));
  return (next) => {
    fill({ restore: retries.length === 0 ? [] : ["data"], retries, handlers, next });
    return step.reference;
  };
}

function handlerOf(writer: Writer, handler: ErrorHandler): Handler {
  const { context } = writer;
  const { expression } = handler;
  const span =
    typeof expression === "string" ? spanOf(context, handler, "expression") : spanOf(context, expression, "body");
  const when = simplify(conditionOnError(context, handler));
  const merged = assignData(writer, "onError", span, dataWithError(writer, handler));
  const next = complete(sequence(merged, transitionTo(writer, handler.transition)), span);
  return { when, bind: declare(writer, "error"), next, span };
}

/** The data with the error: by the filter's path, else as `error`. */
function dataWithError({ context }: Writer, { errorDataFilter: filter }: ErrorHandler): Expression {
  const whole = (error: Expression) => call("merge", data, object([["error", error]]));
  if (filter?.dataOutputPath === undefined) return overError(whole);
  const path = pathAt(context, filter, "dataOutputPath", data);
  const [first, ...rest] = path?.chain ?? [];
  if (first !== undefined && !errorMembers.has(first)) return overError((error) => placed(data, path!.chain!, error));
  if (first !== undefined && first !== "trace" && rest.length === 0)
    return overError((error) => call("merge", data, object([[first, member(error, first)]])));
  return overError(
    (error) =>
      resultAt(context, filter, "dataOutputPath", { target: data, roots: [error], key: literal("error") }) ??
      whole(error),
  );
}
