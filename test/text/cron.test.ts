import { expect, test } from "vitest";
import { isCronSyntaxError, parseCron } from "../../src/text/cron.ts";
import { isTimeZone, nextOccurrence } from "../../src/text/cron-times.ts";

/** The next instants of an expression. */
function occurrences(text: string, from: string, count: number, timezone?: string): readonly string[] {
  const cron = parseCron(text);
  if (isCronSyntaxError(cron)) throw new Error(cron.message);
  const found: string[] = [];
  let at: number | undefined = Date.parse(from);
  while (found.length < count && at !== undefined) {
    at = nextOccurrence(cron, at, timezone);
    if (at !== undefined) found.push(new Date(at).toISOString().replace(".000Z", "Z"));
  }
  return found;
}

test.each<[string, string, readonly string[]]>([
  ["*/20 * * * *", "2026-01-01T00:00:00Z", ["2026-01-01T00:20:00Z", "2026-01-01T00:40:00Z", "2026-01-01T01:00:00Z"]],
  [
    "0 9-17/4 * * MON-FRI",
    "2026-01-02T12:00:00Z",
    ["2026-01-02T13:00:00Z", "2026-01-02T17:00:00Z", "2026-01-05T09:00:00Z"],
  ],
  [
    "30 15 0 1,15 * *",
    "2026-01-01T00:15:30Z",
    ["2026-01-15T00:15:30Z", "2026-02-01T00:15:30Z", "2026-02-15T00:15:30Z"],
  ],
  ["0 0 13 * 5", "2026-02-01T00:00:00Z", ["2026-02-06T00:00:00Z", "2026-02-13T00:00:00Z", "2026-02-20T00:00:00Z"]],
  ["0 0 * * 7", "2026-01-01T00:00:00Z", ["2026-01-04T00:00:00Z", "2026-01-11T00:00:00Z"]],
  ["0 0 0 ? * 1 2027", "2026-01-01T00:00:00Z", ["2027-01-03T00:00:00Z", "2027-01-10T00:00:00Z"]],
  ["0 0 29 feb ?", "2097-01-01T00:00:00Z", ["2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z"]],
  ["0 0 31 2 *", "2026-01-01T00:00:00Z", []],
  ["5/30 23 * * *", "2026-01-01T00:00:00Z", ["2026-01-01T23:05:00Z", "2026-01-01T23:35:00Z"]],
])("%s", (text, from, expected) => {
  expect(occurrences(text, from, Math.max(expected.length, 1))).toEqual(expected);
});

test("a local time that a change of the clocks skips is skipped, and one that it repeats counts once", () => {
  const at = (text: string, from: string, count: number) => occurrences(text, from, count, "Europe/Berlin");
  expect(at("30 2 * * *", "2026-03-27T12:00:00Z", 3)).toEqual([
    "2026-03-28T01:30:00Z",
    "2026-03-30T00:30:00Z",
    "2026-03-31T00:30:00Z",
  ]);
  expect(at("30 2 * * *", "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
  expect(at("*/30 * * * *", "2026-10-25T00:00:00Z", 3)).toEqual([
    "2026-10-25T00:30:00Z",
    "2026-10-25T02:00:00Z",
    "2026-10-25T02:30:00Z",
  ]);
  expect([isTimeZone("Europe/Berlin"), isTimeZone("Europe/Atlantis"), isTimeZone("UTC")]).toEqual([true, false, true]);
});

test.each<[string, string]>([
  ["* * * *", "0-7 A cron expression has five fields, six with seconds or seven with years, not 4."],
  ["@daily", "0-6 A cron expression has five fields, six with seconds or seven with years, not 1."],
  ["60 * * * *", "0-2 `60` is no value of the minutes, which are 0 to 59."],
  ["0 5,x * * *", "4-5 `x` is no value of the hours, which are 0 to 23."],
  ["0 0 L * *", "4-5 `L` is not supported: name days by numbers."],
  ["0 0 5W * *", "4-6 `5W` is not supported: name days by numbers."],
  ["0 0 * * 5#3", "8-11 `5#3` is not supported: name days by numbers."],
  ["0 ? * * *", "2-3 `?` is only for days, alone."],
  ["0 0 9-5 * *", "4-7 `9-5` ends before it begins."],
  ["*/0 * * * *", "0-3 `*/0` has a step of 0."],
  ["0 0 0 ? * 0 2027", "10-11 `0` is no value of the days of the week, which are 1 to 7."],
])("%s is no cron expression", (text, expected) => {
  const fault = parseCron(text);
  expect(isCronSyntaxError(fault) && `${fault.from}-${fault.to} ${fault.message}`).toBe(expected);
});
