import type { Json, JsonObject } from "../../src/json.ts";
import { type Definition, rulesOf } from "../../targets/asl/runtime/definition.ts";
import { digest } from "../../targets/asl/runtime/digest.ts";
import { createHandlers } from "../../targets/asl/runtime/handlers.ts";
import { type Entry, eventEntries, headEntry, waitEntry } from "../../targets/asl/runtime/items.ts";
import type { DynamoDB } from "../../targets/asl/runtime/table.ts";
import { createDynamoDB, type SimulatedDynamoDB } from "../../targets/asl/simulator/dynamodb/index.ts";
import { createStepFunctions } from "../../targets/asl/simulator/step-functions.ts";
import { createVirtualClock, type VirtualClock } from "../virtual-clock.ts";
import { median } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";

/** Measures the event store of the asl target on a stand-in for DynamoDB with the latencies of the service. */
export async function eventRows(): Promise<readonly BenchmarkRow[]> {
  const [partitioned, single] = [await throughput("order", 1000), await throughput(undefined, 100)];
  const [few, many] = [await readUnits(1), await readUnits(10_000)];
  const kept = await keptEventsCosts(10_000);
  const units: { [waits: string]: number } = {};
  for (const waits of [0, 98, 1000, 100_000]) units[waits.toLocaleString("en")] = await unitsAfter(waits);
  return [
    {
      ...{ name: "asl events: for 1,000 runs at once, partitioned by value", unit: "events/s", limit: 1000 },
      ...{ isLeast: true, ...partitioned },
    },
    {
      ...{ name: "asl events: for 100 runs at once in one partition", unit: "events/s", limit: 15 },
      ...{ isLeast: true, ...single },
    },
    {
      ...{ name: "asl events: read for one of 10,000 waiting runs", unit: "read units", limit: 10 },
      ...{ value: many, parts: { "for the only one": few } },
    },
    {
      ...{ name: "asl events: first call for an event with 10,000 kept ones", unit: "ms", limit: 50 },
      ...{ value: kept.event.first, parts: { "later calls": kept.event.later } },
    },
    {
      ...{ name: "asl events: first call for a wait with 10,000 kept events", unit: "ms", limit: 150 },
      ...{ value: kept.wait.first, parts: { "later calls": kept.wait.later } },
    },
    {
      ...{ name: "asl events: read for an event with 10,000 kept ones", unit: "read units", limit: 30 },
      ...{ value: kept.readUnits, parts: {} },
    },
    {
      ...{ name: "asl events: more units after 100,000 timed-out waits", unit: "units", limit: 0 },
      ...{ value: Math.max(...Object.values(units)) - units["0"]!, parts: units },
    },
  ];
}

/** The latencies of the service, in milliseconds. */
const latencies = { read: 5, write: 8, transaction: 12, perMegabyte: 5 };
const taskLatency = 20;

const waitSeconds = 30 * 86_400;

/** A workflow that waits for the payment of its order. */
const definitionOf = (key: string | undefined): Definition => ({
  group: "orders",
  key,
  workflows: [
    {
      id: "orders",
      events: [{ name: "Paid", type: "paid", key: "order", correlation: (event: JsonObject): Json => event["order"]! }],
      waits: [
        { step: "Wait", unused: "keep", alternatives: [{ all: [[{ event: "Paid" }]], none: [], within: waitSeconds }] },
      ],
    },
  ],
});

function openStore(key: string | undefined, clock: VirtualClock, dynamodb: DynamoDB) {
  const stepFunctions = createStepFunctions({ clock, latency: taskLatency });
  const handlers = createHandlers(definitionOf(key), {
    dynamodb,
    stepFunctions,
    table: "events",
    machines: {},
    starts: false,
    now: clock.now,
    pause: clock.sleep,
  });
  const runOf = (i: number): string => `arn:aws:states:eu-west-1:111111111111:execution:orders:run-${i}`;
  return {
    stepFunctions,
    runOf,
    /** Run `i` waits for order `i`. */
    async wait(i: number): Promise<void> {
      const [run, task] = [runOf(i), taskOf(i)];
      stepFunctions.openTask(task, run);
      const started = new Date(clock.now()).toISOString();
      await handlers.wait({ step: "Wait", run, started, position: [], variables: {}, correlation: `order ${i}`, task });
    },
    async event(id: string, order: string): Promise<void> {
      await handlers.ingest({ id, source: "/shop", "detail-type": "paid", time: "", detail: paid(id, order) });
    },
  };
}

/** As long as a real task token. */
const taskOf = (i: number): string => "A".repeat(600) + i;

const paid = (id: string, order: string): JsonObject => ({
  ...{ specversion: "1.0", id, source: "/shop", type: "paid", order },
  data: { amount: 1, text: "x".repeat(500) },
});

