import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { failure, RunEnd, WorkflowError } from "../../../../targets/typescript/runtime/errors.ts";
import type { CloudEvent, EventDefinition, Wait } from "../../../../targets/typescript/runtime/events.ts";
import type { Flow, Step } from "../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import type { AnyWorkflow, Workflow } from "../../../../targets/typescript/runtime/workflow.ts";
import { type Arrival, inVirtualTime } from "./virtual.ts";

const workflow = (
  run: (flow: Flow) => Promise<Json>,
  more: Partial<Workflow<never, Json>> = {},
): Workflow<never, Json> => ({
  id: "w",
  version: "1",
  name: "w",
  anyInput: true,
  run,
  ...more,
});

/** Runs a body; returns its output or failure, and the second at which it ended. */
async function goes(
  run: (flow: Flow) => Promise<Json>,
  more?: Partial<Workflow<never, Json>>,
  arrivals?: readonly Arrival[],
) {
  const { outcome, seconds } = await inVirtualTime(workflow(run, more), null, arrivals);
  return "output" in outcome ? [outcome.output, seconds] : [outcome.error.name, outcome.error.message, seconds];
}

const after = (flow: Flow, name: string, seconds: number, value: Json = name) =>
  flow.sleep(name, seconds).then(() => value);

test("a step returns the result of its function, which receives a key", async () => {
  const keys: string[] = [];
  const call = ({ key }: Step) => keys.push(key);
  expect(await goes(async (flow) => [await flow.step("A", call), await flow.step("A", call)])).toEqual([[1, 2], 0]);
  expect(keys).toEqual(["run/A", "run/A#2"]);
});

test("a pure function that fails is a failed step", async () => {
  const fail = () => {
    throw new TypeError("no");
  };
  expect(await goes(async (flow) => flow.compute("A", () => [1]))).toEqual([[1], 0]);
  expect(await goes(async (flow) => flow.compute("A", fail))).toEqual(["TypeError", "no", 0]);
});

test("all attempts of a step, and of attempts around it, have the same key and are counted", async () => {
  const calls: (readonly [string, number])[] = [];
  const call = ({ key, attempt }: Step) => {
    calls.push([key, attempt]);
    if (calls.length < 5) throw new Error("no");
    return null;
  };
  const twice = { retries: [{ limit: 1 }] };
  await goes(async (flow) => {
    await flow.attempt(
      "Charge",
      async (flow) => {
        await flow.fork("Both", { one: (flow) => flow.step("Pay", call, twice) });
        return flow.step("Tell", call);
      },
      { retries: [{ limit: 2 }] },
    );
    return flow.step("Pay", call);
  });
  expect(calls).toEqual([
    ["run/Both#one/Pay", 1],
    ["run/Both#one/Pay", 2],
    ["run/Both#one/Pay", 3],
    ["run/Both#one/Pay", 4],
    ["run/Both#one/Pay", 5],
    ["run/Tell", 1],
    ["run/Pay", 1],
  ]);
});

test("keys have at most 255 characters and differ for each call", async () => {
  const keys: string[] = [];
  const items = [1, 2, 3];
  await goes((flow) =>
    flow.forEach(`Each ${"line ".repeat(30)}`, items, (flow) =>
      flow.forEach(`Each ${"part ".repeat(30)}`, items, (flow) => flow.step("Call", ({ key }) => keys.push(key))),
    ),
  );
  expect(new Set(keys).size).toBe(9);
  expect(keys.map(({ length }) => length)).toEqual(keys.map(() => 255));
});

test("signals of concurrent iterations have few listeners, and are aborted with the loop", async () => {
  const signals: AbortSignal[] = [];
  const listeners: number[] = [];
  const items = Array.from({ length: 100 }, (_, i) => i);
  const call = ({ signal }: Step) => {
    listeners.push(getEventListeners(signal, "abort").length);
    if (listeners.length > items.length) throw new Error("the first of the second loop fails");
    return null;
  };
  const each = (flow: Flow, name: string) =>
    flow.forEach(name, items, async (flow) => {
      signals.push(flow.signal);
      await flow.sleep("Nap", 1);
      return flow.step("Call", call);
    });
  const went = goes(async (flow) => [await each(flow, "One"), await each(flow, "Two")]);
  expect(await went).toEqual(["Error", "the first of the second loop fails", 2]);
  expect(Math.max(...listeners)).toBeLessThanOrEqual(3);
  expect(signals.map(({ aborted }) => aborted)).toEqual([...items.map(() => false), ...items.map((i) => i > 0)]);
});

