import { expect, test } from "vitest";
import { renderResultsJunit } from "../../../src/scenario/report/junit.ts";
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
const refused = defineError("WB5199", () => ({ message: "Not here." }))(span, {});
const warned = defineWarning("WB6008", () => ({ message: "No such function." }))(span, {});

test("a suite for each file and runner, with counts and times", () => {
  expect(
    renderResultsJunit([result({}), result({ target: "asl" }), result({ scenario: "so does this", seconds: 1.5 })]),
  ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="0" errors="0" skipped="0" time="2.000">
<testsuite name="order/scenarios.yaml (reference)" tests="2" failures="0" errors="0" skipped="0" time="1.750">
<testcase name="it holds" classname="order/scenarios.yaml (reference)" time="0.250"/>
<testcase name="so does this" classname="order/scenarios.yaml (reference)" time="1.500"/>
</testsuite>
<testsuite name="order/scenarios.yaml (asl)" tests="1" failures="0" errors="0" skipped="0" time="0.250">
<testcase name="it holds" classname="order/scenarios.yaml (asl)" time="0.250"/>
</testsuite>
</testsuites>
`);
});

test("a failure lists the differences from the expectations or the reference", () => {
  const differences = [
    { what: "output", expected: { a: "<" }, got: { a: "&" } },
    { what: "elapsed", expected: 1, got: 2, against: "reference" as const },
  ];
  const xml = renderResultsJunit([result({ outcome: "failed", isFailure: true, differences, path: ["A", "B"] })]);
  expect(xml).toContain(`tests="1" failures="1" errors="0" skipped="0"`);
  expect(
    xml,
  ).toContain(`<failure message="output differs, elapsed differs from the reference" type="failed">output differs
expected  {&quot;a&quot;:&quot;&lt;&quot;}
got       {&quot;a&quot;:&quot;&amp;&quot;}
                ^
elapsed differs from what the reference does
reference 1
got       2
path      A → B</failure></testcase>`);
});

test("a rejected program fails if its target was requested, otherwise it is skipped", () => {
  const xml = renderResultsJunit([
    result({ outcome: "refused", isFailure: true, diagnostics: [refused] }),
    result({ outcome: "refused", diagnostics: [refused] }),
    result({ outcome: "unavailable" }),
  ]);
  expect(xml).toContain(`tests="3" failures="1" errors="0" skipped="2"`);
  expect(xml).toContain(
    `<failure message="refused by the compiler" type="refused">order.yaml:1:5: error WB5199: Not here.`,
  );
  expect(xml).toContain(`<skipped message="refused, and not asked for"/></testcase>`);
  expect(xml).toContain(`<skipped message="this target cannot run scenarios here"/></testcase>`);
});

test("warnings of passing scenarios are their output", () => {
  expect(renderResultsJunit([result({ diagnostics: [warned] })])).toContain(
    "<system-out>order.yaml:1:5: warning WB6008: No such function.\n",
  );
});

test("an unusable file is an error; its warnings are not", () => {
  const xml = renderResultsJunit([], [refused, warned, refused]);
  expect(xml).toContain(`<testsuites tests="1" failures="0" errors="1" skipped="0" time="0.000">`);
  expect(xml).toContain(`<testsuite name="order.yaml" tests="1" failures="0" errors="1" skipped="0" time="0.000">`);
  expect(xml).toContain(`<error message="Not here." type="WB5199">order.yaml:1:5: error WB5199`);
  expect(xml).not.toContain("WB6008");
});

test("names and values are escaped", () => {
  const hostile = `a"b<c>&\u0000\u001b[31m\ud800\uffff\n]]>`;
  const differences = [{ what: "output", expected: hostile, got: null }];
  const diagnostics = [{ ...refused, span: { ...span, source: { path: "p", text: `id: ${hostile}` } } }];
  const xml = renderResultsJunit([
    result({ scenario: hostile, file: hostile, outcome: "failed", isFailure: true, differences, diagnostics }),
  ]);
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  expect(xml).toContain(`<testcase name="a&quot;b&lt;c&gt;&amp;\\x00\\x1b[31m\\ud800\ufffd\\x0a]]&gt;"`);
  expect(xml.replace(/<[^<>]*>/g, "")).not.toMatch(/[<>]/);
});

test("no scenarios", () => {
  expect(renderResultsJunit([])).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="0" failures="0" errors="0" skipped="0" time="0.000">\n</testsuites>\n`,
  );
});
