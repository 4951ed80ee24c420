import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type {
  AlternativeDefinition,
  Definition,
  ReceivedEvents,
  StartDefinition,
} from "../../../../targets/asl/runtime/definition.ts";
import { behindWait, createScene } from "./receiving.ts";

const of = (...groups: readonly string[]): AlternativeDefinition => ({
  all: groups.map((group) => group.split("|").map((event) => ({ event }))),
  none: [],
});

/** A workflow with events `a`, `b` and `c` that carry a value of the correlation key `key`. */
const definition = (
  waits: { readonly [step: string]: readonly AlternativeDefinition[] },
  more: { readonly start?: StartDefinition; readonly isPartitioned?: boolean; readonly unused?: "drop" } = {},
): Definition => ({
  group: "w",
  ...(more.isPartitioned && { key: "key" }),
  workflows: [
    {
      id: "w",
      events: ["a", "b", "c"].map((type) => ({
        name: type,
        type,
        key: "key",
        correlation: (event: JsonObject): Json => event["key"] ?? null,
      })),
      waits: Object.entries(waits).map(([step, alternatives]) => ({
        step,
        alternatives,
        unused: more.unused ?? "keep",
      })),
      start: more.start,
    },
  ],
});

const key = { key: "k" };

test("an event that comes after the wait has begun ends it, and one that came before does", async () => {
  const scene = createScene(definition({ A: [of("a")] }));
  await scene.wait("A", { task: "first" });
  await scene.event("a", "1", key);
  await scene.event("a", "2", key);
  await scene.wait("A", { task: "second" });
  expect([...scene.told]).toEqual([
    ["first", "0: 1"],
    ["second", "0: 2"],
  ]);
});

test("an event that is delivered again is none of two", async () => {
  const scene = createScene(definition({ A: [of("a")] }));
  await scene.event("a", "1", key);
  await scene.wait("A", { task: "first" });
  await scene.event("a", "1", key);
  await scene.wait("A", { task: "second" });
  expect([...scene.told]).toEqual([["first", "0: 1"]]);
});

test("an event before the run began is not for it", async () => {
  const scene = createScene(definition({ A: [of("a")] }));
  scene.now = 999;
  await scene.event("a", "1", key);
  scene.now = 1000;
  await scene.wait("A");
  expect(scene.told.size).toBe(0);
});

test("a run with a correlation value has only the events with it, and the first event gives it to a run without one", async () => {
  const scene = createScene(definition({ A: [of("a")], B: [of("b")] }));
  await scene.wait("A", { run: "k", correlation: "k" });
  await scene.wait("A", { run: "any" });
  await scene.event("a", "1", { key: "x" });
  await scene.event("a", "2", key);
  await scene.wait("B", { run: "any", task: "then" });
  await scene.event("b", "3", key);
  await scene.event("b", "4", { key: "x" });
  expect([...scene.told]).toEqual([
    ["any", "0: 1"],
    ["k", "0: 2"],
    ["then", "0: 4"],
  ]);
});

test.each([true, false])(
  "a run receives only events with its value, also if these have partitions of their own (%s)",
  async (isPartitioned) => {
    const scene = createScene(definition({ A: [of("a")] }, { isPartitioned }));
    await scene.wait("A", { run: "x", correlation: "x" });
    await scene.event("a", "1", key);
    await scene.wait("A", { run: "k", correlation: "k" });
    expect([...scene.told]).toEqual([["k", "0: 1"]]);
  },
);

test("all of several groups, any of a group, and what one alternative must not have", async () => {
  const without: AlternativeDefinition = { ...of("a"), none: [{ event: "c" }] };
  const scene = createScene(definition({ A: [of("a|b", "c")], B: [without, of("b")] }));
  await scene.event("c", "1", key);
  await scene.event("b", "2", key);
  await scene.wait("A");
  await scene.event("c", "3", key);
  await scene.event("a", "4", key);
  await scene.event("b", "5", key);
  await scene.wait("B", { task: "then" });
  expect([...scene.told]).toEqual([
    ["r", "0: 1 2"],
    ["then", "1: 5"],
  ]);
});

test("an alternative is given up after its time, and the others go on", async () => {
  const scene = createScene(definition({ A: [{ ...of("a"), within: 5 }, of("b")] }));
  await scene.wait("A");
  scene.now += 5001;
  await scene.event("a", "1", key);
  await scene.event("b", "2", key);
  expect([...scene.told]).toEqual([["r", "1: 2"]]);
});

