import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLoader } from "../../targets/typescript/load.ts";
import type { Delivery, Engine, EngineOptions, RunFilter, RunStatus } from "../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { Flow } from "../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../targets/typescript/runtime/json.ts";
import { beginTimers } from "../../targets/typescript/runtime/main/timers.ts";
import { timerWorkflows } from "../../targets/typescript/runtime/timers.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { expectedOutput, workflows as orders } from "../crash/workflow.ts";
import { emitGoldens, type Goldens, runScenarios } from "./goldens.ts";
import type { HostUnderTest } from "./host.ts";
import { programFolder } from "./runtime-folder.ts";

// The tests of every durable host: the invariants of targets/typescript/runtime/host.ts and the goldens' scenarios.

/**
 * Declares tests of the goldens' scenarios in scaled real time: one of `every` scenarios, `width` at a time. Skipped
 * scenarios are compared with the snapshot `skippedFile`.
 */
export function testScenarios(host: HostUnderTest, skippedFile: string, { every = 1, width = 24 } = {}): void {
  describe(`the scenarios of goldens on ${host.name}`, () => {
    let goldens: Goldens;
    beforeAll(async () => {
      goldens = await emitGoldens(every);
    }, 120_000);
    afterAll(() => goldens.close());

    test("come out as expected", { timeout: 1_200_000 }, async () => {
      const results = await runScenarios(host, goldens, width);
      expect(results.filter((each) => "differences" in each && each.differences.length > 0)).toEqual([]);
      const skipped = results.flatMap((each) => ("skipped" in each ? [`${each.scenario}: ${each.skipped}`] : []));
      await expect(`${skipped.join("\n")}\n`).toMatchFileSnapshot(skippedFile);
    });
  });
}

