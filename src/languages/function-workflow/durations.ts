import { type Expression, literal } from "../../expressions/index.ts";
import type { Delay } from "../../ir/workflow.ts";
import { withFix } from "../../text/diagnostics.ts";
import { isTimeSyntaxError, parseInstant } from "../../text/iso8601.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { timeAsString, zeroTimeout } from "./diagnostics/kinds.ts";

type DurationOwner = { readonly [key: string]: unknown };

/** The duration in `owner[key]`, in seconds; reports and returns undefined if invalid. */
export function durationAt(context: Context, owner: object, key: string): number | undefined {
  const value = (owner as DurationOwner)[key];
  if (typeof value !== "string") return value as number | undefined;
  const seconds = /^\d{1,10}$/.test(value) ? Number(value) : secondsAt(context, owner, key);
  if (seconds === undefined) return undefined;
  const span = spanOf(context, owner, key);
  const warning = timeAsString(span, { text: value, meaning: `${seconds} seconds` });
  context.report(Number.isInteger(seconds) ? withFix(warning, String(seconds)) : warning);
  return seconds;
}

/** The timeout in seconds, if any. */
export function timeoutOf(context: Context, owner: { readonly timeout?: number | string }): number | undefined {
  const seconds = durationAt(context, owner, "timeout");
  if (seconds === 0) context.report(zeroTimeout(spanOf(context, owner, "timeout"), {}));
  return seconds === 0 ? undefined : seconds;
}

/** How long, or until when, a state waits. */
export function waitOf(context: Context, owner: { readonly "time-delay": number | string }): Delay["wait"] {
  const { "time-delay": written } = owner;
  const isInstant = typeof written === "string" && !isTimeSyntaxError(parseInstant(written));
  if (!isInstant) return { kind: "for", seconds: literal(durationAt(context, owner, "time-delay") ?? 0) };
  context.report(timeAsString(spanOf(context, owner, "time-delay"), { text: written, meaning: "a point in time" }));
  const instant: Expression = literal(written);
  return { kind: "until", instant };
}
