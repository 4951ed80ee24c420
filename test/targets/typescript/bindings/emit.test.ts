import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emit, emitForAll, members } from "./emitting.ts";

const bind = (name: string, binding: string) => `functions:\n  ${name}:\n    typescript: ${binding}\n`;

describe("a function is implemented", () => {
  test.each<[string, Parameters<typeof emit>[0][number], string, string]>([
    ["by a module", "charge", "{ module: ./functions/charge.ts#charge }", "charge,"],
    ["by an export of another name", "charge", "{ module: ./pay.ts#payNow }", "charge: payNow,"],
    ["by the default of a package", "charge", "{ module: '@acme/pay#default' }", "charge,"],
    [
      "by an address",
      "charge",
      "{ http: POST https://pay.example.com/ }",
      'charge: http("POST https://pay.example.com/"),',
    ],
    [
      "with settings",
      "charge",
      "{ http: PUT https://pay.example.com/, timeout: 5, headers: { a-b: c, d: { env: D, prefix: 'x ' } } }",
      'charge: http("PUT https://pay.example.com/", { headers: { "a-b": "c", d: { env: "D", prefix: "x " } }, timeout: 5 }),',
    ],
    [
      "by the address of the definition",
      ["charge", "https://pay.example.com/"],
      "{ timeout: 5 }",
      'charge: http("POST https://pay.example.com/", { timeout: 5 }),',
    ],
    ["by a name that is no identifier", "charge card", "{ module: ./a.ts#b }", '"charge card": b,'],
  ])("%s", async (_how, given, binding, text) => {
    const name = typeof given === "string" ? given : given[0];
    const { text: module, found } = await emit([given], bind(JSON.stringify(name), binding));
    expect(found).toEqual([]);
    expect(members(module)).toBe(text);
  });

  test("by an error, with a warning, if it is not bound", async () => {
    const { text, found } = await emit(["charge"], "");
    expect(found).toEqual([
      "workflow.yaml:1:1 WB5301 Function `charge` is not bound, so calls of it fail with `NotImplemented`.",
    ]);
    expect(members(text)).toContain(
      [
        "  throw new WorkflowError(",
        '    "NotImplemented",',
        '    "The function charge is not implemented. Bind it in waybill.config.yaml.",',
        "  );",
      ].join("\n"),
    );
  });

  test("as the definition says, with settings of the configuration, or by its binding", async () => {
    const charge = ["charge", "https://pay.example.com/"] as const;
    const given = async (binding: string) => {
      const { text, found } = await emit([charge], bind("charge", binding));
      expect(found).toEqual([]);
      return members(text);
    };
    expect(members((await emit([charge], "")).text)).toBe('charge: http("POST https://pay.example.com/"),');
    expect(await given("{ timeout: 5 }")).toBe('charge: http("POST https://pay.example.com/", { timeout: 5 }),');
    expect(await given("{ module: ./a.ts#charge }")).toBe("charge,");
    expect(await given("{ http: PUT https://staging.example.com/, headers: { x-stage: a }, timeout: 5 }")).toBe(
      'charge: http("PUT https://staging.example.com/", { headers: { "x-stage": "a" }, timeout: 5 }),',
    );
  });

  test("with the limits of its binding", async () => {
    const given = async (functions: Parameters<typeof emit>[0], binding: string) => {
      const { text, found } = await emit(functions, bind("charge", binding));
      expect(found).toEqual([]);
      return members(text);
    };
    expect(await given(["charge"], "{ module: ./a.ts#charge, concurrency: 2 }")).toBe(
      "charge: limited(charge, { concurrency: 2 }),",
    );
    expect(await given([["charge", "https://pay.example.com/"]], "{ rate: 0.5, concurrency: 2, timeout: 5 }")).toBe(
      'charge: limited(http("POST https://pay.example.com/", { timeout: 5 }), { concurrency: 2, rate: 0.5 }),',
    );
  });

  test.each([
    ["https://ann:secret@pay.example.com/", "WB5315"],
    ["https://{tenant}.example.com/", "WB5314"],
    ["http://{tenant}", "WB5314"],
  ])("not by the URL %s, bound or defined", async (address, code) => {
    const defined = await emit([["charge", address]], "");
    expect(defined.found.map((line) => line.slice(0, 24))).toEqual([`workflow.yaml:1:1 ${code}`]);
    const bound = await emit(["charge"], bind("charge", `{ http: 'POST ${address}' }`));
    expect(bound.found.map((line) => line.slice(0, 36))).toEqual([`shop/waybill.config.yaml:3:25 ${code}`]);
  });

  test("once for all workflows that call it", async () => {
    const { text, found } = await emitForAll([[["f", "https://a.example/"]], ["f"], [["f", "https://a.example/"]]], "");
    expect(found).toEqual([]);
    expect(members(text)).toBe('f: http("POST https://a.example/"),');
    expect((await emitForAll([["f"], [["f", "https://a.example/"]]], "")).text).toContain("a.example");
  });

  test("separately for a workflow whose definition gives another URL, unless it is bound", async () => {
    const both: Parameters<typeof emitForAll>[0] = [["e", ["f", "https://a.example/"]], [["f", "https://b.example/"]]];
    const { text, found } = await emitForAll(both, bind("e", "{ module: ./e.ts#e }"));
    expect(found).toEqual([]);
    expect(
      text.slice(text.indexOf("export const")),
    ).toBe(`export const functions: GreetFunctions = withOwn<GreetFunctions>(
  { e, f: http("POST https://a.example/") },
  { greet2: { f: http("POST https://b.example/") } satisfies Greet2Functions },
);
`);
    const places = both.map((functions) => functions.map((each) => (typeof each === "string" ? each : each[0])));
    expect((await emitForAll(places, bind("f", "{ module: ./f.ts#f }"))).text).not.toContain("withOwn");
  });
});

