import type { Duration, TimeSyntaxError } from "../../text/iso8601.ts";
import { type ReadContext, secondsAt, spanOf } from "../shared/properties.ts";
import { outOfRange } from "./diagnostics/kinds.ts";

/** The duration in `owner[key]`, in seconds; reports and returns undefined outside the limits. */
export function durationAt(
  reading: ReadContext,
  owner: object,
  key: string,
  limits: { readonly least?: number; readonly most?: number },
): number | undefined {
  if (!Object.hasOwn(owner, key)) return undefined;
  const { least = 0, most = Number.POSITIVE_INFINITY } = limits;
  const seconds = secondsAt(reading, owner, key, (text) => parseSeconds(text, least, most));
  if (seconds === undefined || (seconds >= least && seconds <= most)) return seconds;
  reading.report(
    outOfRange(spanOf(reading, owner, key), {
      key,
      seconds,
      limit: seconds < least ? least : most,
      isLeast: seconds < least,
    }),
  );
  return undefined;
}

/** Parses `2s` or `0.5s` in seconds; suggests a correction within the limits for other units. */
export function parseSeconds(text: string, least: number, most: number): Duration | TimeSyntaxError {
  const seconds = /^(?:\d+\.?\d*|\.\d+)s$/.test(text) && text.length < 20 ? Number(text.slice(0, -1)) : undefined;
  if (seconds !== undefined) return { years: 0, months: 0, days: 0, seconds };
  const [, number, unit = ""] =
    /^\s*(\d{1,9})\s*(ms|s|m|h|d|sec|min|seconds?|minutes?|hours?|days?)?\s*$/i.exec(text.slice(0, 40)) ?? [];
  const [, hours = "0", minutes = "0", rest = "0"] =
    /^PT(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?$/.exec(text.slice(0, 40)) ?? [];
  const iso = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  const meant =
    number === undefined
      ? iso || undefined
      : Number(number) * (units[unit[0]?.toLowerCase() ?? "s"] ?? 1) * (/^ms$/i.test(unit) ? 1 / 60_000 : 1);
  return {
    message: `\`${text.slice(0, 60)}\` is not a valid duration: write seconds, such as \`2s\` or \`0.5s\`.`,
    suggestion: meant !== undefined && meant >= least && meant <= most ? `${meant}s` : undefined,
  };
}

const units: { readonly [letter: string]: number } = { s: 1, m: 60, h: 3600, d: 86_400 };
