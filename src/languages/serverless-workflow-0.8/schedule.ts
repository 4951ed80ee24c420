import type { Schedule } from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Start } from "../../ir/workflow.ts";
import { isCronSyntaxError, parseCron } from "../../text/cron.ts";
import {
  boundsOf,
  formatInstant,
  isTimeSyntaxError,
  parseInstant,
  parseInterval,
  parseRepeating,
  secondsOf,
} from "../../text/iso8601.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { invalidSchedule, noEffect, windowSchedule } from "./diagnostics/kinds.ts";

/** Serverless Workflow 0.8, Schedule Definition: the timers that create runs. */
export function scheduleOf(context: Context): Pick<Start, "timers" | "window"> {
  const schedule = context.definition.start?.schedule;
  if (!schedule) return {};
  const isWindow = schedule.interval !== undefined && !schedule.interval.startsWith("R");
  if (context.start.type === "event" && !isWindow)
    context.report(
      invalidSchedule(spanOf(context, context.definition.start!, "schedule", "key"), {
        message: "Events start the runs of this workflow, so it cannot have a schedule.",
      }),
    );
  const { cron, interval, timezone } = schedule;
  if ((cron === undefined) === (interval === undefined))
    context.report(
      invalidSchedule(spanOf(context, context.definition.start!, "schedule", "key"), {
        message: "A schedule has either an `interval` or a `cron` expression.",
      }),
    );
  if (cron) return cronTimer(context, schedule, cron);
  if (timezone !== undefined)
    context.report(
      noEffect(spanOf(context, schedule, "timezone", "key"), {
        name: "timezone",
        why: "it applies only to `cron` expressions",
      }),
    );
  return interval === undefined ? {} : intervalTimer(context, schedule, interval);
}

function cronTimer(
  context: Context,
  { timezone }: Schedule,
  cron: NonNullable<Schedule["cron"]>,
): Pick<Start, "timers"> {
  const parsed = parseCron(cron.expression);
  const span = spanOf(context, cron, "expression");
  if (isCronSyntaxError(parsed)) {
    const at = context.document.spanWithin(cron, "expression", parsed.from, parsed.to);
    context.report(invalidSchedule(at, { message: parsed.message }));
    return {};
  }
  const until = cron.validUntil === undefined ? undefined : parseInstant(cron.validUntil);
  if (isTimeSyntaxError(until)) context.report(invalidSchedule(spanOf(context, cron, "validUntil"), until));
  const isKnown = timezone === undefined || isTimezone(timezone);
  if (!isKnown) {
    const message = `\`${timezone.slice(0, 60)}\` is not an IANA time zone.`;
    context.report(invalidSchedule(spanOf(context, context.definition.start!.schedule!, "timezone"), { message }));
  }
  return {
    timers: [
      {
        kind: "cron",
        expression: cron.expression,
        ...(timezone === undefined || !isKnown ? {} : { timezone }),
        ...(typeof until === "number" ? { until: formatInstant(until) } : {}),
        span,
      },
    ],
  };
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** `R/PT15M` creates runs; an interval without repetition is a window, as in the draft. */
function intervalTimer(context: Context, schedule: Schedule, text: string): Pick<Start, "timers" | "window"> {
  const span = spanOf(context, schedule, "interval");
  const refuse = (message: string) => {
    context.report(invalidSchedule(span, { message }));
    return {};
  };
  if (!text.startsWith("R")) {
    const interval = parseInterval(text);
    if (isTimeSyntaxError(interval)) return refuse(interval.message);
    if (interval.kind === "duration") return refuse(`Write \`R/${text}\` for a run each \`${text}\`.`);
    const bounds = boundsOf(interval, undefined);
    if (isTimeSyntaxError(bounds)) return refuse(bounds.message);
    context.report(windowSchedule(span, {}));
    return { window: { from: formatInstant(bounds.from), until: formatInstant(bounds.until) } };
  }
  const repeating = parseRepeating(text);
  if (isTimeSyntaxError(repeating)) return refuse(repeating.message);
  const { interval, repetitions } = repeating;
  if (interval.kind === "between") return refuse("A repeating interval needs a duration, such as `R/PT15M`.");
  const { seconds } = secondsOf(interval.duration);
  if (seconds <= 0) return refuse("A repeating interval needs a duration of more than zero.");
  const limits = {
    ...(repetitions === undefined ? {} : { times: repetitions + 1 }),
    ...(interval.kind === "from" ? { from: formatInstant(interval.start) } : {}),
    ...(interval.kind === "until" ? { until: formatInstant(interval.end) } : {}),
  };
  return { timers: [{ kind: "every", seconds, ...limits, span }] };
}