test("the oldest run has an event, and a subflow is as old as its root run", async () => {
  const scene = createScene(definition({ A: [of("a")] }));
  const runOf = (name: string) => `arn:aws:states:eu-west-1:1:execution:${name}`;
  const waits = [
    { task: "younger run", run: runOf("a:younger"), started: 1500 },
    { task: "its subflow", run: runOf("a:since-1500-1"), started: 1500 },
    { task: "subflow of the older run", run: runOf("b:since-1000-1"), started: 2000 },
    { task: "older run", run: runOf("since-3-w:older"), started: 1000 },
  ];
  scene.now = 2000;
  for (const wait of waits) await scene.wait("A", wait);
  for (const id of ["1", "2", "3", "4"]) await scene.event("a", id, key);
  expect([...scene.told]).toEqual([
    ["older run", "0: 1"],
    ["subflow of the older run", "0: 2"],
    ["younger run", "0: 3"],
    ["its subflow", "0: 4"],
  ]);
});

test("what a task that is gone was to be told is there for the next", async () => {
  const scene = createScene(definition({ A: [of("a")] }));
  await scene.wait("A", { run: "lost", correlation: "k" });
  await scene.wait("A", { run: "other", correlation: "k" });
  scene.end("lost");
  await scene.event("a", "1", key);
  expect([...scene.told]).toEqual([["other", "0: 1"]]);
});

test("a wait of iterations side by side is for each of them, the first first", async () => {
  const scene = createScene(definition({ A: [of("a")] }));
  await scene.wait("A", { position: [1], task: "second" });
  await scene.wait("A", { position: [0], task: "first" });
  await scene.event("a", "1", key);
  await scene.event("a", "2", key);
  expect([...scene.told]).toEqual([
    ["first", "0: 1"],
    ["second", "0: 2"],
  ]);
});

test("what is unused is dropped with what was used, and when a wait is given up", async () => {
  const timed = { ...of("a", "b"), within: 10 };
  const scene = createScene(definition({ A: [timed], C: [of("c")] }, { unused: "drop" }));
  await scene.event("c", "1", key);
  await scene.wait("A");
  await scene.event("a", "2", key);
  scene.now += 10_001;
  await scene.event("a", "3", key);
  await scene.giveUp("A", {});
  await scene.wait("C", { task: "then" });
  await scene.event("b", "4", key);
  await scene.wait("A", { task: "again" });
  expect([...scene.told]).toEqual([["again", "0: 3 4"]]);
});

test("the first event starts a run, whose own it is, and a repeated one starts none", async () => {
  const scene = createScene(definition({ A: [of("a")] }, { start: { machine: "W", on: [of("a")], complete: false } }));
  await scene.event("a", "1", key);
  await scene.event("a", "1", key);
  const [run] = scene.started;
  expect(scene.started).toEqual([run]);
  await scene.wait("A", { run: "other" });
  await scene.wait("A", { run: run!, task: "own" });
  expect([...scene.told]).toEqual([["own", "0: 1"]]);
});

/** The input of a run that starts behind its first wait. */
const begunWith = (input: string | undefined): Json => {
  const { started, received, token } = JSON.parse(input!) as {
    readonly started: string;
    readonly received: { readonly events: readonly { readonly event: { readonly id: string } }[] };
    readonly token: Json;
  };
  return { started, events: received.events.map(({ event }) => event.id), token };
};

test("a run begins behind its first wait with what this would be told, and knows its correlation value later", async () => {
  const start: StartDefinition = { machine: "W", behind: behindWait("A"), on: [of("a", "b")], complete: true };
  const scene = createScene(definition({ A: [of("a", "b")], C: [of("c")] }, { start }));
  await scene.event("b", "1", key);
  await scene.event("a", "2", key);
  await scene.event("a", "2", key);
  const [run, ...others] = scene.started;
  expect(others).toEqual([]);
  expect(begunWith(scene.inputs[0])).toEqual({ started: run, events: ["1", "2"], token: "k" });
  await scene.wait("A", { run: run!, task: "again" });
  await scene.wait("C", { run: run!, task: "own" });
  await scene.event("c", "3", { key: "x" });
  await scene.event("c", "4", key);
  expect([...scene.told]).toEqual([["own", "0: 4"]]);
});

test("events that are too large for an input are left to the run's first wait, which fails if it cannot take them", async () => {
  const start: StartDefinition = { machine: "W", behind: behindWait("A"), on: [of("a")], complete: false };
  const scene = createScene(definition({ A: [of("a")] }, { start }));
  await scene.event("a", "1", { ...key, data: "x".repeat(262_144) });
  expect(scene.inputs).toEqual(["{}"]);
  await scene.wait("A", { run: scene.started[0]!, task: "own" });
  expect([...scene.told]).toEqual([["own", "States.DataLimitExceeded"]]);
});

