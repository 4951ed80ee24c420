import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type {
  AlternativeDefinition,
  Definition,
  ReceivedPart,
  WaitDefinition,
} from "../../../../targets/asl/runtime/definition.ts";
import { serviceError } from "../../../../targets/asl/simulator/dynamodb/index.ts";
import { behindWait, createScene, type Scene } from "./receiving.ts";

const of = (...names: readonly string[]): AlternativeDefinition => ({
  all: names.map((event) => [{ event }]),
  none: [],
});

const events = ["paid", "tick"].map((type) => ({
  name: type,
  type,
  key: "order",
  correlation: (event: JsonObject): Json => event["order"] ?? null,
}));

/** A workflow that waits for events with the value of its order. */
function orders(waits: readonly WaitDefinition[], more: Partial<Definition> & Pick<Definition, "workflows"> = single) {
  const [workflow] = more.workflows;
  return { group: "orders", key: "order", ...more, workflows: [{ ...workflow!, events, waits }] };
}

const single: Pick<Definition, "workflows"> = { workflows: [{ id: "orders", events: [], waits: [] }] };

const paid: WaitDefinition = { step: "Paid", unused: "keep", alternatives: [{ ...of("paid"), within: 3600 }] };
const both: WaitDefinition = {
  step: "Both",
  unused: "drop",
  alternatives: [{ ...of("paid", "tick"), within: 3600 }],
};

