import { expect, test } from "vitest";
import { compile, runScenarios } from "../../../src/index.ts";
import type { Json } from "../../../src/json.ts";

const definition = `
id: greeting
name: Greeting
version: "1.0"
functions: [{ name: greet, resource: greet }]
events: [{ name: Asked, type: asked, source: /door }]
states:
- name: Greet
  type: event
  start: { kind: default }
  eventsActions: [{ eventRefs: [Asked], actions: [{ functionRef: { refName: greet } }] }]
  end: { kind: default }
`;

const nested = (levels: number): Json => (levels === 0 ? 1 : { a: nested(levels - 1) });

const run = async (levels: number, isStarted = true) => {
  const asked = { at: "PT1M", event: { type: "asked", source: "/door", data: { greet: nested(levels) } } };
  const scenario = {
    name: "greets",
    options: { merge: "deep" },
    events: [asked],
    functions: { greet: { returns: { greet: nested(levels) } } },
    ...(isStarted ? {} : { input: {} }),
    expect: { status: "succeeded" },
  };
  const { results } = await runScenarios({
    sources: [{ path: "w.yaml", text: definition }],
    scenarios: [{ path: "s.json", text: JSON.stringify({ workflow: "w.yaml", scenarios: [scenario] }) }],
    on: "asl",
  });
  return results[0]!;
};

test("a run that an event has started is not taken for a called one when its first state fails after the call", async () => {
  expect((await run(5)).isFailure).toBe(false);
  const failed = await run(40);
  expect(JSON.stringify(failed)).toContain("States.QueryEvaluationError");
  expect(JSON.stringify(failed)).not.toContain("waiting");
});

/** The codes of the errors of a definition whose machine only events start. */
async function errorsWith(expression: string): Promise<readonly string[]> {
  const text = `
trigger-defs:
  A: { source: /a, type: a }
  B: { source: /b, type: b }
states:
  Wait: { start: true, type: EVENT, events: [{ event-expression: ${expression}, actions: [], next-state: Done }] }
  Done: { type: END }
`;
  const { diagnostics } = await compile({
    sources: [{ path: "w.yaml", text }],
    config: { path: "waybill.config.yaml", text: "targets: { asl: { start: events } }" },
    target: "asl",
  });
  return diagnostics.flatMap(({ code, severity }) => (severity === "error" ? [code] : []));
}

test("only events start a machine unless the first of several creates a run that waits for the others", async () => {
  expect(await errorsWith("A")).toEqual([]);
  expect(await errorsWith("A or B")).toEqual([]);
  expect(await errorsWith("A and B")).toEqual(["WB5133"]);
});
