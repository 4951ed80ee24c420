/** An ISO 8601 duration. Weeks count as days, hours and minutes as seconds. */
export interface Duration {
  readonly years: number;
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
}

/** An ISO 8601 interval; instants are milliseconds since 1970. */
export type Interval =
  | { readonly kind: "between"; readonly start: number; readonly end: number }
  | { readonly kind: "from"; readonly start: number; readonly duration: Duration }
  | { readonly kind: "until"; readonly duration: Duration; readonly end: number }
  | { readonly kind: "duration"; readonly duration: Duration };

/** `R5/PT15M`; undefined `repetitions`: indefinitely. */
export interface RepeatingInterval {
  readonly repetitions: number | undefined;
  readonly interval: Interval;
}

/** An unreadable time. */
export interface TimeSyntaxError {
  readonly message: string;
  /** The likely meaning in ISO 8601. */
  readonly suggestion?: string | undefined;
}

/** Whether parsing failed. */
export const isTimeSyntaxError = (result: unknown): result is TimeSyntaxError =>
  typeof result === "object" && result !== null && "message" in result;

/** Parses a duration such as `PT15M`, `P2DT3H4M`, `P1W` or `PT0.5S`. */
export function parseDuration(text: string): Duration | TimeSyntaxError {
  const match = text.length > 100 || /[.,]\d+[A-Z]T?\d/.test(text) ? null : duration.exec(text);
  if (!match)
    return {
      message: `${quoteValue(text)} is not an ISO 8601 duration, such as \`PT15M\` or \`P2DT3H\`.`,
      suggestion: suggestDuration(text),
    };
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((part) => Number((part ?? "0").replace(",", "."))) as DurationParts;
  return limitDuration({ years, months, days: weeks * 7 + days, seconds: hours * 3600 + minutes * 60 + seconds }, text);
}

/** The longest duration, in seconds: about the time to the year 9999, the last one of timestamps in RFC 3339. */
export const maxDurationSeconds = 250_000_000_000;

/** The last instant of RFC 3339, in milliseconds since 1970. */
export const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** Rejects a duration that is longer than the calendar. */
export const limitDuration = (parsed: Duration, text: string): Duration | TimeSyntaxError =>
  secondsOf(parsed).seconds <= maxDurationSeconds
    ? parsed
    : { message: `${quoteValue(text)} is longer than any workflow runs.` };

function suggestDuration(text: string): string | undefined {
  const [, number, unit] = /^\s*(\d{1,9})\s*([a-z]{1,7})\s*$/i.exec(text.slice(0, 30)) ?? [];
  const part = unit === undefined ? undefined : units.find(({ names }) => names.includes(unit.toLowerCase()));
  const written = part
    ? part.write(number!)
    : text
        .trim()
        .slice(0, 30)
        .toUpperCase()
        .replace(/^P(\d+[HS])/, "PT$1")
        .replace(/^PT(\d+[DW])$/, "P$1");
  return written !== text && duration.test(written) && !isTimeSyntaxError(parseDuration(written)) ? written : undefined;
}

const units: readonly { readonly names: readonly string[]; readonly write: (number: string) => string }[] = [
  { names: ["ms", "millis"], write: (number) => `PT${Number(number) / 1000}S` },
  { names: ["s", "sec", "secs", "second", "seconds"], write: (number) => `PT${number}S` },
  { names: ["m", "min", "mins", "minute", "minutes"], write: (number) => `PT${number}M` },
  { names: ["h", "hr", "hrs", "hour", "hours"], write: (number) => `PT${number}H` },
  { names: ["d", "day", "days"], write: (number) => `P${number}D` },
];

/** Counts a year as 365 days and a month as 30, not `exact`. */
export function secondsOf({ years, months, days, seconds }: Duration): {
  readonly seconds: number;
  readonly exact: boolean;
} {
  return { seconds: (years * 365 + months * 30 + days) * 86_400 + seconds, exact: years === 0 && months === 0 };
}

/** Parses an instant such as `2020-03-20T09:00:00Z`, to milliseconds. */
export function parseInstant(text: string): number | TimeSyntaxError {
  const match = text.length > 100 ? null : instant.exec(text);
  if (!match) return { message: explainInstant(text) };
  const [, date, time, seconds = "00", fraction, offset] = match;
  return (
    instantOf(`${date}T${time}:${seconds}`, fraction, offset) ?? {
      message: `There is no such time as ${quoteValue(text)}.`,
    }
  );
}

/** Explains why a string is not an instant. A date and a time without a zone are near misses. */
function explainInstant(text: string): string {
  if (text.length <= 100 && instant.test(`${text}Z`))
    return `${quoteValue(text)} has no time zone; add \`Z\` or an offset, such as \`+01:00\`.`;
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return `${quoteValue(text)} is a date; an instant has a time and a zone, such as \`${text}T00:00:00Z\`.`;
  return `${quoteValue(text)} is not an ISO 8601 instant, such as \`2020-03-20T09:00:00Z\`.`;
}

