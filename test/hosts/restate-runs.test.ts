import { describe, expect, test } from "vitest";
import type { EngineOptions, LogEntry, Telemetry } from "../../targets/typescript/runtime/engine.ts";
import type { Flow } from "../../targets/typescript/runtime/flow.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { enginesOnRestate } from "./restate.ts";
import { skipReason } from "./restate-server.ts";
import { breakingWorkflow, event, seeded, sleep, until, workflowOf } from "./samples.ts";

// Runs on Restate that compete for events, and their log and telemetry.

const why = skipReason();

const uncorrelated = {
  events: { go: { type: "go" } },
  waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
} as Partial<AnyWorkflow>;
const wait = async (flow: Flow) => {
  const { events } = await flow.receive("Wait");
  return events.map((each) => each.event.id).join();
};

describe.skipIf(why !== undefined)(`runs on Restate${why ? ` (skipped: ${why})` : ""}`, { timeout: 60_000 }, () => {
  const engines = enginesOnRestate();
  const open = async (more: Partial<EngineOptions>) => engines.open(await engines.server.address(), more);

  test("an event that arrives while its subflow is canceled is used once: by the subflow or by another run", async () => {
    const cuts = new Map<string, () => void>();
    const sub = workflowOf(wait, { ...uncorrelated, id: "Sub" });
    const older = workflowOf(
      async (flow, _, id) => {
        const both = await flow.fork(
          "Either",
          {
            sub: async (inner: Flow) => inner.invoke("Sub", sub, null),
            cut: async (inner: Flow) =>
              inner.step("Cut", () => new Promise<string>((resolve) => cuts.set(id, () => resolve("cut")))),
          },
          { join: 1 },
        );
        return both.sub ?? both.cut ?? null;
      },
      { id: "Older" },
    );
    const younger = workflowOf(wait, { ...uncorrelated, id: "Younger" });
    const engine = await open({ workflows: [older, younger, sub] });
    const next = seeded(11);
    const ends: string[] = [];
    for (let i = 0; i < (process.env["HOSTS"] === "all" ? 60 : 6); i++) {
      await engine.start("Older", null, { id: `a${i}` });
      await engine.start("Younger", null, { id: `b${i}` });
      await until(async () => (await engine.show(`b${i}`))?.status === "waiting" && cuts.has(`a${i}`));
      const cut = cuts.get(`a${i}`)!;
      const pauses = [1500, 0, 25 * next(), 250 * next() ** 2];
      if (i === 1) cut();
      const delivered = engine.deliver(event(`e${i}`));
      await sleep(pauses[i] ?? pauses[2 + (i % 2)]!);
      cut();
      await delivered;
      const { output } = await engine.ended(`a${i}`);
      ends.push(`${output}`);
      if (output !== "cut") {
        expect((await engine.show(`b${i}`))?.status).toBe("waiting");
        await engine.deliver(event(`more ${i}`));
      }
      expect((await engine.ended(`b${i}`)).output).toBe(output === "cut" ? `e${i}` : `more ${i}`);
    }
    expect(new Set(ends).size).toBeGreaterThan(1);
  });

  test("a retried run keeps the events that it used before it failed", async () => {
    const { workflow: inner, fix } = breakingWorkflow();
    const sub = workflowOf(wait, { ...uncorrelated, id: "Sub" });
    const failing = workflowOf(
      async (flow, _, input) => {
        const first = await flow.invoke("First", sub, null);
        const second = await wait(flow);
        try {
          await inner.run(flow as never, {} as never, input as never);
        } catch (thrown) {
          await wait(flow);
          throw thrown;
        }
        return [first, second, await wait(flow)];
      },
      { ...uncorrelated, id: "Failing" },
    );
    const other = workflowOf(wait, { ...uncorrelated, id: "Other" });
    const engine = await open({ workflows: [failing, other, sub] });
    await engine.start("Failing", null, { id: "a" });
    await engine.start("Other", null, { id: "b" });
    await until(async () => (await engine.list({ status: "waiting" })).runs.length === 2);
    for (const id of ["1", "2", "3"]) {
      await engine.deliver(event(id));
      await sleep(500);
    }
    expect((await engine.ended("a")).status).toBe("failed");
    fix();
    expect(await engine.retry("a")).toBe(true);
    expect((await engine.ended("a")).output).toEqual(["1", "2", "3"]);
    await engine.deliver(event("4"));
    expect((await engine.ended("b")).output).toBe("4");
  });

  test("a waiting subflow of a failed run resubscribes on retry; events that other runs used meanwhile are gone", async () => {
    const { workflow: inner, fix } = breakingWorkflow();
    const sub = workflowOf(wait, { ...uncorrelated, id: "Sub" });
    let fail: () => void = () => undefined;
    const failing = workflowOf(
      async (flow, input) => {
        const both = await flow.fork("Both", {
          sub: async (branch: Flow) => branch.invoke("Sub", sub, null),
          broken: async (branch: Flow) => {
            await branch.step(
              "Slow",
              () =>
                new Promise<null>((resolve) => {
                  fail = () => resolve(null);
                }),
            );
            return inner.run(branch as never, {} as never, input as never) as Promise<never>;
          },
        });
        return both as never;
      },
      { id: "Failing" },
    );
    const other = workflowOf(wait, { ...uncorrelated, id: "Other" });
    const engine = await open({ workflows: [failing, other, sub] });
    await engine.start("Failing", null, { id: "a" });
    await until(async () => (await engine.show("a"))?.steps.some(({ key }) => key.endsWith("Slow")) === true);
    fail();
    expect((await engine.ended("a")).status).toBe("failed");
    await engine.start("Other", null, { id: "b" });
    await engine.deliver(event("1"));
    expect((await engine.ended("b")).output).toBe("1");
    fix();
    expect(await engine.retry("a")).toBe(true);
    await until(async () => (await engine.show("a"))?.status === "waiting");
    await engine.deliver(event("2"));
    expect((await engine.ended("a")).output).toEqual({ sub: "2", broken: "fixed" });
  });

  test("a failed run that was pruned holds no events", async () => {
    const failing = workflowOf(
      async (flow) =>
        flow.step("Break", () => {
          throw new Error("broken");
        }),
      { ...uncorrelated, id: "Failing" },
    );
    const engine = await open({ workflows: [failing, workflowOf(wait, uncorrelated)] });
    await engine.start("Failing", null, { id: "a" });
    await engine.ended("a");
    await engine.start("W", null, { id: "b" });
    expect(await engine.prune(Date.now() + 1000)).toBe(1);
    await engine.deliver(event("1"));
    expect((await engine.ended("b")).output).toBe("1");
  });

  test("a run continues after a workflow was added that receives the events that it has emitted", async () => {
    const events = { told: { type: "told" } };
    let isReplaced = false;
    const emitting = workflowOf(
      async (flow) => {
        await flow.emit("Tell", "told", 1);
        await flow.step("Last", () => (isReplaced ? null : new Promise<null>(() => undefined)));
        await flow.emit("Tell again", "told", 2);
        return "done";
      },
      { id: "Emitting", events },
    );
    const listening = workflowOf(async () => "heard", {
      id: "Listening",
      events,
      start: { on: [{ all: [["told"]] }] },
    });
    const store = await engines.server.address();
    const first = await engines.open(store, { workflows: [emitting] });
    await first.start("Emitting", null, { id: "a" });
    await until(async () => (await first.show("a"))?.steps.length === 1 && (await first.unsent()).unsent === 0);
    await first.close(0);
    isReplaced = true;
    const second = await engines.open(store, { workflows: [emitting, listening] });
    expect((await second.ended("a")).output).toBe("done");
    const heard = async () => (await second.list({ workflow: "Listening", status: "succeeded" })).runs;
    await until(async () => (await heard()).length > 0);
    expect(await heard()).toHaveLength(1);
  });

  test("log and telemetry report the start and end of a run once, even if it is replayed", async () => {
    const log: LogEntry[] = [];
    const reports: string[] = [];
    const telemetry: Telemetry = {
      started: ({ id }) => void reports.push(`${id} started`),
      resumed: ({ id }) => void reports.push(`${id} resumed`),
      suspended: (id) => void reports.push(`${id} suspended`),
      ended: ({ id, status }) => void reports.push(`${id} ${status}`),
      call: (_run, _call, work) => work(),
    };
    const { workflow, fix } = breakingWorkflow();
    const slow = workflowOf(
      async (flow) => {
        await flow.sleep("Nap", 3);
        return 1;
      },
      { id: "Slow" },
    );
    const engine = await open({ workflows: [workflow, slow], log: (entry) => log.push(entry), telemetry });
    await engine.start("Slow", null, { id: "slow" });
    await engine.start("W", null, { id: "a" });
    await engine.ended("a");
    await engine.start("W", "wait", { id: "b" });
    await engine.cancel("b");
    await until(() => reports.includes("a suspended"));
    fix();
    await engine.retry("a");
    await engine.ended("a");
    await engine.ended("slow");
    const of = (id: string) =>
      log.filter(({ run, level }) => run === id && level !== "debug").map(({ message }) => message);
    expect(log.filter(({ run, step }) => run === "a" && step !== undefined).map(({ step }) => step)).toEqual([
      "Break",
      "Break",
    ]);
    expect(of("a")).toEqual(["The run begins.", "The run has failed.", "The run has succeeded."]);
    expect(of("b")).toEqual(["The run begins.", "The run has been cancelled."]);
    expect(of("slow")).toEqual(["The run begins.", "The run has succeeded."]);
    expect(reports.filter((each) => each.startsWith("slow"))).toEqual([
      "slow started",
      "slow resumed",
      "slow suspended",
      "slow resumed",
      "slow succeeded",
      "slow suspended",
    ]);
    expect(reports.filter((each) => /^a (started|failed|succeeded)$/.test(each))).toEqual([
      "a started",
      "a failed",
      "a succeeded",
    ]);
  });

  test("lists, counts and searches do not read long inputs, outputs and errors", async () => {
    const long = "x".repeat(200_000);
    const failing = workflowOf(
      async () => {
        throw new Error(`wrong ${long}`);
      },
      { id: "F" },
    );
    const own = { correlation: (input: { readonly order: string }) => input.order } as unknown as Partial<AnyWorkflow>;
    const workflow = workflowOf(async (_, input) => input, own);
    const engine = await engines.open(await engines.server.address(), { workflows: [workflow, failing] });
    const input = { order: "7", long };
    for (const id of ["a", "b"]) await engine.start("W", input, { id });
    await engine.start("F", null, { id: "c" });
    for (const id of ["a", "b"]) expect((await engine.ended(id)).output).toEqual(input);
    expect((await engine.ended("c")).error?.message).toHaveLength(long.length + 6);
    let read = 0;
    const original = globalThis.fetch;
    globalThis.fetch = async (...request) => {
      const response = await original(...request);
      read += (await response.clone().arrayBuffer()).byteLength;
      return response;
    };
    try {
      const { runs } = await engine.list();
      expect(runs.map(({ id, status }) => [id, status])).toEqual([
        ["c", "failed"],
        ["b", "succeeded"],
        ["a", "succeeded"],
      ]);
      expect(runs[0]!.error).toMatchObject({ name: "Error", message: expect.stringMatching(/^wrong x/) });
      expect((await engine.list({ status: "failed", error: "WRONG x" })).runs).toHaveLength(1);
      expect((await engine.counts()).get("W")?.succeeded).toBe(2);
      await engine.versions();
      expect(read).toBeLessThan(20_000);
      expect((await engine.list({ value: "7" })).runs.map(({ id }) => id)).toEqual(["b", "a"]);
    } finally {
      globalThis.fetch = original;
    }
    expect((await engine.show("a"))?.input).toEqual(input);
  });
});
