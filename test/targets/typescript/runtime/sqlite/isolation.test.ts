import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WorkflowError } from "../../../../../targets/typescript/runtime/errors.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const waiting = workflowOf(
  async (flow) => {
    const one = await flow.step("One", () => 1);
    await flow.receive("Wait");
    return flow.step("Two", () => one + 1);
  },
  { events: { go: { type: "go" } }, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
);

/** Changes the store while no engine has it open. */
function change(text: string): void {
  const db = new DatabaseSync(here.store);
  db.exec(text);
  db.close();
}

/** A store with two waiting runs. */
async function twoWaiting(): Promise<void> {
  const engine = here.open([waiting], {});
  for (const id of ["a", "b"]) {
    await engine.start("W", { of: id }, { id });
    await until(async () => (await engine.show(id))?.status === "waiting");
  }
  await engine.close();
}

const circular: { [name: string]: unknown } = {};
circular["itself"] = circular;

function unreadable(): never {
  throw new Error("unreadable");
}

test.each([
  ["circular data", new WorkflowError("Failed", "no", { data: circular as Json }), "Failed"],
  ["a BigInt", new WorkflowError("Failed", "no", { data: 1n as never }), "Failed"],
  ["data of a time-out", new WorkflowError("Failed", "no", { origin: "timeout", data: circular as Json }), "Failed"],
  ["nothing that has a text", Object.create(null), "Error"],
  ["a symbol", Symbol("none"), "Error"],
  ["undefined", undefined, "Error"],
  ["an error whose name is a symbol", Object.assign(new Error("no"), { name: Symbol("none") }), "Symbol(none)"],
  ["an error whose message is an object", Object.assign(new Error("no"), { message: { a: 1 } }), "Error"],
  ["an error whose name cannot be read", Object.defineProperty(new Error("no"), "name", { get: unreadable }), "Error"],
])("a function that throws %s fails its step", async (_, thrown, name) => {
  const failing = workflowOf(async (flow) => {
    try {
      return await flow.step("Fail", () => Promise.reject(thrown));
    } catch (error) {
      return flow.step("Name", () => (error as Error).name);
    }
  });
  const engine = here.open([failing], {});
  await engine.start("W", null, { id: "a" });
  expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: name });
});

test.each([
  ["undefined", undefined, null],
  ["a function", () => 1, null],
  ["a map", new Map([[1, 2]]), {}],
  ["a date", { at: new Date(0), none: undefined }, { at: "1970-01-01T00:00:00.000Z" }],
  ["no number", { n: Number.NaN }, { n: null }],
  ["a negative zero", { n: -0 }, { n: 0 }],
  ["a list with holes", Object.assign(new Array<number>(3), { 0: 1, 2: 3 }), [1, null, 3]],
  ["members named like those of prototypes", JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}'), undefined],
  ["half a pair of surrogates and a zero", "\ud800\u0000", "\ud800\u0000"],
])("a function that gives %s gives what its JSON is", async (_, given, output = given as Json) => {
  const giving = workflowOf((flow) => flow.step<Json>("Give", () => given as Json));
  const engine = here.open([giving], {});
  await engine.start("W", null, { id: "a" });
  expect(await engine.ended("a")).toMatchObject({ status: "succeeded" });
  expect(JSON.stringify((await engine.show("a"))?.output)).toBe(JSON.stringify(output));
});

const deep = () => {
  let value: Json = 1;
  for (let i = 0; i < 20_000; i++) value = [value];
  return value;
};

test.each([
  ["itself", circular],
  ["a BigInt", 1n],
  ["20,000 lists in each other", deep()],
])("a function that gives %s fails its step with DataError", async (_, given) => {
  const giving = workflowOf((flow) => flow.step<Json>("Give", () => given as Json));
  const engine = here.open([giving], {});
  await engine.start("W", null, { id: "a" });
  expect(await engine.ended("a")).toMatchObject({ status: "failed", error: { name: "DataError" } });
});

