import { expect, test } from "vitest";
import { compile } from "../../../src/index.ts";
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

const token = `document: { dsl: 1.0.3, namespace: test, name: ask, version: 1.0.0 }
use: { secrets: [login] }
do:
  - ask:
      call: http
      with:
        method: get
        endpoint:
          uri: https://shop.example
          authentication:
            oauth2:
              authority: https://login.example
              grant: client_credentials
              client: { id: "\${ $secrets.login.user }", secret: "\${ $secrets.login }" }
`;

const emitted = async (target: "asl" | "openwhisk" | "typescript") =>
  compile({ sources: [{ path: "ask.yaml", text: token }], target });

test("the credentials of a token are read where it is requested", async () => {
  const { files, diagnostics } = await emitted("typescript");
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  const program = files.map(({ text }) => text).join("");
  expect(program).toMatch(
    /client: \{\s*id: \{ id: "login", key: "user" \},\s*secret: \{ id: "login", key: "value" \},?\s*\}/,
  );
});

test.each(["asl", "openwhisk"] as const)("%s needs a binding for a token", async (target) => {
  const { diagnostics } = await emitted(target);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
});
