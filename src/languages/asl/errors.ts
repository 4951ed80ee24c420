import {
  and,
  binary,
  conditional,
  type Expression,
  literal,
  member,
  object,
  or,
  variable,
} from "../../expressions/index.ts";
import type { Catcher, Retrier } from "../../generated/asl-definition.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { assign } from "../shared/steps.ts";
import { awaitsCallback } from "./callbacks.ts";
import { freshVariable, inputName, type Writer } from "./context.ts";
import { placed, variablesAssigned } from "./data-flow.ts";
import { emptyError } from "./diagnostics/kinds.ts";
import { hasNullErrors, runtimeError, timeoutError } from "./failures.ts";
import { innerOwners, isDistributed } from "./graph.ts";

interface WithErrors {
  readonly Retry?: readonly Retrier[];
  readonly Catch?: readonly Catcher[];
}

/** The retriers of a state: each counts its own attempts. */
export function retriesOf(writer: Writer, { Retry: retriers = [] }: WithErrors): readonly Retry[] {
  const { context } = writer;
  return retriers.map((retrier): Retry => {
    return {
      when: matches(retrier.ErrorEquals),
      limit: retrier.MaxAttempts ?? 3,
      delay: {
        base: retrier.IntervalSeconds ?? 1,
        factor: retrier.BackoffRate ?? 2,
        step: 0,
        cap: retrier.MaxDelaySeconds,
        jitter: retrier.JitterStrategy === "FULL" ? { kind: "full" } : undefined,
      },
      spans: {
        limit: statedSpan(context, retrier, "MaxAttempts"),
        base: statedSpan(context, retrier, "IntervalSeconds"),
        factor: statedSpan(context, retrier, "BackoffRate"),
        cap: statedSpan(context, retrier, "MaxDelaySeconds"),
      },
      span: spanOf(context, retrier, "ErrorEquals"),
    };
  });
}

/** The catchers of a state: each places the error output into the raw input. */
export function handlersOf(writer: Writer, { Catch: catchers = [] }: WithErrors): readonly Handler[] {
  const { context, state } = writer;
  const isApart = state.Type === "Map" && isDistributed(state);
  const isInner = !isApart && innerOwners(state).some(hasNullErrors);
  const isNullable = isInner || awaitsCallback(state);
  if (isInner && catchers.length > 0) context.report(emptyError(spanOf(context, state, "Catch", "key"), {}));
  return catchers.map((catcher): Handler => {
    const error = freshVariable(writer, "error");
    const span = spanOf(context, catcher, "Next");
    const part = (name: string): Expression => {
      const text = member(variable(error), name);
      return isNullable ? conditional(binary("==", text, literal("")), literal(null), text) : text;
    };
    const output = object([
      ["Error", part("name")],
      ["Cause", part("message")],
    ]);
    const store = assign(
      writer,
      "catch",
      span,
      { variable: inputName, value: placed(writer, catcher, output) },
      ...variablesAssigned({ writer, input: output }, catcher),
    );
    const next = store(writer.route(catcher, "Next"));
    return { when: matches(catcher.ErrorEquals), bind: error, next, span: spanOf(context, catcher, "ErrorEquals") };
  });
}

/** Whether a list of names takes an error. */
export const takes = (names: readonly string[], error: string): boolean =>
  names.some(
    (name) => name === error || name === "States.ALL" || (name === "States.TaskFailed" && error !== timeoutError),
  );

/** Whether `$error` is one of those that the names mean; nothing takes `States.Runtime`. */
function matches(names: readonly string[]): Expression {
  const error = member(variable("error"), "name");
  const is = (name: string): Expression => binary("==", error, literal(name));
  const isNot = (...excluded: readonly string[]): Expression =>
    excluded.map((name) => binary("!=", error, literal(name))).reduce(and);
  const conditions = names.flatMap((name): readonly Expression[] => {
    if (name === runtimeError) return [];
    if (name === "States.ALL") return [isNot(runtimeError)];
    if (name === "States.TaskFailed")
      return [isNot(timeoutError, heartbeatError, "States.DataLimitExceeded", runtimeError)];
    if (name === heartbeatError) return [is(heartbeatError), missesHeartbeat];
    return name === timeoutError ? [is(timeoutError), is(heartbeatError)] : [is(name)];
  });
  return conditions.length === 0 ? literal(false) : conditions.reduce(or);
}

/** Whether `$error` is not how the arguments of a call fail. */
export const isOfService = (): Expression =>
  [runtimeError, "States.QueryEvaluationError", "States.ParameterPathFailure", "States.IntrinsicFailure"]
    .map((name) => binary("!=", member(variable("error"), "name"), literal(name)))
    .reduce(and);

/** Whether a heartbeat is missing, which is reported as a timeout. */
const missesHeartbeat = binary("==", member(variable("error"), "origin"), literal("heartbeat"));

const heartbeatError = "States.HeartbeatTimeout";
