import { afterEach, beforeEach, expect, test } from "vitest";
import { WorkflowError } from "../../../../../targets/typescript/runtime/errors.ts";
import type { Flow, Step } from "../../../../../targets/typescript/runtime/flow.ts";
import { limited } from "../../../../../targets/typescript/runtime/functions/limited.ts";
import type { AnyWorkflow } from "../../../../../targets/typescript/runtime/workflow.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

test("a thousand runs at once end, each with its own output", async () => {
  const workflow = workflowOf(async (flow, { add }, input) => {
    const first = await flow.step("First", () => add!(input));
    return flow.step("Second", () => add!(first as never));
  });
  const engine = here.open([workflow], { add: async (n: number) => n + 1 });
  const ids = Array.from({ length: 1000 }, (_, i) => `run-${i}`);
  await Promise.all(ids.map((id, i) => engine.start("W", i, { id })));
  const outputs = await Promise.all(ids.map(async (id) => (await engine.ended(id)).output));
  expect(outputs).toEqual(ids.map((_, i) => i + 2));
});

test("a run is started once under its id", async () => {
  let calls = 0;
  const engine = here.open([workflowOf(async (flow) => flow.step("One", () => ++calls))], {});
  const both = await Promise.all([engine.start("W", 1, { id: "a" }), engine.start("W", 2, { id: "a" })]);
  expect(both.map(({ id }) => id)).toEqual(["a", "a"]);
  expect((await engine.ended("a")).output).toBe(1);
  expect((await engine.show("a"))?.input).toBe(1);
  await expect(engine.start("unknown", null)).rejects.toThrow("There is no workflow unknown.");
});

test("a failure is shown, and kept", async () => {
  const failing = () => {
    throw new WorkflowError("NoMoney", "There is none.", { data: { missing: 5 } });
  };
  const engine = here.open([workflowOf(async (flow) => flow.step("Pay", failing))], {});
  await engine.start("W", null, { id: "a" });
  await engine.ended("a");
  await engine.close();
  expect(await here.open([workflowOf(async () => null)], {}).show("a")).toMatchObject({
    status: "failed",
    error: { name: "NoMoney", message: "There is none.", data: { missing: 5 } },
    steps: [{ key: "Pay", status: "failed" }],
  });
});

test("a failed run goes on from the step that failed", async () => {
  const calls: string[] = [];
  let isBroken = true;
  const workflow = workflowOf(async (flow) => {
    const a = await flow.step("A", () => calls.push("A"));
    await flow.step(
      "B",
      () => {
        calls.push("B");
        if (isBroken) throw new Error("broken");
        return null;
      },
      { retries: [{ limit: 1, base: 0.001 }] },
    );
    return flow.step("C", () => a + 10);
  });
  const engine = here.open([workflow], {});
  await engine.start("W", null, { id: "a" });
  expect(await engine.ended("a")).toMatchObject({ status: "failed", error: { name: "Error", message: "broken" } });
  expect(await engine.retry("unknown")).toBe(false);
  isBroken = false;
  expect(await engine.retry("a")).toBe(true);
  expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: 11 });
  expect(calls).toEqual(["A", "B", "B", "B"]);
  expect(await engine.retry("a")).toBe(false);
});

test("a run that timed out gets its time again when it is retried", async () => {
  let isSlow = true;
  const workflow = workflowOf(async (flow) =>
    flow.step("Slow", () => (isSlow ? new Promise<null>(() => undefined) : "quick"), { timeout: 0.03 }),
  );
  const engine = here.open([workflow], {});
  await engine.start("W", null, { id: "a" });
  expect((await engine.ended("a")).error?.name).toBe("Timeout");
  isSlow = false;
  await engine.retry("a");
  expect((await engine.ended("a")).output).toBe("quick");
});

