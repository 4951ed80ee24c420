import type { Json } from "../../json.ts";

const units = ["days", "hours", "minutes", "seconds"] as const;

/** An ISO 8601 duration as an object; years and months remain a string. */
export function durationOf(text: string): Json {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/.exec(text.trim());
  if (!match) return text;
  const [, weeks, days, hours, minutes, seconds, fraction] = match;
  const counts = [Number(weeks ?? 0) * 7 + Number(days ?? 0), hours, minutes, seconds].map((each) => Number(each ?? 0));
  const duration: { [unit: string]: number } = {};
  for (const [i, unit] of units.entries()) if (counts[i]! > 0) duration[unit] = counts[i]!;
  const milliseconds = Number((fraction ?? "").padEnd(3, "0"));
  if (milliseconds > 0) duration["milliseconds"] = milliseconds;
  return Object.keys(duration).length === 0 ? { seconds: 0 } : duration;
}
