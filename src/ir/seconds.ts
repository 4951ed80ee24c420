import { binary, bind, call, conditional, type Expression, literal, variable } from "../expressions/index.ts";
import type { ErrorNames } from "./recovery.ts";
import type { Step } from "./workflow.ts";

/**
 * A number of seconds, constant or the value of a variable when the step begins, which the step does not change. It is
 * not negative, and more than zero for a timeout; front ends ensure that with `checkedSeconds`.
 */
export type Seconds = number | Expression;

/** The seconds if they are constant. */
export const constantSeconds = (seconds: Seconds | undefined): number | undefined =>
  typeof seconds === "number" ? seconds : undefined;

/** The seconds as an expression. */
export const secondsExpression = (seconds: Seconds): Expression =>
  typeof seconds === "number" ? literal(seconds) : seconds;

/** The expressions of the seconds that a step computes. */
export function computedSeconds(step: Step): readonly Expression[] {
  const limits = [
    ...("timeout" in step ? [step.timeout] : []),
    ...(step.kind === "call" ? [step.callback?.heartbeat] : []),
  ];
  const retries = "retries" in step ? step.retries : [];
  const times = [...limits, ...retries.flatMap(({ within, delay }) => [within, delay.base, delay.cap])];
  return times.flatMap((each) => (each === undefined || typeof each === "number" ? [] : [each]));
}

/**
 * A value as seconds. It fails as an expression does if it is not a number, negative, or zero although it must be
 * `positive`.
 */
export function checkedSeconds(
  value: Expression,
  what: string,
  least: "zero" | "positive",
  names?: Pick<ErrorNames, "expression">,
): Expression {
  const given = variable("given");
  const isNumber = binary("==", call("type", given), literal("number"));
  const isEnough = binary(least === "zero" ? ">=" : ">", given, literal(0));
  const isPossible = conditional(isNumber, isEnough, literal(false));
  const detail = least === "zero" ? "a number of seconds" : "a positive number of seconds";
  const failure = { name: names?.expression ?? "DataError", message: `${what} is not ${detail}.` };
  return bind("given", value, conditional(isPossible, given, call("error", literal(failure))));
}