test("at one instant answers come before time-outs, and a branch that fails at once before what the next would do", async () => {
  const workflow = workflowOf(async (flow, { quick, slow, later }) => {
    const first = await flow.step("Quick", () => quick!(), { timeout: 0 });
    const second = await flow.step("Slow", () => slow!(), { timeout: 0 }).catch((error: Error) => error.name);
    const fails = async () => {
      throw new WorkflowError("Failed", `${first} ${second}`);
    };
    return flow.fork("Fork", { fails, later: async (inner) => inner.step("Later", () => later!()) });
  });
  let calls = 0;
  const engine = here.open([workflow], {
    quick: async () => "quick",
    slow: () => new Promise<null>(() => undefined),
    later: async () => ++calls,
  });
  await engine.start("W", null, { id: "a" });
  expect((await engine.ended("a")).error).toMatchObject({ name: "Failed", message: "quick Timeout" });
  expect(calls).toBe(0);
});

test("a run is cancelled: its function is told, and nothing more is done", async () => {
  let isCutOff = false;
  let isCalled = false;
  const workflow = workflowOf(async (flow) => {
    await flow.step("Hang", ({ signal }) => {
      isCalled = true;
      return new Promise<null>(() => signal.addEventListener("abort", () => (isCutOff = true)));
    });
    return flow.step("After", () => "never");
  });
  const engine = here.open([workflow], {});
  await engine.start("W", null, { id: "a" });
  await until(() => isCalled);
  expect(await engine.cancel("a")).toBe(true);
  expect(await engine.ended("a")).toMatchObject({ status: "cancelled" });
  expect(isCutOff).toBe(true);
  expect(await engine.cancel("a")).toBe(false);
  expect((await engine.show("a"))?.steps).toEqual([]);
});

test("a run stays with the version that it began with, and is stranded without it", async () => {
  const version = (number: string, text: string) =>
    workflowOf(async (flow) => [text, (await flow.receive("Wait")).events.length], {
      version: number,
      events: { go: { type: "go" } },
      waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
    });
  const [one, two] = [version("1", "old"), version("2", "new")];
  const first = here.open([one], {});
  await first.start("W", null, { id: "old" });
  await until(async () => (await first.show("old"))?.status === "waiting");
  await first.close();
  const second = here.open([two], {});
  await second.start("W", null, { id: "new" });
  expect((await second.list()).runs.map(({ id, version, status }) => [id, version, status === "stranded"])).toEqual([
    ["new", "2", false],
    ["old", "1", true],
  ]);
  expect((await second.list({ status: "stranded" })).runs).toMatchObject([{ id: "old" }]);
  expect((await second.ended("old")).status).toBe("stranded");
  expect(here.log).toContainEqual(expect.objectContaining({ level: "warn", workflow: "W", runs: 1 }));
  await until(async () => (await second.show("new"))?.status === "waiting");
  expect((await second.deliver(event("1", "go"))).delivered).toEqual(["new"]);
  await second.ended("new");
  expect((await second.deliver(event("2", "go"))).delivered).toEqual([]);
  await second.close();
  const third = here.open([two, one], {});
  expect((await third.ended("old")).output).toEqual(["old", 1]);
  expect((await third.deliver(event("3", "go"))).delivered).toEqual([]);
});

test("runs that wait leave memory, and their timers wake them", async () => {
  const workflow = workflowOf(async (flow) => {
    const a = await flow.step("A", () => 1);
    await flow.sleep("Nap", 0.1);
    return a + 1;
  });
  const engine = here.open([workflow], {}, {}, { most: 2 });
  const ids = Array.from({ length: 20 }, (_, i) => `run-${i}`);
  for (const id of ids) await engine.start("W", null, { id });
  expect((await Promise.all(ids.map((id) => engine.ended(id)))).every(({ output }) => output === 2)).toBe(true);
});

test("a timer that fired while nothing ran fires when the store is opened", async () => {
  let now = Date.now();
  const workflow = workflowOf(async (flow) => {
    await flow.sleep("Long", 3600);
    return "awake";
  });
  const first = here.open([workflow], {}, { now: () => now });
  await first.start("W", null, { id: "a" });
  await until(async () => (await first.show("a"))?.status === "waiting");
  expect((await first.show("a"))?.waitingFor.until).toBe(
    new Date(Date.parse((await first.show("a"))!.steps[0]!.at) + 3_600_000).toISOString(),
  );
  await first.close();
  now += 3_600_000;
  expect((await here.open([workflow], {}, { now: () => now }).ended("a")).output).toBe("awake");
});