describe("an import", () => {
  test("is not repeated and has a unique name", async () => {
    const binding =
      "functions:\n  a: { typescript: { module: './m.ts#http' } }\n  b: { typescript: { http: GET https://b.example } }\n  c: { typescript: { module: './m.ts#http' } }\n";
    const { text } = await emit(["a", "b", "c"], binding);
    expect(text.split("\n").slice(2, 5)).toEqual([
      'import type { Functions as GreetFunctions } from "./greet.ts";',
      'import { http as http2, http as http3 } from "./m.ts";',
      'import { http } from "./runtime.js";',
    ]);
  });

  test("may have any name", async () => {
    expect((await emit(["a"], bind("a", "{ module: './m.ts#not-a-name' }"))).text).toContain(
      'import { "not-a-name" as notAName } from "./m.ts";',
    );
  });
});

test("hostile names are escaped in strings and comments", async () => {
  const name = '"}; evil(); //*/\u2028`$`';
  const { text } = await emit([name, "__proto__"], "");
  expect(members(text)).toContain(`'"}; evil(); //*/\\u2028\`$\`': async () => {`);
  expect(members(text)).toContain('["__proto__"]: async () => {');
});

test("sinks are listed by event type", async () => {
  const { text } = await emit([], "events:\n  paid: { typescript: { sink: { env: BROKER }, timeout: 3 } }\n");
  expect(text).toContain(
    'export const sinks: { readonly [type: string]: Sink } = { "order.paid": { url: { env: "BROKER" }, timeout: 3 } };',
  );
});

const api = { "shop/api.yaml": readFileSync(`${import.meta.dirname}/api.yaml`, "utf8") };

