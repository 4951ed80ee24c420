import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { receiving, Started } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { DynamoDB } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/index.ts";
import { runtimePlace } from "../place.ts";
import { inMemory } from "./table.ts";

// The table by the client of AWS, as programs have it, which speaks with what stands for DynamoDB over HTTP.

const module = loaderOf(runtimePlace())("lambda.js") as { readonly receiving: typeof receiving };

/** What the client sends and gets has bytes in base64. */
const decoded = (request: unknown) =>
  JSON.parse(JSON.stringify(request), (key, value) => (key === "B" ? Buffer.from(value, "base64") : value));
const encoded = (answer: unknown) =>
  JSON.stringify(answer, (_, value) => (value?.type === "Buffer" ? Buffer.from(value.data).toString("base64") : value));

const asked: string[] = [];
const { client } = inMemory();
const server = createServer(async (request, response) => {
  const [, method = ""] = String(request.headers["x-amz-target"]).split(".");
  asked.push(method);
  const given = decoded(await json(request));
  const answer =
    method === "GetItem"
      ? client.getItem(given)
      : client.transactWriteItems(given as Parameters<DynamoDB["transactWriteItems"]>[0]);
  response.setHeader("Content-Type", "application/x-amz-json-1.0");
  answer.then(
    (value) => response.end(encoded(value ?? {})),
    ({ name, message, CancellationReasons }) => {
      response.statusCode = 400;
      response.end(
        JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, CancellationReasons }),
      );
    },
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "nobody");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "nothing");
  vi.stubEnv("EVENTS_TABLE", "events");
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

test("an event starts a run once, which has those first that come at once behind it", { timeout: 30_000 }, async () => {
  const workflow = {
    id: "W",
    version: "1",
    name: "W",
    anyInput: true,
    events: { Paid: { type: "paid" } },
    start: { on: [{ all: [["Paid"]] }] },
    run: async () => null,
  } as unknown as AnyWorkflow;
  const launched: Started[] = [];
  const launch = async (started: Started) => void launched.push(started);
  const ingest = module.receiving({ workflows: [workflow] }, { launch });
  const delivered = (id: string) => {
    const detail = { specversion: "1.0", id, source: "/till", type: "paid", data: "\u00e4".repeat(1000) };
    return { id, source: "/till", "detail-type": "paid", time: "2026-01-01T00:00:00Z", detail };
  };
  await ingest(delivered("0"));
  await Promise.all(["1", "1", "2"].map((id) => ingest(delivered(id))));
  await ingest(delivered("2"));
  expect(launched.flatMap(({ taken = [] }) => taken.map(({ event }) => event.id))).toEqual(["0"]);
  expect(new Set(asked)).toEqual(new Set(["GetItem", "TransactWriteItems"]));
});