test("steps named like keys have their own keys", async () => {
  const keys: string[] = [];
  const call = ({ key }: Step) => keys.push(key);
  await goes(async (flow) => {
    for (const name of ["A", "A", "A#2", "A#2", "A##2", "A#", "A#"]) await flow.step(name, call);
    return null;
  });
  expect(new Set(keys).size).toBe(7);
});

test("keys of steps in branches, iterations and subflows are unique, whatever the names", async () => {
  const keys: string[] = [];
  const call = (flow: Flow, name: string) => flow.step(name, ({ key }) => keys.push(key));
  const ask = async (flow: Flow, ...names: readonly string[]) => {
    for (const name of names) await call(flow, name);
    return null;
  };
  const other = workflow((flow) => ask(flow, "x", "b/s"), { id: "other" });
  await goes(async (flow) => {
    await flow.fork("F", {
      a: (inner) => ask(inner, "s", "b/s"),
      "a/b": (inner) => ask(inner, "s"),
      "a#": (inner) => ask(inner, "b/s"),
      "[0]": (inner) => ask(inner, "s"),
      "": (inner) => ask(inner, "s", "x"),
    });
    await flow.forEach("F", ["", ""], (inner) => ask(inner, "s"));
    await flow.invoke("G", other, null);
    return ask(flow, "F/a/s", "F#a/s", "F[0]/s", "F#[0]/s", "F#2#[0]/s", "G/x", "G#/x", "F#a#/b/s", "a#/b/s");
  });
  expect(keys).toContain("run/F#a/b/s");
  expect(keys.length).toBe(20);
  expect(new Set(keys).size).toBe(keys.length);
});

test("an abandoned branch has no value, whatever its name", async () => {
  const forks = await inVirtualTime(
    workflow(async (flow) => {
      const { fast, toString: slow } = await flow.fork(
        "both",
        { fast: (inner) => after(inner, "f", 1), toString: (inner: Flow) => after(inner, "s", 2) },
        { join: 1 },
      );
      return [fast ?? null, slow ?? null] as Json;
    }),
    null,
  );
  expect(forks.outcome).toEqual({ output: ["f", null] });
});

test.each([
  ["nothing", () => undefined as never, null],
  ["a date", () => new Date(0) as never, "1970-01-01T00:00:00.000Z"],
  ["no number", () => Number.NaN, null],
  ["what is later", async () => 5, 5],
])("an answer is JSON: %s", async (_, call, value) => {
  expect(await goes((flow) => flow.step("A", call as () => Json))).toEqual([value, 0]);
});

test("a result without JSON fails", async () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect((await goes((flow) => flow.step("A", () => circle as never)))[0]).toBe("DataError");
});

test("a step is retried with the delays of its retries", async () => {
  let left = 3;
  const call = () => {
    if (left-- > 0) throw new Error("not yet");
    return "done";
  };
  expect(await goes((flow) => flow.step("A", call, { retries: [{ limit: 3, base: 1, factor: 2 }] }))).toEqual([
    "done",
    7,
  ]);
  left = 3;
  expect(await goes((flow) => flow.step("A", call, { retries: [{ limit: 2, base: 1 }] }))).toEqual([
    "Error",
    "not yet",
    2,
  ]);
});

test("a retry that does not apply leaves the failure to the next one", async () => {
  const call = () => {
    throw new WorkflowError("Busy", "");
  };
  const retries = [
    { when: (error: { readonly name: string }) => error.name === "Other", limit: 9 },
    { limit: 1, base: 4 },
  ];
  expect(await goes((flow) => flow.step("A", call, { retries }))).toEqual(["Busy", "", 4]);
});

test("a step that takes too long is canceled", async () => {
  let isCutOff = false;
  const hang = ({ signal }: Step) =>
    new Promise<null>(() => {
      signal.addEventListener("abort", () => {
        isCutOff = true;
      });
    });
  expect(await goes((flow) => flow.step("A", hang, { timeout: 3 }))).toEqual([
    "Timeout",
    "The time allowed has passed.",
    3,
  ]);
  expect(isCutOff).toBe(true);
});