describe("an operation of an OpenAPI document", () => {
  test("is printed with its parameters and the types of argument and result", async () => {
    const { text, found } = await emit(["place"], bind("place", "{ openapi: ./api.yaml#placeOrder, timeout: 9 }"), api);
    expect(found).toEqual([]);
    expect(members(text)).toBe(`/** \`placeOrder\` of ./api.yaml: PUT /orders/{id} */
place: openapi(
  {
    method: "PUT",
    server: "https://eu.shop.example.com/v1",
    path: "/orders/{id}",
    parameters: [
      { name: "dryRun", in: "query" },
      { name: "X-Trace", in: "header", required: true },
      { name: "filter", in: "query", style: "deepObject" },
      { name: "tags", in: "query", style: "joined" },
    ],
    body: "rest",
    bodyRequired: true,
  },
  { timeout: 9 },
),`);
    expect(text).toContain(`export type PlaceArgument = {
  readonly id: string;
  readonly dryRun?: boolean;
  readonly "X-Trace": string;
  readonly filter?: JsonObject;
  readonly tags?: readonly string[];
} & Order;`);
    expect(text).toContain("export type PlaceAnswer = Placed;");
    expect(text).toContain(
      '/** What is ordered. *\\/ not the end */\nexport type Order = {\n  readonly items: readonly Item[];\n  readonly "gift note"?: string | null;\n  readonly kind?: "usual" | "express";\n};',
    );
    expect(text).toContain("export type Item = { readonly name: string; readonly parts?: readonly Item[] };");
  });

  test.each([
    ["readOrder", '{ method: "GET", server: "https://eu.shop.example.com/v1", path: "/orders/{id}" }', "Placed"],
    ["dropOrder", '{ method: "DELETE", server: "https://eu.shop.example.com/v1", path: "/orders/{id}" }', "null"],
    ["placeAll", '{ method: "POST", server: "https://eu.shop.example.com/v1", path: "/batch", body: "rest" }', "null"],
    [
      "note",
      '{ method: "POST", server: "https://eu.shop.example.com/v1", path: "/notes/{id}", body: "member" }',
      "null",
    ],
  ])("%s", async (operation, text, answer) => {
    const { text: module } = await emit(["f"], bind("f", `{ openapi: api.yaml#${operation} }`), api);
    expect(members(module).replace(/\/\*\*.*\n/, "")).toBe(`f: openapi(${text}),`);
    expect(module).toContain(`export type FAnswer = ${answer};`);
  });

  test("is called on the server of the binding", async () => {
    const { text } = await emit(["f"], bind("f", "{ openapi: api.yaml#elsewhere, server: { env: SHOP } }"), api);
    expect(text).toContain('server: { env: "SHOP" }');
  });

  test("shares types with other operations of the document", async () => {
    const binding =
      "functions:\n  a: { typescript: { openapi: api.yaml#placeOrder } }\n  b: { typescript: { openapi: api.yaml#readOrder } }\n";
    const { text } = await emit(["a", "b"], binding, api);
    expect(text.match(/export type Order\b/g)).toHaveLength(1);
    expect(text).toContain("export type BAnswer = Placed;");
  });

  test.each<[string, string, string]>([
    [
      "{ openapi: none.yaml#x }",
      "3:26",
      "WB5304 Cannot read `shop/none.yaml`: the file was not passed to the compiler.",
    ],
    ["{ openapi: ../shop/api.yaml#plaseOrder }", "3:26", "WB5306 `shop/api.yaml` has no operation `plaseOrder`."],
    ["{ openapi: api.yaml#upload }", "3:26", "WB5307 `upload` cannot be called: its body is not JSON."],
    [
      "{ openapi: api.yaml#odd }",
      "3:26",
      "WB5307 `odd` cannot be called: its path contains `{what}`, which is not a parameter.",
    ],
    [
      "{ openapi: api.yaml#elsewhere }",
      "3:26",
      "WB5307 `elsewhere` cannot be called: its document contains no usable server URL.",
    ],
  ])("%s", async (binding, place, message) => {
    const { found, text } = await emit(["f"], bind("f", binding), api);
    expect(found).toEqual([
      `shop/waybill.config.yaml:${place} ${message}`.replace(":3:26", `:3:${binding.startsWith("{ openapi") ? 28 : 0}`),
    ]);
    expect(text).toContain("Its binding cannot be used.");
  });

  test.each<[string, string, string]>([
    ["Swagger 2", "swagger: '2.0'\npaths: {}\n", "shop/x.yaml:1:1 WB5305"],
    ["another document", "- 1\n", "shop/x.yaml:1:1 WB5305"],
    ["broken YAML", "openapi: {\n", "shop/x.yaml:1:10 WB0005"],
  ])("%s", async (_what, text, said) => {
    const { found } = await emit(["f"], bind("f", "{ openapi: x.yaml#a }"), { "shop/x.yaml": text });
    expect(found.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([said]);
  });

  test("circular and unresolved references have the type `Json`", async () => {
    const text = `openapi: 3.1.0
servers: [{ url: "https://x.example" }]
paths: { /: { get: { operationId: a, responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } } } } }
components: { schemas: { A: { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/nowhere" }] }, B: { $ref: "#/components/schemas/B" } } }
`;
    const { text: module, found } = await emit(["f"], bind("f", "{ openapi: x.yaml#a }"), { "shop/x.yaml": text });
    expect(found).toEqual([]);
    expect(module).toContain("export type A = Json;");
  });
});

const orders = { "shop/orders.proto": readFileSync(`${import.meta.dirname}/../functions/orders.proto`, "utf8") };

describe("a method of a gRPC service", () => {
  test("is printed with its address and the types of argument and result", async () => {
    const binding = "{ grpc: ./orders.proto#shop.orders.Orders/Place, address: { env: ORDERS }, headers: { x-a: b } }";
    const { text, files, packages, found } = await emit(["place"], bind("place", binding), orders);
    expect(found).toEqual([]);
    expect(members(text)).toBe(`/** \`shop.orders.Orders/Place\` of ./orders.proto */
place: grpc({
  folder: new URL("./proto/", import.meta.url),
  file: "orders.proto",
  service: "shop.orders.Orders",
  method: "Place",
  address: { env: "ORDERS" },
  metadata: { "x-a": "b" },
}),`);
    expect(text).toContain("export type PlaceArgument = PlaceRequestInput;");
    expect(text).toContain(`export type PlaceRequestInput = {
  readonly orderId?: string;
  readonly items?: readonly ItemInput[];
  readonly notes?: { readonly [name: string]: string };
  readonly kind?: Kind;
  readonly card?: string;
  readonly voucherNumber?: string;
};`);
    expect(text).toContain('export type Kind = "USUAL" | "EXPRESS";');
    expect(text).toContain(
      "export type PlaceReply = { readonly number: string; readonly express: boolean; readonly seal: string };",
    );
    expect(files).toEqual([{ path: "proto/orders.proto", text: orders["shop/orders.proto"] }]);
    expect([...packages.keys()]).toEqual(["@grpc/grpc-js", "@grpc/proto-loader"]);
  });

  test.each<[string, string]>([
    ["shop.orders.Orders/Plase", "WB5306 `orders.proto` has no method of shop.orders.Orders `Plase`."],
    ["shop.Orders/Place", "WB5306 `orders.proto` has no service `shop.Orders`."],
    [
      "shop.orders.Orders/Watch",
      "WB5307 `shop.orders.Orders/Watch` cannot be called: streaming methods are not supported.",
    ],
  ])("%s", async (method, message) => {
    const { found } = await emit(["f"], bind("f", `{ grpc: orders.proto#${method}, address: a }`), orders);
    expect(found).toEqual([`shop/waybill.config.yaml:3:25 ${message}`]);
  });

  test("has its imports copied, to one folder for each source folder", async () => {
    const service = (imported: string) =>
      `syntax = "proto3"; import "${imported}"; service S { rpc M (T) returns (T) {} }`;
    const files = {
      "shop/a/s.proto": service("sub/t.proto"),
      "shop/a/sub/t.proto":
        "message T { optional group G = 1 { } optional string s = 2 [deprecated = true]; reserved 3 to 5; extensions 100 to max; }",
      "shop/b/s.proto": service("google/protobuf/any.proto"),
    };
    const binding =
      "functions:\n  a: { typescript: { grpc: a/s.proto#S/M, address: x } }\n  b: { typescript: { grpc: b/s.proto#S/M, address: x } }\n";
    const { files: copied, found } = await emit(["a", "b"], binding, files);
    expect(found).toEqual([]);
    expect(copied.map(({ path }) => path)).toEqual(["proto/s.proto", "proto/sub/t.proto", "proto2/s.proto"]);
  });

  test.each<[string, string, string]>([
    [
      "an import outside the folder",
      'import "../up.proto";',
      "shop/waybill.config.yaml:3:25 WB5305 `../up.proto` must be a path within the folder of the bound file, with only letters, digits, `_`, `-` and `.`.",
    ],
    [
      "a missing import",
      'import "t.proto";',
      "shop/waybill.config.yaml:3:25 WB5304 Cannot read `shop/t.proto`: the file was not passed to the compiler.",
    ],
    ["a file that ends", "service S {", "shop/s.proto:1:12 WB5305 Unexpected end of the .proto file."],
    [
      "an unexpected end of file",
      'syntax = "proto3";\nmessage A { string',
      "shop/s.proto:2:19 WB5305 Unexpected end of the .proto file.",
    ],
    [
      "a text that is no .proto",
      "\nservice S {\n  rpc M T; }\n",
      "shop/s.proto:3:9 WB5305 Invalid .proto file: illegal token `T`, `(` expected.",
    ],
    [
      "a token that occurs twice in its line",
      "message A {\n  a a;\n}",
      "shop/s.proto:2:3 WB5305 Invalid .proto file: illegal token `a`.",
    ],
    ["a brace that closes nothing", "}", "shop/s.proto:1:1 WB5305 Invalid .proto file: illegal token `}`."],
    [
      "a duplicate name",
      "message A { optional int32 a = 1; optional int32 a = 2; }",
      "shop/s.proto:1:1 WB5305 Invalid .proto file: duplicate name `a` in Type A.",
    ],
    [
      "messages that are nested too deeply",
      "message A {".repeat(60),
      "shop/s.proto:1:1 WB5305 Invalid .proto file: max depth exceeded.",
    ],
  ])("%s", async (_what, text, said) => {
    const { found } = await emit(["f"], bind("f", "{ grpc: s.proto#S/M, address: a }"), { "shop/s.proto": text });
    expect(found).toEqual([said]);
  });

  test("has types according to the scoping rules", async () => {
    const text = `syntax = "proto3";
package a.b;
message T { string outer = 1; }
message U {
  message T { optional int64 inner_most = 1; }
  T near = 1;
  .a.b.T far = 2;
  b.T by_package = 3;
  google.protobuf.Any any = 4;
}
service S { rpc M (T) returns (U); }
`;
    const { text: module, found } = await emit(["f"], bind("f", "{ grpc: s.proto#a.b.S/M, address: x }"), {
      "shop/s.proto": text,
    });
    expect(found).toEqual([]);
    expect(module).toContain("export type TInput = { readonly outer?: string };");
    expect(module).toContain(`export type U = {
  readonly near?: T | null;
  readonly far?: T2 | null;
  readonly byPackage?: T2 | null;
  readonly any?: JsonObject | null;
};`);
    expect(module).toContain("export type T = { readonly innerMost: string };");
    expect(module).toContain("export type T2 = { readonly outer: string };");
  });
});