describe.each([
  ["one partition", undefined],
  ["a partition for each value", "order"],
])("with %s", (_, key) => {
  const definition = { ...orders([paid, both]), key };

  test.each([98, 1000])("%i waits that have timed out do not matter to the next event", async (count) => {
    const measured: object[] = [];
    for (const waits of [1, count]) {
      const scene = createScene(definition);
      for (let i = 0; i < waits; i++, scene.now += 100_000)
        await scene.wait("Paid", { run: `run ${i}`, correlation: key ? "same" : `order ${i}`, started: scene.now });
      scene.now += 7_200_000;
      await scene.wait("Paid", { run: "last", correlation: "same", started: scene.now });
      scene.dynamodb.resetUsage();
      await scene.event("paid", "e", { order: "same" });
      expect([...scene.told]).toEqual([["last", "0: e"]]);
      const { requests, readUnits, writeUnits } = scene.dynamodb.usage();
      measured.push({ requests, readUnits, writeUnits });
    }
    expect(measured[1]).toEqual(measured[0]);
  });

  test("a wait that discards events ends however many have arrived, and discards them all", async () => {
    const scene = createScene(definition);
    await scene.wait("Both", { run: "r", correlation: "o" });
    for (let i = 0; i < 250; i++) await scene.event("tick", `tick ${i}`, { order: "o" });
    await scene.event("paid", "p", { order: "o" });
    expect([...scene.told]).toEqual([["r", "0: tick 0 p"]]);
    await scene.wait("Both", { run: "r", correlation: "o", task: "again" });
    await scene.event("paid", "q", { order: "o" });
    expect(scene.told.size).toBe(1);
    await scene.event("tick", "last", { order: "o" });
    expect([...scene.told].at(-1)).toEqual(["again", "0: q last"]);
  });

  test("a wait that times out discards the events that have arrived until then", async () => {
    const scene = createScene(definition);
    await scene.wait("Both", { run: "r", correlation: "o" });
    for (let i = 0; i < 250; i++) await scene.event("tick", `tick ${i}`, { order: "o" });
    scene.now += 3_600_001;
    scene.end("r");
    await scene.giveUp("Both", { run: "r", correlation: "o" });
    await scene.wait("Both", { run: "r", correlation: "o", task: "again" });
    await scene.event("paid", "p", { order: "o" });
    expect(scene.told.size).toBe(0);
  });

  test("functions end the Task of a wait whose function has crashed", async () => {
    let isDown = true;
    const fault = () => (isDown ? { error: new Error("The function crashes.") } : undefined);
    const scene = createScene(definition, { stepFunctions: { fault } });
    await scene.wait("Paid", { run: "r", correlation: "o" });
    await expect(scene.event("paid", "p", { order: "o" })).rejects.toThrow("crashes");
    isDown = false;
    await scene.sweep();
    expect(scene.told.size).toBe(0);
    scene.now += 60_000;
    await scene.sweep();
    expect([...scene.told]).toEqual([["r", "0: p"]]);
    scene.dynamodb.resetUsage();
    await scene.sweep();
    expect(scene.dynamodb.usage().requests.transactWriteItems).toBeUndefined();
  });

  test("a repeated delivery ends the Task at once", async () => {
    let isDown = true;
    const fault = () => (isDown ? { error: new Error("The function crashes.") } : undefined);
    const scene = createScene(definition, { stepFunctions: { fault } });
    await scene.wait("Paid", { run: "r", correlation: "o" });
    await expect(scene.event("paid", "p", { order: "o" })).rejects.toThrow("crashes");
    isDown = false;
    await scene.event("paid", "p", { order: "o" });
    expect([...scene.told]).toEqual([["r", "0: p"]]);
  });

  test("an answer whose response is lost is not given to another run", async () => {
    let isLost = true;
    const fault = (operation: string) =>
      isLost && operation === "sendTaskSuccess" ? { error: new Error("No response."), isApplied: true } : undefined;
    const scene = createScene(definition, { stepFunctions: { fault } });
    await scene.wait("Paid", { run: "r", correlation: "o" });
    await scene.wait("Paid", { run: "s", correlation: "o" });
    await expect(scene.event("paid", "p", { order: "o" })).rejects.toThrow("No response");
    isLost = false;
    await scene.event("paid", "p", { order: "o" });
    expect([...scene.told]).toEqual([["r", "0: p"]]);
  });

  test("requests that Step Functions throttles are repeated by the same call", async () => {
    let throttled = 3;
    const fault = () => (throttled-- > 0 ? { error: serviceError("ThrottlingException") } : undefined);
    const scene = createScene(definition, { stepFunctions: { fault } });
    await scene.wait("Paid", { run: "r", correlation: "o" });
    await scene.event("paid", "p", { order: "o" });
    expect([...scene.told]).toEqual([["r", "0: p"]]);
  });

  test("unused events are deleted when they are old", async () => {
    const scene = createScene(definition, { keptSeconds: 100 });
    await scene.event("paid", "p", { order: "o" });
    scene.now += 101_000;
    await scene.sweep();
    scene.now += 3 * 86_400_000;
    scene.dynamodb.deleteExpired();
    await scene.wait("Paid", { run: "r", correlation: "o" });
    expect(scene.told.size).toBe(0);
  });
});