test("when the clock is set back, timers fire after the time that was left", async () => {
  let shift = 0;
  const clock = { now: () => Date.now() + shift };
  const workflow = workflowOf(async (flow) => {
    await flow.sleep("Short", 0.2);
    return "awake";
  });
  const first = here.open([workflow], {}, clock);
  await first.start("W", null, { id: "a" });
  await until(async () => (await first.show("a"))?.status === "waiting");
  await first.close();
  shift = -86_400_000;
  const second = here.open([workflow], {}, clock);
  await second.start("W", null, { id: "b" });
  shift = -2 * 86_400_000;
  expect((await second.ended("a")).output).toBe("awake");
  expect((await second.ended("b")).output).toBe("awake");
});

test("when the clock is set forward, timers fire that are due then", async () => {
  let shift = 0;
  const workflow = workflowOf(async (flow) => {
    await flow.sleep("Nap", 0.1);
    return "awake";
  });
  const now = () => Date.now() + shift;
  const engine = here.open([workflow], {}, { now });
  await engine.start("W", null, { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
  shift = 3_600_000;
  expect((await engine.ended("a")).output).toBe("awake");
  shift = 0;
  await engine.start("W", null, { id: "b" });
  expect((await engine.ended("b")).output).toBe("awake");
});

test("thousands of timers that fire at one instant let all their runs go on", async () => {
  const at = new Date(Date.now() + 2500).toISOString();
  const workflow = workflowOf(async (flow) => {
    await flow.sleepUntil("Until", at);
    return flow.step("One", () => 1);
  });
  const engine = here.open([workflow], {});
  const ids = Array.from({ length: 3000 }, (_, i) => `run-${i}`);
  await Promise.all(ids.map((id) => engine.start("W", null, { id })));
  expect((await Promise.all(ids.map((id) => engine.ended(id)))).every(({ output }) => output === 1)).toBe(true);
}, 30_000);

test("when the clock was set back between two lives, a timer fires after the time that was left then", async () => {
  let now = 10_000_000;
  const workflow = workflowOf(async (flow) => {
    await flow.sleep("Long", 100);
    return "awake";
  });
  const clock = { now: () => now };
  const first = here.open([workflow], {}, clock);
  await first.start("W", null, { id: "a" });
  await until(async () => (await first.show("a"))?.status === "waiting");
  await first.close();
  now -= 3_600_000;
  const second = here.open([workflow], {}, clock);
  await second.close();
  now += 99_999;
  const third = here.open([workflow], {}, clock);
  await third.start("W", null, { id: "b" });
  await until(async () => (await third.show("b"))?.status === "waiting");
  expect((await third.show("a"))?.status).toBe("waiting");
  await third.close();
  now += 1;
  expect((await here.open([workflow], {}, clock).ended("a")).output).toBe("awake");
});

test("what nobody waits for is done although its run has ended and the process died", async () => {
  const done: string[] = [];
  let isHanging = true;
  const workflow = workflowOf(async (flow) => {
    await flow.start("Mail", async ({ key }) => {
      if (isHanging) await new Promise(() => undefined);
      done.push(key);
    });
    return "ended";
  });
  let isDead = false;
  const first = here.open([workflow], {}, {}, { committed: () => isDead });
  await first.start("W", null, { id: "a" });
  expect((await first.ended("a")).output).toBe("ended");
  isDead = true;
  void first.prune(0).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20));
  isHanging = false;
  await first.close();
  const second = here.open([workflow], {});
  await until(() => done.length > 0);
  expect(done).toEqual(["a/Mail"]);
  await until(async () => (await second.show("a"))?.steps[0]?.status === "done");
});

test("a workflow that is launched is a run of its own", async () => {
  const inner: AnyWorkflow = workflowOf(async (flow, _, input) => flow.step("Inner", () => [input]), { id: "inner" });
  const outer = workflowOf(async (flow) => {
    await flow.launch("Launch", inner, 5);
    return "outer";
  });
  const engine = here.open([outer, inner], {});
  await engine.start("W", null, { id: "a" });
  await engine.ended("a");
  expect(await engine.ended("a/Launch")).toMatchObject({ workflow: "inner", output: [5] });
});

