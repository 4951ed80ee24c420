import { describe, expect, test } from "vitest";
import type { Step } from "../../src/ir/workflow.ts";
import { type BrokenOff, type Difference, differences, referenceDifferences } from "../../src/scenario/compare.ts";
import type { Expectation, RecordedCall } from "../../src/scenario/model.ts";
import { nothingRecorded } from "../../src/scenario/recording.ts";
import type { Observed } from "../../src/scenario/simulation.ts";

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
const seen = (rest: Partial<Observed> = {}): Observed => ({
  outcome: { status: "succeeded", output: null },
  calls: [],
  emitted: [],
  path: [],
  elapsed: 0,
  recording: nothingRecorded,
  ...rest,
});
const compare = (expect: Partial<Expectation>, run: Partial<Observed>, timed = true) =>
  differences(expecting(expect), seen(run), timed);

/** One call per letter: upper case calls with 1, lower case with 0. */
const calls = (letters: string): readonly RecordedCall[] =>
  [...letters].map((letter) => ({ function: letter.toLowerCase(), argument: letter === letter.toUpperCase() ? 1 : 0 }));

test("members without expectation are ignored", () => {
  expect(
    compare({}, { outcome: { status: "succeeded", output: { a: 1 } }, calls: calls("ab"), emitted: [{}], elapsed: 7 }),
  ).toEqual([]);
});

test("a different status is the only difference", () => {
  expect(
    compare({ output: 1 }, { outcome: { status: "failed", error: { name: "A", message: "m", data: { trace: "t" } } } }),
  ).toEqual([{ what: "status", expected: "succeeded", got: { failed: { trace: "t", name: "A", message: "m" } } }]);
  expect(compare({ status: "failed" }, { outcome: { status: "succeeded", output: [1] } })).toEqual([
    { what: "status", expected: "failed", got: { succeeded: [1] } },
  ]);
  expect(compare({ status: "waiting" }, { outcome: { status: "not-started" } })).toEqual([
    { what: "status", expected: "waiting", got: "not-started" },
  ]);
});

test("the output is compared exactly, except for key order and error traces", () => {
  const output = { a: [1, { b: null }], error: { name: "A", message: "m", trace: "here" } };
  const outcome = { status: "succeeded", output } as const;
  expect(compare({ output: { error: { message: "m", name: "A" }, a: [1, { b: null }] } }, { outcome })).toEqual([]);
  expect(compare({ output: { ...output, more: 1 } }, { outcome })).toEqual([
    { what: "output", expected: { ...output, more: 1 }, got: output },
  ]);
  expect(
    compare({ output: { trace: "a" } }, { outcome: { status: "succeeded", output: { trace: "b" } } }),
  ).toHaveLength(1);
  expect(compare({ output: null }, { outcome: { status: "succeeded", output: false } })).toHaveLength(1);
});

test("a missing expected error is a difference", () => {
  const outcome = { status: "succeeded", output: {} } as const;
  expect(compare({ status: "succeeded", error: { name: "A" } }, { outcome })).toEqual([
    { what: "error", expected: { name: "A" }, got: undefined },
  ]);
});

test("the listed properties of an error must match, including its data", () => {
  const outcome = {
    status: "failed",
    error: { name: "A", message: "m", data: { code: 5, name: "not this" } },
  } as const;
  expect(compare({ status: "failed", error: { name: "A" } }, { outcome })).toEqual([]);
  expect(compare({ status: "failed", error: { code: 5, trace: "any" } }, { outcome })).toEqual([]);
  expect(compare({ status: "failed", error: { name: "B" } }, { outcome })).toEqual([
    { what: "error", expected: { name: "B" }, got: { code: 5, name: "A", message: "m" } },
  ]);
});

