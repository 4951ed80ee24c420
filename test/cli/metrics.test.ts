import { expect, test } from "vitest";
import { renderMetrics, renderMetricsJson } from "../../src/cli/metrics.ts";

const figures = [
  { workflow: "order", name: "states", value: 12 },
  { workflow: "order", name: "bytes", value: 312, limit: 1000 },
  { workflow: "order", state: "Charge", name: "bytes", value: 80 },
  { workflow: "order", state: "A longer name", name: "depth", value: 3 },
  { workflow: "order", scenario: "paid\u0007", name: "steps", value: 7, limit: 100 },
  { workflow: "bill", name: "states", value: 1 },
];

test("text has a line for a workflow, and tables of its states and scenarios", () => {
  expect(renderMetrics(figures, [{ path: "a", text: "ä" }])).toBe(
    [
      "order: 12 states, 312 of 1000 bytes",
      "  state          bytes  depth",
      "  Charge            80",
      "  A longer name             3",
      "  scenario     steps",
      "  paid\\x07  7 of 100",
      "bill: 1 states",
      "total: 1 file, 2 bytes",
      "",
    ].join("\n"),
  );
});

test("JSON is an array", () => {
  expect(JSON.parse(renderMetricsJson(figures))).toEqual(figures);
});
