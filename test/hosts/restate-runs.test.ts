import { describe, expect, test } from "vitest";
import type { EngineOptions, LogEntry, Telemetry } from "../../targets/typescript/runtime/engine.ts";
import type { Flow } from "../../targets/typescript/runtime/flow.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { seeded } from "./kills/seeded.ts";
import { enginesOnRestate } from "./restate-engines.ts";
import { absence } from "./restate-server.ts";
import { breaking, event, rest, until, workflowOf } from "./samples.ts";

// What runs on Restate do with events that others may use too, and what is heard of them.

const why = absence();

/** Events for anybody. */
const forAnybody = { events: { go: { type: "go" } } } as Partial<AnyWorkflow>;
const wait = async (flow: Flow) => {
  const { events } = await flow.receive("Wait", { alternatives: [{ all: [["go"]] }] });
  return events.map((taken) => taken.event.id).join();
};

describe.skipIf(why !== undefined)(`runs on Restate${why ? ` (left out: ${why})` : ""}`, { timeout: 60_000 }, () => {
  const engines = enginesOnRestate();
  const open = async (more: Partial<EngineOptions>) => engines.open(await engines.server.address(), more);

  test("an event that comes as a subflow that may use it is cut off is used once: by that, or by another run", async () => {
    const cuts = new Map<string, () => void>();
    const sub = workflowOf(wait, { ...forAnybody, id: "Sub" });
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
    const younger = workflowOf(wait, { ...forAnybody, id: "Younger" });
    const engine = await open({ workflows: [older, younger, sub] });
    const next = seeded(11);
    const ends: string[] = [];
    for (let i = 0; i < (process.env["HOSTS"] === "all" ? 60 : 6); i++) {
      await engine.start("Older", null, { id: `a${i}` });
      await engine.start("Younger", null, { id: `b${i}` });
      await until(() => engine.show(`b${i}`)?.status === "waiting" && cuts.has(`a${i}`));
      const cut = cuts.get(`a${i}`)!;
      const pauses = [1500, 0, 25 * next(), 250 * next() ** 2];
      if (i === 1) cut();
      const delivered = engine.deliver(event(`e${i}`));
      await rest(pauses[i] ?? pauses[2 + (i % 2)]!);
      cut();
      await delivered;
      const { output } = await engine.ended(`a${i}`);
      ends.push(`${output}`);
      if (output !== "cut") {
        expect(engine.show(`b${i}`)?.status).toBe("waiting");
        await engine.deliver(event(`more ${i}`));
      }
      expect((await engine.ended(`b${i}`)).output).toBe(output === "cut" ? `e${i}` : `more ${i}`);
    }
    expect(new Set(ends).size).toBeGreaterThan(1);
  });

  test("what a run used that has failed it has still when it goes on by a retry, also from before", async () => {
    const { workflow: inner, mend } = breaking();
    const sub = workflowOf(wait, { ...forAnybody, id: "Sub" });
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
      { ...forAnybody, id: "Failing" },
    );
    const other = workflowOf(wait, { ...forAnybody, id: "Other" });
    const engine = await open({ workflows: [failing, other, sub] });
    await engine.start("Failing", null, { id: "a" });
    await engine.start("Other", null, { id: "b" });
    await until(() => engine.list({ status: "waiting" }).length === 2);
    for (const id of ["1", "2", "3"]) await engine.deliver(event(id));
    expect((await engine.ended("a")).status).toBe("failed");
    mend();
    expect(await engine.retry("a")).toBe(true);
    expect((await engine.ended("a")).output).toEqual(["1", "2", "3"]);
    await engine.deliver(event("4"));
    expect((await engine.ended("b")).output).toBe("4");
  });

  test("a subflow that waits as its run fails listens again when that goes on, and what another has used since is gone", async () => {
    const { workflow: inner, mend } = breaking();
    const sub = workflowOf(wait, { ...forAnybody, id: "Sub" });
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
    const other = workflowOf(wait, { ...forAnybody, id: "Other" });
    const engine = await open({ workflows: [failing, other, sub] });
    await engine.start("Failing", null, { id: "a" });
    await until(() => engine.show("a")?.steps.some(({ key }) => key.endsWith("Slow")) === true);
    fail();
    expect((await engine.ended("a")).status).toBe("failed");
    await engine.start("Other", null, { id: "b" });
    await engine.deliver(event("1"));
    expect((await engine.ended("b")).output).toBe("1");
    mend();
    expect(await engine.retry("a")).toBe(true);
    await until(() => engine.show("a")?.status === "waiting");
    await engine.deliver(event("2"));
    expect((await engine.ended("a")).output).toEqual({ sub: "2", broken: "mended" });
  });

  test("a run that has failed and is forgotten keeps nothing from others", async () => {
    const failing = workflowOf(
      async (flow) =>
        flow.step("Break", () => {
          throw new Error("broken");
        }),
      { ...forAnybody, id: "Failing" },
    );
    const engine = await open({ workflows: [failing, workflowOf(wait, forAnybody)] });
    await engine.start("Failing", null, { id: "a" });
    await engine.ended("a");
    await engine.start("W", null, { id: "b" });
    expect(await engine.prune(Date.now() + 1000)).toBe(1);
    await engine.deliver(event("1"));
    expect((await engine.ended("b")).output).toBe("1");
  });

  test("the log and telemetry hear once of the beginning and the end of a run, also where it is executed again", async () => {
    const log: LogEntry[] = [];
    const heard: string[] = [];
    const telemetry: Telemetry = {
      started: ({ id }) => void heard.push(`${id} started`),
      goesOn: ({ id }) => void heard.push(`${id} goes on`),
      rests: (id) => void heard.push(`${id} rests`),
      ended: ({ id, status }) => void heard.push(`${id} ${status}`),
      call: (_run, _call, work) => work(),
    };
    const { workflow, mend } = breaking();
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
    await until(() => heard.includes("a rests"));
    mend();
    await engine.retry("a");
    await engine.ended("a");
    await engine.ended("slow");
    const of = (id: string) => log.filter(({ run }) => run === id).map(({ message }) => message);
    expect(of("a")).toEqual(["The run begins.", "The run has failed.", "The run has succeeded."]);
    expect(of("b")).toEqual(["The run begins.", "The run has been cancelled."]);
    expect(of("slow")).toEqual(["The run begins.", "The run has succeeded."]);
    expect(heard.filter((each) => each.startsWith("slow"))).toEqual([
      "slow started",
      "slow goes on",
      "slow rests",
      "slow goes on",
      "slow succeeded",
      "slow rests",
    ]);
    expect(heard.filter((each) => /^a (started|failed|succeeded)$/.test(each))).toEqual([
      "a started",
      "a failed",
      "a succeeded",
    ]);
  });
});
