import {
  type Duration,
  isTimeSyntaxError,
  limitDuration,
  parseDuration,
  type TimeSyntaxError,
} from "../../text/iso8601.ts";
import { type ReadContext, secondsAt } from "../shared/properties.ts";

/** The timespan in `owner[key]`, in seconds; undefined if missing or invalid. */
export const durationAt = (reading: ReadContext, owner: object, key: string): number | undefined =>
  Object.hasOwn(owner, key) ? secondsAt(reading, owner, key, parseTimespan) : undefined;

/** Parses `[d.]hh:mm[:ss[.fffffff]]` or `d:hh:mm:ss[.fffffff]` as in .NET, or an ISO 8601 duration. Rejects bare numbers. */
export function parseTimespan(text: string): Duration | TimeSyntaxError {
  const shown = `\`${text.slice(0, 60)}\``;
  const trimmed = text.trim();
  if (/^-/.test(trimmed) && trimmed.length < 40)
    return { message: `${shown} is negative, which a timespan cannot be.` };
  if (/^\d{1,12}$/.test(trimmed)) return { message: bareNumberMessage(shown, Number(trimmed)) };
  const found = trimmed.length > 40 ? null : timespanPattern.exec(trimmed);
  if (!found) return parseIsoDuration(text);
  const [days, hours, minutes, seconds] = found.slice(1, 5).map((part) => Number(part ?? "0")) as Parts;
  if (hours > 23 || minutes > 59 || seconds >= 60)
    return {
      message: `${shown} is out of range: hours must be at most 23, minutes and seconds at most 59.`,
      suggestion: minutes > 59 || seconds >= 60 || days > 0 ? undefined : inDays(hours, found),
    };
  return limitDuration({ years: 0, months: 0, days, seconds: hours * 3600 + minutes * 60 + seconds }, trimmed);
}

type Parts = [number, number, number, number];

/** Days end with a point, or with a colon before `hh:mm:ss`. */
const timespanPattern = /^(?:(\d{1,12})(?:\.|:(?=\d+:\d+:)))?(\d{1,12}):(\d{1,4})(?::(\d{1,4}(?:\.\d{1,7})?))?$/;

function parseIsoDuration(text: string): Duration | TimeSyntaxError {
  const duration = parseDuration(text);
  if (!isTimeSyntaxError(duration)) return duration;
  const problem = duration.message.replace(
    "is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`",
    "is not a timespan, such as `00:15:00`, `1.00:00:00` or `PT15M`",
  );
  return { ...duration, message: problem };
}

/** .NET reads days, but most users mean seconds. */
const bareNumberMessage = (shown: string, count: number): string =>
  `${shown} is not a timespan: .NET reads a bare number as days. Write \`PT${count}S\` for seconds, or \`${count}.00:00:00\` for days.`;

const inDays = (hours: number, [, , , minutes, seconds = "00"]: readonly string[]): string =>
  `${Math.floor(hours / 24)}.${String(hours % 24).padStart(2, "0")}:${minutes}:${seconds}`;
