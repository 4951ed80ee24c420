import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/json.ts";
import { createConductor } from "../../../../targets/openwhisk/runtime/conductor/index.ts";
import { sign, verify } from "../../../../targets/openwhisk/runtime/proof.ts";
import { continued, defaultSettings, drive, helper, key } from "./drive.ts";

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
    wait: { Type: "Task", Action: helper, Next: "after" },
    after: { Type: "Task", Function: "({ got }) => ({ sum: n + got })", Next: "end" },
    end: { Type: "End" },
  },
};

test("a helper receives the continuation, and a suspended run returns only its id", () => {
  const { result, trace } = drive(
    waiting,
    { $waybill: { began: 5 }, operation: "suspend", wait: "w" },
    { [helper]: () => ({ $waybill: "suspended" }) },
  );
  expect(trace).toEqual([
    {
      action: helper,
      input: {
        operation: "suspend",
        wait: "w",
        $waybill: { ...about, calls: 1, state: "after", stack: [{ let: { n: 2 } }] },
      },
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
  const { result, trace } = drive(waiting, { $waybill }, { [helper]: () => ({}) });
  expect(result).toEqual({ sum: 5 });
  expect(trace).toEqual([
    {
      action: helper,
      input: {
        operation: "join",
        result: { sum: 5 },
        $waybill: { ...about, calls: 1, join: { id: "j", index: 1 } },
      },
    },
  ]);
  const failed = drive(
    waiting,
    { $waybill: { ...$waybill, params: { error: { name: "No" } } } },
    { [helper]: () => ({}) },
  );
  expect(failed.trace[0]?.input).toMatchObject({ operation: "join", error: { name: "No" } });
  expect(failed.result).toEqual({ error: { name: "No" } });
});

test("a branch starts at its own state with the variables of its parent, a subflow at its entry with its own input", () => {
  const $waybill = { run: "run-1", position: [1], stack: [{ let: { n: 2 } }], state: "after", params: { got: 1 } };
  expect(drive(waiting, { $waybill }).result).toEqual({ sum: 3 });
  const suspend = { [helper]: () => ({ got: 7 }) };
  const input = { $waybill: { run: "run-9", position: [0], began: 5 }, operation: "suspend", wait: "w" };
  const subflow = drive(waiting, input, suspend);
  expect(subflow.result).toEqual({ sum: 9 });
  expect(subflow.trace[0]?.input).toMatchObject({ wait: "w", $waybill: { run: "run-9", position: [0] } });
});

test("a run that suspends in its last state resumes at its end", () => {
  const States = { wait: { Type: "Task", Action: helper } };
  const delay = { [helper]: () => ({ $waybill: "suspended" }) };
  const { trace } = drive({ Entry: "wait", Exit: "wait", States }, { operation: "delay" }, delay);
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
    wait: { Type: "Task", Action: helper, Next: "handler" },
    handler: { Type: "Task", Function: "({ error }) => ({ taken: error })" },
  };
  const composition = { Entry: "try", Exit: "handler", States };
  const answering = (error: unknown) =>
    drive(
      composition,
      { $waybill: { join: { id: "j" } }, operation: "fork" },
      { [helper]: ({ operation }) => (operation === "fork" ? { error } : {}) },
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
    [helper]: () => ({ $waybill: "suspended" }),
  };
  let input: JsonObject = {};
  for (let invocations = 1; ; invocations++) {
    const { result, trace } = drive(composition, input, components, { ...defaultSettings, budget: 45 });
    expect(trace.length).toBeLessThanOrEqual(46);
    if ((result as JsonObject)["status"] !== "suspended") {
      expect(result).toEqual({ sum: 10_000 });
      expect(invocations).toBe(Math.ceil(10_000 / 45));
      return;
    }
    input = { $waybill: (trace.at(-1)!.input as JsonObject)["$waybill"]! };
  }
});

test("a container keeps no state of a run", () => {
  const conduct = createConductor(waiting, defaultSettings, () => undefined);
  const start = ($waybill: JsonObject) =>
    conduct({ ...continued({ $waybill }), operation: "suspend", $waybillKey: key });
  const first = start({ run: "a", began: 1 });
  const second = start({ run: "b", began: 2 });
  const onward = (state: unknown, got: number) => conduct({ got, ...(state as JsonObject), $waybillKey: key });
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
    { ...defaultSettings, budget: 1 },
  );
  expect(trace.map(({ action }) => action)).toEqual(["/_/f", "/_/f", "/_/f"]);
});

test("an early end is reported to the run that waits for it; without one, it is the result", () => {
  const ending = {
    Entry: "end",
    Exit: "end",
    States: { end: { Type: "Task", Value: { error: { $waybill: "ended", value: { sum: 3 } } } } },
  };
  const resultOf = ($waybill: JsonObject) => drive(ending, { $waybill }, {}).result;
  expect(resultOf({})).toEqual({ sum: 3 });
  expect(resultOf({ position: [] })).toEqual({ sum: 3 });
  expect(resultOf({ position: [0] })).toEqual({ error: { $waybill: "ended", value: { sum: 3 } } });
});

test("a state of a run that does not come from the deployment is refused, whatever it contains", () => {
  const conduct = createConductor(waiting, defaultSettings, () => undefined);
  const start = conduct({ operation: "suspend", $waybillKey: key });
  const { $resume } = start["state"] as { readonly $resume: JsonObject };
  expect(conduct({ $resume, got: 40, $waybillKey: key })).toEqual({ params: { sum: 42 } });
  const skipped = { run: "run-1", state: "after", stack: [{ let: { n: 2 } }], params: { got: 1 } };
  const other = sign(skipped, "continue", "key of another deployment") as unknown as JsonObject;
  for (const $waybill of [skipped, { root: "run-0" }, { ...skipped, proof: "AAAA" }, other])
    expect(conduct({ $waybill, $waybillKey: key })).toEqual({
      error: "waybill: The parameter $waybill does not come from this deployment.",
    });
  const forged = [skipped, { ...$resume, state: "end" }, sign(skipped, "continue", key) as unknown as JsonObject, "x"];
  for (const $resume of forged)
    expect(conduct({ $resume, $waybillKey: key })).toEqual({
      error: "waybill: The parameter $resume does not come from this deployment.",
    });
});

test("a proof survives a platform that reorders members and replaces lone surrogates", () => {
  const state = { b: [1e21, 0.1, -0], a: { z: "\ud800", y: null }, 2: "\u2028" };
  const signed = sign(state, "resume", key);
  const reordered = { proof: signed.proof, a: { y: null, z: "?" }, b: [1e21, 0.1, 0], 2: "\u2028" };
  expect(verify(reordered, "resume", key)).toBeDefined();
  expect(verify({ ...reordered, b: [1e21, 0.1, 1] }, "resume", key)).toBeUndefined();
  expect(verify(reordered, "call", key)).toBeUndefined();
});

test.each([undefined, "", "short", 5])("without a key (%j), a conductor refuses to run", (given) => {
  const conduct = createConductor(waiting, defaultSettings, () => undefined);
  const result = conduct({ ...(given === undefined ? {} : { $waybillKey: given }) });
  expect(result).toEqual({ error: expect.stringContaining("Set WAYBILL_KEY") });
});

test("functions receive an idempotency key that differs for each call, and is the same for its attempts", () => {
  const States = {
    let: { Type: "Let", Symbol: "n", Value: 0, Next: "one" },
    one: { Type: "Task", Action: "/_/f", Next: "try" },
    try: { Type: "Try", Handler: "again", Next: "call" },
    call: { Type: "Task", Action: "/_/g", Next: "end try" },
    "end try": { Type: "Catch", Next: "two" },
    again: { Type: "Task", Function: "() => ({ operation: 'delay', ms: 5 })", Next: "pause" },
    pause: { Type: "Task", Action: helper, Next: "try" },
    two: { Type: "Task", Action: "/_/f", Next: "end" },
    end: { Type: "End" },
  };
  let count = 0;
  const components = {
    "/_/f": () => ({ a: 1 }),
    "/_/g": () => (++count < 3 ? { error: "Busy" } : { a: 2 }),
    [helper]: () => ({}),
  };
  const settings = { ...defaultSettings, keys: { "/_/f": "$waybill", "/_/g": "idempotency" }, retried: ["call"] };
  const { trace } = drive({ Entry: "let", Exit: "end", States }, { a: 0 }, components, settings);
  const calls = trace.filter(({ action }) => action !== helper);
  expect(calls.map(({ input }) => input)).toEqual([
    { a: 0, $waybill: { key: "run-1/0", attempt: 1 } },
    { a: 1, idempotency: { key: "run-1/1", attempt: 1 } },
    { idempotency: { key: "run-1/1", attempt: 2 } },
    { idempotency: { key: "run-1/1", attempt: 3 } },
    { a: 2, $waybill: { key: "run-1/6", attempt: 1 } },
  ]);
});

test("an argument keeps its own member of the key's name", () => {
  const settings = { ...defaultSettings, keys: { "/_/f": "key" } };
  const States = { call: { Type: "Task", Action: "/_/f" } };
  const { trace } = drive({ Entry: "call", Exit: "call", States }, { key: "mine" }, { "/_/f": () => ({}) }, settings);
  expect(trace[0]?.input).toEqual({ key: "mine" });
});

test("a subflow derives its keys from its caller's, so that they are the same when it is repeated", () => {
  const caller = { ...defaultSettings, workflows: ["/_/sub"] };
  const States = { call: { Type: "Task", Action: "/_/sub" } };
  const { trace } = drive({ Entry: "call", Exit: "call", States }, { n: 1 }, { "/_/sub": () => ({}) }, caller);
  const input = trace[0]?.input as JsonObject;
  expect(input).toEqual({ n: 1, $waybill: { key: "run-1/0", rootBegan: expect.any(Number) } });
  const called = { ...defaultSettings, keys: { "/_/f": "$waybill" } };
  const inner = { call: { Type: "Task", Action: "/_/f" } };
  const sub = drive({ Entry: "call", Exit: "call", States: inner }, input, { "/_/f": () => ({}) }, called);
  expect(sub.trace[0]?.input).toEqual({ n: 1, $waybill: { key: "run-1/0/0", attempt: 1 } });
});
