import type { JsonObject } from "../../src/json.ts";
import { defaultSettings, type Operation } from "../../targets/openwhisk/runtime/actions/action.ts";
import { eventOperations } from "../../targets/openwhisk/runtime/actions/event-operations.ts";
import type { EventProgram } from "../../targets/openwhisk/runtime/actions/event-rules.ts";
import type { Platform } from "../../targets/openwhisk/runtime/actions/platform.ts";
import { createDocuments } from "../../targets/openwhisk/runtime/store/documents.ts";
import { createMemoryStore } from "../../targets/openwhisk/runtime/store/memory.ts";
import type { Store } from "../../targets/openwhisk/runtime/store/store.ts";
import type { BenchmarkRow } from "./row.ts";

/** Measures the events of the openwhisk target: processor time and accesses of the store, without a network. */
export async function openwhiskEventRows(): Promise<readonly BenchmarkRow[]> {
  const partitioned = await measure(1000, "order");
  const single = await measure(1000, undefined);
  const kept = await measure(1000, "order", 10_000);
  return [
    {
      ...{ name: "openwhisk events: 1,000 waiting runs, partitioned by value", unit: "events/s", limit: 250 },
      ...{ isLeast: true, ...partitioned },
    },
    {
      ...{ name: "openwhisk events: 1,000 waiting runs in one partition", unit: "events/s", limit: 10 },
      ...{ isLeast: true, ...single },
    },
    {
      ...{ name: "openwhisk events: with 10,000 events kept for other runs", unit: "events/s", limit: 250 },
      ...{ isLeast: true, ...kept },
    },
  ];
}

const flow = "/_/shop/orders";

const programOf = (key: string | undefined): EventProgram => ({
  flows: [{ flow, group: "orders", definitions: { Paid: { type: "paid", attribute: "order", key: "order" } } }],
  ...(key !== undefined && { keys: { orders: key } }),
});

const eventOf = (order: string): JsonObject => ({
  ...{ specversion: "1.0", id: `paid ${order}`, source: "bank", type: "paid", order },
  data: { amount: 10, note: "x".repeat(500) },
});

/** Runs wait for the payments of their orders; then the payments arrive, one after the other. */
async function measure(
  runs: number,
  key: string | undefined,
  kept = 0,
): Promise<Pick<BenchmarkRow, "value" | "parts">> {
  let [accesses, activations, resumed] = [0, 0, 0];
  const memory = createMemoryStore(() => Date.now());
  const counted = <T>(access: Promise<T>): Promise<T> => {
    accesses += 1;
    return access;
  };
  const store: Store = {
    get: (name) => counted(memory.get(name)),
    put: (...given) => counted(memory.put(...given)),
    remove: (...given) => counted(memory.remove(...given)),
    keys: (prefix) => counted(memory.keys(prefix)),
    close: memory.close,
  };
  const platform: Platform = {
    start: async () => `${++resumed}`,
    ...{ call: async () => ({}), request: async () => ({}), fire: async () => undefined },
    ...{ setAlarm: async () => undefined, removeAlarm: async () => undefined },
  };
  const { conductor, event } = eventOperations(programOf(key));
  const activate = (operation: Operation, request: JsonObject): Promise<JsonObject> =>
    operation(request, {
      ...{ platform, settings: defaultSettings, secrets: {}, sign: (state) => state },
      documents: createDocuments(store, { sleep: async () => undefined }),
      ...{ now: () => Date.now(), sleep: async () => undefined, id: `a${++activations}` },
    });
  for (let i = 0; i < kept; i++) await activate(event!, eventOf(`other ${i}`));
  const began = Date.now();
  for (let i = 0; i < runs; i++) {
    const $waybill = { flow, run: `run ${i}`, began, state: "next", stack: [] };
    const wait = { id: "Wait", alternatives: [{ all: [[{ event: "Paid" }]] }] };
    await activate(conductor["suspend"]!, { wait, token: `${i}`, $waybill });
  }
  accesses = 0;
  const start = performance.now();
  for (let i = 0; i < runs; i++) await activate(event!, eventOf(`${i}`));
  const seconds = (performance.now() - start) / 1000;
  if (resumed !== runs) throw new Error(`${resumed} of ${runs} runs were resumed.`);
  return { value: runs / seconds, parts: { "accesses of the store per event": accesses / runs } };
}
