import type { CronTimer, PeriodicTimer, Timer } from "../../src/ir/definitions.ts";
import type { JsonObject } from "../../src/json.ts";
import { type Cron, isCronSyntaxError, parseCron } from "../../src/text/cron.ts";

/** A feed of the alarms package, and its parameters. */
export interface Alarm {
  readonly feed: string;
  readonly inputs: JsonObject;
}

/** Why a timer has no exact alarm, as the object of a sentence. */
export interface UnsupportedTimer {
  readonly construct: string;
  readonly hint?: string | undefined;
}

/** The alarm that fires like a timer. */
export function alarmOf(timer: Timer): Alarm | UnsupportedTimer {
  switch (timer.kind) {
    case "every":
      return intervalOf(timer);
    case "cron":
      return cronOf(timer);
    case "after":
      return {
        construct: "a timer that counts from the end of the run before",
        hint: "Use an interval or a cron expression.",
      };
  }
}

/** Whether a timer has an alarm. */
export const isAlarm = (made: Alarm | UnsupportedTimer): made is Alarm => "feed" in made;

function intervalOf({ seconds, from, until, times }: PeriodicTimer): Alarm | UnsupportedTimer {
  if (!Number.isInteger(seconds / 60)) return { construct: `an interval of ${seconds} s: alarms have whole minutes` };
  if (times !== undefined && from === undefined)
    return { construct: "a number of firings: an alarm ends at an instant", hint: "State when the interval begins." };
  // Between the last firing and the next one.
  const last = times === undefined ? [] : [Date.parse(from!) + (times - 0.5) * seconds * 1000];
  const end = [...last, ...(until === undefined ? [] : [Date.parse(until)])];
  return {
    feed: "/whisk.system/alarms/interval",
    inputs: {
      minutes: seconds / 60,
      ...(from === undefined ? {} : { startDate: new Date(from).toISOString() }),
      ...(end.length === 0 ? {} : { stopDate: new Date(Math.min(...end)).toISOString() }),
    },
  };
}

function cronOf({ expression, timezone, until }: CronTimer): Alarm | UnsupportedTimer {
  const cron = parseCron(expression);
  if (isCronSyntaxError(cron)) throw new Error(cron.message);
  if (timezone !== undefined && !["UTC", "Etc/UTC"].includes(timezone))
    return { construct: `a timer in the time zone ${timezone}: alarms use UTC` };
  if (cron.years) return { construct: "a timer for certain years" };
  if (cron.isEitherDay)
    return {
      construct: "a cron expression with both days of the month and days of the week",
      hint: "Use two schedules, or state one of them as `*`.",
    };
  return {
    feed: "/whisk.system/alarms/alarm",
    inputs: {
      cron: cronText(cron),
      ...(until === undefined ? {} : { stopDate: new Date(until).toISOString() }),
    },
  };
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Six fields. Versions of the alarms package count months from 0 or from 1, so they have names. */
const cronText = ({ seconds, minutes, hours, days, months, weekdays }: Cron): string =>
  [
    listOf(seconds, 60),
    listOf(minutes, 60),
    listOf(hours, 24),
    listOf(days, 31),
    listOf(months, 12, (month) => monthNames[month - 1]!),
    listOf(weekdays, 7, (day) => weekdayNames[day]!),
  ].join(" ");

const listOf = (values: readonly number[], all: number, name = String as (value: number) => string): string =>
  values.length === all ? "*" : values.map((value) => name(value)).join(",");
