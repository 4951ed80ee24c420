import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/json.ts";
import { createConductor } from "../../../../targets/openwhisk/runtime/conductor/index.ts";
import { defaultSettings, drive } from "./drive.ts";

const settings = { ...defaultSettings, helpers: "/_/waybill" };
const about = { flow: "/guest/flow", run: "run-1", began: 5 };

beforeEach(() => {
  process.env["__OW_ACTIVATION_ID"] = "run-1";
  process.env["__OW_ACTION_NAME"] = "/guest/flow";
});
afterEach(() => {
  delete process.env["__OW_ACTIVATION_ID"];
  delete process.env["__OW_ACTION_NAME"];
});

const waiting = {
  Entry: "let",
  Exit: "end",
  States: {
    let: { Type: "Let", Symbol: "n", Value: 2, Next: "wait" },
    wait: { Type: "Task", Action: "/_/waybill/rt-suspend", Next: "after" },
    after: { Type: "Task", Function: "({ got }) => ({ sum: n + got })", Next: "end" },
    end: { Type: "End" },
  },
};

test("a helper receives the continuation, and a suspended run returns only its id", () => {
  const { result, trace } = drive(
    waiting,
    { $waybill: { began: 5 }, wait: "w" },
    {
      "/_/waybill/rt-suspend": () => ({ $waybill: "suspended" }),
    },
    settings,
  );
  expect(trace).toEqual([
    {
      action: "/_/waybill/rt-suspend",
      input: { wait: "w", $waybill: { ...about, state: "after", stack: [{ let: { n: 2 } }] } },
    },
  ]);
  expect(result).toEqual({ run: "run-1", status: "suspended" });
});

test("a run resumes in the middle, and reports its result to its join before it ends", () => {
  const $waybill = {
    ...about,
    state: "after",
    stack: [{ let: { n: 2 } }],
    params: { got: 3 },
    join: { id: "j", index: 1 },
  };
  const join = "/_/waybill/rt-join";
  const { result, trace } = drive(waiting, { $waybill }, { [join]: () => ({}) }, settings);
  expect(result).toEqual({ sum: 5 });
  expect(trace).toEqual([
    {
      action: join,
      input: { id: "j", index: 1, result: { sum: 5 }, $waybill: { ...about, join: { id: "j", index: 1 } } },
    },
  ]);
  const failed = drive(
    waiting,
    { $waybill: { ...$waybill, params: { error: { name: "No" } } } },
    { [join]: () => ({}) },
  );
  expect(failed.trace[0]?.input).toMatchObject({ id: "j", error: { name: "No" } });
  expect(failed.result).toEqual({ error: { name: "No" } });
});

test("a branch starts at its own state with the variables of its parent, a subflow at its entry with its own input", () => {
  const $waybill = { run: "run-1", position: [1], stack: [{ let: { n: 2 } }], state: "after", params: { got: 1 } };
  expect(drive(waiting, { $waybill }).result).toEqual({ sum: 3 });
  const suspend = { "/_/waybill/rt-suspend": () => ({ got: 7 }) };
  const subflow = drive(waiting, { $waybill: { run: "run-9", position: [0], began: 5 }, wait: "w" }, suspend);
  expect(subflow.result).toEqual({ sum: 9 });
  expect(subflow.trace[0]?.input).toMatchObject({ wait: "w", $waybill: { run: "run-9", position: [0] } });
});

test("a run that suspends in its last state resumes at its end", () => {
  const States = { wait: { Type: "Task", Action: "/_/waybill/rt-delay" } };
  const delay = { "/_/waybill/rt-delay": () => ({ $waybill: "suspended" }) };
  const { trace } = drive({ Entry: "wait", Exit: "wait", States }, {}, delay);
  expect(trace[0]?.input).toMatchObject({ $waybill: { state: null, stack: [] } });
  expect(
    drive({ Entry: "wait", Exit: "wait", States }, { $waybill: { ...about, state: null, params: { n: 1 } } }),
  ).toEqual({
    result: { n: 1 },
    trace: [],
    states: [],
  });
});