test("a large event that starts a run is its input if the part that the machine reads fits", async () => {
  const inputs = [({ events, token }: ReceivedEvents) => ({ received: { events }, token })];
  const start: StartDefinition = { machine: "W", behind: { step: "A", inputs }, on: [of("a")], complete: false };
  const scene = createScene(definition({ A: [of("a")] }, { start }));
  await scene.event("a", "1", { ...key, data: "x".repeat(200_000) });
  expect(begunWith(scene.inputs[0])).toEqual({ started: scene.started[0], events: ["1"], token: "k" });
});

test("a machine that only events start receives the values of its variables as its input", async () => {
  const inputs = [
    ({ events }: ReceivedEvents) => ({ ids: (events as { event: { id: string } }[]).map((e) => e.event.id) }),
  ];
  const behind = { step: "A", inputs, isOnly: true };
  const scene = createScene(
    definition({ A: [of("a", "b")] }, { start: { machine: "W", behind, on: [of("a", "b")], complete: true } }),
  );
  await scene.event("b", "1", key);
  await scene.event("a", "2", key);
  expect(scene.inputs.map((input) => JSON.parse(input) as Json)).toEqual([{ ids: ["1", "2"] }]);
});

test("an input that is too large for a machine that only events start fails, and prevents no other start", async () => {
  const inputs = [({ events }: ReceivedEvents) => events];
  const behind = { step: "A", inputs, isOnly: true };
  const scene = createScene(
    definition({ A: [of("a")] }, { start: { machine: "W", behind, on: [of("a")], complete: false } }),
  );
  await expect(scene.event("a", "1", { ...key, data: "x".repeat(262_144) })).rejects.toThrow("larger than 256 KiB");
  await scene.event("a", "2", { key: "x" });
  expect(scene.inputs.length).toBe(1);
  scene.now += 60_000;
  await expect(scene.sweep()).rejects.toThrow("larger than 256 KiB");
  expect(scene.inputs.length).toBe(1);
});

test("all events of an alternative start a run, those of one correlation value, and not too far apart", async () => {
  const start: StartDefinition = { machine: "W", on: [of("a", "b")], complete: true, gap: 10 };
  const scene = createScene(definition({ A: [of("a", "b")] }, { start }));
  await scene.event("a", "1", key);
  scene.now += 11_000;
  await scene.event("b", "2", key);
  await scene.event("a", "3", { key: "x" });
  expect(scene.started).toEqual([]);
  await scene.event("a", "4", key);
  const [run] = scene.started;
  await scene.wait("A", { run: run!, task: "own" });
  expect([...scene.told]).toEqual([["own", "0: 2 4"]]);
});

test("an event that somebody was about to be told who is gone starts a run, as one that nobody waits for", async () => {
  const scene = createScene(definition({ A: [of("a")] }, { start: { machine: "W", on: [of("a")], complete: false } }));
  await scene.wait("A", { run: "lost", correlation: "k" });
  scene.end("lost");
  await scene.event("a", "1", key);
  const [run] = scene.started;
  expect(scene.started).toEqual([run]);
  await scene.wait("A", { run: "other" });
  await scene.wait("A", { run: run!, task: "own" });
  expect([...scene.told]).toEqual([["own", "0: 1"]]);
});

test("what had started no run when it came starts none when it is given back", async () => {
  const start: StartDefinition = { machine: "W", on: [of("a")], complete: false, from: 5000 };
  const scene = createScene(definition({ A: [of("a", "b")] }, { start }));
  await scene.wait("A", { run: "lost", correlation: "k" });
  await scene.event("a", "1", key);
  scene.now = 6000;
  scene.end("lost");
  await scene.event("b", "2", key);
  expect(scene.started).toEqual([]);
  await scene.event("a", "3", key);
  expect(scene.started.length).toBe(1);
});

/** Two workflows that receive the same events under different names. */
const shared = (own: "first" | "second"): Definition => ({
  group: "first",
  prefix: `${own} `,
  workflows: [
    {
      id: "first",
      prefix: "first ",
      events: [{ name: "E", type: "a" }],
      waits: [{ step: "A", alternatives: [of("E")], unused: "keep" }],
    },
    {
      id: "second",
      prefix: "second ",
      events: [{ name: "F", type: "a" }],
      waits: [{ step: "A", alternatives: [of("F")], unused: "keep" }],
    },
  ],
});

test("runs of two workflows take events from each other, each by its own waits", async () => {
  const scene = createScene(shared("first"), { others: [shared("second")] });
  await scene.wait("A", { run: "s", by: 1, task: "second" });
  await scene.wait("A", { run: "r", task: "first" });
  await scene.event("a", "1");
  expect([...scene.told]).toEqual([["first", "0: 1"]]);
  await scene.event("a", "2");
  await scene.event("a", "3");
  await scene.wait("A", { run: "s", by: 1, task: "again" });
  expect([...scene.told].slice(1)).toEqual([
    ["second", "0: 2"],
    ["again", "0: 3"],
  ]);
});