test.each([
  ["circular", circular as Json, /^no \(Its data are omitted: .*circular/s],
  ["functions", (() => null) as never, /^no \(Its data are omitted: they have no JSON\.\)$/],
])("that the data of an error are left out, as they are %s, is told in its message", async (_, data, message) => {
  const failing = workflowOf((flow) =>
    flow.step("Fail", () => Promise.reject(new WorkflowError("Failed", "no", { data }))),
  );
  const engine = here.open([failing], {});
  await engine.start("W", null, { id: "a" });
  const { error } = await engine.ended("a");
  expect(error?.data).toBeUndefined();
  expect(error?.message).toMatch(message);
});

test.each([
  ["what a step gave", "UPDATE journal SET value = '{' WHERE run = 1", "a"],
  ["the input", "UPDATE runs SET input = '{' WHERE ref = 1", null],
  ["a correlation value", "UPDATE runs SET token = '{' WHERE ref = 1", "a"],
] as const)(
  "where %s is damaged the run is stranded, and the others go on",
  async (_, damage, input: string | null) => {
    await twoWaiting();
    change(damage);
    const engine = here.open([waiting], {});
    await engine.deliver(event("1", "go"));
    await engine.deliver(event("2", "go"));
    expect((await engine.ended("b")).output).toBe(2);
    await until(async () => (await engine.show("a"))?.status === "stranded");
    expect((await engine.show("a"))?.reason).toMatch(/^What is recorded of .* cannot be read: .*JSON/);
    expect((await engine.show("a"))?.input).toEqual(input === null ? null : { of: "a" });
    expect((await engine.list({ status: "stranded" })).runs.map(({ id }) => id)).toEqual(["a"]);
    expect((await engine.ended("a")).status).toBe("stranded");
    await engine.close();
    change("UPDATE journal SET value = '1' WHERE run = 1; UPDATE runs SET input = '{}', token = NULL WHERE ref = 1");
    const again = here.open([waiting], {});
    expect((await again.show("a"))?.status).toBe("stranded");
    expect(await again.retry("a")).toBe(true);
    expect(await again.ended("a")).toMatchObject({ status: "succeeded", output: 2 });
  },
);

test("a stranded run can be cancelled", async () => {
  await twoWaiting();
  change("UPDATE runs SET input = '{' WHERE ref = 1");
  const engine = here.open([waiting], {});
  await engine.deliver(event("1", "go"));
  await until(async () => (await engine.show("a"))?.status === "stranded");
  expect(await engine.cancel("a")).toBe(true);
  expect(await engine.show("a")).toMatchObject({ status: "cancelled" });
});

test("an output that is too long to be recorded fails its run, and the others go on", async () => {
  const long = "x".repeat(2 ** 28);
  const big = workflowOf(async () => [long, long, long], { id: "big" });
  const engine = here.open([big, workflowOf(async (flow) => flow.step("One", () => 1))], {});
  await engine.start("big", null, { id: "a" });
  await engine.start("W", null, { id: "b" });
  expect((await engine.ended("a")).error?.name).toBe("DataError");
  expect((await engine.ended("b")).output).toBe(1);
  expect(engine.fault()).toBeUndefined();
});

test("a run is not blocked by a process that is killed again and again whether it goes on or not", async () => {
  const busy = workflowOf((flow) => flow.step("Busy", () => new Promise<never>(() => undefined)), { id: "busy" });
  let isDying = false;
  const live = () => {
    isDying = false;
    return here.open([busy], {}, {}, { committed: () => isDying });
  };
  let engine = live();
  await engine.start("busy", null, { id: "a" });
  for (let kills = 0; kills < 30; kills++) {
    isDying = true;
    void engine.prune(0).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await engine.close();
    engine = live();
  }
  expect((await engine.show("a"))?.status).toBe("running");
  expect(here.log.some(({ message }) => message.startsWith("The process has died before it executed runs"))).toBe(true);
});

test("a run during which the process dies again and again is tried alone, then is blocked, and others continue", async () => {
  const died: string[] = [];
  let isDeadly = true;
  const deadly = workflowOf(
    async (flow) =>
      flow.step("Die", async () => {
        if (!isDeadly) return "alive";
        died.push("a");
        return new Promise<never>(() => undefined);
      }),
    { id: "deadly" },
  );
  let isDying = false;
  const live = () => {
    isDying = false;
    return here.open([deadly, waiting], {}, {}, { committed: () => isDying });
  };
  let engine = live();
  await engine.start("W", null, { id: "b" });
  await engine.start("deadly", null, { id: "a" });
  for (let deaths = 1; deaths <= 6; deaths++) {
    await until(() => died.length === deaths);
    await until(async () => (await engine.show("b"))?.status === "waiting");
    isDying = true;
    void engine.prune(0).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await engine.close();
    engine = live();
  }
  await until(async () => (await engine.show("a"))?.status === "stranded");
  expect((await engine.show("a"))?.reason).toBe(
    "The process has died 6 times while the run was executed, 3 times with this run alone.",
  );
  expect(here.log.filter(({ message }) => message.includes("tried before all others"))).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ level: "warn", runs: 1 })),
  );
  await engine.deliver(event("1", "go"));
  expect((await engine.ended("b")).output).toBe(2);
  isDeadly = false;
  expect(await engine.retry("a")).toBe(true);
  expect((await engine.ended("a")).output).toBe("alive");
});

