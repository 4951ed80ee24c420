import { describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.ts";
import { checkBoundNames } from "../../src/configuration/unknown-names.ts";
import { check } from "../../src/index.ts";
import { positionOf } from "../../src/text/source.ts";

const definitions = [
  { name: "timeout", values: ["proceed", "fail"], fallback: "proceed", summary: "" },
  { name: "deployed", placeholder: "instant", summary: "" },
];

function read(text: string) {
  const found: string[] = [];
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, definitions, ({ code, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    found.push(`${line}:${column} ${code}`);
  });
  return { ...configuration, found };
}

/** A configuration that binds the function `f` for TypeScript. */
const bound = (binding: string) => read(`functions:\n  f:\n    typescript: ${binding}`);

describe("what may be set", () => {
  test.each([
    [
      "options: { timeout: fail, deployed: 2026-01-01T00:00:00Z }",
      { timeout: "fail", deployed: "2026-01-01T00:00:00Z" },
    ],
    ["options: {}", {}],
    ["", {}],
    ["# a comment only", {}],
    ["{}", {}],
  ])("%j", (text, wanted) => {
    const { options, found } = read(text);
    expect({ options, found }).toEqual({ options: wanted, found: [] });
  });
});

describe("what is wrong", () => {
  test.each([
    ["optoins: { timeout: fail }", ["1:1 WB0501"]],
    ["__proto__: { timeout: fail }", ["1:1 WB0501"]],
    ["- options", ["1:1 WB0502"]],
    ["options: [timeout]", ["1:10 WB0502"]],
    ["options: { timeout: [fail] }", ["1:21 WB0502"]],
    ["options: { timeout: fail }\n---\noptions: {}", ["3:1 WB0502"]],
    ["options: { timeuot: fail }", ["1:12 WB0503"]],
    ["options: { constructor: fail }", ["1:12 WB0503"]],
    ["options: { timeout: true }", ["1:21 WB0504"]],
    ["options: {", ["1:10 WB0005"]],
  ])("%j", (text, found) => expect(read(text).found).toEqual(found));

  test("is left out; the rest counts", () => {
    expect(read("options: { timeout: never, deployed: now }").options).toEqual({ deployed: "now" });
  });
});

describe("where functions are", () => {
  const plain = { headers: new Map() };
  test.each<[string, object]>([
    ["{ module: ./functions/charge.ts#charge }", { kind: "module", module: "./functions/charge.ts", name: "charge" }],
    ["{ module: '@acme/pay#default' }", { kind: "module", module: "@acme/pay", name: "default" }],
    [
      "{ http: 'POST https://pay.example.com/charge/{id}', timeout: 5 }",
      { kind: "http", request: "POST https://pay.example.com/charge/{id}", timeout: 5 },
    ],
    ["{ openapi: ./api.yaml#placeOrder }", { kind: "openapi", file: "./api.yaml", operation: "placeOrder" }],
    [
      "{ openapi: api.yaml#placeOrder, server: { env: SHOP } }",
      { kind: "openapi", file: "api.yaml", operation: "placeOrder", server: { env: "SHOP" } },
    ],
    [
      "{ grpc: ./orders.proto#shop.Orders/Place, address: 'orders:443' }",
      {
        kind: "grpc",
        file: "./orders.proto",
        service: "shop.Orders",
        method: "Place",
        address: "orders:443",
        tls: true,
      },
    ],
    [
      "{ grpc: o.proto#Orders/Place, address: 'localhost:1', tls: false }",
      { kind: "grpc", file: "o.proto", service: "Orders", method: "Place", address: "localhost:1", tls: false },
    ],
    [
      "{ headers: { authorization: { env: TOKEN, prefix: 'Bearer ' }, x-kind: a } }",
      {
        kind: "settings",
        headers: new Map<string, unknown>([
          ["authorization", { env: "TOKEN", prefix: "Bearer " }],
          ["x-kind", "a"],
        ]),
      },
    ],
  ])("%s", (text, wanted) => {
    const { functions, found } = bound(text);
    expect(found).toEqual([]);
    expect(functions.get("f")?.typescript).toMatchObject({ ...plain, ...wanted });
  });

  test("on other targets", () => {
    const text =
      "functions:\n  f: { asl: { lambda: 'FArn' }, openwhisk: { action: /_/pay/f } }\nevents:\n  e: { asl: { bus: default }, typescript: { sink: { env: SINK } } }";
    const { functions, events, found } = read(text);
    expect(found).toEqual([]);
    expect(functions.get("f")).toMatchObject({ asl: { lambda: "FArn" }, openwhisk: { action: "/_/pay/f" } });
    expect(events.get("e")).toMatchObject({ asl: { bus: "default" }, typescript: { sink: { env: "SINK" } } });
  });

  test("by names that are those of objects too", () => {
    const { functions } = read(
      "functions:\n  __proto__: { asl: { lambda: f } }\n  constructor: { asl: { lambda: g } }",
    );
    expect([...functions.keys()]).toEqual(["__proto__", "constructor"]);
  });
});

describe("what is wrong with bindings", () => {
  test.each<[string, readonly string[]]>([
    ["{ http: 'https://pay.example.com' }", ["3:25 WB1006"]],
    ["{ http: 'POST ftp://pay.example.com' }", ["3:25 WB1006"]],
    ["{ module: ./charge.ts }", ["3:27 WB1006"]],
    ["{ grpc: ./orders.proto#Place, address: a }", ["3:25 WB1006"]],
    ["{ grpc: ./orders.proto#Orders/Place }", ["3:19 WB1006"]],
    ["{ http: POST https://x.example, timeout: 301 }", ["3:58 WB1006"]],
    ["{ http: POST https://x.example, server: y }", ["3:49 WB1006"]],
    ["{ htpp: POST https://x.example }", ["3:19 WB1002"]],
    ["{ module: a#b, http: POST https://x.example }", ["3:32 WB0505"]],
    ["{ headers: { authorization: abc } }", ["3:45 WB0506"]],
    ["{ headers: { x-api-key: abc } }", ["3:41 WB0506"]],
    ["{ headers: { 'a b': c } }", ["3:30 WB1002"]],
    ["{ http: POST http://x.example, headers: { a: { env: A } } }", ["3:25 WB0507"]],
    ["{ http: POST http://localhost:80/, headers: { a: { env: A } } }", []],
    ["{ http: POST http://localhost.example/, headers: { a: { env: A } } }", ["3:25 WB0507"]],
    ["{ grpc: a.proto#S/M, address: 'x:1', tls: false, headers: { a: { env: A } } }", ["3:25 WB0507"]],
    ["{ headers: { a: { env: 'no name' } } }", ["3:40 WB1006"]],
    ["module", ["3:17 WB1004"]],
    ["{}", ["3:17 WB1006"]],
  ])("%s", (text, found) => expect(bound(text).found).toEqual(found));

  test("leaves all bindings out, and the options in", () => {
    const { functions, options, found } = read(
      "functions: { f: 1, g: { asl: { lambda: g } } }\noptions: { timeout: fail }",
    );
    expect([functions.size, options, found]).toEqual([0, { timeout: "fail" }, ["1:17 WB1004"]]);
  });
});

test("names that no definition has are told of, with the nearest that one has", async () => {
  const text = `
id: greet
name: Greet
version: '1.0'
functions: [{ name: greet, resource: greet }]
events: [{ name: Asked, type: t, source: s }]
states:
- { name: Greet, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: greet } }], end: { kind: default } }
`;
  const { program } = await check({ sources: [{ path: "greet.yaml", text }] });
  const bindings = "functions: { greet: {}, greeet: {}, other: {} }\nevents: { Asked: {}, asked: {} }";
  const configuration = readConfiguration({ path: "waybill.config.yaml", text: bindings }, [], () => undefined);
  const found: (string | undefined)[] = [];
  checkBoundNames(configuration, program!, ({ message, hint }) => found.push(message, hint));
  expect(found).toEqual([
    "No definition has a function `greeet`, so this binds nothing.",
    "Did you mean `greet`?",
    "No definition has a function `other`, so this binds nothing.",
    undefined,
    "No definition has an event `asked`, so this binds nothing.",
    "Did you mean `Asked`?",
  ]);
});
