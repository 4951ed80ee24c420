import { type DataFlow, proveDataFlow } from "../../src/analysis/types/flow.ts";
import { type Expression, inferTypeWithin } from "../../src/expressions/index.ts";
import type { RetrySpans } from "../../src/ir/recovery.ts";
import { constantSeconds } from "../../src/ir/seconds.ts";
import { spanOfValue } from "../../src/ir/spans.ts";
import { retriesOf, stepsOf } from "../../src/ir/walk.ts";
import type { Program, Retry, Seconds, Step, Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import type { Span } from "../../src/text/source.ts";
import { alternatives, any, type Type } from "../../src/types/index.ts";
import * as messages from "./diagnostics/kinds.ts";
import { isClock } from "./legalize/limit-attempts.ts";

/** The maximum timeout of a task, in seconds. */
export const maxTimeout = 99_999_999;

/** The maximum duration of an execution, in seconds. */
const maxExecutionSeconds = 31_536_000;

/** Reports times that may not be a whole number of seconds, by their types, and constant delays that are too long. */
export function checkComputedTimes(workflow: Workflow, program: Program, report: Report): void {
  let types: DataFlow | undefined;
  for (const step of stepsOf(workflow)) {
    if (step.kind === "delay" && step.wait.kind === "for" && step.wait.seconds.kind === "literal") {
      const hint = "An execution ends after one year, even between two waits.";
      const limits = { what: delayOf(step), least: 0, most: maxExecutionSeconds, hint };
      checkTime(limits, Number(step.wait.seconds.value), spanOfValue(step, "wait"), report);
      continue;
    }
    for (const { what, seconds, span } of computedTimes(step)) {
      types ??= proveDataFlow(workflow, program.workflows);
      const variables = types.before.get(step.id);
      if (variables && !isInteger(inferTypeWithin(seconds, { input: any, variables })))
        report(messages.aslSeconds(span, { what, seconds: undefined }));
    }
  }
}

interface ComputedTime {
  readonly what: string;
  readonly seconds: Expression;
  readonly span: Span;
}

function computedTimes(step: Step): readonly ComputedTime[] {
  if (step.kind === "delay")
    return step.wait.kind === "for"
      ? [{ what: delayOf(step), seconds: step.wait.seconds, span: spanOfValue(step, "wait") }]
      : [];
  const time = (what: string, seconds: Seconds | undefined, span: Span): readonly ComputedTime[] =>
    seconds === undefined || typeof seconds === "number" ? [] : [{ what, seconds, span }];
  return [
    ...("timeout" in step ? time(timeoutOf(step), step.timeout, spanOfValue(step, "timeout")) : []),
    ...retriesOf(step).flatMap((retry) => [
      ...time(`the delay of a retry of ${nameOf(step)}`, retry.delay.base, spanOfValue(retry, "base")),
      ...time(`the longest delay of a retry of ${nameOf(step)}`, retry.delay.cap, spanOfValue(retry, "cap")),
    ]),
  ];
}

const nameOf = ({ origin }: Step): string => `${origin.noun} \`${truncate(origin.name)}\``;

const timeoutOf = (step: Step): string => `the timeout of ${nameOf(step)}`;

const delayOf = (step: Step): string => (isClock(step) ? timeoutOf(step) : `the delay of ${nameOf(step)}`);

/** Whether all numbers of a type are integers. */
const isInteger = (type: Type): boolean =>
  alternatives(type).every((part) =>
    part.kind === "literal"
      ? typeof part.value !== "number" || Number.isInteger(part.value)
      : part.kind !== "number" || part.integer,
  );

interface TimeLimits {
  readonly what: string;
  readonly least: number;
  readonly most: number;
  readonly hint?: string;
}

/** Reports a constant time that is not a whole number of seconds in some limits. */
export function checkTime(limits: TimeLimits, seconds: number, span: Span, report: Report): void {
  const { what, least, most } = limits;
  if (!Number.isInteger(seconds)) report(messages.aslSeconds(span, { what, seconds }));
  else if (seconds < least || seconds > most) report(messages.aslRange(span, { ...limits, seconds }));
}

/** Reports a constant timeout that Step Functions does not allow. */
export function checkTimeout(step: Step, report: Report): void {
  const seconds = "timeout" in step ? constantSeconds(step.timeout) : undefined;
  if (!("timeout" in step) || seconds === undefined) return;
  checkTime({ what: timeoutOf(step), least: 1, most: maxTimeout }, seconds, spanOfValue(step, "timeout"), report);
}

/** Reports a retry whose delays may not be whole numbers of seconds. */
export function checkBackoff(retry: Retry, report: Report): void {
  const { base, cap, step, factor, jitter } = retry.delay;
  const reject = (member: keyof RetrySpans, detail: string, hint?: string): void =>
    report(messages.aslBackoff(spanOfValue(retry, member), { detail, hint }));
  const nearest = (value: number): number => Math.max(1, Math.round(value));
  const constant = { base: constantSeconds(base) ?? 0, step, cap: constantSeconds(cap) ?? 0 };
  const fractional = (["base", "step", "cap"] as const).find((member) => !Number.isInteger(constant[member]));
  if (fractional)
    reject(
      fractional,
      "it counts in whole seconds",
      `Write a whole number of seconds, such as ${nearest(constant[fractional])}.`,
    );
  else if (!Number.isInteger(factor))
    reject(
      "factor",
      `multiplying by ${factor} gives parts of seconds`,
      `Use a whole factor, such as ${nearest(factor)}.`,
    );
  if (jitter?.kind === "range") {
    const part = [jitter.from, jitter.to].find((each) => !Number.isInteger(each));
    if (part !== undefined)
      reject("jitter", "it counts in whole seconds", `Write a whole number of seconds, such as ${nearest(part)}.`);
  } else if (jitter && jitter.kind !== "full") reject("jitter", "its own jitter is between zero and the whole wait");
}
