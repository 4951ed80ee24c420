import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type { AlternativeDefinition, Definition } from "../../../../targets/asl/runtime/definition.ts";
import { createDynamoDB, type Item, type SimulatedDynamoDB } from "../../../../targets/asl/simulator/dynamodb/index.ts";
import { behindWait, createScene } from "./receiving.ts";

const of = (...names: readonly string[]): AlternativeDefinition => ({
  all: names.map((event) => [{ event }]),
  none: [],
});

const definition: Definition = {
  group: "orders",
  workflows: [
    {
      id: "orders",
      events: ["ordered", "paid", "packed", "booked"].map((type) => ({
        ...{ name: type, type, key: "order" },
        correlation: (event: JsonObject): Json => event["order"] ?? null,
      })),
      waits: [
        { step: "Ordered", unused: "keep", alternatives: [of("ordered")] },
        { step: "Paid", unused: "keep", alternatives: [of("paid")] },
        { step: "Both", unused: "keep", alternatives: [of("paid", "packed")] },
      ],
      start: { machine: "W", behind: behindWait("Ordered"), complete: false, on: [of("ordered")] },
    },
  ],
};
const partitioned: Definition = { ...definition, key: "order" };

/** A table as the functions of form 1 have left it: one has crashed before it ended a Task, and one before a start. */
function tableOfForm1(): SimulatedDynamoDB {
  const table = createDynamoDB({ clock: { now: () => 1000, sleep: async () => {} } });
  const text = readFileSync(join(import.meta.dirname, "form-1.json"), "utf8");
  for (const Item of JSON.parse(text) as Item[]) table.perform("putItem", { TableName: "events", Item });
  return table;
}

const headOf = (table: SimulatedDynamoDB): Item =>
  (table.perform("getItem", { TableName: "events", Key: { pk: { S: "orders" }, sk: { S: "head" } } }) as { Item: Item })
    .Item;

test.each([
  ["in one partition", definition],
  ["in a partition for each value", partitioned],
])("runs that waited in form 1 go on %s", async (_, program) => {
  const scene = createScene(program, { table: tableOfForm1() });
  for (const run of ["waits", "has-one", "untold"]) scene.stepFunctions.openTask(run, run);
  await scene.event("paid", "1", { order: "o1" });
  await scene.event("paid", "1", { order: "o1" });
  await scene.event("paid", "2", { order: "o2" });
  await scene.wait("Paid", { run: "late", correlation: "o3" });
  scene.now += 60_000;
  await scene.sweep();
  expect(scene.inputs.map((input) => input.includes('"s2"'))).toEqual([true]);
  const started =
    "arn:aws:states:eu-west-1:1:execution:w:37fa3bfa97a4aa4693f6febcd002161a85ab7d04afe3b53226c9a6bce990f759";
  await scene.wait("Paid", { run: started, task: "started" });
  await scene.event("paid", "6", { order: "o6" });
  await scene.event("paid", "5", { order: "o5" });
  expect(Object.fromEntries(scene.told)).toEqual({
    waits: "0: 1",
    "has-one": "0: p1 2",
    late: "0: kept",
    untold: "0: p4",
    started: "0: 5",
  });
  await scene.sweep();
  expect(scene.started.length).toBe(1);
});

test("functions of form 1 refuse form 2", async () => {
  const table = tableOfForm1();
  await createScene(definition, { table })
    .event("paid", "1", { order: "o1" })
    .catch(() => undefined);
  expect(() => JSON.parse(headOf(table)["body"]!.S!) as Json).toThrow(/"Form 2: th/);
});

test("a later form is refused", async () => {
  const scene = createScene(definition);
  await scene.event("paid", "1", { order: "o1" });
  const Item = { ...headOf(scene.dynamodb), form: { N: "3" } };
  scene.dynamodb.perform("putItem", { TableName: "events", Item });
  await expect(scene.event("paid", "2", { order: "o1" })).rejects.toThrow(
    "The events in the table have form 3, but these functions read form 2. Deploy the functions that wrote them, or newer ones.",
  );
});

test("functions that divide events by value find what was stored together, also when they crash meanwhile", async () => {
  const before = createScene(definition);
  for (let i = 0; i < 5; i++) await before.wait("Both", { run: `run ${i}`, correlation: `o${i}` });
  for (let i = 0; i < 25; i++) await before.event("packed", `packed ${i}`, { order: `o${i % 5}` });
  let writes = 0;
  const crashing = new Proxy(before.dynamodb, {
    get: (target, name: keyof SimulatedDynamoDB) =>
      name !== "transactWriteItems"
        ? target[name]
        : async (request: object) => {
            if (++writes % 3 === 0) throw new Error("The function crashes.");
            return target.transactWriteItems(request);
          },
  });
  const again = createScene(partitioned, { table: crashing });
  for (let i = 0; i < 5; i++) again.stepFunctions.openTask(`run ${i}`, `run ${i}`);
  for (let i = 0; i < 5; i++)
    for (let attempt = 0; attempt < 20; attempt++)
      if (
        await again.event("paid", `paid ${i}`, { order: `o${i}` }).then(
          () => true,
          () => false,
        )
      )
        break;
  expect([...again.told]).toEqual(Array.from({ length: 5 }, (_, i) => [`run ${i}`, `0: packed ${i} paid ${i}`]));
});

test("functions refuse events that are divided by another key, or whose wait could not be found", async () => {
  const scene = createScene(partitioned);
  await scene.wait("Paid", { run: "r", correlation: "o" });
  const other = createScene(definition, { table: scene.dynamodb });
  await expect(other.event("paid", "1", { order: "o" })).rejects.toThrow(
    'The events of orders are stored by the value of "order", but these functions store them together.',
  );
  const single = createScene(definition);
  await single.wait("Paid", { run: "r" });
  await expect(createScene(partitioned, { table: single.dynamodb }).sweep()).rejects.toThrow(
    'The run r of orders waits without a value of "order"',
  );
});
