import { expect, test } from "vitest";
import { renderResults, renderResultsJson } from "../../../src/scenario/report/results.ts";
import type { Result } from "../../../src/scenario/run.ts";
import { defineError, defineWarning } from "../../../src/text/diagnostics.ts";

const result = (rest: Partial<Result>): Result => ({
  file: "order/scenarios.yaml",
  scenario: "it holds",
  target: "reference",
  outcome: "passed",
  differences: [],
  diagnostics: [],
  path: [],
  isFailure: false,
  seconds: 0.25,
  ...rest,
});
const span = { source: { path: "order.yaml", text: "id: order\nstates: []\n" }, start: 4, end: 9 };
const refused = defineError("WB5199", () => ({ message: "Not here.", hint: "Elsewhere." }))(span, {});
const warned = defineWarning("WB6008", () => ({ message: "No such function." }))(span, {});

test("a line for each scenario under its file, and a summary", () => {
  const results = [result({}), result({ scenario: "so does this" }), result({ file: "other.yaml", target: "asl" })];
  expect(renderResults(results)).toBe(`order/scenarios.yaml
  ✓ it holds (reference)
  ✓ so does this (reference)
other.yaml
  ✓ it holds (asl)
3 passed, 0 failed
`);
});

test("a failure reports the difference, its position and the path taken", () => {
  const differences = [
    { what: "output", expected: { a: 1, b: [2, 3] }, got: { a: 1, b: [2, 4] } },
    { what: "calls[2]", expected: { charge: { id: 7 } } },
  ];
  expect(
    renderResults([result({ outcome: "failed", isFailure: true, differences, path: ["Charge", "Charge/end"] })]),
  ).toBe(`order/scenarios.yaml
  ✗ it holds (reference)
      output differs
      expected  {"a":1,"b":[2,3]}
      got       {"a":1,"b":[2,4]}
                              ^
      calls[2] differs
      expected  {"charge":{"id":7}}
      got       nothing
      path      Charge → Charge/end
0 passed, 1 failed
`);
});

test("a long path is reduced to its last steps", () => {
  const path = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const text = renderResults([
    result({ outcome: "failed", isFailure: true, differences: [{ what: "elapsed", expected: 1 }], path }),
  ]);
  expect(text).toContain(`path      … → ${path.slice(-19).join(" → ")}\n`);
});

test("a rejection lists its reasons if the target was requested, otherwise it takes one line", () => {
  const results = [
    result({ target: "asl", outcome: "refused", isFailure: true, diagnostics: [refused] }),
    result({ target: "asl", outcome: "refused", diagnostics: [refused] }),
  ];
  expect(renderResults(results)).toBe(`order/scenarios.yaml
  ✗ it holds (asl): refused by the compiler
      order.yaml:1:5: error WB5199: Not here.
        1 | id: order
          |     ^^^^^
        hint: Elsewhere.
  – it holds (asl): refused, and not asked for
0 passed, 0 failed, 2 refused
`);
});

test("a rejection lists its reasons once per file", () => {
  const rejected = (target: string) => result({ target, outcome: "refused", isFailure: true, diagnostics: [refused] });
  expect(renderResults([rejected("asl"), rejected("openwhisk")])).toBe(`order/scenarios.yaml
  ✗ it holds (asl): refused by the compiler
      order.yaml:1:5: error WB5199: Not here.
        1 | id: order
          |     ^^^^^
        hint: Elsewhere.
  ✗ it holds (openwhisk): refused by the compiler for the same reason
0 passed, 0 failed, 2 refused
`);
});

test("warnings of passing scenarios are printed", () => {
  expect(renderResults([result({ diagnostics: [warned] })])).toContain(
    "  ✓ it holds (reference)\n      order.yaml:1:5: warning WB6008: No such function.\n",
  );
});

test("a target that cannot run scenarios is counted separately", () => {
  expect(renderResults([result({ target: "openwhisk", outcome: "unavailable" })])).toBe(`order/scenarios.yaml
  – it holds (openwhisk): this target cannot run scenarios here
0 passed, 0 failed, 1 unavailable
`);
});

test("control characters in names are escaped", () => {
  expect(renderResults([result({ scenario: "a\u001b[31m\nb" })])).not.toContain("\u001b");
});

test("a difference from the reference is marked", () => {
  const differences = [{ what: "calls[1]", expected: { a: 1 }, against: "reference" as const }];
  const results = [result({ target: "asl", outcome: "failed", isFailure: true, differences })];
  expect(renderResults(results)).toContain(`
      calls[1] differs from what the reference does
      reference {"a":1}
      got       nothing
`);
  expect(JSON.parse(renderResultsJson(results)).results[0].differences).toEqual(differences);
});

test("as JSON, with coverage if requested", () => {
  const none = { reached: 0, total: 0 };
  expect(JSON.parse(renderResultsJson([], { coverage: [], minimum: 0 }))).toEqual({
    results: [],
    coverage: { states: none, transitions: none, minimum: 0, workflows: [] },
  });
});

test("as JSON, one document", () => {
  const differences = [
    { what: "output", expected: null, got: [1] },
    { what: "calls[0]", got: { f: {} } },
  ];
  const results = [
    result({ outcome: "failed", isFailure: true, differences, path: ["A"] }),
    result({ target: "asl", outcome: "refused", diagnostics: [refused] }),
  ];
  expect(JSON.parse(renderResultsJson(results))).toEqual({
    results: [
      {
        file: "order/scenarios.yaml",
        scenario: "it holds",
        target: "reference",
        outcome: "failed",
        differences,
        diagnostics: [],
      },
      {
        file: "order/scenarios.yaml",
        scenario: "it holds",
        target: "asl",
        outcome: "refused",
        differences: [],
        diagnostics: [
          {
            code: "WB5199",
            severity: "error",
            message: "Not here.",
            hint: "Elsewhere.",
            file: "order.yaml",
            line: 1,
            column: 5,
            endLine: 1,
            endColumn: 10,
            notes: [],
          },
        ],
      },
    ],
  });
});