test("what a task of one workflow was about to be told when it ended is for a run of the other", async () => {
  const scene = createScene(shared("first"), { others: [shared("second")] });
  await scene.wait("A", { run: "r", task: "first" });
  await scene.wait("A", { run: "s", by: 1, task: "second" });
  scene.end("first");
  await scene.event("a", "1");
  expect([...scene.told]).toEqual([["second", "0: 1"]]);
});

/** The two workflows of `shared`, both started by events. */
function bothStarted(own: "first" | "second", first: Partial<StartDefinition> = {}): Definition {
  const { workflows, ...group } = shared(own);
  const starts: readonly StartDefinition[] = [
    { machine: "W", on: [of("E")], complete: false, ...first },
    { machine: "V", on: [of("F")], complete: false },
  ];
  return { ...group, workflows: workflows.map((each, i) => ({ ...each, start: starts[i] })) };
}

const executionsOf = (machine: string, started: readonly string[]): readonly string[] =>
  started.filter((arn) => arn.includes(`:execution:${machine}:`));

test("an event that starts runs of two workflows starts one of each, and is for both", async () => {
  const scene = createScene(bothStarted("first"), { others: [bothStarted("second")] });
  await scene.event("a", "1");
  await scene.event("a", "1");
  expect(scene.started.length).toBe(2);
  const [[first], [second]] = [executionsOf("w", scene.started), executionsOf("v", scene.started)];
  await scene.wait("A", { run: second!, by: 1, task: "second" });
  await scene.wait("A", { run: first!, task: "first" });
  await scene.wait("A", { run: "other", task: "other" });
  expect([...scene.told]).toEqual([
    ["second", "0: 1"],
    ["first", "0: 1"],
  ]);
  await scene.event("a", "2");
  expect([...scene.told].at(-1)).toEqual(["other", "0: 2"]);
  expect(scene.started.length).toBe(2);
});

test("an event that starts runs of two workflows is the input of the one that begins behind its first wait", async () => {
  const first = { behind: behindWait("A") };
  const scene = createScene(bothStarted("first", first), { others: [bothStarted("second", first)] });
  await scene.event("a", "1");
  const [[one], [second]] = [executionsOf("w", scene.started), executionsOf("v", scene.started)];
  const inputs = new Map(scene.started.map((run, i) => [run, scene.inputs[i]]));
  expect(begunWith(inputs.get(one!))).toEqual({ started: one, events: ["1"], token: null });
  expect(inputs.get(second!)).toBe("{}");
  await scene.wait("A", { run: one!, task: "first" });
  await scene.wait("A", { run: second!, by: 1, task: "second" });
  expect([...scene.told]).toEqual([["second", "0: 1"]]);
});

test("where a function breaks off between two starts, the next call starts what is left, under the same name", async () => {
  let isLost = true;
  const fault = (operation: string) =>
    isLost && operation === "startExecution"
      ? { error: new Error("The function crashes."), isApplied: true }
      : undefined;
  const scene = createScene(bothStarted("first"), { others: [bothStarted("second")], stepFunctions: { fault } });
  await expect(scene.event("a", "1")).rejects.toThrow("crashes");
  isLost = false;
  await scene.event("a", "1");
  const [names, others] = [executionsOf("w", scene.started), executionsOf("v", scene.started)];
  expect([new Set(names).size, others.length]).toEqual([1, 1]);
});

test("an event that has started a run of one workflow still waits for others to start one of another with", async () => {
  const both = (own: "first" | "second"): Definition => {
    const { workflows, ...group } = bothStarted(own, { on: [of("E", "G")], complete: true });
    const [one, other] = workflows;
    const events = [...one!.events, { name: "G", type: "g" }];
    const waits = [{ step: "A", alternatives: [of("E", "G")], unused: "keep" as const }];
    return { ...group, workflows: [{ ...one!, events, waits }, other!] };
  };
  const scene = createScene(both("first"), { others: [both("second")] });
  await scene.event("a", "1");
  expect([executionsOf("w", scene.started).length, executionsOf("v", scene.started).length]).toEqual([0, 1]);
  await scene.event("g", "2");
  const [[first], [second]] = [executionsOf("w", scene.started), executionsOf("v", scene.started)];
  await scene.wait("A", { run: first!, task: "first" });
  await scene.wait("A", { run: second!, by: 1, task: "second" });
  expect([...scene.told]).toEqual([
    ["first", "0: 1 2"],
    ["second", "0: 1"],
  ]);
});
