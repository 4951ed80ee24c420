import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDuration,
  boundsOf,
  type Duration,
  formatInstant,
  type Interval,
  isTimeSyntaxError,
  parseDuration,
  parseInstant,
  parseInterval,
  parseRepeating,
  secondsOf,
} from "../../src/text/iso8601.ts";

function good<T>(result: T): Exclude<T, { readonly message: string }> {
  if (isTimeSyntaxError(result)) throw new Error(result.message);
  return result as Exclude<T, { readonly message: string }>;
}

describe("durations", () => {
  test.each([
    ["PT15M", 900, true],
    ["P2DT3H4M", 183_840, true],
    ["P1W", 604_800, true],
    ["P1W2D", 777_600, true],
    ["PT0.5S", 0.5, true],
    ["PT1,5H", 5_400, true],
    ["P0D", 0, true],
    ["PT36H", 129_600, true],
    ["P1Y", 31_536_000, false],
    ["P2MT1S", 5_184_001, false],
    ["P0Y5D", 432_000, true],
  ])("%s are %d seconds", (text, seconds, exact) => {
    expect(secondsOf(good(parseDuration(text)))).toEqual({ seconds, exact });
  });

  test.each([
    "",
    "P",
    "PT",
    "P1",
    "1H",
    "P1DT",
    "PT1H1D",
    "PT5M3H",
    "-PT1S",
    "P-1D",
    "pt1s",
    "P0.5Y",
    "PT1.5H30M",
    "P1.5DT1H",
    " PT1S",
    "PT1S ",
    "PT1S\n",
    "R5/PT1S",
    "PT1.S",
  ])("%j is invalid", (text) => {
    expect(parseDuration(text)).toMatchObject({ message: expect.stringMatching(/is not an ISO 8601 duration/) });
  });

  test.each([
    ["5m", "PT5M"],
    ["30 s", "PT30S"],
    ["1500ms", "PT1.5S"],
    ["2 Hours", "PT2H"],
    ["7d", "P7D"],
    ["P1H", "PT1H"],
    ["pt15m", "PT15M"],
    [" PT1S", "PT1S"],
    ["5 moons", undefined],
    ["P1Q", undefined],
    ["", undefined],
  ])("%j suggests %s", (text, meant) => {
    expect((parseDuration(text) as { readonly suggestion?: string }).suggestion).toBe(meant);
  });

  test("errors truncate the text", () => {
    expect(parseDuration("`".repeat(5_000))).toEqual({
      message: `\`${"'".repeat(59)}…\` is not an ISO 8601 duration, such as \`PT15M\` or \`P2DT3H\`.`,
    });
    expect(parseDuration("P999999999999999D")).toEqual({
      message: "`P999999999999999D` is longer than any workflow runs.",
    });
  });

  test("the parts of a duration together end in the year 9999 at the latest", () => {
    expect(parseDuration("P2893518D")).toEqual({ years: 0, months: 0, days: 2_893_518, seconds: 0 });
    for (const text of ["P2893519D", "P2893518DT24H", "P7928Y", "PT99999999999H"])
      expect(parseDuration(text)).toEqual({ message: `\`${text}\` is longer than any workflow runs.` });
  });
});

describe("instants", () => {
  test.each([
    ["2020-03-20T09:00:00Z", "2020-03-20T09:00:00Z"],
    ["2020-03-20T09:00Z", "2020-03-20T09:00:00Z"],
    ["2020-03-20T09:00:00+02:00", "2020-03-20T07:00:00Z"],
    ["2020-03-20T09:00:00-0530", "2020-03-20T14:30:00Z"],
    ["2020-02-29T23:59:59.123987Z", "2020-02-29T23:59:59.123Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  ])("%s is %s", (text, expected) => {
    expect(formatInstant(good(parseInstant(text)))).toBe(expected);
  });

  test.each([
    ["2020-03-20", "is a date; an instant has a time and a zone, such as `2020-03-20T00:00:00Z`."],
    ["2020-03-20T09:00:00", "has no time zone; add `Z` or an offset, such as `+01:00`."],
    ["2020-03-20T09:00", "has no time zone; add `Z` or an offset, such as `+01:00`."],
  ])("%j is almost an instant", (text, message) => {
    expect(parseInstant(text)).toEqual({ message: `\`${text}\` ${message}` });
  });

  test.each([
    "20 March 2020",
    "2020-3-20T9:00Z",
    "2020-03-20 09:00:00Z",
    "2020-03-20T09:00:00z",
    "1584694800000",
    "2020-03-20T09:00:00+25:00",
  ])("%j is invalid", (text) => {
    expect(parseInstant(text)).toEqual({
      message: `\`${text}\` is not an ISO 8601 instant, such as \`2020-03-20T09:00:00Z\`.`,
    });
  });

  test.each([
    "2021-02-29T00:00:00Z",
    "2020-13-01T00:00:00Z",
    "2020-01-01T24:00:00Z",
    "2020-01-01T00:60:00Z",
    "2016-12-31T23:59:60Z",
  ])("%s does not exist", (text) => {
    expect(parseInstant(text)).toEqual({ message: `There is no such time as \`${text}\`.` });
  });

  test("formatted instants parse to the same value", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
        (date) => {
          expect(parseInstant(formatInstant(date.getTime()))).toBe(date.getTime());
        },
      ),
      { seed: 1, numRuns: 1_000 },
    );
  });
});

