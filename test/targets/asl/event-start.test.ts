import { expect, test } from "vitest";
import { test as runScenarios } from "../../../src/index.ts";
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