/** One event for each of several waiting runs arrives at the same time. */
async function throughput(key: string | undefined, runs: number): Promise<Pick<BenchmarkRow, "value" | "parts">> {
  const clock = createVirtualClock();
  const dynamodb = createDynamoDB({ clock, latencies });
  const store = openStore(key, clock, dynamodb);
  for (let i = 0; i < runs; i++) await clock.run(store.wait(i));
  dynamodb.resetUsage();
  const start = clock.now();
  await clock.run(Promise.all(Array.from({ length: runs }, (_, i) => store.event(`event ${i}`, `order ${i}`))));
  const { requests, canceled } = dynamodb.usage();
  if (store.stepFunctions.results.size !== runs) throw new Error("Some runs have not received their events.");
  return {
    value: (runs / (clock.now() - start)) * 1000,
    parts: { transactions: requests.transactWriteItems!, canceled, "virtual ms": clock.now() - start },
  };
}

/** One event arrives for one of several runs that wait for events with different values. */
async function readUnits(runs: number): Promise<number> {
  const clock = createVirtualClock();
  const dynamodb = createDynamoDB({ clock });
  const store = openStore("order", clock, dynamodb);
  for (let i = 0; i < runs; i++) await store.wait(i);
  dynamodb.resetUsage();
  await clock.run(store.event("event", `order ${runs >> 1}`));
  return dynamodb.usage().readUnits;
}

/** The partition of groups that have one. */
const partition = "orders";

function putEntry(dynamodb: SimulatedDynamoDB, { sk, attributes, ttl }: Entry): void {
  const Item = { pk: { S: partition }, sk: { S: sk }, ...attributes, ttl: { N: String(ttl) } };
  dynamodb.perform("putItem", { TableName: "events", Item });
}

const layoutOf = { rules: rulesOf(definitionOf(undefined), () => undefined), kept: 7 * 86_400_000 };

/** The processor time of calls in milliseconds, without the simulated service: of the first ones, and of later ones. */
interface CallTimes {
  readonly first: number;
  readonly later: number;
}

/** What calls cost while many events are kept: of an event for the one waiting run, and of another wait that begins. */
async function keptEventsCosts(
  events: number,
): Promise<{ readonly event: CallTimes; readonly wait: CallTimes; readonly readUnits: number }> {
  const clock = createVirtualClock();
  const dynamodb = createDynamoDB({ clock });
  await openStore(undefined, clock, dynamodb).wait(0);
  const at = clock.now();
  for (let order = 1; order <= events; order++) {
    const stored = { order, at, event: paid(`kept ${order}`, `unused ${order}`), isFree: true };
    for (const entry of eventEntries(stored, true, layoutOf)) putEntry(dynamodb, entry);
  }
  putEntry(dynamodb, headEntry({ next: events + 1 }, 2, at));
  let serviceTime = 0;
  const readOnly: DynamoDB = {
    getItem: async () => ({}),
    async query(request) {
      const start = process.cpuUsage();
      const response = dynamodb.perform("query", request);
      serviceTime += process.cpuUsage(start).user;
      return response;
    },
    transactWriteItems: async () => ({}),
  };
  const calls = 20;
  const instances = 3;
  const timesOf = async (call: (store: ReturnType<typeof openStore>) => Promise<void>): Promise<CallTimes> => {
    const [first, later]: [number[], number[]] = [[], []];
    for (let instance = 0; instance < instances; instance++) {
      const store = openStore(undefined, clock, readOnly);
      for (let i = 0; i < calls; i++) {
        store.stepFunctions.openTask(taskOf(0), store.runOf(0));
        globalThis.gc?.();
        serviceTime = 0;
        const start = process.cpuUsage();
        await clock.run(call(store));
        const time = (process.cpuUsage(start).user - serviceTime) / 1000;
        if (i === 0) first.push(time);
        else if (i >= calls / 2) later.push(time);
      }
    }
    return { first: Math.max(...first), later: median(later) };
  };
  dynamodb.resetUsage();
  const event = await timesOf((store) => store.event("event", "order 0"));
  const { readUnits } = dynamodb.usage();
  const wait = await timesOf((store) => store.wait(1));
  return { event, wait, readUnits: readUnits / calls / instances };
}

/** The units that an event for a waiting run takes after others have timed out. */
async function unitsAfter(waits: number): Promise<number> {
  const clock = createVirtualClock();
  const dynamodb = createDynamoDB({ clock });
  const store = openStore(undefined, clock, dynamodb);
  const at = clock.now() - (waitSeconds + 3600) * 1000;
  for (let i = 1; i <= waits; i++) {
    const run = store.runOf(i);
    const times = { age: [at], since: at, at };
    const rest = { position: [], variables: {}, values: { order: `order ${i}` }, data: { task: taskOf(i) } };
    putEntry(dynamodb, waitEntry({ wait: { id: digest(run), run, step: "Wait", ...times, ...rest } }, layoutOf));
  }
  await store.wait(0);
  dynamodb.resetUsage();
  await clock.run(store.event("event", "order 0"));
  if (store.stepFunctions.results.size !== 1) throw new Error("The run has not received the event.");
  const { readUnits: read, writeUnits } = dynamodb.usage();
  return read + writeUnits;
}
