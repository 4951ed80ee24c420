import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { receiving, Started } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/index.ts";
import { runtimePlace } from "../place.ts";
import { inMemory, losing } from "./table.ts";

// The function that takes events in, as it breaks off between any two requests and is called again.

const module = loaderOf(runtimePlace())("lambda.js") as { readonly receiving: typeof receiving };

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

/** How many requests the event takes when all of them are answered. */
async function requestsOfOne(): Promise<number> {
  const { client, asked } = inMemory();
  await module.receiving(
    { workflows: [workflow] },
    { dynamodb: client, launch: async () => undefined },
  )(delivered("1"));
  return asked();
}

const requests = Array.from({ length: await requestsOfOne() }, (_, i) => i + 1);
const breaks = requests.flatMap((i) => [[i, false] as const, [i, true] as const]);

test.each(breaks)(
  "an event starts its run once where request %i is not answered (done: %s)",
  async (number, isDone) => {
    const launched: string[] = [];
    const lost = isDone ? -number : number;
    const dynamodb = losing(
      inMemory().client,
      (request) => request === lost,
      () => Promise.reject(new Error("Nobody answers.")),
    );
    const launch = async ({ id }: Started) => void launched.push(id!);
    const ingest = module.receiving({ workflows: [workflow] }, { dynamodb, launch });
    await ingest(delivered("1")).catch(() => ingest(delivered("1")));
    await ingest(delivered("1"));
    expect(new Set(launched).size).toBe(1);
  },
);

test("an event that is none is refused, and nothing is asked of the table", async () => {
  const { client, asked } = inMemory();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch: async () => undefined });
  await expect(ingest(delivered("\ud800"))).rejects.toThrow(
    "The event cannot be taken in: `id` has half of a pair of surrogates.",
  );
  expect(asked()).toBe(0);
});

test("an event of which no run could be told is refused, and nothing is asked of the table; a shorter one is taken in", async () => {
  const { client, asked } = inMemory();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch: async () => undefined });
  const long = (bytes: number) => ({
    ...delivered("1"),
    detail: { ...delivered("1").detail, data: "x".repeat(bytes) },
  });
  await expect(ingest(long(258_000))).rejects.toThrow(
    "The event cannot be taken in: it has 258071 bytes, and a run on AWS Lambda can be told of 258048 at most.",
  );
  expect(asked()).toBe(0);
  await ingest(long(257_900));
});

/** What AWS tells of an execution that somebody has stopped. */
const stopped = (name: string, id: string) => ({
  id,
  source: "aws.lambda",
  "detail-type": "Durable Execution Status Change",
  time: "2026-01-01T00:00:00Z",
  detail: { durableExecutionName: name, status: "STOPPED" },
});

test("an event that a run might have used starts another when that is stopped", async () => {
  const launched: string[] = [];
  const launch = async ({ id }: Started) => void launched.push(id!);
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: inMemory().client, launch });
  await ingest(delivered("1"));
  await ingest(delivered("2"));
  await ingest(stopped("another", "3"));
  expect(launched).toHaveLength(1);
  const over = stopped(createHash("sha256").update(launched[0]!).digest("hex"), "4");
  await ingest(over);
  await ingest(over);
  expect(new Set(launched).size).toBe(2);
});

test("an event is taken in once whatever the length of its id", async () => {
  const launched: string[] = [];
  const launch = async ({ id }: Started) => void launched.push(id!);
  const { client } = inMemory();
  const ingest = module.receiving({ workflows: [workflow] }, { dynamodb: client, launch });
  const id = "i".repeat(5000);
  await ingest(delivered(id));
  await ingest(delivered(id));
  expect(launched).toHaveLength(1);
});
