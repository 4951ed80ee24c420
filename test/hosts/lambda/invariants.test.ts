import { afterEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { nameOf } from "../../../targets/typescript/runtime/hosts/lambda/journal.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/workflow.ts";
import { crashAfter, type HostUnderTest } from "../host.ts";
import { correlated, event, until, workflowOf } from "../samples.ts";
import { taskInvariants, testInvariants } from "../suite.ts";
import { deploy, newRegion } from "./engine.ts";

// The host invariants on a simulated AWS Lambda, in real time.

const unsupported: ReadonlyMap<string, string> = new Map([
  ["ended runs are pruned by age", "AWS deletes executions 90 days after they have ended"],
  [
    "the timers of a workflow start a run once at each instant, also after a restart",
    "programs on AWS Lambda have no server that fires timers, which are refused",
  ],
  [
    "ids of runs and events with unpaired surrogates are rejected",
    "the start is asynchronous: the execution fails, see runner.test.ts",
  ],
  [
    "a retried run continues at the step that failed",
    "a failed execution is final: it is started again under another name",
  ],
  [
    "the steps of a run are listed with their results, and runs are counted and found",
    "the console of AWS Lambda shows executions and their steps",
  ],
  ["runs are found by their correlation value", "the console of AWS Lambda lists executions"],
  ["a failed run is repeated from a step", "a failed execution is final: it is started again under another name"],
  ...Object.values(taskInvariants).map((name) => [name, "programs with tasks are refused"] as const),
  [
    "a run keeps its version and is blocked if that is missing",
    "AWS keeps versions of a function until they are deleted: see the tests of two versions below",
  ],
]);

const lambda: HostUnderTest = {
  name: "lambda",
  minSpacingMs: 0,
  newStore: async () => newRegion(),
  open: async (_load, options) => deploy(options),
  openWithCrash: (_load, options, commits) => crashAfter(commits, async ({ committed }) => deploy(options, committed)),
  unsupported,
  hidesDelivery: true,
  displayKey: nameOf,
  minSleepSeconds: 1,
};

testInvariants(lambda);

const waiting = (version: string): AnyWorkflow =>
  workflowOf(
    async (flow) => {
      const { events } = await flow.receive("Wait");
      return [version, ...events.map(({ event: { id } }) => id)];
    },
    { ...correlated, version, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
  );

describe("two versions of a program", () => {
  const nothing = { functions: {}, send: () => undefined, log: () => undefined };
  const engines: Engine[] = [];
  const deployed = (store: string, ...workflows: readonly AnyWorkflow[]) => {
    const engine = deploy({ ...nothing, store, workflows });
    engines.push(engine);
    return engine;
  };
  afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close(0))));

  test("continue their own runs, whichever receives the events", async () => {
    const store = newRegion();
    const old = deployed(store, waiting("1"));
    for (const id of ["a", "b"]) await old.start("W", null, { id });
    const later = deployed(store, waiting("2"));
    for (const id of ["c", "d"]) await later.start("W", null, { id });
    for (const id of ["a", "c"]) await later.deliver(event(`later for ${id}`, { who: id }));
    for (const id of ["b", "d"]) await old.deliver(event(`old for ${id}`, { who: id }));
    const outputs = await Promise.all(["a", "b", "c", "d"].map(async (id) => (await later.ended(id)).output));
    expect(outputs).toEqual([
      ["1", "later for a"],
      ["1", "old for b"],
      ["2", "later for c"],
      ["2", "old for d"],
    ]);
  });

  test("an event not used by a run of the older version starts a run of the newer, which receives its events", async () => {
    const starting = (version: string, type: string): AnyWorkflow => {
      const events = { go: { ...correlated.events!["go"], type }, new: { type: "new" } };
      return { ...waiting(version), events, start: { on: [{ all: [["new"]] }] } } as unknown as AnyWorkflow;
    };
    const store = newRegion();
    const old = deployed(store, starting("1", "go"));
    await old.start("W", null, { id: "a" });
    const later = deployed(store, starting("2", "went"), starting("1", "go"));
    await later.deliver({ ...event("1"), type: "new" });
    await until(async () => (await later.list()).runs.length === 2);
    const [fresh] = (await later.list()).runs;
    await until(async () => (await later.show(fresh!.id))?.status === "waiting");
    await later.deliver({ ...event("2", { who: fresh!.id }), type: "went" });
    await later.deliver(event("3", { who: "a" }));
    expect((await later.ended(fresh!.id)).output).toEqual(["2", "2"]);
    expect((await later.ended("a")).output).toEqual(["1", "3"]);
  });
});
