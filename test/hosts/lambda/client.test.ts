import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLoader } from "../../../targets/typescript/load.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/face.ts";
import type { receiving, StartRequest } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { DynamoDB } from "../../../targets/typescript/runtime/hosts/lambda/table.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { createMemoryTable } from "./table.ts";

// The table through AWS's client, against a simulated DynamoDB over HTTP.

const module = createLoader(runtimeFolder())("lambda.js") as { readonly receiving: typeof receiving };

/** The protocol has bytes in base64. */
const decode = (request: unknown) =>
  JSON.parse(JSON.stringify(request), (key, value) => (key === "B" ? Buffer.from(value, "base64") : value));
const encode = (answer: unknown) =>
  JSON.stringify(answer, (_, value) => (value?.type === "Buffer" ? Buffer.from(value.data).toString("base64") : value));

const methods: string[] = [];
const { client } = createMemoryTable();
const server = createServer(async (request, response) => {
  const [, method = ""] = String(request.headers["x-amz-target"]).split(".");
  methods.push(method);
  const input = decode(await json(request));
  const answer =
    method === "GetItem"
      ? client.getItem(input)
      : method === "Query"
        ? client.query(input)
        : client.transactWriteItems(input as Parameters<DynamoDB["transactWriteItems"]>[0]);
  response.setHeader("Content-Type", "application/x-amz-json-1.0");
  answer.then(
    (value) => response.end(encode(value ?? {})),
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

test("each event starts one run, and duplicates start none", { timeout: 30_000 }, async () => {
  const workflow = {
    id: "W",
    version: "1",
    name: "W",
    anyInput: true,
    events: { Paid: { type: "paid" } },
    start: { on: [{ all: [["Paid"]] }] },
    run: async () => null,
  } as unknown as AnyWorkflow;
  const launched: StartRequest[] = [];
  const launch = async (started: StartRequest) => void launched.push(started);
  const ingest = module.receiving({ workflows: [workflow] }, { launch });
  const delivered = (id: string) => {
    const detail = { specversion: "1.0", id, source: "/till", type: "paid", data: "\u00e4".repeat(1000) };
    return { id, source: "/till", "detail-type": "paid", time: "2026-01-01T00:00:00Z", detail };
  };
  await ingest(delivered("0"));
  await Promise.all(["1", "1", "2"].map((id) => ingest(delivered(id))));
  await ingest(delivered("2"));
  const started = new Map(launched.map(({ id, taken = [] }) => [id, taken.map(({ event }) => event.id)]));
  expect([...started.values()].sort()).toEqual([["0"], ["1"], ["2"]]);
  expect(new Set(methods)).toEqual(new Set(["GetItem", "Query", "TransactWriteItems"]));
});