describe("the size of events", () => {
  const wait: WaitDefinition = { ...paid, alternatives: [of("paid")] };
  const toldWith = async (data: string, reads?: ReceivedPart): Promise<Scene> => {
    const { workflows, ...group } = orders([wait]);
    const scene = createScene({ ...group, workflows: workflows.map((workflow) => ({ ...workflow, reads })) });
    await scene.wait("Paid", { run: "r", correlation: "o" });
    await scene.event("paid", "e", { order: "o", data });
    return scene;
  };

  test.each([60_000, 128_000, 134_000, 200_000, 261_000])("an event of %i bytes is delivered", async (size) => {
    expect([...(await toldWith("x".repeat(size))).told]).toEqual([["r", "0: e"]]);
  });

  test.each([
    ["events", 60_000, ["events", "groups"]],
    ["events", 200_000, ["events"]],
    ["groups", 60_000, ["events", "groups"]],
    ["groups", 200_000, ["groups"]],
    ["all", 60_000, ["events", "groups"]],
  ] as const)("a machine that reads %s of an event of %i bytes receives %j", async (reads, size, parts) => {
    const { stepFunctions } = await toldWith("x".repeat(size), reads);
    const [result] = stepFunctions.results.values();
    const { received } = JSON.parse(result?.kind === "succeeded" ? result.output : "{}");
    expect(Object.keys(received)).toEqual(["alternative", ...parts]);
    expect(parts.map((part) => received[part][0].event.id)).toEqual(parts.map(() => "e"));
  });

  test.each([
    ["events", 262_144],
    ["groups", 1_000_000],
    ["all", 134_000],
  ] as const)("a Task whose machine reads %s and that cannot take an event of %i bytes fails", async (reads, size) => {
    const scene = await toldWith("x".repeat(size), reads);
    expect([...scene.told]).toEqual([["r", "States.DataLimitExceeded"]]);
    await scene.wait("Paid", { run: "r", correlation: "o", task: "again" });
    await scene.event("paid", "small", { order: "o" });
    expect([...scene.told].at(-1)).toEqual(["again", "0: small"]);
  });

  test("an event in several items is the event that has arrived", async () => {
    const data = "x".repeat(16_000) + "🙂é".repeat(8_000);
    const scene = createScene(orders([wait]));
    await scene.event("paid", "e", { order: "o", data });
    await scene.wait("Paid", { run: "r", correlation: "o" });
    const { output } = scene.stepFunctions.results.get("r") as { readonly output: string };
    expect((JSON.parse(output) as { received: { events: { event: Json }[] } }).received.events[0]!.event).toMatchObject(
      {
        data,
      },
    );
  });
});

describe("partitions by value", () => {
  test("of two contents of one event the first counts, also if they differ in their value", async () => {
    const scene = createScene(orders([paid]));
    await scene.wait("Paid", { run: "r", correlation: "o" });
    await scene.wait("Paid", { run: "s", correlation: "other" });
    await scene.event("paid", "p", { order: "o" });
    await scene.event("paid", "p", { order: "other" });
    expect([...scene.told]).toEqual([["r", "0: p"]]);
  });

  test("a wait's own value precedes its run's; null, objects and arrays count as absent", async () => {
    const scene = createScene(orders([paid]));
    await scene.wait("Paid", { run: "r", correlation: "o", values: { order: "own" } });
    await scene.wait("Paid", { run: "s", correlation: "o", values: { order: null } });
    await scene.wait("Paid", { run: "t", correlation: "t", values: { order: { not: "a value" } } });
    for (const order of ["own", "o", "t"]) await scene.event("paid", `for ${order}`, { order });
    expect([...scene.told]).toEqual([
      ["r", "0: for own"],
      ["s", "0: for o"],
      ["t", "0: for t"],
    ]);
  });

  test("a run has the value of the last event that it has received", async () => {
    const scene = createScene(orders([paid]));
    await scene.wait("Paid", { run: "r", correlation: "o", values: { order: 7 } });
    await scene.event("paid", "1", { order: "7" });
    await scene.wait("Paid", { run: "r", correlation: "o", task: "then" });
    await scene.event("paid", "2", { order: "o" });
    await scene.event("paid", "3", { order: 7 });
    expect([...scene.told]).toEqual([
      ["r", "0: 1"],
      ["then", "0: 3"],
    ]);
  });
});

test("an execution that a crashed function was to start is started later", async () => {
  const start = { machine: "W", on: [of("paid")], complete: false };
  for (const behind of [undefined, behindWait("Paid")]) {
    let isDown = true;
    const fault = () => (isDown ? { error: new Error("The function crashes.") } : undefined);
    const workflows = [{ id: "orders", events: [], waits: [], start: { ...start, behind } }];
    const definition = orders([{ ...paid, alternatives: [of("paid")] }], { ...single, workflows });
    const scene = createScene(definition, { stepFunctions: { fault } });
    await expect(scene.event("paid", "p", { order: "o" })).rejects.toThrow("crashes");
    isDown = false;
    scene.now += 60_000;
    await scene.sweep();
    await scene.sweep();
    expect(scene.started.length).toBe(1);
    expect(scene.inputs[0]!.includes('"p"')).toBe(behind !== undefined);
  }
});
