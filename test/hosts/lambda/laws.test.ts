import { afterEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { nameOf } from "../../../targets/typescript/runtime/hosts/lambda/journal.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/workflow.ts";
import { type HostUnderTest, mortal } from "../host.ts";
import { correlated, event, until, workflowOf } from "../samples.ts";
import { lawsOn } from "../suite.ts";
import { deploy, newRegion } from "./engine.ts";

// The laws of hosts on what stands for AWS Lambda, in real time.

const lacks: ReadonlyMap<string, string> = new Map([
  ["runs that have ended are forgotten when they are to be", "AWS forgets them 90 days after they have ended"],
  [
    "an id that is no text is refused, of a run as of an event",
    "nobody hears of it as it is started: its execution fails by it, as runner.test.ts holds",
  ],
  [
    "a run that failed goes on where it failed when it is retried",
    "an execution that has failed is over: it is started again under another name",
  ],
  [
    "a run stays with the version that it began with, and is stranded where that is missing",
    "AWS keeps the version of the function for as long as somebody does not delete it: two versions are below",
  ],
]);

const lambda: HostUnderTest = {
  name: "lambda",
  apart: 0,
  newStore: async () => newRegion(),
  open: async (_load, options) => deploy(options),
  openMortal: (_load, options, commits) => mortal(commits, async ({ committed }) => deploy(options, committed)),
  lacks,
  isSilent: true,
  shown: nameOf,
  nap: 1,
};

lawsOn(lambda);

const waiting = (version: string): AnyWorkflow =>
  workflowOf(
    async (flow) => {
      const { events } = await flow.receive("Wait", { alternatives: [{ all: [["go"]] }] });
      return [version, ...events.map(({ event: { id } }) => id)];
    },
    { ...correlated, version },
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

  test("go on with their own runs, whichever of them takes in the events", async () => {
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

  test("an event that a run of the earlier one leaves starts a run of the later one, which hears what is for that", async () => {
    const starting = (version: string, type: string): AnyWorkflow => {
      const events = { go: { ...correlated.events!["go"], type }, new: { type: "new" } };
      return { ...waiting(version), events, start: { on: [{ all: [["new"]] }] } } as unknown as AnyWorkflow;
    };
    const store = newRegion();
    const old = deployed(store, starting("1", "go"));
    await old.start("W", null, { id: "a" });
    const later = deployed(store, starting("2", "went"), starting("1", "go"));
    await later.deliver({ ...event("1"), type: "new" });
    await until(() => later.list().length === 2);
    const [fresh] = later.list();
    await until(() => later.show(fresh!.id)?.status === "waiting");
    await later.deliver({ ...event("2", { who: fresh!.id }), type: "went" });
    await later.deliver(event("3", { who: "a" }));
    expect((await later.ended(fresh!.id)).output).toEqual(["2", "2"]);
    expect((await later.ended("a")).output).toEqual(["1", "3"]);
  });
});
