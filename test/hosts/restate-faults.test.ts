import { describe, expect, test } from "vitest";
import type { Engine, LogEntry, Sending } from "../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { Flow } from "../../targets/typescript/runtime/flow.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { enginesOnRestate } from "./restate.ts";
import { skipReason } from "./restate-server.ts";
import { correlated, event, seeded, sleep, until, workflowOf } from "./samples.ts";

// Failures of a Restate server and of the processes that it calls.

const why = skipReason();

describe.skipIf(why !== undefined)(`engines on Restate${why ? ` (skipped: ${why})` : ""}`, { timeout: 60_000 }, () => {
  const engines = enginesOnRestate();
  const { open } = engines;

  test("a run continues after the server was killed, without repeating recorded steps", async () => {
    const calls: number[] = [];
    const workflow = workflowOf(async (flow) => {
      for (let i = 0; i < 15; i++) {
        await flow.step(`Step ${i}`, () => calls.push(i));
        await flow.sleep(`Nap ${i}`, 0.05);
      }
      return "done";
    });
    const engine = await open(await engines.server.address(), { workflows: [workflow] });
    await engine.start("W", null, { id: "a" });
    await sleep(700);
    await engines.server.stop();
    await sleep(300);
    await engines.server.start();
    expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: "done" });
    expect(new Set(calls).size).toBe(15);
    expect(calls.length).toBeLessThanOrEqual(16);
  });

  test("a process waits for an unreachable server and logs that", async () => {
    const log: LogEntry[] = [];
    const store = await engines.server.address();
    await engines.server.stop();
    const opening = open(store, { workflows: [workflowOf(async () => 1)], log: (entry) => log.push(entry) });
    await sleep(300);
    expect(log.map(({ message }) => message)).toContainEqual(expect.stringMatching(/is not there; it is waited for/));
    await engines.server.start();
    const engine = await opening;
    await engine.start("W", null, { id: "a" });
    expect((await engine.ended("a")).output).toBe(1);
  });

  test("requests fail with the engine's fault while the server is down and succeed afterwards", async () => {
    const workflow = workflowOf(async () => 1);
    const engine = await open(await engines.server.address(), { workflows: [workflow] });
    await engine.start("W", null, { id: "a" });
    expect(engine.fault()).toBeUndefined();
    await engines.server.stop();
    const requests = [
      () => engine.start("W", null, { id: "b" }),
      () => engine.deliver(event("1")),
      () => engine.cancel("a"),
    ];
    for (const request of requests) expect(await request().catch((thrown: unknown) => thrown)).toBe(engine.fault());
    await expect(engine.list()).rejects.toThrow(/^Restate at http:\S+ does not answer: .*ECONNREFUSED/);
    await engines.server.start();
    await until(() => engine.fault() === undefined);
    await engine.start("W", null, { id: "b" });
    expect((await engine.ended("b")).output).toBe(1);
    await engines.server.stop();
    await until(() => engine.fault() !== undefined);
    await engines.server.start();
  });

  test("values that exceed Restate's limits fail their step or run, or are rejected, without affecting other runs", async () => {
    const long = 11_000_000;
    const textOf = (length: number) => "x".repeat(length);
    const bodies: { readonly [id: string]: Parameters<typeof workflowOf>[0] } = {
      Answer: (flow, input) => flow.step("Answer", () => textOf(input as number)),
      Output: async (_, input) => textOf(input as number),
      Emitted: async (flow, input) => flow.emit("Tell", "told", textOf(input as number)).then(() => 1),
      Launched: async (flow, input) => flow.launch("Go", small, textOf(input as number)).then(() => 1),
      Failure: (flow, input) =>
        flow.step("Fail", () => {
          throw new Error(textOf(input as number));
        }),
      Together: async (flow, input) => {
        const items = [1, 2, 3, 4];
        const all = await flow.forEach("Each", items, (inner) =>
          inner.step("One", () => textOf((input as number) * 0.7)),
        );
        return all.length;
      },
    };
    const small = workflowOf(async () => 1, { id: "Small" });
    const events = { told: { type: "told" } };
    const workflows = [small, ...Object.entries(bodies).map(([id, body]) => workflowOf(body, { id, events }))];
    const engine = await open(await engines.server.address(), { workflows });
    for (const id of Object.keys(bodies)) {
      await engine.start(id, long, { id });
      await engine.start(id, 3, { id: `${id} 3` });
    }
    const faultOf = async (id: string) => {
      const { status, error } = await engine.ended(id);
      return [status, error?.name, error?.message.slice(0, 60)];
    };
    const tooLong = "cannot be recorded: it has 11";
    expect(await Promise.all(Object.keys(bodies).map(faultOf))).toEqual([
      ["failed", "DataError", expect.stringContaining(`What the step gave ${tooLong}`)],
      ["failed", "DataError", expect.stringContaining(`The output ${tooLong}`)],
      ["failed", "DataError", expect.stringContaining(`The event ${tooLong}`)],
      ["failed", "DataError", expect.stringContaining(`What the run is started with ${tooLong}`)],
      ["failed", "DataError", "What the failure Error says cannot be recorded: it is too lo"],
      ["failed", "LimitError", expect.stringContaining("The steps and events of the run have more than")],
    ]);
    const shorts = await Promise.all(Object.keys(bodies).map(async (id) => (await engine.ended(`${id} 3`)).output));
    expect(shorts).toEqual(["xxx", "xxx", 1, 1, undefined, 4]);
    await expect(engine.start("Small", textOf(long), { id: "long" })).rejects.toThrow(
      "The input cannot be taken in: it has 11000002 characters, and Restate takes 10485760.",
    );
    await expect(engine.deliver(event("1", { data: textOf(long) }))).rejects.toThrow("The event cannot be taken in");
    expect(await engine.show("long")).toBeUndefined();
  });

  test("a process whose clock is behind continues a run: its time is monotonic, and timers are late by at most the difference", async () => {
    const store = await engines.server.address();
    const workflow = workflowOf(
      async (flow) => {
        await flow.step("Ahead", () => 1);
        await flow.receive("Wait");
        await flow.sleep("Nap", 0.3);
        return flow.step("Behind", () => 2);
      },
      { ...correlated, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
    );
    const ahead = await open(store, { workflows: [workflow], now: () => Date.now() + 2000 });
    await ahead.start("W", null, { id: "a" });
    await until(async () => (await ahead.show("a"))?.status === "waiting");
    await ahead.close(0);
    const behind = await open(store, { workflows: [workflow] });
    const began = performance.now();
    await behind.deliver(event("1", { who: "a" }));
    const { output, created, updated } = await behind.ended("a");
    const seconds = (performance.now() - began) / 1000;
    expect(output).toBe(2);
    expect(seconds).toBeGreaterThanOrEqual(0.3);
    expect(seconds).toBeLessThan(2.3 + 3);
    expect(Date.parse(updated)).toBeGreaterThanOrEqual(Date.parse(created) + 300);
  });

  test("two versions of a program coexist: each continues its runs, and new runs use the newer", async () => {
    const first = await engines.server.address();
    const second = await engines.server.addressAtOtherPort(first);
    const version = (n: string) =>
      workflowOf(
        async (flow) => {
          await flow.receive("Wait");
          return n;
        },
        { ...correlated, version: n, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
      );
    const old = await open(first, { workflows: [version("1")] });
    await old.start("W", null, { id: "a" });
    const fresh = await open(second, { workflows: [version("2")] });
    await fresh.start("W", null, { id: "b" });
    await fresh.deliver(event("1", { who: "a" }));
    await fresh.deliver(event("2", { who: "b" }));
    expect((await old.ended("a")).output).toBe("1");
    expect((await fresh.ended("b")).output).toBe("2");
  });

  test("emitted events are retried in order until accepted; a rejected event is dead-lettered and can be resent", async () => {
    let isRefused = true;
    const sent: string[] = [];
    const workflow = workflowOf(
      async (flow) => {
        for (const n of ["1", "2", "3"]) await flow.emit(`Tell ${n}`, "told", n);
        return null;
      },
      { events: { told: { type: "told" } } },
    );
    const traces = new Set<string | undefined>();
    const send = (emitted: CloudEvent, { attempt, trace }: Sending) => {
      traces.add(trace);
      if (emitted.data === "2" && isRefused) throw Object.assign(new Error("not that one"), { name: "EventRefused" });
      if (emitted.data === "3" && attempt < 3) throw new Error("not now");
      sent.push(`${emitted.data}`);
    };
    const engine = await open(await engines.server.address(), { workflows: [workflow], send });
    const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await engine.start("W", null, { id: "a", trace });
    await until(async () => sent.length === 2 && (await engine.unsent()).unsent === 1);
    expect(sent).toEqual(["1", "3"]);
    expect(await engine.unsent()).toEqual({ unsent: 1, refused: 1 });
    expect((await engine.show("a"))?.unsent).toMatchObject([
      { type: "told", status: "refused", reason: "not that one" },
    ]);
    isRefused = false;
    expect(await engine.retry("a")).toBe(true);
    await until(async () => sent.length === 3 && (await engine.unsent()).unsent === 0);
    expect(await engine.unsent()).toEqual({ unsent: 0, refused: 0 });
    expect([...traces]).toEqual([trace]);
  });

  test("unsupported options and malformed store addresses are rejected", async () => {
    const store = await engines.server.address();
    await expect(open(store, { keepEvents: 60 })).rejects.toThrow("there is nothing that --keep-events says");
    for (const [address, why] of [
      ["runs.db", "The store must be the URL of Restate's admin interface"],
      ["http://127.0.0.1:1?name=a'b", "may have only letters, digits, - and _"],
      ["http://127.0.0.1:1?services=http://localhost:1", 'has the parameter "services", but supports ingress, service'],
      ["http://127.0.0.1:1?service=localhost", "The parameter service of the store must be a URL"],
      ["http://127.0.0.1:1?ingress=:8080", "The parameter ingress of the store must be a URL"],
      ["http://127.0.0.1:1?port=some", 'The parameter port of the store is invalid: "some"'],
    ] as const)
      await expect(open(address, {})).rejects.toThrow(why);
  });

  test("steps may have the names of internal event messages", async () => {
    const workflow = workflowOf(
      async (flow) => {
        const first = await flow.step("m1", () => 1);
        const { events } = await flow.receive("m2");
        return [first, await flow.step("#m3", () => 3), ...events.map((each) => each.event.id)];
      },
      { ...correlated, waits: { m2: { alternatives: [{ all: [["go"]] }] } } },
    );
    const engine = await open(await engines.server.address(), { workflows: [workflow] });
    await engine.start("W", null, { id: "a" });
    await engine.deliver(event("1", { who: "a" }));
    expect((await engine.ended("a")).output).toEqual([1, 3, "1"]);
  });

  test("events of a run are not attributed to another run whose id has the same prefix", async () => {
    const workflow = workflowOf(
      async (flow) => {
        await flow.emit("Tell", "told", null);
        return 1;
      },
      { events: { told: { type: "told", source: "test" } } },
    );
    const refuse = () => {
      throw Object.assign(new Error("no"), { name: "EventRefused" });
    };
    const engine = await open(await engines.server.address(), { workflows: [workflow], send: refuse });
    const ids = ["a", "a\nb", 'a",'];
    for (const id of ids) await engine.start("W", null, { id });
    for (const id of ids) await engine.ended(id);
    await until(async () => (await engine.unsent()).refused === ids.length);
    for (const id of ids) expect((await engine.show(id))!.unsent).toHaveLength(1);
  });

  test("closing a process waits for the current step, which is not repeated", async () => {
    const store = await engines.server.address();
    const calls: string[] = [];
    const workflow = workflowOf(async (flow) => {
      await flow.step("Slow", async () => {
        calls.push("begun");
        await sleep(600);
        return calls.push("ended");
      });
      return flow.step("Next", () => calls.push("next"));
    });
    const engine = await open(store, { workflows: [workflow] });
    await engine.start("W", null, { id: "a" });
    await until(() => calls.length === 1);
    await engine.close(5);
    expect(calls).toEqual(["begun", "ended"]);
    const other = await open(store, { workflows: [workflow] });
    await other.ended("a");
    expect(calls).toEqual(["begun", "ended", "next"]);
  });

  test("every run ends exactly once although the process is killed repeatedly", { timeout: 300_000 }, async () => {
    const next = seeded(29);
    const store = await engines.server.address();
    const counts = new Map<string, number>();
    const workflow = workflowOf(
      async (flow, _, id) => {
        const one = async (name: string) =>
          flow.step(name, () => {
            counts.set(`${id}/${name}`, (counts.get(`${id}/${name}`) ?? 0) + 1);
            return name;
          });
        const { left, right } = await flow.fork("Both", {
          left: async () => one("Left"),
          right: async (inner: Flow) => {
            await inner.sleep("Nap", 0.05);
            return one("Right");
          },
        });
        const { events } = await flow.receive("Wait");
        return [left!, right!, ...events.map((each) => each.event.id), await one("Last")];
      },
      {
        ...({
          ...correlated,
          events: { ...correlated.events, again: { ...correlated.events!["go"], type: "again" } },
        } as Partial<AnyWorkflow>),
        waits: { Wait: { alternatives: [{ all: [["go"], ["again"]] }] } },
      },
    );
    const ids = Array.from({ length: 6 }, (_, i) => `run-${i}`);
    const drive = async (engine: Engine) => {
      for (const id of ids) {
        await engine.start("W", null, { id });
        await engine.deliver(event(`go ${id}`, { who: id }));
        await engine.deliver({ ...event(`again ${id}`, { who: id }), type: "again" });
      }
      return Promise.all(ids.map((id) => engine.ended(id)));
    };
    const maxKills = process.env["HOSTS"] === "all" ? 100 : 4;
    let kills = 0;
    for (let isDone = false; !isDone && kills < maxKills; ) {
      let left = 1 + Math.floor(next() * 6);
      const { promise: died, resolve } = Promise.withResolvers<void>();
      const engine = await open(store, { workflows: [workflow] }, () => {
        left -= 1;
        if (left === 0) resolve();
        return left <= 0;
      });
      const driven = drive(engine).then(
        () => true,
        () => false,
      );
      isDone = await Promise.race([died.then(() => false), driven]);
      await engine.close(0);
      kills += isDone ? 0 : 1;
    }
    const engine = await open(store, { workflows: [workflow] });
    const ends = await drive(engine);
    expect(ends.map(({ output }) => output)).toEqual(
      ids.map((id) => ["Left", "Right", `go ${id}`, `again ${id}`, "Last"]),
    );
    expect(kills).toBeGreaterThan(3);
    expect(counts.size).toBe(18);
    expect([...counts.values()].reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(2 * kills);
  });

  test("what a process of one version has begun is completed by one of another, wherever it is killed", async () => {
    const version = (n: string) =>
      workflowOf(async (flow) => (await flow.receive("Wait")) && n, {
        ...correlated,
        version: n,
        waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
      });
    let isComplete = false;
    for (let records = 1; !isComplete; records++) {
      const store = await engines.server.address();
      let left = records;
      const { promise: died, resolve } = Promise.withResolvers<boolean>();
      const first = await open(store, { workflows: [version("1")] }, () => {
        left -= 1;
        if (left === 0) resolve(false);
        return left <= 0;
      });
      const waiting = async () => {
        await first.start("W", null, { id: "a" });
        await until(async () => left <= 0 || (await first.show("a"))?.status === "waiting");
        return true;
      };
      isComplete = await Promise.race([died, waiting().catch(() => false)]);
      await first.close(0);
      const second = await open(store, { workflows: [version("2")] });
      await second.start("W", null, { id: "b" });
      await second.deliver(event("1", { who: "b" }));
      expect((await second.ended("b")).output).toBe("2");
      await second.close(0);
    }
  });
});
