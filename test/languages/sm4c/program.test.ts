import { expect, test } from "vitest";
import { functionServer } from "../../targets/typescript/functions/servers.ts";
import { programOf, ran } from "../programs.ts";

test("functions of an OpenAPI document are called as it says, and statuses from 400 on are errors", async () => {
  const server = await functionServer(({ method, url }, response) => {
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
    resources: [{ path: "desk.yaml", text: document }],
  });
  expect(await ran(folder, { id: 7 })).toEqual({
    output: { id: 7, problem: "no paper", done: { price: { price: 12 }, pack: { packed: true }, label: null } },
  });
  expect(server.asked.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    "GET /v1/prices/a%2Fb?currency=EUR ",
    'PUT /v1/orders/7/boxes {"boxes":2}',
    "POST /v1/labels {}",
  ]);
  expect(server.asked[1]!.headers["key"]).toBe("k");
}, 60_000);
