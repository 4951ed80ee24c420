import { describe, expect, test } from "vitest";
import { configurationForTarget, readConfiguration } from "../../../../src/configuration/index.ts";
import type { Report } from "../../../../src/text/diagnostics.ts";
import { positionOf } from "../../../../src/text/source.ts";
import { readBindings } from "../../../../targets/typescript/bindings/configuration.ts";
import { typescript } from "../../../../targets/typescript/index.ts";

/** The binding of the function `f` in a configuration, and the diagnostics. */
function bound(binding: string) {
  const found: string[] = [];
  const report: Report = ({ code, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    found.push(`${line}:${column} ${code}`);
  };
  const text = `functions:\n  f:\n    typescript: ${binding}`;
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], [typescript], report);
  return { ...readBindings(configurationForTarget("typescript", configuration), report), found };
}

describe("valid bindings", () => {
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
    expect(functions.get("f")).toMatchObject({ ...plain, ...wanted });
  });
});

describe("diagnostics of bindings", () => {
  test.each<[string, readonly string[]]>([
    ["{ http: 'https://pay.example.com' }", ["3:25 WB1006"]],
    ["{ http: 'POST ftp://pay.example.com' }", ["3:25 WB1006"]],
    ["{ module: ./charge.ts }", ["3:27 WB1006"]],
    ["{ grpc: ./orders.proto#Place, address: a }", ["3:25 WB1006"]],
    ["{ grpc: ./orders.proto#Orders/Place }", ["3:19 WB1006"]],
    ["{ http: POST https://x.example, timeout: 86401 }", ["3:58 WB1006"]],
    ["{ http: POST https://x.example, server: y }", ["3:49 WB5308"]],
    ["{ htpp: POST https://x.example }", ["3:19 WB1007"]],
    ["{ module: a#b, http: POST https://x.example }", ["3:32 WB0505"]],
    ["{ headers: { authorization: abc } }", ["3:45 WB0506"]],
    ["{ headers: { x-api-key: abc } }", ["3:41 WB0506"]],
    ["{ headers: { 'a b': c } }", ["3:30 WB1002"]],
    ["{ http: POST http://x.example, headers: { a: { env: A } } }", ["3:25 WB0507"]],
    ["{ http: POST http://localhost:80/, headers: { a: { env: A } } }", []],
    ["{ http: POST http://localhost.example/, headers: { a: { env: A } } }", ["3:25 WB0507"]],
    ["{ grpc: a.proto#S/M, address: 'x:1', tls: false, headers: { a: { env: A } } }", ["3:25 WB0507"]],
    ["{ headers: { a: { env: 'no name' } } }", ["3:40 WB1006"]],
    ["module", ["3:17 WB0502"]],
    ["{}", ["3:17 WB1006"]],
  ])("%s", (text, found) => expect(bound(text).found).toEqual(found));
});
