import { expect, test } from "vitest";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { receiving, Started } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { DynamoDB } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/index.ts";
import { runtimePlace } from "../place.ts";
import { inMemory } from "./table.ts";

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

/** A table of which the request of a number is not answered: it was not heard, or it is done. */
function breaking(client: DynamoDB, number: number, isDone: boolean): DynamoDB {
  let asked = 0;
  const request = async <T>(make: () => Promise<T>): Promise<T> => {
    asked += 1;
    if (asked !== number) return make();
    if (isDone) await make();
    throw new Error("Nobody answers.");
  };
  return {
    getItem: (wanted) => request(() => client.getItem(wanted)),
    transactWriteItems: (wanted) => request(() => client.transactWriteItems(wanted)),
  };
}

const breaks = Array.from({ length: 8 }, (_, i) => i + 1).flatMap((i) => [[i, false] as const, [i, true] as const]);

test.each(breaks)(
  "an event starts its run once where request %i is not answered (done: %s)",
  async (number, isDone) => {
    const launched: string[] = [];
    const dynamodb = breaking(inMemory().client, number, isDone);
    const launch = async ({ id }: Started) => void launched.push(id!);
    const ingest = module.receiving({ workflows: [workflow], functions: {} }, { dynamodb, launch });
    await ingest(delivered("1")).catch(() => ingest(delivered("1")));
    await ingest(delivered("1"));
    expect(new Set(launched).size).toBe(1);
  },
);