test("branches run concurrently until their join is decided; the others are canceled", async () => {
  const branches = {
    a: (f: Flow) => after(f, "A", 3),
    b: (f: Flow) => after(f, "B", 1),
    c: (f: Flow) => after(f, "C", 2),
  };
  expect(await goes((flow) => flow.fork("F", branches) as Promise<Json>)).toEqual([{ a: "A", b: "B", c: "C" }, 3]);
  expect(await goes((flow) => flow.fork("F", branches, { join: 1 }) as Promise<Json>)).toEqual([{ b: "B" }, 1]);
  expect(await goes((flow) => flow.fork("F", branches, { width: 1 }) as Promise<Json>)).toEqual([
    { a: "A", b: "B", c: "C" },
    6,
  ]);
});

test("a failing branch fails its fork, at once or when the join is no longer possible", async () => {
  const fails = async (flow: Flow): Promise<Json> => {
    await flow.sleep("Soon", 1);
    throw new WorkflowError("Broken", "b");
  };
  const branches = { a: (f: Flow) => after(f, "A", 3), b: fails };
  expect(await goes((flow) => flow.fork("F", branches) as Promise<Json>)).toEqual(["Broken", "b", 1]);
  expect(await goes((flow) => flow.fork("F", branches, { join: 1, spare: true }) as Promise<Json>)).toEqual([
    { a: "A" },
    3,
  ]);
  expect(await goes((flow) => flow.fork("F", branches, { join: 2, spare: true }) as Promise<Json>)).toEqual([
    "Broken",
    "b",
    1,
  ]);
});

test("iterations start in order, within a width and with a gap", async () => {
  const body = (flow: Flow, item: number) => after(flow, "Item", item, item * 10);
  const items = [3, 1, 2];
  expect(await goes((flow) => flow.forEach("E", items, body))).toEqual([[30, 10, 20], 3]);
  expect(await goes((flow) => flow.forEach("E", items, body, { width: 1 }))).toEqual([[30, 10, 20], 6]);
  expect(await goes((flow) => flow.forEach("E", items, body, { gap: 5 }))).toEqual([[30, 10, 20], 12]);
});

test("a thousand concurrent iterations do not leak listeners", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => void warnings.push(warning);
  process.on("warning", hear);
  const items = Array.from({ length: 1000 }, (_, i) => i);
  expect(
    (
      await goes((flow) => flow.forEach("E", items, (inner, item) => inner.step("S", async () => item, { timeout: 5 })))
    )[1],
  ).toBe(0);
  process.off("warning", hear);
  expect(warnings).toEqual([]);
});

const came = (at: number, id: string, type: string, more: { readonly [name: string]: Json } = {}): Arrival => ({
  at,
  event: { specversion: "1.0", id, source: "test", type, ...more },
});
const events: { readonly [name: string]: EventDefinition } = {
  a: { type: "a" },
  b: { type: "b" },
  mine: { type: "mine", correlation: (event: CloudEvent) => event["who"] },
};
const idsOf = async (flow: Flow, name = "R"): Promise<Json> => {
  const { alternative, events: taken } = await flow.receive(name);
  return [alternative, ...taken.map(({ event }) => event.id)];
};
const receives = (wait: Wait, arrivals: readonly Arrival[]) =>
  goes((flow) => idsOf(flow), { events, waits: { R: wait } }, arrivals);

test("a wait ends with the first alternative whose events have all arrived", async () => {
  const wait = { alternatives: [{ all: [["a"], ["b"]] }, { all: [["b"]] }] };
  expect(await receives(wait, [came(1, "1", "a"), came(2, "2", "b")])).toEqual([[0, "1", "2"], 2]);
  expect(await receives(wait, [came(1, "1", "x"), came(2, "2", "b")])).toEqual([[1, "2"], 2]);
});

test("an alternative expires; the wait ends with null after the last one", async () => {
  const wait = { alternatives: [{ all: [["a"]], within: 5 }] };
  expect(await receives(wait, [came(4, "1", "a")])).toEqual([[0, "1"], 4]);
  expect(await receives(wait, [came(6, "1", "a")])).toEqual([[null], 5]);
});

test("an event of `none` excludes its alternative", async () => {
  const wait = { alternatives: [{ all: [["a"]], none: ["b"] }, { all: [["a"], ["b"]] }] };
  expect(await receives(wait, [came(1, "1", "b"), came(2, "2", "a")])).toEqual([[1, "1", "2"], 2]);
});