test("a failed helper ends the activation without reaching a handler or a join", () => {
  const States = {
    try: { Type: "Try", Handler: "handler", Next: "wait" },
    wait: { Type: "Task", Action: "/_/waybill/rt-fork", Next: "handler" },
    handler: { Type: "Task", Function: "({ error }) => ({ taken: error })" },
  };
  const composition = { Entry: "try", Exit: "handler", States };
  const answering = (error: unknown) =>
    drive(
      composition,
      { $waybill: { join: { id: "j" } } },
      {
        "/_/waybill/rt-fork": () => ({ error }),
        "/_/waybill/rt-join": () => ({}),
      },
    );
  expect(answering("The store is gone.").result).toEqual({ error: "The store is gone." });
  expect(answering("The store is gone.").trace.length).toBe(1);
  expect(answering({ name: "Timeout" }).result).toEqual({ taken: { name: "Timeout" } });
});

test("a suspension marker is only interpreted in results of helpers", () => {
  const States = { call: { Type: "Task", Action: "f" } };
  const { result } = drive({ Entry: "call", Exit: "call", States }, {}, { f: () => ({ $waybill: "suspended", n: 1 }) });
  expect(result).toEqual({ $waybill: "suspended", n: 1 });
  const failing = () => ({ error: { $waybill: "timeout", name: "No" } });
  expect(drive({ Entry: "call", Exit: "call", States }, {}, { f: failing }).result).toEqual({ error: { name: "No" } });
});

test("a long run continues in new invocations, each within its budget", () => {
  const States = {
    let: { Type: "Let", Symbol: "n", Value: 0, Next: "call" },
    call: { Type: "Task", Action: "f", Next: "count" },
    count: { Type: "Task", Function: "params => { n = n + 1; return { value: n < 10_000, ...params } }", Next: "push" },
    push: { Type: "Push", Next: "again" },
    again: { Type: "Choice", Then: "call", Else: "end" },
    end: { Type: "End", Next: "last" },
    last: { Type: "Task", Function: "({ sum }) => ({ sum })" },
  };
  const composition = { Entry: "let", Exit: "last", States };
  const components = {
    f: ({ sum = 0 }: JsonObject) => ({ sum: (sum as number) + 1 }),
    "/_/waybill/rt-continue": () => ({ $waybill: "suspended" }),
  };
  let input: JsonObject = {};
  for (let invocations = 1; ; invocations++) {
    const { result, trace } = drive(composition, input, components, { ...settings, budget: 45 });
    expect(trace.length).toBeLessThanOrEqual(46);
    if ((result as JsonObject)["status"] !== "suspended") {
      expect(result).toEqual({ sum: 10_000 });
      expect(invocations).toBe(Math.ceil(10_000 / 45));
      return;
    }
    input = trace.at(-1)!.input as JsonObject;
  }
});

test("a container keeps no state of a run", () => {
  const conduct = createConductor(waiting, settings, () => undefined);
  const first = conduct({ $waybill: { run: "a", began: 1 } });
  const second = conduct({ $waybill: { run: "b", began: 2 } });
  const onward = (state: unknown, got: number) => conduct({ got, ...(state as JsonObject) });
  expect(onward(second["state"], 1)).toEqual({ params: { sum: 3 } });
  expect(onward(first["state"], 40)).toEqual({ params: { sum: 42 } });
});

test("a branch that an action waits for never continues in a new invocation", () => {
  const states = Object.fromEntries(
    [1, 2, 3].map((n) => [`s${n}`, { Type: "Task", Action: "/_/f", ...(n < 3 ? { Next: `s${n + 1}` } : {}) }]),
  );
  const composition = { Entry: "s1", Exit: "s3", States: states };
  const { trace } = drive(
    composition,
    { $waybill: { position: [0] } },
    { "/_/f": () => ({}) },
    { ...settings, budget: 1 },
  );
  expect(trace.map(({ action }) => action)).toEqual(["/_/f", "/_/f", "/_/f"]);
});

test("an early end is reported to the run that waits for it; without one, it is the result", () => {
  const ending = {
    Entry: "end",
    Exit: "end",
    States: { end: { Type: "Task", Value: { error: { $waybill: "ended", value: { sum: 3 } } } } },
  };
  const resultOf = ($waybill: JsonObject) => drive(ending, { $waybill }, {}, settings).result;
  expect(resultOf({})).toEqual({ sum: 3 });
  expect(resultOf({ position: [] })).toEqual({ sum: 3 });
  expect(resultOf({ position: [0] })).toEqual({ error: { $waybill: "ended", value: { sum: 3 } } });
});
