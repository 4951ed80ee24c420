import { type Duration, isProblem, parseDuration, type TimeProblem } from "../../text/iso8601.ts";
import { type Reading, secondsAt } from "../shared/index.ts";

/** The timespan in `owner[key]`, in seconds; undefined where there is none, or it is none, which is reported. */
export const timespanAt = (reading: Reading, owner: object, key: string): number | undefined =>
  Object.hasOwn(owner, key) ? secondsAt(reading, owner, key, parseTimespan) : undefined;

/**
 * Reads a timespan: `[d.]hh:mm[:ss[.fffffff]]` as .NET writes it, or an ISO 8601 duration. A number alone, which .NET takes for days, and negative
 * ones are none.
 */
export function parseTimespan(text: string): Duration | TimeProblem {
  const shown = `\`${text.slice(0, 60)}\``;
  const trimmed = text.trim();
  if (/^-/.test(trimmed) && trimmed.length < 40)
    return { problem: `${shown} is before it begins: timespans are not negative.` };
  if (/^\d{1,12}$/.test(trimmed)) return { problem: bareNumber(shown, Number(trimmed)) };
  const found = trimmed.length > 40 ? null : written.exec(trimmed);
  if (!found) return isoOf(text);
  const [days, hours, minutes, seconds] = found.slice(1, 5).map((part) => Number(part ?? "0")) as Parts;
  if (hours > 23 || minutes > 59 || seconds >= 60)
    return {
      problem: `${shown} is out of range: hours go up to 23, minutes and seconds up to 59.`,
      meant: minutes > 59 || seconds >= 60 || days > 0 ? undefined : inDays(hours, found),
    };
  if (days > mostDays) return { problem: `${shown} is longer than any timespan: days go up to ${mostDays}.` };
  return { years: 0, months: 0, days, seconds: hours * 3600 + minutes * 60 + seconds };
}

type Parts = [number, number, number, number];

const written = /^(?:(\d{1,12})\.)?(\d{1,12}):(\d{1,4})(?::(\d{1,4}(?:\.\d{1,7})?))?$/;

/** The most days that a timespan of .NET has. */
const mostDays = 10_675_199;

function isoOf(text: string): Duration | TimeProblem {
  const duration = parseDuration(text);
  if (!isProblem(duration)) return duration;
  const problem = duration.problem.replace(
    "is not an ISO 8601 duration, such as `PT15M` or `P2DT3H`",
    "is no timespan, such as `00:15:00`, `1.00:00:00` or `PT15M`",
  );
  return { ...duration, problem };
}

/** What .NET takes for days is mostly meant for seconds: it is not said which. */
const bareNumber = (shown: string, count: number): string =>
  `${shown} is no timespan: a number alone would be days. Write \`PT${count}S\` for seconds, or \`${count}.00:00:00\` for days.`;

/** `36:00:00` as days and hours. */
const inDays = (hours: number, [, , , minutes, seconds = "00"]: readonly string[]): string =>
  `${Math.floor(hours / 24)}.${String(hours % 24).padStart(2, "0")}:${minutes}:${seconds}`;