test("a run of which the row names no workflow is told as stranded, and the others go on", async () => {
  await twoWaiting();
  change("UPDATE runs SET workflow = 77 WHERE ref = 1");
  const engine = here.open([waiting], {});
  expect((await engine.list({})).runs.map(({ id, status }) => [id, status])).toEqual([
    ["b", "waiting"],
    ["a", "stranded"],
  ]);
  expect((await engine.show("a"))?.reason).toBe("What is recorded of the run names no workflow.");
  for (const id of ["1", "2"]) await engine.deliver(event(id, "go"));
  expect((await engine.ended("b")).output).toBe(2);
});

test("events are taken in where what listens to them is no run, as its row is damaged", async () => {
  await twoWaiting();
  change("UPDATE runs SET ref = 77 WHERE ref = 1");
  const engine = here.open([waiting], {});
  for (const id of ["1", "2"]) await engine.deliver(event(id, "go"));
  expect((await engine.ended("b")).output).toBe(2);
});

const damagedEvents = "UPDATE events SET text = '{' WHERE id = 'damaged'";
const passedOver = () => here.log.filter(({ message }) => message.startsWith("An event in the store cannot be read"));

test("an event that is damaged and came for a missing version is passed over as that is there again", async () => {
  await twoWaiting();
  const without = here.open([{ ...waiting, version: "2" }], {});
  for (const id of ["damaged", "2"]) await without.deliver(event(id, "go"));
  await without.close();
  change(damagedEvents);
  const again = here.open([waiting], {});
  expect((await again.ended("a")).output).toBe(2);
  expect((await again.show("b"))?.status).toBe("waiting");
  expect(passedOver()).toEqual([expect.objectContaining({ level: "error", reason: expect.stringContaining("JSON") })]);
});

test("an event that is damaged and waits for others to start a run with them starts none, and the next ones do", async () => {
  const both = workflowOf(() => Promise.resolve("started"), {
    events: { a: { type: "a" }, b: { type: "b" } },
    start: { on: [{ all: [["a"], ["b"]] }], complete: true },
  });
  const engine = here.open([both], {});
  await engine.deliver(event("damaged", "a"));
  await engine.close();
  change(damagedEvents);
  const again = here.open([both], {});
  for (const [id, type] of [
    ["2", "b"],
    ["3", "a"],
  ] as const)
    await again.deliver(event(id, type));
  await until(async () => (await again.list({ status: "succeeded" })).runs.length === 1);
  expect(passedOver()).toHaveLength(1);
});

test("a run that has a damaged event can be cancelled, and the others have what else it had", async () => {
  const engine = here.open([waiting], {});
  await engine.start("W", null, { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
  await engine.deliver(event("damaged", "go"));
  await engine.ended("a");
  await engine.close();
  change(`${damagedEvents}; UPDATE runs SET status = 'waiting', output = NULL, waits = '{'`);
  const again = here.open([waiting], {});
  expect(await again.show("a")).toMatchObject({ status: "waiting", waitingFor: { events: [] } });
  expect(await again.cancel("a")).toBe(true);
  expect((await again.show("a"))?.status).toBe("cancelled");
});

test("an event that came early and is damaged keeps no run from the next one", async () => {
  const later = workflowOf(
    async (flow) => {
      await flow.receive("Before");
      await flow.receive("Then");
      return "over";
    },
    {
      events: { before: { type: "before" }, go: { type: "go" } },
      waits: { Before: { alternatives: [{ all: [["before"]] }] }, Then: { alternatives: [{ all: [["go"]] }] } },
    },
  );
  const engine = here.open([later], {});
  await engine.start("W", null, { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
  for (const id of ["damaged", "2"]) await engine.deliver(event(id, "go"));
  await engine.close();
  change(damagedEvents);
  const again = here.open([later], {});
  await again.deliver(event("3", "before"));
  expect(await again.ended("a")).toMatchObject({ status: "succeeded", output: "over" });
});