test("a loop forgets what its rounds have recorded, and goes on in the last of them", async () => {
  const calls: number[] = [];
  let stop = 5;
  const workflow = workflowOf(async (flow) => {
    let data = { n: 0 };
    await flow.step("Before", () => calls.push(-1));
    for (;;) {
      data = await flow.round("Loop", data);
      if (data.n === 8) return data.n;
      const n = data.n;
      await flow.step("Count", () => {
        calls.push(n);
        return n === stop ? new Promise<null>(() => undefined) : null;
      });
      data = { n: n + 1 };
    }
  });
  const first = here.open([workflow], {}, {}, { committed: () => stop < 0 });
  await first.start("W", null, { id: "a" });
  await until(() => calls.includes(5));
  const recorded = (await first.show("a"))?.steps.map(({ key }) => key) ?? [];
  expect(recorded.filter((key) => key !== "Count#5")).toEqual(["Before"]);
  stop = -1;
  void first.prune(0).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await first.close();
  expect((await here.open([workflow], {}).ended("a")).output).toBe(8);
  expect(calls).toEqual([-1, 0, 1, 2, 3, 4, 5, 5, 6, 7]);
});

test("a step that is named as calls are counted has a key of its own in each attempt", async () => {
  const attempts: string[] = [];
  const fails = () => {
    if (attempts.push("Fail") < 2) throw new Error("no");
    return null;
  };
  const body = async (flow: Flow) => [
    await flow.step("Ask#call", () => attempts.length),
    await flow.step("Fail", fails),
  ];
  const engine = here.open([workflowOf((flow) => flow.attempt("Both", body, { retries: [{ limit: 1 }] }))], {});
  await engine.start("W", null, { id: "a" });
  expect((await engine.ended("a")).output).toEqual([1, null]);
  expect((await engine.show("a"))?.steps.map(({ key }) => key)).toEqual(["Ask##call", "Fail", "Ask##call#2", "Fail#2"]);
});

test("runs that have ended are pruned with all that is kept of them", async () => {
  const engine = here.open([workflowOf(async (flow) => flow.step("One", () => 1))], {});
  for (const id of ["a", "b"]) {
    await engine.start("W", null, { id });
    await engine.ended(id);
  }
  expect(await engine.prune(Date.now() - 60_000)).toBe(0);
  expect(await engine.prune(Date.now() + 1000)).toBe(2);
  expect((await engine.list()).runs).toEqual([]);
  expect(await engine.show("a")).toBeUndefined();
});

test("a closed engine says so", async () => {
  const engine = here.open([workflowOf(async (flow) => flow.sleep("Long", 1000).then(() => null))], {});
  await engine.start("W", null, { id: "a" });
  const end = engine.ended("a");
  await engine.close();
  await expect(end).rejects.toThrow("The engine is closed.");
  await expect(engine.start("W", null)).rejects.toThrow("The engine is closed.");
});

test("a run that only computes lets others go on, can be cancelled, and ends with a limit", {
  timeout: 30_000,
}, async () => {
  const spinning = workflowOf(
    async (flow) => {
      for (;;) await flow.round("Spin", {});
    },
    { id: "Spin" },
  );
  const engine = here.open([spinning, workflowOf(async (flow) => flow.step("A", () => 1))], {});
  await engine.start("Spin", null, { id: "a" });
  await engine.start("Spin", null, { id: "b" });
  await engine.start("W", null, { id: "quick" });
  expect((await engine.ended("quick")).output).toBe(1);
  expect(await engine.cancel("b")).toBe(true);
  expect((await engine.ended("b")).status).toBe("cancelled");
  expect((await engine.ended("a")).error?.name).toBe("LimitError");
});