describe("calls", () => {
  test.each<[string, string, string, string]>([
    ["ab", "ab", "", ""],
    ["ab", "aab", "a", ""],
    ["aba", "abxa", "x", ""],
    ["ba", "aba", "a", ""],
    ["ab", "ba", "", "calls[0] a, got b"],
    ["ab", "a", "", "calls[1] b, got nothing"],
    ["a", "ab", "", "calls[1] nothing, got b"],
    ["a", "axx", "x", "calls[2] nothing, got x"],
    ["ab", "aB", "", "calls[1] b, got b"],
    ["", "", "xy", ""],
  ])("in order: %s expected, %s made, %s perhaps: %s", (expected, made, maybe, found) => {
    const [difference] = compare({ calls: calls(expected), maybe: calls(maybe) }, { calls: calls(made) });
    const name = (call: unknown) => (call === undefined ? "nothing" : Object.keys(call as object)[0]);
    expect(difference ? `${difference.what} ${name(difference.expected)}, got ${name(difference.got)}` : "").toBe(
      found,
    );
  });

  test.each<[string, string, string, readonly string[]]>([
    ["abc", "cab", "", []],
    ["aab", "aba", "", []],
    ["ab", "xba", "x", []],
    ["ab", "ca", "", ["calls[0]", "calls[1]"]],
  ])("in any order: %s expected, %s made, %s perhaps", (expected, made, maybe, found) => {
    const result = compare({ calls: calls(expected), maybe: calls(maybe), ordered: false }, { calls: calls(made) });
    expect(result.map(({ what }) => what)).toEqual(found);
  });

  test("error traces in arguments are not compared", () => {
    const tell = (trace: string): readonly RecordedCall[] => [
      { function: "tell", argument: { error: { name: "A", message: "m", trace } } },
    ];
    expect(compare({ calls: tell("x") }, { calls: tell("y") })).toEqual([]);
  });
});

test("the listed properties of events must match, in order by default", () => {
  const emitted = [
    { type: "a", id: "1", data: { n: 1 } },
    { type: "b", id: "2" },
  ];
  expect(compare({ emitted: [{ type: "a" }, { type: "b" }] }, { emitted })).toEqual([]);
  expect(compare({ emitted: [{ type: "b" }, { type: "a", data: { n: 1 } }], ordered: false }, { emitted })).toEqual([]);
  expect(compare({ emitted: [{ type: "b" }, { type: "a" }] }, { emitted })).toEqual([
    { what: "emitted[0]", expected: { type: "b" }, got: emitted[0] },
  ]);
  expect(compare({ emitted: [{ data: {} }], ordered: false }, { emitted: [emitted[0]!] })).toEqual([
    { what: "emitted[0]", got: emitted[0] },
    { what: "emitted[0]", expected: { data: {} } },
  ]);
  expect(compare({ emitted: [] }, { emitted: [{ type: "a" }] })).toEqual([{ what: "emitted[0]", got: { type: "a" } }]);
});

test("time is compared to the microsecond if it is known", () => {
  expect(compare({ elapsed: 0.3 }, { elapsed: 0.1 + 0.2 })).toEqual([]);
  expect(compare({ elapsed: 5 }, { elapsed: 5.001 })).toEqual([{ what: "elapsed", expected: 5, got: 5.001 }]);
  expect(compare({ elapsed: 5 }, { elapsed: undefined })).toEqual([{ what: "elapsed", expected: 5, got: undefined }]);
  expect(compare({ elapsed: 5 }, { elapsed: 6 }, false)).toEqual([]);
});

