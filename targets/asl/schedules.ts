import type { CronTimer, PeriodicTimer, Timer } from "../../src/ir/definitions.ts";
import { type Cron, isCronSyntaxError, parseCron } from "../../src/text/cron.ts";

/** A schedule of Amazon EventBridge Scheduler. Dates are ISO 8601 instants. */
export interface Schedule {
  readonly expression: string;
  readonly timezone?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** Why a timer has no exact schedule. */
export interface UnsupportedTimer {
  readonly construct: string;
  readonly hint?: string | undefined;
}

/** The schedule that fires like a timer, to the minute, which is the precision of EventBridge Scheduler. */
export function scheduleOf(timer: Timer): Schedule | UnsupportedTimer {
  switch (timer.kind) {
    case "every":
      return rateOf(timer);
    case "cron":
      return cronOf(timer);
    case "after":
      return {
        construct: "a timer that counts from the end of the run before",
        hint: "Use an interval or a cron expression.",
      };
  }
}

/** Whether a timer has a schedule. */
export const isSchedule = (made: Schedule | UnsupportedTimer): made is Schedule => "expression" in made;

const units = [
  ["day", 1440],
  ["hour", 60],
  ["minute", 1],
] as const;

function rateOf({ seconds, from, until, times }: PeriodicTimer): Schedule | UnsupportedTimer {
  const minutes = seconds / 60;
  if (!Number.isInteger(minutes)) return { construct: `an interval of ${seconds} s: schedules have whole minutes` };
  if (times !== undefined && from === undefined)
    return { construct: "a number of firings: a schedule ends at an instant", hint: "State when the interval begins." };
  const [unit, length] = units.find(([, each]) => minutes % each === 0)!;
  const count = minutes / length;
  // Before the firing after the last one.
  const last = times === undefined ? undefined : new Date(Date.parse(from!) + (times - 0.5) * seconds * 1000);
  const end = [until, last?.toISOString()].filter((each) => each !== undefined).sort(byTime)[0];
  return { expression: `rate(${count} ${unit}${count === 1 ? "" : "s"})`, start: from, end };
}

const byTime = (a: string, b: string): number => Date.parse(a) - Date.parse(b);

function cronOf({ expression, timezone, until }: CronTimer): Schedule | UnsupportedTimer {
  const cron = parseCron(expression);
  if (isCronSyntaxError(cron)) throw new Error(cron.message);
  if (cron.seconds.length !== 1 || cron.seconds[0] !== 0)
    return { construct: "a cron expression with seconds: schedules have whole minutes" };
  if (cron.isEitherDay)
    return {
      construct: "a cron expression with both days of the month and days of the week",
      hint: "Use two schedules, or state one of them as `*`.",
    };
  return { expression: `cron(${cronFields(cron)})`, timezone, end: until };
}

const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** Minutes, hours, days, months, weekdays and years; either days or weekdays are `?`. */
function cronFields({ minutes, hours, days, months, weekdays, years }: Cron): string {
  const isByWeekday = weekdays.length < 7;
  return [
    listOf(minutes, 60),
    listOf(hours, 24),
    isByWeekday ? "?" : listOf(days, 31),
    listOf(months, 12),
    isByWeekday ? weekdays.map((day) => weekdayNames[day]).join(",") : "?",
    years ? years.join(",") : "*",
  ].join(" ");
}

const listOf = (values: readonly number[], all: number): string =>
  values.length === all ? "*" : ranges(values).join(",");

/** Consecutive values as ranges. */
function ranges(values: readonly number[]): readonly string[] {
  const found: [number, number][] = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last && last[1] === value - 1) last[1] = value;
    else found.push([value, value]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
}
