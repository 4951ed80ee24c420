import { call, conditional, type Expression, literal, simplify, variable } from "../../expressions/index.ts";
import { checkedSeconds, type Seconds } from "../../ir/seconds.ts";
import { isObject, type Json } from "../../json.ts";
import { isTimeSyntaxError, parseDuration } from "../../text/iso8601.ts";
import { invalidDuration } from "../shared/diagnostics/kinds.ts";
import { spanOf, toSeconds } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment } from "../shared/steps.ts";
import type { Row } from "./arguments.ts";
import { type Context, freshVariable, type Writer } from "./context.ts";
import { computedDuration, negativeDuration } from "./diagnostics/flow.ts";
import { expressionAt, templateAt, type ValuePlace, valueAt } from "./expressions.ts";
import { wholeExpression } from "./interpolations.ts";
import { jqProgram } from "./programs.ts";

/** The duration at a place in seconds: a literal unless it is an expression. */
export function durationAt(context: Context, place: ValuePlace, row: Row): Expression {
  const value = valueAt(place);
  if (isObject(value)) {
    const parts = templateAt(context, place, row);
    return parts.kind === "literal" ? literal(secondsIn(value)) : parseSeconds(parts);
  }
  const text = String(value);
  if (wholeExpression(text)) return parseSeconds(expressionAt(context, place, row));
  const parsed = parseDuration(text);
  if (!isTimeSyntaxError(parsed)) return literal(toSeconds(context, place.owner, String(place.key), parsed));
  context.report(invalidDuration(spanOf(context, place.owner, place.key), parsed));
  return literal(0);
}

/** Seconds that a step reads, and the steps that compute them before it. */
export interface ComputedSeconds {
  readonly seconds: Seconds;
  readonly steps: StepFragment;
}

/** The duration at a place as a time limit or delay. One that is an expression is computed by a step before. */
export function secondsAt(writer: Writer, place: ValuePlace, row: Row, least: "zero" | "positive"): ComputedSeconds {
  const { context, scope } = writer;
  const seconds = durationAt(context, place, row);
  if (seconds.kind === "literal") return { seconds: secondsOf(context, place, seconds.value), steps: noSteps };
  const name = freshVariable(scope, "seconds");
  const value = checkedSeconds(seconds, "The duration", least, { expression: "expression" });
  const span = spanOf(context, place.owner, place.key);
  return { seconds: variable(name), steps: assign(writer, "seconds", span, { variable: name, value }) };
}

/** The duration at a place in seconds; reports one that is an expression. */
export function constantSecondsAt(context: Context, place: ValuePlace, row: Row): number {
  const seconds = durationAt(context, place, row);
  if (seconds.kind === "literal") return secondsOf(context, place, seconds.value);
  context.report(computedDuration(spanOf(context, place.owner, place.key), {}));
  return 0;
}

/** Reports a constant that is negative. */
export function secondsOf(context: Context, { owner, key }: ValuePlace, value: Json): number {
  const seconds = Number(value);
  if (seconds < 0) context.report(negativeDuration(spanOf(context, owner, key), {}));
  return seconds;
}

const units: readonly (readonly [string, number])[] = [
  ["days", 86_400],
  ["hours", 3_600],
  ["minutes", 60],
  ["seconds", 1],
  ["milliseconds", 0.001],
];

const secondsIn = (duration: { readonly [unit: string]: unknown }): number =>
  units.reduce((sum, [unit, seconds]) => sum + Math.round(Number(duration[unit] ?? 0) * seconds * 1000) / 1000, 0);

const failure = `error({ name: "expression", message: "The value is not a duration." })`;

const parseSeconds = jqProgram(`
  (if type == "object" and (keys - ["days", "hours", "minutes", "seconds", "milliseconds"]) == [] and length > 0
      and all(.[]; type == "number")
   then (.days // 0) * 86400 + (.hours // 0) * 3600 + (.minutes // 0) * 60 + (.seconds // 0) + (.milliseconds // 0) / 1000
   elif type == "string"
   then (capture("^P(?=.)(?:(?<y>[0-9]+)Y)?(?:(?<mo>[0-9]+)M)?(?:(?<w>[0-9]+)W)?(?:(?<d>[0-9]+)D)?(?:T(?=.)(?:(?<h>[0-9]+)H)?(?:(?<mi>[0-9]+)M)?(?:(?<s>[0-9]+(?:[.][0-9]+)?)S)?)?$")
     // ${failure})
     | map_values(. // "0" | tonumber)
     | (.y * 365 + .mo * 30 + .w * 7 + .d) * 86400 + .h * 3600 + .mi * 60 + .s
   else ${failure} end)
  | if . >= 0 then . else ${failure} end`);

/** A number of seconds that is not below zero. */
export const notNegative = (seconds: Expression): Expression =>
  simplify(
    seconds.kind === "literal"
      ? literal(Math.max(0, Number(seconds.value)))
      : conditional(call("<", seconds, literal(0)), literal(0), seconds),
  );
