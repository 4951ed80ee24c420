import type { Cron } from "./cron.ts";

/** Whether `Intl` knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The first instant of a cron expression after another one, in milliseconds since 1970; undefined if no further one exists. A
 * local time that a change of the clocks skips is skipped, one that it repeats counts once.
 */
export function nextOccurrence(cron: Cron, after: number, timezone = "UTC"): number | undefined {
  const zone = zoneOf(timezone);
  const local = after + zone.offset(after);
  const today = Math.floor(local / dayMs);
  for (let day = today; day <= today + maxDays; day++) {
    if (!hasDay(cron, new Date(day * dayMs))) continue;
    for (const time of timesOf(cron, day === today ? local - day * dayMs : 0)) {
      const instant = zone.instantOf(day * dayMs + time);
      if (instant !== undefined && instant > after) return instant;
    }
  }
  return undefined;
}

const dayMs = 86_400_000;

/** Farther than any day that occurs: from one 29th of February on a weekday, or a year, to the next. */
const maxDays = 366 * 230;

function hasDay({ years, months, days, weekdays, isEitherDay }: Cron, date: Date): boolean {
  if (years && !years.includes(date.getUTCFullYear())) return false;
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const [isDay, isWeekday] = [days.includes(date.getUTCDate()), weekdays.includes(date.getUTCDay())];
  return isEitherDay ? isDay || isWeekday : isDay && isWeekday;
}

/** The times of a day from one on, in milliseconds since midnight. */
function* timesOf({ hours, minutes, seconds }: Cron, from: number): Iterable<number> {
  for (const hour of hours) {
    if ((hour + 1) * 3_600_000 <= from) continue;
    for (const minute of minutes) {
      const at = hour * 3_600_000 + minute * 60_000;
      if (at + 60_000 <= from) continue;
      for (const second of seconds) yield at + second * 1000;
    }
  }
}

/** A time zone. */
interface Zone {
  /** How far local time is ahead of UTC at an instant, in milliseconds. */
  offset(instant: number): number;
  /** The first instant with a local time; undefined if the clocks skip it. */
  instantOf(local: number): number | undefined;
}

const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  const known = zones.get(name) ?? (name === "UTC" ? utc : createZone(name));
  if (zones.size < 1000) zones.set(name, known);
  return known;
}

const utc: Zone = { offset: () => 0, instantOf: (local) => local };

function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offset = (instant: number): number => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const date = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return date - Math.floor(instant / 1000) * 1000;
  };
  return {
    offset,
    instantOf(local) {
      const candidates = [...new Set([local - dayMs, local + dayMs].map(offset))].map((ahead) => local - ahead);
      const found = candidates.filter((instant) => instant + offset(instant) === local);
      return found.length === 0 ? undefined : Math.min(...found);
    },
  };
}