/** Converts a local time, fraction and offset to milliseconds since 1970; undefined if it does not exist. */
export function instantOf(local: string, fraction = "", offset = "+00:00"): number | undefined {
  const milliseconds = Date.parse(`${local}Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== local) return undefined;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (
    milliseconds + Number(fraction.slice(0, 3).padEnd(3, "0")) - (offset.startsWith("-") ? -minutes : minutes) * 60_000
  );
}

/** Formats an instant in UTC, without zero milliseconds. */
export const formatInstant = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(".000Z", "Z");

/** Formats seconds as a duration such as `P1DT2H0.5S`, to the microsecond. */
export function formatDuration(total: number): string {
  const micros = Math.round(total * 1e6);
  const part = (size: number, unit: string, limit = Number.POSITIVE_INFINITY): string => {
    const count = Math.floor(micros / (size * 1e6)) % limit;
    return count === 0 ? "" : `${count}${unit}`;
  };
  const seconds = (micros % 60e6) / 1e6;
  const time = `${part(3600, "H", 24)}${part(60, "M", 60)}${seconds === 0 ? "" : `${seconds}S`}`;
  const days = part(86_400, "D");
  return time === "" && days === "" ? "PT0S" : `P${days}${time === "" ? "" : `T${time}`}`;
}

/** Parses `start/end`, `start/duration`, `duration/end` or a duration. */
export function parseInterval(text: string): Interval | TimeSyntaxError {
  const [first = "", second, ...rest] = text.split("/", 3);
  if (rest.length > 0)
    return { message: `${quoteValue(text)} is not an ISO 8601 interval: it has more than two parts.` };
  if (second === undefined) {
    const length = parseDuration(first);
    return isTimeSyntaxError(length) ? length : { kind: "duration", duration: length };
  }
  return first.startsWith("P") ? intervalUntil(first, second) : intervalFrom(first, second);
}

/** Parses `R5/PT15M` or `R/PT1M`. */
export function parseRepeating(text: string): RepeatingInterval | TimeSyntaxError {
  const [, count, rest] = /^R(\d{0,9})\/(.*)$/s.exec(text) ?? [];
  if (count === undefined || rest === undefined)
    return { message: `${quoteValue(text)} is not an ISO 8601 repeating interval, such as \`R5/PT15M\`.` };
  const interval = parseInterval(rest);
  return isTimeSyntaxError(interval) ? interval : { repetitions: count === "" ? undefined : Number(count), interval };
}

/** The bounds of an interval. A duration alone starts at `origin`. */
export function boundsOf(
  interval: Interval,
  origin?: number,
): { readonly from: number; readonly until: number } | TimeSyntaxError {
  switch (interval.kind) {
    case "between":
      return { from: interval.start, until: interval.end };
    case "from":
      return bounded(interval.start, addDuration(interval.start, interval.duration, 1));
    case "until":
      return bounded(addDuration(interval.end, interval.duration, -1), interval.end);
    case "duration":
      if (origin === undefined) return { message: "A duration alone does not say when it begins." };
      return bounded(origin, addDuration(origin, interval.duration, 1));
  }
}

/** Adds or subtracts (−1) a duration in UTC: first years and months by the calendar, then days and seconds. */
export function addDuration(start: number, length: Duration, direction: 1 | -1): number {
  const date = new Date(start);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + direction * (length.years * 12 + length.months);
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
  const lastDay = new Date(dayOf(year, month + 1, 0)).getUTCDate();
  const day = dayOf(year, month, Math.min(date.getUTCDate(), lastDay));
  return (
    day +
    (((start % 86_400_000) + 86_400_000) % 86_400_000) +
    direction * Math.round((length.days * 86_400 + length.seconds) * 1000)
  );
}

/** Unlike `Date.UTC`, it handles the first century. */
const dayOf = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day);

type DurationParts = [number, number, number, number, number, number, number];

const fraction = String.raw`\d{1,15}(?:[.,]\d{1,15})?`;
const last = (unit: string) => `(?:(${fraction})${unit})?`;
const duration = new RegExp(
  `^P(?=\\d|T)(?:(\\d{1,15})Y)?(?:(\\d{1,15})M)?${last("W")}${last("D")}(?:T(?=\\d)${last("H")}${last("M")}${last("S")})?$`,
);
const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,30}))?)?(?:Z|([+-](?:[01]\d|2[0-3]):?[0-5]\d))$/;

function intervalFrom(first: string, second: string): Interval | TimeSyntaxError {
  const start = parseInstant(first);
  if (isTimeSyntaxError(start)) return start;
  if (second.startsWith("P")) {
    const length = parseDuration(second);
    return isTimeSyntaxError(length) ? length : { kind: "from", start, duration: length };
  }
  const end = parseInstant(second);
  if (isTimeSyntaxError(end)) return end;
  return end < start ? { message: "This interval ends before it begins." } : { kind: "between", start, end };
}

function intervalUntil(first: string, second: string): Interval | TimeSyntaxError {
  const length = parseDuration(first);
  if (isTimeSyntaxError(length)) return length;
  const end = parseInstant(second);
  return isTimeSyntaxError(end) ? end : { kind: "until", duration: length, end };
}

const earliest = Date.parse("0000-01-01T00:00:00Z");

function bounded(from: number, until: number): { readonly from: number; readonly until: number } | TimeSyntaxError {
  return from >= earliest && until <= lastInstant
    ? { from, until }
    : { message: "This interval leaves the years 0000 to 9999." };
}

const quoteValue = (text: string): string =>
  `\`${(text.length > 60 ? `${text.slice(0, 59)}…` : text).replaceAll("`", "'")}\``;