test("what a function does with its argument, and with what it has answered, is not done to the workflow's data", async () => {
  const kept: number[][] = [];
  const functions = {
    sort: async (numbers: number[]) => {
      numbers.sort();
      kept.push(numbers);
      return numbers;
    },
  };
  const workflow = workflowOf(async (flow, { sort }) => {
    const numbers = [3, 1, 2];
    const sorted = await flow.step("Sort", () => sort!(numbers as never));
    kept[0]!.push(4);
    return [numbers, sorted];
  });
  const engine = here.open([workflow], functions);
  await engine.start("W", null, { id: "a" });
  expect((await engine.ended("a")).output).toEqual([
    [3, 1, 2],
    [1, 2, 3],
  ]);
});

test("a call that somebody retries after it has failed has another key, and so has no call besides", async () => {
  const keys: string[] = [];
  let failures = 2;
  const workflow = workflowOf(async (flow) => {
    await flow.step("Reserve", ({ key }) => keys.push(key));
    await flow.step("Charge", ({ key }) => {
      keys.push(key);
      if (failures-- > 0) throw new Error("declined");
      return null;
    });
    return flow.step("Ship", ({ key }) => keys.push(key));
  });
  const engine = here.open([workflow], {});
  await engine.start("W", null, { id: "a" });
  for (let i = 0; i < 2; i++) {
    expect((await engine.ended("a")).status).toBe("failed");
    await engine.retry("a");
  }
  expect((await engine.ended("a")).status).toBe("succeeded");
  expect(keys).toEqual(["a/Reserve", "a/Charge", "a/Charge~1", "a/Charge~2", "a/Ship"]);
});

test("a run whose code does not ask for what is recorded is stranded, and does nothing; the right code revives it", async () => {
  const calls: string[] = [];
  const events = { go: { type: "go" } };
  const version = (...names: readonly string[]) =>
    workflowOf(
      async (flow) => {
        for (const name of names)
          await flow.step(name, () => {
            calls.push(name);
            return null;
          });
        await flow.receive("Wait");
        return "right";
      },
      { events, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
    );
  const first = here.open([version("Reserve", "Charge")], {});
  await first.start("W", null, { id: "a" });
  await until(async () => (await first.show("a"))?.status === "waiting");
  await first.close();
  const wrong = here.open([version("Reserve", "Debit")], {});
  await wrong.deliver(event("1", "go"));
  expect((await wrong.ended("a")).reason).toBe("The program asks for Debit where Charge is recorded.");
  await wrong.close();
  const shorter = here.open([workflowOf(async (flow) => flow.step("Reserve", () => null), { events })], {});
  await shorter.retry("a");
  expect((await shorter.ended("a")).reason).toBe("The program ends where Charge is recorded.");
  await shorter.close();
  const right = here.open([version("Reserve", "Charge")], {});
  await right.retry("a");
  expect((await right.ended("a")).output).toBe("right");
  expect(calls).toEqual(["Reserve", "Charge"]);
});

test.each([
  ["", (flow: Flow, call: (step: Step) => Promise<string>) => flow.step("Call", call)],
  [" that nobody waits for", (flow: Flow, call: (step: Step) => Promise<string>) => flow.start("Call", call)],
])(
  "a call%s that waits for its turn as the engine is closed is not begun, and is made at the next start",
  async (_, make) => {
    const made: string[] = [];
    let release: () => void = () => undefined;
    const call = limited(
      async (name: string, _: Step) => {
        made.push(name);
        await new Promise<void>((resolve) => (release = resolve));
        return name;
      },
      { concurrency: 1 },
    );
    const flows = ["a", "b", "c"].map((id) =>
      workflowOf(async (flow) => (await make(flow, (step) => call(id, step))) ?? null, { id }),
    );
    const engine = here.open(flows, {});
    for (const id of ["a", "b", "c"]) await engine.start(id, null, { id });
    await until(() => made.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = engine.close(60);
    release();
    await closed;
    expect(made).toEqual(["a"]);
    const again = here.open(flows, {});
    const run = async (id: string) => {
      await until(() => made.at(-1) === id);
      release();
      return (await again.ended(id)).status;
    };
    expect([(await again.ended("a")).status, await run("b"), await run("c")]).toEqual(Array(3).fill("succeeded"));
    expect(made).toEqual(["a", "b", "c"]);
  },
);