test("parts of the output are compared by path", () => {
  const output = { a: { b: [1, { c: null }] }, "0": "x" };
  const outcome = { status: "succeeded", output } as const;
  const expected = {
    outputHas: ["a", "a.b.1.c", ".0", "."],
    outputIs: { "a.b.0": 1, "a.b": [1, { c: null }], ".": output },
    items: new Map([["a.b", 2]]),
  };
  expect(compare(expected, { outcome })).toEqual([]);
  const wrong = {
    outputHas: ["a.c", "a.b.2", "a.b.length", "toString", "a.b.01.d"],
    outputIs: { "a.b.0": 2, "a.x": null },
    items: new Map([
      ["a.b", 1],
      ["a", 1],
      ["a.b.0", 1],
    ]),
  };
  expect(compare(wrong, { outcome })).toEqual([
    ...wrong.outputHas.map((path) => ({ what: `outputHas.${path}`, expected: true, got: false })),
    { what: "outputIs.a.b.0", expected: 2, got: 1 },
    { what: "outputIs.a.x", expected: null, got: undefined },
    { what: "items.a.b", expected: 1, got: 2 },
    { what: "items.a", expected: 1, got: output.a },
    { what: "items.a.b.0", expected: 1, got: 1 },
  ]);
  const failed = { status: "failed", error: { name: "A", message: "m" } } as const;
  expect(compare({ status: "failed", outputHas: ["."] }, { outcome: failed })).toHaveLength(1);
});

test("the order of tasks is that in which their steps begin", () => {
  const step = (name: string, noun = "state", entry = true): Step => {
    return { kind: "end", id: name, origin: { noun, name, entry } } as unknown as Step;
  };
  const [hidden, a, part, b] = [step("flow", "workflow", false), step("a"), step("a", "state", false), step("b")];
  const recording = {
    ...nothingRecorded,
    entered: new Set([hidden, a, b, part]),
    recent: new Set([a, b, part, hidden]),
  };
  const tasks = (expected: Expectation["tasks"]) => compare({ tasks: expected }, { recording });
  expect(tasks({ first: "a", last: "a", order: [["a", "b"]] })).toEqual([]);
  const order = [
    ["b", "a"],
    ["a", "c"],
    ["a", "a"],
  ] as const;
  expect(tasks({ first: "b", last: "b", order })).toEqual([
    { what: "tasks.first", expected: "b", got: "a" },
    { what: "tasks.last", expected: "b", got: "a" },
    { what: "tasks.order[0]", expected: ["b", "a"], got: ["a", "b"] },
    { what: "tasks.order[1]", expected: ["a", "c"], got: ["a"] },
    { what: "tasks.order[2]", expected: ["a", "a"], got: ["a"] },
  ]);
  expect(compare({ tasks: { first: "b" } }, {})).toEqual([]);
});

