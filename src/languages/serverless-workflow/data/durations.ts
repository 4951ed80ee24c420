import { type Duration, isProblem, parseDuration, secondsOf } from "../../../text/iso8601.ts";
import { type Context, spanOf } from "../context.ts";
import { inexactDuration, unreadableDuration } from "../diagnostics/kinds.ts";

/** The duration in `owner[key]`, in seconds; undefined, and reported, where it is none. */
export function secondsAt(context: Context, owner: object, key: string): number | undefined {
  const text = (owner as { readonly [key: string]: string })[key]!;
  const duration = parseDuration(text);
  if (!isProblem(duration)) return exactly(context, owner, key, duration);
  context.report(unreadableDuration(spanOf(context, owner, key), duration));
  return undefined;
}

/** The seconds of a duration that is written in `owner[key]`; says so when years or months had to be taken for days. */
export function exactly(context: Context, owner: object, key: string, duration: Duration): number {
  const { seconds, exact } = secondsOf(duration);
  const text = String((owner as { readonly [key: string]: unknown })[key]);
  if (!exact) context.report(inexactDuration(spanOf(context, owner, key), { text, seconds }));
  return seconds;
}
