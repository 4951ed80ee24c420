import { describe, expect, test } from "vitest";
import type { Difference } from "../../src/scenario/compare.ts";
import { type BrokenOff, referenceDifferences } from "../../src/scenario/compare.ts";
import type { Expectation, RecordedCall } from "../../src/scenario/model.ts";
import type { Observed } from "../../src/scenario/simulation.ts";
import { nothingRecorded } from "../../src/scenario/simulation.ts";

const expecting = (rest: Partial<Expectation> = {}): Expectation => ({
  status: "succeeded",
  output: undefined,
  error: undefined,
  calls: undefined,
  maybe: [],
  ordered: true,
  emitted: undefined,
  elapsed: undefined,
  ...rest,
});
const run = (rest: Partial<Observed> = {}): Observed => ({
  outcome: { status: "succeeded", output: { a: 1 } },
  calls: [],
  emitted: [],
  path: [],
  elapsed: 0,
  recording: nothingRecorded,
  ...rest,
});
const calls = (letters: string): readonly RecordedCall[] =>
  [...letters].map((letter) => ({ function: letter, argument: null }));
const cut = { ...nothingRecorded, isCutOff: true };

/** What is told of a target's run, each as `what`; all of it is held against the reference. */
function told(
  expect: Partial<Expectation>,
  meant: Observed | BrokenOff,
  seen: Observed,
  found: readonly Difference[] = [],
): readonly string[] {
  return referenceDifferences(expecting(expect), meant, seen, found).map(({ what, against }) => `${what} ${against}`);
}

test("runs that are alike", () => {
  const same = run({ calls: calls("ab"), emitted: [{ type: "t", id: "1", data: {} }], elapsed: 3 });
  expect(told({}, same, { ...same, emitted: [{ type: "t", id: "2", data: {} }], path: ["elsewhere"] })).toEqual([]);
});

test("whatever the scenario does not look at is held against the reference", () => {
  const meant = run({ calls: calls("ab"), emitted: [{ type: "t", id: "1" }], elapsed: 3 });
  const seen = run({ outcome: { status: "succeeded", output: { a: 2 } }, calls: calls("b"), emitted: [], elapsed: 4 });
  expect(told({}, meant, seen)).toEqual([
    "output reference",
    "calls[0] reference",
    "emitted[0] reference",
    "elapsed reference",
  ]);
  expect(referenceDifferences(expecting(), meant, seen, [])[0]).toEqual({
    what: "output",
    expected: { a: 1 },
    got: { a: 2 },
    against: "reference",
  });
});

test("what the scenario's own expectations have told is not told twice", () => {
  const seen = run({ outcome: { status: "succeeded", output: { a: 2 } }, calls: calls("b") });
  expect(told({}, run({ calls: calls("a") }), seen, [{ what: "output" }, { what: "calls[0]" }])).toEqual([]);
  expect(told({}, run(), run({ outcome: { status: "waiting" } }), [{ what: "status" }])).toEqual([]);
});

test("another status, another error", () => {
  const failed = (message: string, data?: { readonly trace: string }) =>
    run({ outcome: { status: "failed", error: { name: "A", message, data } } });
  expect(told({}, run(), run({ outcome: { status: "waiting" } }))).toEqual(["status reference"]);
  expect(told({ status: "failed" }, failed("m"), failed("n"))).toEqual(["error reference"]);
  expect(told({ status: "failed" }, failed("m", { trace: "x" }), failed("m", { trace: "y" }))).toEqual([]);
});

test("a reference that did not come to an end is a difference", () => {
  expect(referenceDifferences(expecting(), { brokenOff: "It never ends." }, run(), [])).toEqual([
    { what: "run", expected: "It never ends.", got: "succeeded", against: "reference" },
  ]);
});

describe("what a scenario leaves open is not told", () => {
  test.each<[string, Partial<Expectation>, string, string, readonly string[]]>([
    ["in order", {}, "ab", "ba", ["calls[0] reference"]],
    ["in any order", { ordered: false }, "ab", "ba", []],
    ["in any order, but other ones", { ordered: false }, "ab", "bb", ["calls[1] reference", "calls[1] reference"]],
    ["perhaps", { maybe: calls("x") }, "axb", "ab", []],
    ["perhaps, on the target", { maybe: calls("x") }, "ab", "abx", []],
    ["listed, with one perhaps", { calls: calls("ax"), maybe: calls("x") }, "axx", "ax", []],
    ["listed, and the reference makes others", { calls: calls("ab") }, "ac", "ab", ["calls[1] reference"]],
  ])("calls %s", (_, expect_, meant, seen, found) => {
    expect(told(expect_, run({ calls: calls(meant) }), run({ calls: calls(seen) }))).toEqual(found);
  });

  test("the order of events, where that is of no account", () => {
    const [a, b] = [{ type: "a" }, { type: "b" }];
    expect(told({ ordered: false }, run({ emitted: [a, b] }), run({ emitted: [b, a] }))).toEqual([]);
    expect(told({}, run({ emitted: [a, b] }), run({ emitted: [b, a] }))).toEqual(["emitted[0] reference"]);
  });

  test("times that the target does not tell", () => {
    const at = (time: string) => [{ type: "a", time }];
    expect(told({}, run({ emitted: at("1") }), run({ emitted: at("2") }))).toEqual(["emitted[0] reference"]);
    expect(told({}, run({ emitted: at("1") }), run({ emitted: [{ type: "a" }] }))).toEqual([]);
    expect(told({}, run({ elapsed: 5 }), run({ elapsed: undefined }))).toEqual([]);
  });

  test("what branches do that were left behind, but for what the scenario lists", () => {
    const meant = run({ calls: calls("ab"), emitted: [{ type: "a" }], recording: cut });
    const seen = run({ calls: calls("a"), emitted: [] });
    expect(told({}, meant, seen)).toEqual([]);
    expect(told({ calls: calls("a"), emitted: [] }, meant, seen)).toEqual([
      "calls[1] reference",
      "emitted[0] reference",
    ]);
  });
});