describe("against the reference", () => {
  const reached = (rest: Partial<Observed> = {}): Observed => ({
    outcome: { status: "succeeded", output: { a: 1 } },
    calls: [],
    emitted: [],
    path: [],
    elapsed: 0,
    recording: nothingRecorded,
    ...rest,
  });
  const cut = { ...nothingRecorded, cutOffs: new Set([0]) };

  /** The differences of a target's run as `what`, all compared with the reference. */
  function told(
    expect: Partial<Expectation>,
    meant: Observed | BrokenOff,
    seen: Observed,
    found: readonly Difference[] = [],
  ): readonly string[] {
    return referenceDifferences(expecting(expect), meant, seen, found).map(({ what, against }) => `${what} ${against}`);
  }

  test("equal runs", () => {
    const same = reached({ calls: calls("ab"), emitted: [{ type: "t", id: "1", data: {} }], elapsed: 3 });
    expect(told({}, same, { ...same, emitted: [{ type: "t", id: "2", data: {} }], path: ["elsewhere"] })).toEqual([]);
  });

  test("everything without expectation is compared with the reference", () => {
    const meant = reached({ calls: calls("ab"), emitted: [{ type: "t", id: "1" }], elapsed: 3 });
    const seen = reached({
      outcome: { status: "succeeded", output: { a: 2 } },
      calls: calls("b"),
      emitted: [],
      elapsed: 4,
    });
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

  test("differences from expectations are not reported again", () => {
    const seen = reached({ outcome: { status: "succeeded", output: { a: 2 } }, calls: calls("b") });
    expect(told({}, reached({ calls: calls("a") }), seen, [{ what: "output" }, { what: "calls[0]" }])).toEqual([]);
    expect(told({}, reached(), reached({ outcome: { status: "waiting" } }), [{ what: "status" }])).toEqual([]);
  });

  test("a different status or error", () => {
    const failed = (message: string, data?: { readonly trace: string }) =>
      reached({ outcome: { status: "failed", error: { name: "A", message, data } } });
    expect(told({}, reached(), reached({ outcome: { status: "waiting" } }))).toEqual(["status reference"]);
    expect(told({ status: "failed" }, failed("m"), failed("n"))).toEqual(["error reference"]);
    expect(told({ status: "failed" }, failed("m", { trace: "x" }), failed("m", { trace: "y" }))).toEqual([]);
  });

  test("the name of a function's error, if errors have no names", () => {
    const named = (name: string, origin: "function" | "denied" = "function") =>
      reached({ outcome: { status: "failed", error: { name, message: "m", origin } } });
    const found = (...[meant, seen, names]: [Observed, Observed, boolean?]) =>
      referenceDifferences(expecting({ status: "failed" }), meant, seen, [], names).map(({ what }) => what);
    expect(found(named("A"), named("B"))).toEqual(["error"]);
    expect(found(named("A"), named("B"), false)).toEqual([]);
    expect(found(named("A", "denied"), named("B", "denied"), false)).toEqual(["error"]);
  });

  test("an unfinished reference run is a difference", () => {
    expect(referenceDifferences(expecting(), { brokenOff: "It never ends." }, reached(), [])).toEqual([
      { what: "run", expected: "It never ends.", got: "succeeded", against: "reference" },
    ]);
  });

  describe("unspecified behavior is not reported", () => {
    test.each<[string, Partial<Expectation>, string, string, readonly string[]]>([
      ["in order", {}, "ab", "ba", ["calls[0] reference"]],
      ["in any order", { ordered: false }, "ab", "ba", []],
      [
        "in any order, but different calls",
        { ordered: false },
        "ab",
        "bb",
        ["calls[1] reference", "calls[1] reference"],
      ],
      ["perhaps", { maybe: calls("x") }, "axb", "ab", []],
      ["optional calls on the target", { maybe: calls("x") }, "ab", "abx", []],
      ["listed, with an optional call", { calls: calls("ax"), maybe: calls("x") }, "axx", "ax", []],
      ["listed, but the reference differs", { calls: calls("ab") }, "ac", "ab", ["calls[1] reference"]],
    ])("calls %s", (_, expect_, meant, seen, found) => {
      expect(told(expect_, reached({ calls: calls(meant) }), reached({ calls: calls(seen) }))).toEqual(found);
    });

    test("the order of events, if irrelevant", () => {
      const [a, b] = [{ type: "a" }, { type: "b" }];
      expect(told({ ordered: false }, reached({ emitted: [a, b] }), reached({ emitted: [b, a] }))).toEqual([]);
      expect(told({}, reached({ emitted: [a, b] }), reached({ emitted: [b, a] }))).toEqual(["emitted[0] reference"]);
    });

    test("times that the target does not report", () => {
      const at = (time: string) => [{ type: "a", time }];
      expect(told({}, reached({ emitted: at("1") }), reached({ emitted: at("2") }))).toEqual(["emitted[0] reference"]);
      expect(told({}, reached({ emitted: at("1") }), reached({ emitted: [{ type: "a" }] }))).toEqual([]);
      expect(told({}, reached({ elapsed: 5 }), reached({ elapsed: undefined }))).toEqual([]);
    });

    test("abandoned branches, except for listed calls", () => {
      const meant = reached({ calls: calls("ab"), emitted: [{ type: "a" }], recording: cut });
      const seen = reached({ calls: calls("a"), emitted: [] });
      expect(told({}, meant, seen)).toEqual([]);
      expect(told({ calls: calls("a"), emitted: [] }, meant, seen)).toEqual([
        "calls[1] reference",
        "emitted[0] reference",
      ]);
    });
  });
});
