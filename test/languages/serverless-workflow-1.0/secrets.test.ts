import { expect, test } from "vitest";
import { failuresOnAll } from "../../targets/on-all.ts";

const workflow = `document: { dsl: 1.0.3, namespace: test, name: ask, version: 1.0.0 }
use: { secrets: [pay] }
do:
  - ask:
      call: http
      with:
        method: get
        endpoint: '\${ "https://shop.example/" + $secrets.pay.path }'
        headers: { x-shop: "\${ $secrets.pay.key }", x-kind: k }
        output: response
`;

test("the request in a response has no secrets, and is what the definition gives otherwise", async () => {
  const scenarios = `scenarios:
- name: a response
  secrets: { pay: { path: hidden, key: hush } }
  functions: { ask: { returns: { statusCode: 200, headers: {}, content: 1 } } }
  expect:
    status: succeeded
    outputIs:
      request: { method: get, uri: null, headers: { x-kind: k } }
      statusCode: 200
      headers: {}
      content: 1
`;
  expect(await failuresOnAll(scenarios, [workflow], (each) => each, ["typescript"])).toEqual([]);
});
