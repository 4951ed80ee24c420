import { loadPackageDefinition, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { reflected } from "../../../../targets/typescript/runtime/functions/grpc-reflection.ts";
import { stepOf } from "./servers.ts";

interface UnaryCall {
  readonly request: { readonly orderId: string; readonly kind: string };
  readonly metadata: { get(name: string): unknown[] };
}
type UnaryCallback = (error: { code: number; details: string } | null, answer?: unknown) => void;

const definition = loadSync(`${import.meta.dirname}/orders.proto`, { longs: String, enums: String });
const service = "shop.orders.Orders";
const servers: Server[] = [];
const seen: { request: unknown; token: unknown; kind: unknown }[] = [];
let address: string;
let silent: string;

async function started(describe: (server: Server) => void): Promise<string> {
  const server = new Server();
  servers.push(server);
  const { Orders } = (loadPackageDefinition(definition) as never)["shop"]["orders"] as {
    readonly Orders: { readonly service: never };
  };
  server.addService(Orders.service, {
    Place({ request, metadata }: UnaryCall, answer: UnaryCallback) {
      seen.push({ request, token: metadata.get("authorization")[0], kind: metadata.get("x-kind")[0] });
      if (request.orderId === "none") answer({ code: status.NOT_FOUND, details: "There is no order." });
      else answer(null, { number: "9007199254740993", express: request.kind === "EXPRESS", seal: Buffer.from("ok") });
    },
    Watch() {},
    Clear: (_: UnaryCall, answer: UnaryCallback) => answer(null, {}),
  });
  describe(server);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
}

beforeAll(async () => {
  address = await started((server) => new ReflectionService(definition).addToServer(server));
  silent = await started(() => undefined);
});
afterAll(() => {
  for (const server of servers) server.forceShutdown();
});

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    ({ name, message }) => ({ name, message }),
  );

const call = reflected({ tls: false, failure: "GRPC_CALL_" });

test("a method is called according to server reflection", async () => {
  const argument = { endpoint: address, method: `${service}/Place`, body: { orderId: "7", kind: "EXPRESS" } };
  const answer = { number: "9007199254740993", express: true, seal: "b2s=" };
  expect(await call(argument, stepOf())).toEqual(answer);
  expect(await call({ ...argument, body: JSON.stringify(argument.body) }, stepOf())).toEqual(answer);
});

test("headers are sent as metadata; configured ones take precedence", async () => {
  vi.stubEnv("TEST_TOKEN", "hush");
  const authorized = reflected({ tls: false, metadata: { authorization: { env: "TEST_TOKEN", prefix: "Bearer " } } });
  const headers = { Authorization: "mine", "X-Kind": "k" };
  await authorized({ endpoint: address, method: `${service}/Place`, headers, body: "" }, stepOf());
  expect(seen.at(-1)).toMatchObject({ token: "Bearer hush", kind: "k" });
});

describe("failures", () => {
  test.each<[string, () => object, string]>([
    ["a status", () => ({ method: `${service}/Place`, body: '{"orderId": "none"}' }), "GRPC_CALL_NOT_FOUND"],
    ["an unknown method", () => ({ method: `${service}/Drop` }), "GRPC_CALL_UNIMPLEMENTED"],
    ["a method of `Object.prototype`", () => ({ method: `${service}/constructor` }), "GRPC_CALL_UNIMPLEMENTED"],
    ["a stream", () => ({ method: `${service}/Watch` }), "GRPC_CALL_UNIMPLEMENTED"],
    [
      "a service that there is not",
      () => ({ method: "no.Such/Place" }),
      "GRPC_CALL_INVALID_REFLECTION_SERVER_RESPONSE",
    ],
    [
      "a server without reflection",
      () => ({ endpoint: silent, method: `${service}/Place` }),
      "GRPC_CALL_INVALID_REFLECTION_SERVER_RESPONSE",
    ],
    ["connection refused", () => ({ endpoint: "127.0.0.1:1", method: `${service}/Place` }), "GRPC_CALL_UNAVAILABLE"],
    ["no method", () => ({}), "ArgumentError"],
    ["a body that is not an object", () => ({ method: `${service}/Place`, body: "[1]" }), "ArgumentError"],
    ["a body that is not JSON", () => ({ method: `${service}/Place`, body: "{" }), "ArgumentError"],
  ])("%s", async (_, argument, name) => {
    expect(await failing(call({ endpoint: address, ...argument() }, stepOf()))).toMatchObject({ name });
  });
});