test("unused events are kept for later waits, or dropped", async () => {
  const twice = async (flow: Flow) => [await idsOf(flow, "First"), await idsOf(flow, "Second")];
  const waits = (unused: Partial<Wait>) => ({
    First: { alternatives: [{ all: [["b"]] }], ...unused },
    Second: { alternatives: [{ all: [["a"]], within: 5 }] },
  });
  const arrivals = [came(1, "1", "a"), came(2, "2", "b")];
  expect(await goes(twice, { events, waits: waits({}) }, arrivals)).toEqual([
    [
      [0, "2"],
      [0, "1"],
    ],
    2,
  ]);
  expect(await goes(twice, { events, waits: waits({ unused: "drop" }) }, arrivals)).toEqual([[[0, "2"], [null]], 7]);
});

test("an event must have the run's correlation value; without one, the first event sets it", async () => {
  const twice = async (flow: Flow) => [await idsOf(flow), await idsOf(flow)];
  const waits = { R: { alternatives: [{ all: [["mine"]] }] } };
  const arrivals = [
    came(1, "1", "mine", { who: "ann" }),
    came(2, "2", "mine", { who: "bob" }),
    came(3, "3", "mine", { who: "ann" }),
  ];
  expect(await goes(twice, { events, waits }, arrivals)).toEqual([
    [
      [0, "1"],
      [0, "3"],
    ],
    3,
  ]);
  const own = { events, waits, correlation: () => "bob" };
  expect(await goes((flow) => idsOf(flow), own, arrivals)).toEqual([[0, "2"], 2]);
});

test("an emitted event has the attributes of its definition and the correlation value", async () => {
  const definition = { type: "done", source: "here", subject: "it", correlationAttribute: "who" };
  const emits = workflow(async (flow) => flow.emit("Tell", "done", { n: 1 }).then(() => null), {
    events: { done: definition },
    correlation: () => "ann",
  });
  expect((await inVirtualTime(emits, null)).emitted).toEqual([
    {
      specversion: "1.0",
      id: "run/Tell",
      source: "here",
      type: "done",
      subject: "it",
      time: "1970-01-01T00:00:00.000Z",
      datacontenttype: "application/json",
      who: "ann",
      data: { n: 1 },
    },
  ]);
});

test("a subflow returns its output; its end ends the run only if it terminates it", async () => {
  const inner = workflow(async (flow) => {
    await flow.sleep("Nap", 1);
    throw new RunEnd({ value: "inner end" });
  }) as AnyWorkflow;
  expect(await goes(async (flow) => [await flow.invoke("I", inner, null)])).toEqual([["inner end"], 1]);
  expect(await goes(async (flow) => [await flow.invoke("I", inner, null, { terminates: true })])).toEqual([
    "inner end",
    1,
  ]);
});

test("outside its window, a workflow is rejected; a subflow returns its input", async () => {
  const later = workflow(async () => "ran", { start: { window: { from: "2000-01-01T00:00:00Z" } } });
  const { outcome } = await inVirtualTime(later, null);
  expect(outcome).toMatchObject({ error: { name: "NotActive", origin: "denied" } });
  expect(await goes((flow) => flow.invoke("I", later as AnyWorkflow, "input"))).toEqual(["input", 0]);
});

test("a sleep until an instant ends then, or at once if that is in the past", async () => {
  expect(await goes((flow) => flow.sleepUntil("S", "1970-01-01T00:01:00Z").then(() => "up"))).toEqual(["up", 60]);
  expect(await goes((flow) => flow.sleepUntil("S", "1969-01-01T00:00:00Z").then(() => "up"))).toEqual(["up", 0]);
  expect(await goes((flow) => flow.sleepUntil("S", "soon").then(() => "up"))).toEqual([
    "DataError",
    "There is no time to wait for.",
    0,
  ]);
});

test("detached work continues on its own, and its failure is ignored", async () => {
  const fails = () => Promise.reject(new Error("lost"));
  expect(await goes((flow) => flow.start("S", fails).then(() => "on"))).toEqual(["on", 0]);
});

test("a loop in memory begins its rounds with the given data", async () => {
  const counts = async (flow: Flow) => {
    let data = { n: 0 };
    for (;;) {
      data = await flow.round("L", data);
      if (data.n === 3) return data.n;
      data = { n: await flow.step("S", () => data.n + 1) };
    }
  };
  expect(await goes(counts)).toEqual([3, 0]);
});

