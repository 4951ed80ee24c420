import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createLoader } from "../../../targets/typescript/load.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/face.ts";
import type { receiving, StartRequest } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { createMemoryTable, withLosses } from "./table.ts";

// The function that receives events: it may fail between any two requests and is called again.

const module = createLoader(runtimeFolder())("lambda.js") as { readonly receiving: typeof receiving };

const workflow = {
  id: "W",
  version: "1",
  name: "W",
  anyInput: true,
  events: { Paid: { type: "paid" } },
  start: { on: [{ all: [["Paid"]] }] },
  run: async () => null,
} as unknown as AnyWorkflow;

const delivered = (id: string) => ({
  id,
  source: "/till",
  "detail-type": "paid",
  time: "2026-01-01T00:00:00Z",
  detail: { specversion: "1.0", id, source: "/till", type: "paid" },
});

/** The number of requests per event without failures. */
async function countRequests(): Promise<number> {
  const { client, requestCount } = createMemoryTable();
  await module.receiving(
    { workflows: [workflow] },
    { dynamodb: client, launch: async () => undefined },
  )(delivered("1"));
  return requestCount();
}

const requests = Array.from({ length: await countRequests() }, (_, i) => i + 1);
const breaks = requests.flatMap((i) => [[i, false] as const, [i, true] as const]);

test.each(breaks)(
  "an event starts its run once if request %i gets no response (executed: %s)",
  async (number, isExecuted) => {
    const launched: string[] = [];
    const lost = isExecuted ? -number : number;
    const dynamodb = withLosses(
      createMemoryTable().client,
      (request) => request === lost,
      () => Promise.reject(new Error("No response.")),
    );
    const launch = async ({ id }: StartRequest) => void launched.push(id!);
    const ingest = module.receiving({ workflows: [workflow] }, { dynamodb, launch });
    await ingest(delivered("1")).catch(() => ingest(delivered("1")));
    await ingest(delivered("1"));
    expect(new Set(launched).size).toBe(1);
  },
);

test("an invalid event is rejected without access to the table", async () => {
  const { client, requestCount } = createMemoryTable();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch: async () => undefined });
  await expect(ingest(delivered("\ud800"))).rejects.toThrow(
    "The event cannot be taken in: `id` has half of a pair of surrogates.",
  );
  expect(requestCount()).toBe(0);
});

test("an event that is too large for a run is rejected without access to the table; a smaller one is accepted", async () => {
  const { client, requestCount } = createMemoryTable();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch: async () => undefined });
  const long = (bytes: number) => ({
    ...delivered("1"),
    detail: { ...delivered("1").detail, data: "x".repeat(bytes) },
  });
  await expect(ingest(long(258_000))).rejects.toThrow(
    "The event cannot be taken in: it has 258071 bytes, and a run on AWS Lambda receives 258048 at most.",
  );
  expect(requestCount()).toBe(0);
  await ingest(long(257_900));
});

/** AWS's event about a stopped execution. */
const stopped = (name: string, id: string) => ({
  id,
  source: "aws.lambda",
  "detail-type": "Durable Execution Status Change",
  time: "2026-01-01T00:00:00Z",
  detail: { durableExecutionName: name, status: "STOPPED" },
});

test("events of a stopped run are forgotten once, and start no other run", async () => {
  const launched: string[] = [];
  const launch = async ({ id }: StartRequest) => void launched.push(id!);
  const { client, items } = createMemoryTable();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch });
  await ingest(delivered("1"));
  const eventsIn = () => [...items.keys()].filter((key) => key.includes("\nevent#"));
  expect(eventsIn()).not.toEqual([]);
  await ingest(stopped("another", "3"));
  expect(eventsIn()).not.toEqual([]);
  const over = stopped(createHash("sha256").update(launched[0]!).digest("hex"), "4");
  await ingest(over);
  await ingest(over);
  expect(eventsIn()).toEqual([]);
  expect(launched).toHaveLength(1);
});

test("an event is accepted once, whatever the length of its id", async () => {
  const launched: string[] = [];
  const launch = async ({ id }: StartRequest) => void launched.push(id!);
  const { client } = createMemoryTable();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch });
  const id = "i".repeat(5000);
  await ingest(delivered(id));
  await ingest(delivered(id));
  expect(launched).toHaveLength(1);
});
