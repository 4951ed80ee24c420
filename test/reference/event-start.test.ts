import { expect, test } from "vitest";
import type { EventCombination, Workflow } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";
import { allOf, data, end, receive, scope, workflow } from "./build.ts";
import { interpretWorkflow, outcomeOf } from "./interpreting.ts";
import { arrives, boundEvents, correlated, definitions, got, waitingWorkflow } from "./waiting.ts";

/** A run started by events that returns them and the time. */
const startedWorkflow = (start: Partial<Workflow["start"]>, alternatives: readonly EventCombination[]) => {
  const { start: plain, ...rest } = waitingWorkflow(alternatives);
  return { ...rest, start: { ...plain, on: alternatives, ...start } };
};

test("the first event of any alternative starts a run, which then waits for the rest", async () => {
  const alternatives = [allOf("a", "b"), allOf("c", "b")];
  const seen = await interpretWorkflow(startedWorkflow({ create: "first" }, alternatives), {
    events: [
      [2, arrives("c")],
      [6, arrives("b")],
    ],
  });
  expect(seen).toMatchObject({ outcome: { output: { alternative: 1 } }, elapsed: 4 });
  expect(
    outcomeOf(
      await interpretWorkflow(startedWorkflow({ create: "first" }, alternatives), { events: [[2, arrives("c")]] }),
    ),
  ).toBe("waiting");
});

test("a run that needs all its events starts with the last of them", async () => {
  const alternatives = [allOf("a", "b")];
  const seen = await interpretWorkflow(startedWorkflow({ create: "complete" }, alternatives), {
    events: [
      [2, arrives("b")],
      [6, arrives("a")],
    ],
  });
  expect(seen).toMatchObject({
    outcome: { output: { alternative: 0, events: [{ name: "b" }, { name: "a" }] } },
    elapsed: 0,
  });
  expect(
    outcomeOf(
      await interpretWorkflow(startedWorkflow({ create: "complete" }, alternatives), { events: [[2, arrives("b")]] }),
    ),
  ).toBe("not-started");
});

test("a gap that is too long discards the collected events", async () => {
  const all = (events: readonly (readonly [number, JsonObject])[]) =>
    interpretWorkflow(startedWorkflow({ create: "complete", gap: 10 }, [allOf("a", "b", "c")]), { events });
  expect(
    await boundEvents(
      all([
        [0, arrives("a")],
        [10, arrives("b")],
        [20, arrives("c")],
      ]),
    ),
  ).toEqual([0, "a", "b", "c"]);
  expect(
    outcomeOf(
      await all([
        [0, arrives("a")],
        [11, arrives("b")],
        [12, arrives("c")],
      ]),
    ),
  ).toBe("not-started");
  expect(
    await boundEvents(
      all([
        [0, arrives("a", { n: 1 })],
        [11, arrives("b")],
        [12, arrives("c")],
        [13, arrives("a", { n: 2 })],
      ]),
    ),
  ).toEqual([0, "b", "c", "a2"]);
});

test("events that start a run share a correlation value", async () => {
  const waits = { ...startedWorkflow({ create: "complete" }, [allOf("a", "b")]), events: correlated };
  const events = [
    [0, arrives("a", { n: 1, key: 1 })],
    [1, arrives("b", { key: 2 })],
    [2, arrives("a", { n: 2, key: 2 })],
  ] as const;
  expect(await boundEvents(interpretWorkflow(waits, { events }))).toEqual([0, "b", "a2"]);
});

test("only events after the start of a run are delivered to it", async () => {
  const body = scope(
    ["data", "got"],
    receive("First", [allOf("a")], "got", "Then"),
    receive("Then", [{ ...allOf("b"), within: 5 }], "got", "End"),
    end("End", got),
  );
  const waits = workflow(body, { events: definitions, start: { on: [allOf("a")], create: "first" } });
  expect(
    await boundEvents(
      interpretWorkflow(waits, {
        events: [
          [1, arrives("b", { n: 1 })],
          [2, arrives("a")],
          [3, arrives("b", { n: 2 })],
        ],
      }),
    ),
  ).toEqual([0, "b2"]);
  expect(
    await boundEvents(
      interpretWorkflow(waits, {
        events: [
          [1, arrives("b", { n: 1 })],
          [2, arrives("a")],
        ],
      }),
    ),
  ).toEqual([null]);
});

test("started with an input, the workflow waits for its events", async () => {
  const waits = startedWorkflow({ create: "complete" }, [allOf("a", "b")]);
  const seen = await interpretWorkflow(waits, {
    input: {},
    events: [
      [2, arrives("b")],
      [6, arrives("a")],
    ],
  });
  expect(seen).toMatchObject({ outcome: { output: { alternative: 0 } }, elapsed: 6 });
  expect(outcomeOf(await interpretWorkflow(waits, { input: {}, events: [[2, arrives("b")]] }))).toBe("waiting");
});

test("outside the window, events start no run and a call fails", async () => {
  const window = { from: "2026-01-01T00:01:00Z", until: "2026-01-01T00:02:00Z" };
  const waits = startedWorkflow({ create: "first", window }, [allOf("a")]);
  expect(
    await boundEvents(
      interpretWorkflow(waits, {
        events: [
          [59, arrives("a", { n: 1 })],
          [60, arrives("a", { n: 2 })],
        ],
      }),
    ),
  ).toEqual([0, "a2"]);
  expect(outcomeOf(await interpretWorkflow(waits, { events: [[120, arrives("a")]] }))).toBe("not-started");
  const called = workflow(scope(["data"], end("End", data)), { start: { window } });
  expect(outcomeOf(await interpretWorkflow(called))).toEqual({
    error: "NotActive",
    message: "Workflow main cannot be started now.",
  });
  expect(outcomeOf(await interpretWorkflow(called, { clock: "2026-01-01T00:01:59Z" }))).toEqual({ output: {} });
});