/** Declares tests of the invariants of durable hosts. */
export function testInvariants(host: HostUnderTest): void {
  const load = createLoader(programFolder(`invariants-on-${host.name}`));
  const optionsOf = (store: string, more: Partial<EngineOptions>): EngineOptions => {
    return { store, workflows: [], functions: {}, send: () => undefined, log: () => undefined, ...more };
  };
  const opened: Engine[] = [];
  const open = async (store: string, more: Partial<EngineOptions>) => {
    const engine = await host.open(load, optionsOf(store, more));
    opened.push(engine);
    return engine;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((engine) => engine.close(0)));
  });
  const { unsupported: lacks = new Map<string, string>(), displayKey: shown = (key: string) => key } = host;
  const declared = new Set<string>();
  const invariant = (name: string, holds: () => Promise<void>) => {
    const reason = lacks.get(name);
    declared.add(name);
    test.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (skipped: ${reason})`, holds);
  };
  const expectDelivery = (delivery: Delivery, expected: Partial<Delivery>) => {
    if (!host.hidesDelivery) expect(delivery).toMatchObject(expected);
  };

  describe(`the host invariants on ${host.name}`, { timeout: 60_000 }, () => {
    invariant("a run is started once per id and shown with its input, steps and output", async () => {
      let calls = 0;
      const workflow = workflowOf(async (flow) => flow.step("One", () => ++calls));
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      await Promise.all([engine.start("W", 1, { id: "a" }), engine.start("W", 2, { id: "a" })]);
      expect((await engine.ended("a")).output).toBe(1);
      expect(await engine.show("a")).toMatchObject({ input: 1, steps: [{ key: "One", status: "done" }] });
      expect((await engine.list({ status: "succeeded" })).runs.map(({ id }) => id)).toEqual(["a"]);
      expect((await engine.list({ status: "failed" })).runs).toEqual([]);
    });

    invariant("ended runs are pruned by age", async () => {
      const engine = await open(await host.newStore(), { workflows: [workflowOf(async () => 1)] });
      await engine.start("W", null, { id: "a" });
      await engine.ended("a");
      expect(await engine.prune(Date.now() - 60_000)).toBe(0);
      expect(await engine.prune(Date.now() + 1000)).toBe(1);
      expect(await engine.show("a")).toBeUndefined();
    });

    invariant("recorded steps are not repeated, wherever the process is killed", async () => {
      const counts = new Map<string, number>();
      const functions = {
        async call(key: string, n: number) {
          counts.set(key, (counts.get(key) ?? 0) + 1);
          return n + 1;
        },
      };
      const store = await host.newStore();
      let kills = 0;
      for (const commits of commitsUntilCrash) {
        const options = optionsOf(store, { workflows: orders, functions });
        const { engine, died } = await host.openWithCrash(load, options, commits);
        const done = driveOrder(engine);
        const isDone = (await Promise.race([died, done])) === "done";
        await engine.close(0);
        if (isDone) break;
        kills += 1;
      }
      const engine = await open(store, { workflows: orders, functions });
      expect(await driveOrder(engine)).toBe("done");
      expect(await engine.show("order-1")).toMatchObject({ status: "succeeded", output: expectedOutput(1) });
      expect(kills).toBeGreaterThan(5);
      const repeated = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
      expect(repeated).toBeLessThanOrEqual(kills * 2);
    });

    invariant(taskInvariants.answers, async () => {
      const asked: string[] = [];
      const functions = { ask: (token: string) => asked.push(token) };
      const store = await host.newStore();
      const accepted: Json[] = [];
      /** Reports numbers by all known tokens until the run has ended, like a sender that retries. */
      const drive = async (engine: Engine): Promise<"done"> => {
        await engine.start("W", null, { id: "a" }).catch(never);
        for (;;) {
          if ((await engine.show("a").catch(never))?.status === "succeeded") return "done";
          for (const token of new Set(asked)) {
            const output = accepted.length;
            const report = { kind: "success", output } as const;
            if ((await engine.reportTask(token, report).catch(never)) === "accepted") accepted.push(output);
          }
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      };
      let kills = 0;
      for (const commits of commitsUntilCrash) {
        const { engine, died } = await host.openWithCrash(
          load,
          optionsOf(store, { workflows: [asking], functions }),
          commits,
        );
        const isDone = (await Promise.race([died, drive(engine)])) === "done";
        await engine.close(0);
        if (isDone) break;
        kills += 1;
      }
      const engine = await open(store, { workflows: [asking], functions });
      await drive(engine);
      const { output } = await engine.ended("a");
      expect(kills).toBeGreaterThan(3);
      // Both tasks have one token each, whatever was killed, and every acknowledged answer is the result.
      expect(new Set(asked).size).toBe(2);
      for (const answer of accepted) expect(output).toContain(answer);
      const [token] = asked;
      expect(await engine.reportTask(token!, { kind: "success", output: "other" })).toBe("answered");
      expect(await engine.reportTask("no token", { kind: "heartbeat" })).toBe("unknown");
    });

    invariant(taskInvariants.limits, async () => {
      const asked: string[] = [];
      const workflow = workflowOf(async (flow) => {
        const missed = flow.callback("Ask", ({ token }) => void asked.push(token), { heartbeat: 0.6, timeout: 30 });
        return missed.catch((thrown: unknown) => flow.failure(thrown).origin);
      });
      const store = await host.newStore();
      const first = await open(store, { workflows: [workflow] });
      await first.start("W", null, { id: "a" });
      await until(() => asked.length === 1);
      await first.close();
      const second = await open(store, { workflows: [workflow] });
      for (let beats = 0; beats < 5; beats++) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        expect(await second.reportTask(asked[0]!, { kind: "heartbeat" })).toBe("accepted");
      }
      expect((await second.show("a"))!.waitingFor.tasks).toHaveLength(1);
      expect((await second.ended("a")).output).toBe("heartbeat");
      expect(await second.reportTask(asked[0]!, { kind: "success", output: 1 })).toBe("over");
      expect(asked).toHaveLength(1);
    });

    invariant(taskInvariants.activities, async () => {
      const workflow = workflowOf(async (flow, _, input) => flow.activity("Review", "reviewers", () => input));
      const store = await host.newStore();
      const first = await open(store, { workflows: [workflow] });
      await Promise.all(["a", "b"].map((id) => first.start("W", id, { id })));
      const taken = await first.takeTask("reviewers", { wait: 10 });
      await until(
        async () => (await first.show(taken!.input === "a" ? "b" : "a"))!.waitingFor.activities !== undefined,
      );
      await first.close();
      const second = await open(store, { workflows: [workflow] });
      const other = await second.takeTask("reviewers", { wait: 10 });
      expect([taken!.input, other!.input].sort()).toEqual(["a", "b"]);
      expect(await second.takeTask("reviewers")).toBeUndefined();
      for (const { token, input } of [taken!, other!])
        expect(await second.reportTask(token, { kind: "success", output: `reviewed ${input}` })).toBe("accepted");
      expect((await second.ended("a")).output).toBe("reviewed a");
      expect((await second.ended("b")).output).toBe("reviewed b");
    });

    invariant("the timers of a workflow start a run once at each instant, also after a restart", async () => {
      const store = await host.newStore();
      const timed = (every: number) => workflowOf(async () => null, { start: { timers: [{ every }] } });
      const serve = async (workflow: AnyWorkflow) => {
        const timers = timerWorkflows([workflow]).map((timer) => timer.workflow);
        const engine = await open(store, { workflows: [workflow, ...timers] });
        await Promise.all([1, 2].map(() => beginTimers(engine, [workflow], () => undefined)));
        return engine;
      };
      const started = async (engine: Engine) => (await engine.list({ workflow: "W" })).runs;
      const first = await serve(timed(1));
      await until(async () => (await started(first)).length >= 2);
      await first.close();
      const second = await serve(timed(1));
      const before = (await started(second)).length;
      await until(async () => (await started(second)).length >= before + 2);
      const times = (await started(second)).map(({ created }) => Date.parse(created)).reverse();
      // The first after the restart may be late.
      const instants = times.map((time) => Math.floor((time - times[0]! + 200) / 1000));
      expect(new Set(instants).size).toBeGreaterThanOrEqual(instants.length - 1);
      await second.close();
      const third = await serve(timed(3600));
      const timers = (await third.list({ workflow: "W timer 0" })).runs;
      expect(timers.map(({ id, status }) => [id, status === "cancelled"]).sort()).toEqual([
        ["W every 1s", true],
        ["W every 3600s", false],
      ]);
    });

    invariant("a timer survives without a process and does not fire early", async () => {
      const { minSleepSeconds: nap = 0.4 } = host;
      const store = await host.newStore();
      const workflow = workflowOf(async (flow) => {
        await flow.sleep("Nap", nap);
        return "rested";
      });
      const began = performance.now();
      const first = await open(store, { workflows: [workflow] });
      await first.start("W", null, { id: "a" });
      await until(async () => (await first.show("a"))?.status === "waiting");
      await first.close(0);
      const second = await open(store, { workflows: [workflow] });
      expect((await second.ended("a")).output).toBe("rested");
      expect(performance.now() - began).toBeGreaterThanOrEqual(nap * 1000 - 5);
    });

    invariant("a launched workflow is a separate run; an invoked one returns its output", async () => {
      const child = workflowOf(async (flow, _, input) => flow.step("Add", () => (input as number) + 1), { id: "C" });
      const parent = workflowOf(async (flow) => {
        await flow.launch("Go", child, 10);
        return flow.invoke("Ask", child, 20);
      });
      const engine = await open(await host.newStore(), { workflows: [parent, child] });
      await engine.start("W", null, { id: "a" });
      expect((await engine.ended("a")).output).toBe(21);
      expect((await engine.ended("a/Go")).output).toBe(11);
    });

    invariant("an attached workflow is a part of its run, and stops with it", async () => {
      const keys: string[] = [];
      const { minSleepSeconds: nap = 0.4 } = host;
      const watch = workflowOf(
        async (flow) => {
          for (let i = 0; i < 100; i++) {
            await flow.step("Look", ({ key }) => {
              keys.push(key);
              return null;
            });
            await flow.sleep("Rest", nap);
          }
          return null;
        },
        { id: "C" },
      );
      const order = workflowOf(async (flow) => {
        await flow.launch("Watch", watch, {}, { attached: true });
        await flow.sleep("Wait", nap * 8);
        return "done";
      });
      const store = await host.newStore();
      const first = await open(store, { workflows: [order, watch] });
      await first.start("W", null, { id: "a" });
      await until(() => keys.length > 0);
      await first.close(0);
      const second = await open(store, { workflows: [order, watch] });
      expect(await second.ended("a")).toMatchObject({ status: "succeeded", output: "done" });
      const count = keys.length;
      await new Promise((resolve) => setTimeout(resolve, nap * 2500));
      expect(keys.length).toBe(count);
      expect(count).toBeGreaterThan(2);
      expect((await second.show("a/Watch")) === undefined).toBe(true);
    });

    invariant("an early event is kept, and a duplicate event is consumed once", async () => {
      const workflow = workflowOf(
        async (flow, functions) => {
          await flow.step("Slow", () => functions["slow"]!());
          const one = await flow.receive("One");
          const two = await flow.receive("Two");
          return [one.events.map(({ event }) => event.id), two.alternative];
        },
        {
          ...correlated,
          waits: {
            One: { alternatives: [{ all: [["go"]] }] },
            Two: { alternatives: [{ all: [["go"]], within: 0.05 }] },
          },
        },
      );
      const { promise, resolve } = Promise.withResolvers<Json>();
      const engine = await open(await host.newStore(), { workflows: [workflow], functions: { slow: () => promise } });
      await engine.start("W", null, { id: "a" });
      expectDelivery(await engine.deliver(event("1", { who: "a" })), { status: "accepted", delivered: [] });
      expectDelivery(await engine.deliver(event("1", { who: "a" })), { status: "duplicate" });
      resolve(null);
      expect((await engine.ended("a")).output).toEqual([["1"], null]);
    });

    invariant("strings with any characters are preserved", async () => {
      const odd = "a\0'\ufffe0000b";
      const workflow = workflowOf(
        async (flow, _, input) => {
          const { events } = await flow.receive("Wait");
          await flow.emit(`Tell ${odd}`, "told", odd);
          return flow.step(`Step ${odd}`, () => [input, events[0]!.event["who"]!, odd]);
        },
        {
          ...({ ...correlated, events: { ...correlated.events, told: { type: odd } } } as Partial<AnyWorkflow>),
          waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
        },
      );
      const sent: CloudEvent[] = [];
      const send = (event: CloudEvent) => void sent.push(event);
      const engine = await open(await host.newStore(), { workflows: [workflow], send });
      await engine.start("W", odd, { id: odd });
      await engine.deliver(event(odd, { who: odd }));
      expect((await engine.ended(odd)).output).toEqual([odd, odd, odd]);
      expect((await engine.show(odd))!.steps.map(({ key }) => key)).toContain(shown(`Step ${odd}`));
      expect((await engine.list({})).runs.map(({ id }) => id)).toEqual([odd]);
      await until(() => sent.length > 0);
      expect(sent).toMatchObject([{ type: odd, data: odd }]);
    });

    invariant("ids of runs and events with unpaired surrogates are rejected", async () => {
      const engine = await open(await host.newStore(), { workflows: [waiter] });
      await expect(engine.start("W", null, { id: "a\ud800" })).rejects.toThrow(
        'A run cannot have the id "a\\ud800": it has half of a pair of surrogates.',
      );
      await expect(engine.deliver(event("a\udc00"))).rejects.toThrow(
        "The event cannot be taken in: `id` has half of a pair of surrogates.",
      );
      expect((await engine.list()).runs).toEqual([]);
    });

    invariant("emitted events are sent in order", async () => {
      const workflow = workflowOf(
        async (flow) => {
          for (let i = 0; i < 5; i++) await flow.emit("Tell", i % 2 ? "one" : "two", i);
          return null;
        },
        { events: { one: { type: "one" }, two: { type: "two" } } },
      );
      const sent: CloudEvent[] = [];
      const send = (event: CloudEvent) => void sent.push(event);
      const engine = await open(await host.newStore(), { workflows: [workflow], send });
      await engine.start("W", null, { id: "a" });
      expect((await engine.ended("a")).status).toBe("succeeded");
      await until(() => sent.length === 5);
      const dataOf = (type: string) => sent.filter((event) => event.type === type).map(({ data }) => data);
      expect([dataOf("one"), dataOf("two")]).toEqual([
        [1, 3],
        [0, 2, 4],
      ]);
    });

    invariant("an emitted event reaches a waiting run and starts one, and is not accepted again", async () => {
      const events = { go: { type: "go" }, told: { type: "told" } };
      const uncorrelated = { ...waiter, events, correlation: undefined } as unknown as AnyWorkflow;
      const started = workflowOf(async () => "started", { id: "S", events, start: { on: [{ all: [["told"]] }] } });
      const emitting = workflowOf(
        async (flow) => {
          await flow.emit("Go", "go", null);
          await flow.emit("Tell", "told", null);
          return null;
        },
        { id: "E", events },
      );
      const sent: CloudEvent[] = [];
      const send = (event: CloudEvent) => void sent.push(event);
      const engine = await open(await host.newStore(), { workflows: [uncorrelated, started, emitting], send });
      await engine.start("W", null, { id: "w" });
      await until(async () => (await engine.list({ status: "waiting" })).runs.length === 1);
      await engine.start("E", null, { id: "e" });
      expect((await engine.ended("w")).output).toEqual(["e/Go"]);
      const startedRuns = async () => (await engine.list()).runs.filter(({ workflow }) => workflow === "S");
      await until(async () => sent.length === 2 && (await startedRuns()).length === 1);
      for (const event of sent) expectDelivery(await engine.deliver(event), { status: "duplicate" });
      expect(await startedRuns()).toHaveLength(1);
    });

    invariant("events reach the runs with their correlation values, even across processes", async () => {
      const store = await host.newStore();
      const first = await open(store, { workflows: [waiter] });
      const ids = Array.from({ length: 20 }, (_, i) => `run-${i}`);
      for (const id of ids) await first.start("W", null, { id });
      await until(async () => (await first.list({ status: "waiting" })).runs.length === ids.length);
      await first.close(0);
      const second = await open(store, { workflows: [waiter] });
      for (const id of ids.toReversed()) await second.deliver(event(`for ${id}`, { who: id }));
      const outputs = await Promise.all(ids.map(async (id) => (await second.ended(id)).output));
      expect(outputs).toEqual(ids.map((id) => [`for ${id}`]));
    });

    invariant("one of several runs consumes an event", async () => {
      const uncorrelated = {
        ...waiter,
        events: { go: { type: "go" } },
        correlation: undefined,
      } as unknown as AnyWorkflow;
      const engine = await open(await host.newStore(), { workflows: [uncorrelated] });
      for (const id of ["a", "b", "c"]) await engine.start("W", null, { id });
      await until(async () => (await engine.list({ status: "waiting" })).runs.length === 3);
      await engine.deliver(event("1"));
      await engine.deliver(event("2"));
      await engine.ended("a");
      await engine.ended("b");
      expect((await engine.list()).runs.map(({ id }) => id)).toEqual(["c", "b", "a"]);
      expect((await engine.show("b"))?.output).toEqual(["2"]);
      expect((await engine.show("a"))?.output).toEqual(["1"]);
    });

    invariant(
      "an event caused by a step of a subflow reaches the subflow, and one after a launch reaches the launched run",
      async () => {
        const listener = workflowOf(
          async (flow, functions) => {
            await flow.step("Ask", () => functions["ask"]!());
            const { alternative } = await flow.receive("Wait");
            return alternative;
          },
          {
            id: "L",
            events: { go: { type: "go" } },
            waits: { Wait: { alternatives: [{ all: [["go"]], within: 30 }] } },
          },
        );
        const idle = workflowOf(async (flow) => (await flow.receive("Wait")).alternative, {
          id: "I",
          events: { go: { type: "go" } },
          waits: { Wait: { alternatives: [{ all: [["go"]], within: 30 }] } },
        });
        const invoking = workflowOf(async (flow) => flow.invoke("Sub", listener, null));
        const launching = workflowOf(
          async (flow, functions) => {
            await flow.launch("Go", idle, null);
            return flow.step("Ask", () => functions["ask"]!());
          },
          { id: "G" },
        );
        let asked = 0;
        const functions = {
          ask: async () => {
            asked += 1;
            await engine.deliver(event(`${asked}`));
            return null;
          },
        };
        const engine: Engine = await open(await host.newStore(), {
          workflows: [invoking, launching, listener, idle],
          functions,
        });
        for (let i = 0; i < 8; i++) {
          await engine.start("W", null, { id: `w${i}` });
          expect((await engine.ended(`w${i}`)).output).toBe(0);
          await engine.start("G", null, { id: `g${i}` });
          await engine.ended(`g${i}`);
          expect((await engine.ended(`g${i}/Go`)).output).toBe(0);
        }
      },
    );

    invariant("an event starts one run", async () => {
      const started = workflowOf(
        async (flow) => {
          const { events } = await flow.receive("Start");
          return events.map(({ event }) => event.id);
        },
        {
          start: { on: [{ all: [["go"]] }] },
          events: { go: { type: "go" } },
          waits: { Start: { alternatives: [{ all: [["go"]] }] } },
        },
      );
      const engine = await open(await host.newStore(), { workflows: [started] });
      const delivery = await engine.deliver(event("1"));
      await engine.deliver(event("1"));
      const ids = (await engine.list()).runs.map(({ id }) => id);
      expect(ids).toHaveLength(1);
      expectDelivery(delivery, { started: ids });
      expect((await engine.ended(ids[0]!)).output).toEqual(["1"]);
    });

    invariant("a canceled run ends at once and stays canceled", async () => {
      const workflow = workflowOf(async (flow) => {
        await flow.sleep("Nap", 3600);
        return null;
      });
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      await engine.start("W", null, { id: "a" });
      expect(await engine.cancel("a")).toBe(true);
      expect(await engine.cancel("a")).toBe(false);
      expect((await engine.ended("a")).status).toBe("cancelled");
    });

    invariant("a retried run continues at the step that failed", async () => {
      let [calls, isBroken] = [0, true];
      const workflow = workflowOf(async (flow) => {
        const n = await flow.step("Count", () => ++calls);
        return flow.step("Break", () => {
          if (isBroken) throw new Error("broken");
          return n;
        });
      });
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      await engine.start("W", null, { id: "b" });
      expect((await engine.ended("b")).status).toBe("failed");
      isBroken = false;
      expect(await engine.retry("b")).toBe(true);
      expect((await engine.ended("b")).output).toBe(1);
      expect(calls).toBe(1);
    });

    invariant("the steps of a run are listed with their results, and runs are counted and found", async () => {
      const workflow = workflowOf(async (flow, _, input) => {
        await flow.step("One", () => ({ text: "a \u0000 b" }));
        return flow.step("Two", () => {
          if (input === "bad") throw Object.assign(new Error("It broke."), { name: "Broken" });
          return 2;
        });
      });
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      await engine.start("W", null, { id: "good" });
      await engine.start("W", "bad", { id: "bad" });
      await Promise.all([engine.ended("good"), engine.ended("bad")]);
      await until(async () => (await engine.counts()).get("W")?.failed === 1);
      expect((await engine.counts({ workflow: "W" })).get("W")).toMatchObject({ succeeded: 1, failed: 1, running: 0 });
      const first = await engine.steps("bad", { limit: 1 });
      expect(first!.steps).toMatchObject([{ key: shown("One"), status: "done", result: { text: "a \u0000 b" } }]);
      const { steps, pending, next } = (await engine.steps("bad", { after: first!.next }))!;
      expect(steps).toMatchObject([
        { key: shown("Two"), status: "failed", error: { name: "Broken", message: "It broke." } },
      ]);
      expect([pending, next]).toEqual([[], undefined]);
      expect(await engine.steps("nothing")).toBeUndefined();
      const found = async (filter: RunFilter) => (await engine.list(filter)).runs.map(({ id }) => id);
      expect(await found({ error: "BROKE" })).toEqual(["bad"]);
      expect(await found({ error: "else" })).toEqual([]);
      expect((await found({ from: Date.now() - 60_000 })).toSorted()).toEqual(["bad", "good"]);
      expect(await found({ until: Date.now() - 3_600_000 })).toEqual([]);
    });

    invariant("runs are found by their correlation value", async () => {
      const correlation = (input: Json) => (input as { readonly who?: Json }).who;
      const workflow = workflowOf(async () => null, { correlation } as Partial<AnyWorkflow>);
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      for (const who of ["ann", "7"]) await engine.start("W", { who }, { id: who });
      await Promise.all([engine.ended("ann"), engine.ended("7")]);
      const found = async (value: string) => (await engine.list({ value })).runs.map(({ id }) => id);
      expect(await found("ann")).toEqual(["ann"]);
      expect(await found("7")).toEqual(["7"]);
      expect(await found("bob")).toEqual([]);
    });

    invariant("a failed run is repeated from a step", async () => {
      let [calls, isBroken] = [0, true];
      const workflow = workflowOf(async (flow) => {
        const one = await flow.step("One", () => ++calls);
        await flow.step("Two", () => {
          if (isBroken) throw new Error("broken");
          return null;
        });
        return one;
      });
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      await engine.start("W", null, { id: "a" });
      expect((await engine.ended("a")).status).toBe("failed");
      await expect(engine.retry("a", { from: "Three" })).rejects.toThrow("The step is not recorded");
      isBroken = false;
      expect(await engine.retry("a", { from: "One" })).toBe(true);
      expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: 2 });
    });

    invariant("invoking an unknown workflow fails; launching one has no effect", async () => {
      const workflow = workflowOf(async (flow) => {
        await flow.launch("Go", "elsewhere", null);
        return flow.invoke("Ask", "elsewhere", null);
      });
      const engine = await open(await host.newStore(), { workflows: [workflow] });
      await engine.start("W", null, { id: "a" });
      expect((await engine.ended("a")).error).toMatchObject({
        name: "NotFound",
        message: "There is no workflow elsewhere here.",
      });
    });

    invariant("a run keeps its version and is blocked if that is missing", async () => {
      const store = await host.newStore();
      const first = await open(store, { workflows: [version("1")] });
      await first.start("W", null, { id: "old" });
      await until(async () => (await first.show("old"))?.status === "waiting");
      await first.close(0);
      const second = await open(store, { workflows: [version("2")] });
      await second.start("W", null, { id: "new" });
      expect((await second.show("old"))?.status).toBe("stranded" satisfies RunStatus);
      await second.deliver(event("1", { who: "old" }));
      await second.deliver(event("2", { who: "new" }));
      expect((await second.ended("new")).output).toBe("2");
      await second.close(0);
      const third = await open(store, { workflows: [version("2"), version("1")] });
      expect((await third.ended("old")).output).toBe("1");
    });

    invariant("a blocked run can be canceled and does not continue when its version returns", async () => {
      const store = await host.newStore();
      const first = await open(store, { workflows: [version("1")] });
      await first.start("W", null, { id: "old" });
      await until(async () => (await first.show("old"))?.status === "waiting");
      await first.close(0);
      const second = await open(store, { workflows: [version("2")] });
      expect(await second.cancel("old")).toBe(true);
      expect(await second.cancel("old")).toBe(false);
      expect((await second.ended("old")).status).toBe("cancelled");
      await second.close(0);
      const third = await open(store, { workflows: [version("2"), version("1")] });
      await third.deliver(event("1", { who: "old" }));
      await third.start("W", null, { id: "new" });
      await third.deliver(event("2", { who: "new" }));
      await third.ended("new");
      expect((await third.show("old"))?.status).toBe("cancelled");
    });

    invariant("many branches and many runs end", async () => {
      const workflow = workflowOf(async (flow, functions, input) => {
        const all = await flow.forEach(
          "Each",
          Array.from({ length: input as number }, (_, i) => i),
          (inner, item) => inner.step("Add", () => functions["add"]!(item as never) as Promise<number>),
          { width: 16 },
        );
        return all.reduce<number>((sum, n) => sum + (n as number), 0);
      });
      const functions = { add: async (n: number) => n + 1 };
      const engine = await open(await host.newStore(), { workflows: [workflow], functions });
      const sizes = [300, ...Array.from({ length: 60 }, () => 3)];
      await Promise.all(sizes.map((size, i) => engine.start("W", size, { id: `${i}` })));
      const outputs = await Promise.all(sizes.map(async (_, i) => (await engine.ended(`${i}`)).output));
      expect(outputs).toEqual(sizes.map((size) => (size * (size + 1)) / 2));
    });

    test("every unsupported invariant exists", () => {
      expect([...lacks.keys()].filter((name) => !declared.has(name))).toEqual([]);
    });
  });
}

const commitsUntilCrash: readonly number[] = Array.from({ length: 30 }, (_, i) => 1 + (i % 4));

/** Starts an order, delivers its event and waits for its end; repeatable, like a client without responses. */
async function driveOrder(engine: Engine): Promise<"done"> {
  await engine.start("order", 1, { id: "order-1" }).catch(never);
  await engine.deliver({ ...event("paid", { order: "order-1" }), type: "paid" }).catch(never);
  await engine.ended("order-1").catch(never);
  return "done";
}

/** The invariants of tasks, which only hosts with tasks keep. */
export const taskInvariants = {
  answers: "an answer of a task that was accepted is the result, wherever the process is killed",
  limits: "heartbeats prolong a task, also after a restart, and a missed one fails it",
  activities: "a task of an activity is taken once, also after a restart",
};

const never = (): Promise<never> => new Promise(() => undefined);

type InvariantWorkflowBody = (
  flow: Flow,
  functions: { readonly [name: string]: (...args: never[]) => Json | Promise<Json> },
  input: Json,
) => Promise<Json>;

const workflowOf = (run: InvariantWorkflowBody, more: Partial<AnyWorkflow> = {}): AnyWorkflow =>
  ({ id: "W", version: "1", name: "W", anyInput: true, ...more, run }) as unknown as AnyWorkflow;

/** Correlates events with the run's id. */
const correlated = {
  events: { go: { type: "go", correlation: (event: CloudEvent) => event["who"] } },
  correlation: (_: never, { id }: { readonly id: string }) => id,
} as Partial<AnyWorkflow>;

/** Waits for two tasks. */
const asking = workflowOf(async (flow, { ask }) => {
  const first = await flow.callback("Ask", ({ token }) => ask!(token as never));
  const second = await flow.callback("Ask", ({ token }) => ask!(token as never));
  return [first, second];
});

const waiter = workflowOf(
  async (flow) => {
    const { events } = await flow.receive("Wait");
    return events.map(({ event }) => event.id);
  },
  { ...correlated, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
);

const event = (id: string, more: { readonly [name: string]: Json } = {}): CloudEvent => ({
  specversion: "1.0",
  id,
  source: "test",
  type: "go",
  ...more,
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("The condition never held.");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A workflow version that waits for an event and returns its version. */
const version = (n: string): AnyWorkflow =>
  workflowOf(
    async (flow) => {
      await flow.receive("Wait");
      return n;
    },
    { ...correlated, version: n, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
  );