test("a loop that never waits ends with a limit that no handler takes, and one that waits goes on", async () => {
  const spin = async (flow: Flow, rounds: number, each: (i: number) => Promise<unknown> = async () => undefined) => {
    for (let i = 0; i < rounds; i++) {
      await flow.round("Spin", {});
      await each(i);
    }
    return "ended";
  };
  const message = "More than 200000 steps were taken in a row without a call, a delay, an event or an end.";
  const limit = ["LimitError", message, 0];
  expect(await goes((flow) => spin(flow, 200_000))).toEqual(["ended", 0]);
  expect(await goes((flow) => spin(flow, 200_001))).toEqual(limit);
  const handled = (flow: Flow) =>
    spin(flow, 200_001).catch((thrown) => {
      failure(thrown);
      return "handled";
    });
  expect(await goes(handled)).toEqual(limit);
  const called = (flow: Flow) => spin(flow, 300_000, async (i) => i === 150_000 && flow.step("A", () => i));
  expect(await goes(called)).toEqual(["ended", 0]);
}, 20_000);

test("each branch goes on until it waits before the next begins, and what is decided by then cuts off the others", async () => {
  const seen: string[] = [];
  const branch = (name: string, ends: () => Json) => async (flow: Flow) => {
    seen.push(`${name} begins`);
    if (name === "waits") await flow.sleep("Wait", 0);
    if (name === "waits long") await flow.sleep("Wait", 1);
    await flow.emit("Tell", "done", null);
    seen.push(`${name} ends`);
    return ends();
  };
  const [waits, long, done] = [branch("waits", () => 1), branch("waits long", () => 2), branch("done", () => 3)];
  const fails = branch("fails", () => {
    throw new WorkflowError("Failed", "It fails.");
  });
  const events = { done: { type: "done" } };
  const all = (branches: { readonly [name: string]: typeof done }, join?: number) =>
    goes((flow) => flow.fork("Fork", branches, join === undefined ? {} : { join }), { events });
  expect(await all({ waits, long, done })).toEqual([{ waits: 1, long: 2, done: 3 }, 1]);
  expect(seen.splice(0)).toEqual([
    "waits begins",
    "waits ends",
    "waits long begins",
    "done begins",
    "done ends",
    "waits long ends",
  ]);
  expect(await all({ long, fails, done })).toEqual(["Failed", "It fails.", 0]);
  expect(seen.splice(0)).toEqual(["waits long begins", "fails begins", "fails ends"]);
  expect(await all({ done, waits }, 1)).toEqual([{ done: 3 }, 0]);
  expect(seen.splice(0)).toEqual(["done begins", "done ends"]);
});

test("thousands of items that end at once, and as many subflows in each other, need no deep stack", async () => {
  const items = Array.from({ length: 5_000 }, (_, i) => i);
  expect(await goes(async (flow) => (await flow.forEach("Each", items, async (_, item) => item)).length)).toEqual([
    5_000, 0,
  ]);
  const deeper: Workflow<never, Json> = workflow(async (flow) => {
    depth += 1;
    return depth < 5_000 ? flow.invoke("Deeper", deeper as unknown as AnyWorkflow, {}) : depth;
  });
  let depth = 0;
  expect(await goes((flow) => flow.invoke("Deeper", deeper as unknown as AnyWorkflow, {}))).toEqual([5_000, 0]);
}, 20_000);

test("what is there at once is before a time-out of no time, also where that has to be asked for", async () => {
  expect(await goes((flow) => flow.step("A", async () => "answer", { timeout: 0 }))).toEqual(["answer", 0]);
  const slow = (flow: Flow) => flow.step("A", () => new Promise<Json>(() => undefined), { timeout: 0 });
  expect(await goes(slow)).toEqual(["Timeout", "The time allowed has passed.", 0]);
});

test("a run takes an object, and does nothing with anything else, unless its workflow takes any input", async () => {
  const seen: string[] = [];
  const called = workflow(async (flow) => flow.step("A", () => seen.push("A")), { anyInput: undefined as never });
  const run = async (input: Json) => (await inVirtualTime(called, input)).outcome;
  for (const input of [null, [1], "text", 1])
    expect(await run(input)).toMatchObject({
      error: { name: "InvalidInput", message: "The input of a run has to be an object." },
    });
  expect(seen).toEqual([]);
  expect(await run({})).toEqual({ output: 1 });
});