describe("intervals", () => {
  const bounds = (text: string, origin?: number) => {
    const result = boundsOf(good(parseInterval(text)), origin);
    return isTimeSyntaxError(result) ? result.message : [formatInstant(result.from), formatInstant(result.until)];
  };

  test.each([
    ["2020-03-20T09:00:00Z/2020-03-20T15:00:00Z", "2020-03-20T09:00:00Z", "2020-03-20T15:00:00Z"],
    ["2020-01-31T10:00:00Z/P1M", "2020-01-31T10:00:00Z", "2020-02-29T10:00:00Z"],
    ["2020-02-29T00:00:00Z/P1Y", "2020-02-29T00:00:00Z", "2021-02-28T00:00:00Z"],
    ["P1Y2M1DT1H/2020-03-31T10:00:00Z", "2019-01-30T09:00:00Z", "2020-03-31T10:00:00Z"],
    ["2020-03-20T09:00:00Z/PT0.5S", "2020-03-20T09:00:00Z", "2020-03-20T09:00:00.500Z"],
    ["0050-01-31T00:00:00Z/P1M", "0050-01-31T00:00:00Z", "0050-02-28T00:00:00Z"],
  ])("%s", (text, from, until) => {
    expect(bounds(text)).toEqual([from, until]);
  });

  test("a duration alone starts at the origin", () => {
    expect(bounds("P1D")).toBe("A duration alone does not say when it begins.");
    expect(bounds("P1D", 0)).toEqual(["1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z"]);
  });

  test("intervals beyond the calendar are invalid", () => {
    expect(bounds("9000-01-01T00:00:00Z/P1000Y")).toBe("This interval leaves the years 0000 to 9999.");
    expect(bounds("P1D/0000-01-01T00:00:00Z")).toBe("This interval leaves the years 0000 to 9999.");
  });

  test.each([
    ["2020-03-20T15:00:00Z/2020-03-20T09:00:00Z", "This interval ends before it begins."],
    ["P1D/P1D", "`P1D` is not an ISO 8601 instant, such as `2020-03-20T09:00:00Z`."],
    ["a/b/c", "`a/b/c` is not an ISO 8601 interval: it has more than two parts."],
    ["2020-03-20T09:00:00Z/15:00:00Z", "`15:00:00Z` is not an ISO 8601 instant, such as `2020-03-20T09:00:00Z`."],
  ])("%s", (text, message) => {
    expect(parseInterval(text)).toEqual({ message });
  });

  test("adding and subtracting days and seconds are inverse", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.nat(10_000), fc.nat(100_000), (start, days, seconds) => {
        const length: Duration = { years: 0, months: 0, days, seconds };
        expect(addDuration(addDuration(start, length, 1), length, -1)).toBe(start);
      }),
      { seed: 2, numRuns: 1_000 },
    );
  });
});

test.each<[string, number | undefined, Interval["kind"]]>([
  ["R5/PT15M", 5, "duration"],
  ["R/PT1M", undefined, "duration"],
  ["R0/2020-03-20T09:00:00Z/P1D", 0, "from"],
])("%s repeats", (text, repetitions, kind) => {
  const repeating = good(parseRepeating(text));
  expect([repeating.repetitions, repeating.interval.kind]).toEqual([repetitions, kind]);
});

test.each(["PT15M", "R5", "R5/", "R-1/PT1S", "Rx/PT1S", "R9999999999/PT1S"])("%j does not repeat", (text) => {
  expect(parseRepeating(text)).toEqual({ message: expect.any(String) });
});
