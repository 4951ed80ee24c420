import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPackageDefinition, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { expect, onTestFinished, test } from "vitest";
import { hostOf } from "../../host.ts";
import { startFunctionServer } from "../../targets/typescript/functions/servers.ts";
import { programOf, runProgram } from "../programs.ts";

test("calls functions as the OpenAPI document defines; statuses from 400 on are errors", async () => {
  const server = await startFunctionServer(({ method, url }, response) => {
    const answer = method === "PUT" ? { packed: true } : { price: 12 };
    if (url.startsWith("/v1/labels")) response.writeHead(503, { "content-type": "text/plain" }).end("no paper");
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const definition = `
name: shop
version: "1.0"
functions:
- { name: price, operation: "./desk.yaml#price" }
- { name: pack, operation: "desk.yaml#pack" }
- { name: label, operation: "desk.yaml#label" }
states:
- name: Work
  start: true
  enterAction:
    type: sequence
    actions:
    - { name: price, type: invokeFunction, functionName: price, arguments: { sku: a/b, currency: EUR } }
    - { name: pack, type: invokeFunction, functionName: pack, arguments: { id: "\${ .id }", boxes: 2, key: k } }
    - name: label
      type: invokeFunction
      functionName: label
      errorHandlers: [{ condition: '\${ .ClassName == "HTTP_503" }', resultHandler: "\${ .problem = $value.Message }" }]
  enterResultHandler: "\${ .done = $value }"
`;
  const document = `
openapi: 3.1.0
servers: [{ url: ${server.url}/v1 }]
paths:
  /prices/{sku}:
    parameters: [{ name: sku, in: path, required: true }]
    get: { operationId: price, parameters: [{ name: currency, in: query }] }
  /orders/{id}/boxes:
    put:
      operationId: pack
      parameters: [{ name: id, in: path, required: true }, { name: key, in: header }]
  /labels:
    post: { operationId: label }
`;
  const folder = await programOf({
    sources: [{ path: "shop.yaml", text: definition }],
    host: hostOf({ path: "desk.yaml", text: document }),
  });
  expect(await runProgram(folder, { id: 7 })).toEqual({
    output: { id: 7, problem: "no paper", done: { price: { price: 12 }, pack: { packed: true }, label: null } },
  });
  expect(server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    "GET /v1/prices/a%2Fb?currency=EUR ",
    'PUT /v1/orders/7/boxes {"boxes":2}',
    "POST /v1/labels {}",
  ]);
  expect(server.requests[1]!.headers["key"]).toBe("k");
}, 60_000);

interface Call {
  readonly request: { readonly orderId: string };
}
type Answer = (error: { readonly code: number; readonly details: string } | null, answer?: unknown) => void;

const proto = join(import.meta.dirname, "../../targets/typescript/functions/orders.proto");

/** A server of `shop.orders.Orders`, which accepts all orders but one; its address and received requests. */
async function grpcServer(): Promise<{ readonly address: string; readonly asked: readonly unknown[] }> {
  const asked: unknown[] = [];
  const loaded = loadPackageDefinition(loadSync(proto, { longs: String, enums: String }));
  const { Orders } = (loaded as never)["shop"]["orders"] as { readonly Orders: { readonly service: never } };
  const server = new Server();
  onTestFinished(() => server.forceShutdown());
  server.addService(Orders.service, {
    Place({ request }: Call, answer: Answer) {
      asked.push(request.orderId);
      if (request.orderId === "none") answer({ code: status.NOT_FOUND, details: "There is no order." });
      else answer(null, { number: "9007199254740993", express: true });
    },
    Watch() {},
    Clear() {},
  });
  const credentials = ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return { address: `127.0.0.1:${port}`, asked };
}

test("calls functions of a proto file by gRPC; statuses are errors", async () => {
  const { address, asked } = await grpcServer();
  const definition = `
name: shop
version: "1.0"
functions: [{ name: place, type: rpc, operation: "orders.proto#Orders#Place" }]
states:
- name: Work
  start: true
  enterAction:
    type: sequence
    actions:
    - { name: first, type: invokeFunction, functionName: place, arguments: { orderId: "\${ .id }", kind: EXPRESS } }
    - name: second
      type: invokeFunction
      functionName: place
      arguments: { orderId: none }
      errorHandlers: [{ resultHandler: "\${ .problem = [$value.ClassName, $value.Message] }" }]
  enterResultHandler: "\${ .done = $value }"
`;
  const folder = await programOf({
    sources: [{ path: "shop.yaml", text: definition }],
    host: hostOf({ path: "orders.proto", text: readFileSync(proto, "utf8") }),
    config: {
      path: "waybill.config.yaml",
      text: `functions: { place: { typescript: { server: '${address}', tls: false } } }`,
    },
  });
  expect(await runProgram(folder, { id: "7" })).toEqual({
    output: {
      id: "7",
      problem: ["NOT_FOUND", "There is no order."],
      done: { first: { number: "9007199254740993", express: true, seal: "" }, second: null },
    },
  });
  expect(asked).toEqual(["7", "none"]);
}, 60_000);
