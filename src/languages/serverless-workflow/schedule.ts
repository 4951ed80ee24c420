import type { Window } from "../../ir/workflow.ts";
import { boundsOf, instantText, isProblem, parseInterval } from "../../text/iso8601.ts";
import { type Context, spanOf } from "./context.ts";
import type { Start } from "./definition.ts";
import {
  floatingSchedule,
  missingSchedule,
  repeatingSchedule,
  unreadableDeployment,
  unreadableSchedule,
  withoutEffect,
} from "./diagnostics/kinds.ts";

/** When a start state is active; undefined: always. */
export function windowOf(context: Context, start: Start | undefined): Window | undefined {
  if (!start) return undefined;
  const { kind, schedule } = start;
  if (kind === "default") {
    const why = "only a start of kind `scheduled` has one";
    if (schedule) context.report(withoutEffect(spanOf(context, start, "schedule", "key"), { name: "schedule", why }));
    return undefined;
  }
  if (schedule) return intervalOf(context, schedule);
  context.report(missingSchedule(spanOf(context, start, "kind"), {}));
  return undefined;
}

function intervalOf(context: Context, schedule: { readonly interval: string }): Window | undefined {
  const { interval: text } = schedule;
  const span = spanOf(context, schedule, "interval");
  const { deployed } = context.settings;
  const refuse = (diagnostic: Parameters<Context["report"]>[0]): undefined => {
    context.report(diagnostic);
  };
  if (/^R\d*\//.test(text)) return refuse(repeatingSchedule(span, { text }));
  const interval = parseInterval(text);
  if (isProblem(interval)) return refuse(unreadableSchedule(span, { text, ...interval }));
  if (interval.kind === "duration" && deployed === undefined) return refuse(floatingSchedule(span, { text }));
  if (interval.kind === "duration" && typeof deployed === "string")
    return refuse(unreadableDeployment(span, { text: deployed }));
  const bounds = boundsOf(interval, typeof deployed === "number" ? deployed : undefined);
  return isProblem(bounds)
    ? refuse(unreadableSchedule(span, { text, ...bounds }))
    : { from: instantText(bounds.from), until: instantText(bounds.until) };
}
