import { expect, test } from "vitest";
import { generate } from "../../../../src/compile.ts";
import { type Document, readDocuments } from "../../../../src/documents/index.ts";
import { literal, object } from "../../../../src/expressions/index.ts";
import type { Protocol } from "../../../../src/ir/protocols.ts";
import type { Workflow } from "../../../../src/ir/workflow.ts";
import { programOf } from "../../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { emptyConfiguration } from "../../../../src/target/contract.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { call, data, end, scope, span, workflow } from "../../../reference/build.ts";

const defined = { ...span, start: 7, end: 9 };

/** A workflow with two calls of `f` by a protocol. */
function calling(protocol: Protocol, id = "w"): Workflow {
  const given = object([["n", literal(1)]]);
  const steps = ["First", "Second"].map((name, i) => call(name, "f", given, ["Second", "End"][i]!, { bind: "data" }));
  const made = workflow(scope(["data"], ...steps, end("End", data)));
  return { ...made, id, functions: [{ name: "f", span: defined, protocol }] };
}

/** The diagnostics of workflows, and `functions.ts`, with an optional binding of `f`. */
async function compiled(workflows: readonly Workflow[], binding?: JsonObject, values: JsonObject = {}) {
  const [document] = readDocuments({ path: "waybill.config.yaml", text: "{}" }, () => undefined) as [Document];
  const functions = new Map(
    binding ? [["f", { name: { name: "f", span }, value: binding, key: span, document }] as const] : [],
  );
  const { files, diagnostics } = await generate(programOf(workflows), typescript, {
    configurationOf: () => ({ ...emptyConfiguration, functions, values }),
  });
  const found = diagnostics.map(({ code, span: { start }, message }) => `${start} ${code} ${message}`);
  return { found, text: files.find(({ path }) => path === "functions.ts")?.text ?? "" };
}

const unreached: readonly (readonly [Protocol, string])[] = [
  [{ kind: "grpc", method: { service: "a.B", name: "C" } }, "by gRPC"],
  [{ kind: "cloudFunction", provider: "openwhisk", type: "action", id: "a" }, "as an action of openwhisk"],
  [{ kind: "workflow", id: "audit" }, "as the workflow `audit`"],
  [{ kind: "process", program: "python" }, "as a Python program"],
];

test.each(unreached)("%j is reported once, at the definition of the function", async (protocol, way) => {
  const { found, text } = await compiled([calling(protocol)]);
  expect(found).toEqual([
    `7 WB5307 \`f\` cannot be called: this target does not support functions that are reached ${way}.`,
  ]);
  expect(text).toBe("");
});

const database = { kind: "database", dialect: "postgres", address: "postgres://db/shop", answer: "rows" } as const;
const yandex = { kind: "cloudFunction", provider: "yandex", id: "d4/e" } as const;
const token = { headers: { authorization: { env: "TOKEN", prefix: "Bearer " } } };
const shown = 'headers: { authorization: { env: "TOKEN", prefix: "Bearer " } }';

const reached: readonly (readonly [Protocol, JsonObject | undefined, string])[] = [
  [{ kind: "log", level: "debug" }, undefined, 'logLine("debug")'],
  [{ kind: "http" }, undefined, "request()"],
  [
    { kind: "http", accept: { from: 200, to: 299 }, failure: "communication", redirects: "follow" },
    undefined,
    'request({ result: { accept: { from: 200, to: 299 }, failure: "communication" }, follow: true })',
  ],
  [
    {
      kind: "http",
      accept: { from: 200, to: 399 },
      failure: "communication",
      answer: "response",
      authentication: {
        kind: "oauth2",
        grant: "client_credentials",
        endpoint: "https://login.example.com/token",
        client: {
          id: { kind: "text", text: "shop" },
          secret: { kind: "secret", id: "shop", key: "password" },
          place: "header",
        },
        scopes: ["orders"],
        audiences: [],
      },
    },
    { timeout: 5 },
    'request({ result: { accept: { from: 200, to: 399 }, failure: "communication", answer: "response" }, ' +
      'token: oauth2({ endpoint: "https://login.example.com/token", grant: "client_credentials", ' +
      'client: { id: "shop", secret: { id: "shop", key: "password" } }, scopes: ["orders"] }), timeout: 5 })',
  ],
  [
    { kind: "http", accept: { from: 200, to: 299 }, failure: "e", answer: "response", hidesRequest: true },
    undefined,
    'request({ result: { accept: { from: 200, to: 299 }, failure: "e", answer: "response", hidesRequest: true } })',
  ],
  [
    {
      kind: "http",
      operation: { method: "GET", server: "https://a", path: "/o/{id}", parameters: [{ name: "id", place: "path" }] },
    },
    undefined,
    'openapi({ method: "GET", server: "https://a", path: "/o/{id}" })',
  ],
  [
    {
      kind: "http",
      operation: { method: "POST", path: "/o", parameters: [{ name: "dry", place: "query" }] },
      failure: "HTTP_",
    },
    { server: { env: "SHOP" }, timeout: 5 },
    'openapi( { method: "POST", server: { env: "SHOP" }, path: "/o", parameters: [{ name: "dry", in: "query" }], body: "rest" }, { failure: "HTTP_", timeout: 5 })',
  ],
  [
    { kind: "http", failure: "HTTP_CALL_", authorized: true },
    { ...token, timeout: 5 },
    `request({ failure: "HTTP_CALL_", ${shown}, timeout: 5 })`,
  ],
  [{ kind: "grpc", failure: "GRPC_CALL_" }, { tls: false }, 'reflected({ tls: false, failure: "GRPC_CALL_" })'],
  [
    { ...yandex, type: "function", tag: "v&1", invalid: "NO_JSON" },
    token,
    `http("POST https://functions.yandexcloud.net/d4%2Fe?tag=v%261", { invalid: "NO_JSON", ${shown} })`,
  ],
  [
    { ...yandex, type: "container", failure: "CONTAINER_CALL_" },
    token,
    `request({ server: "https://d4%2Fe.containers.yandexcloud.net", failure: "CONTAINER_CALL_", ${shown} })`,
  ],
  [
    { ...yandex, type: "container" },
    { ...token, server: "http://127.0.0.1:8080" },
    `request({ server: "http://127.0.0.1:8080", ${shown} })`,
  ],
  [
    { ...database, failure: "DATABASE_QUERY_" },
    { timeout: 9 },
    'postgres({ at: "postgres://db/shop", answer: "rows", failure: "DATABASE_QUERY_", timeout: 9 })',
  ],
  [
    { ...database, encrypted: true },
    undefined,
    'postgres({ at: "postgres://db/shop?sslmode=verify-full", answer: "rows" })',
  ],
  [
    { ...database, dialect: "mysql", address: "mysql://db/shop", encrypted: true, answer: "count" },
    undefined,
    'mysql({ at: "mysql://db/shop?ssl=%7B%7D", answer: "count" })',
  ],
  [
    { kind: "database", dialect: "mysql", answer: "rows" },
    { server: { env: "DATABASE_URL" } },
    'mysql({ at: { env: "DATABASE_URL" }, answer: "rows" })',
  ],
];

test.each(reached)("%j with %j", async (protocol, binding, code) => {
  const { found, text } = await compiled([calling(protocol)], binding);
  expect(found).toEqual([]);
  expect(text.replace(/\s+/g, " ").replaceAll(", }", " }").replaceAll(", )", ")")).toContain(`f: ${code}`);
});

test.each([...unreached, ...reached].map(([protocol]) => protocol))("a binding overrides %j", async (protocol) => {
  const { found, text } = await compiled([calling(protocol)], { http: "PUT https://a.example.com/f" });
  expect(found).toEqual([]);
  expect(text).toContain(`f: http("PUT https://a.example.com/f")`);
});

test.each<[Protocol, string]>([
  [{ kind: "grpc", authorized: true }, "an authorization token"],
  [{ kind: "http", authorized: true }, "an authorization token"],
  [{ ...yandex, type: "function" }, "an authorization token"],
  [{ kind: "database", dialect: "mysql", answer: "rows" }, "the address of its database with credentials"],
])("%j alone needs %s", async (protocol, needs) => {
  const { found, text } = await compiled([calling(protocol)], { timeout: 5 });
  expect(found).toEqual([
    `7 WB5313 Calls of \`f\` need ${needs}, which the configuration does not specify, so the function fails with \`NotImplemented\`.`,
  ]);
  expect(text).toContain("NotImplemented");
});

test.each<[Protocol, JsonObject, string, string]>([
  [{ kind: "http" }, { tls: false }, "by HTTP", "tls"],
  [{ kind: "grpc" }, { server: "a" }, "by gRPC", "server"],
  [database, token, "as a statement to PostgreSQL", "headers"],
  [{ kind: "http" }, { http: "PUT https://a.example.com/f", server: "https://a" }, "by HTTP", "server"],
  [{ kind: "http" }, { module: "./f.ts#f", timeout: 5 }, "within the program", "timeout"],
  [{ kind: "clock" }, { timeout: 5 }, "within the program", "timeout"],
])("%j has ineffective settings %j", async (protocol, binding, way, name) => {
  const { found } = await compiled([calling(protocol)], binding);
  expect(found).toEqual([`0 WB5308 \`${name}\` has no effect: the function is reached ${way}.`]);
});

test("a secret is rejected, even if it is bound", async () => {
  const reason = "it reads a secret, and results of calls are stored in the journal of the run";
  const found = [`7 WB5307 \`f\` cannot be called: ${reason}.`];
  expect((await compiled([calling({ kind: "secret" })])).found).toEqual(found);
  expect((await compiled([calling({ kind: "secret" })], { module: "./f.ts" })).found).toEqual(found);
});

test("a function whose source is in the definition is not implemented", async () => {
  const code = { text: "(x) => x", variables: [], changes: [], isPure: true };
  const script: Protocol = { kind: "script", language: "javascript", ...code };
  const { found, text } = await compiled([calling(script)]);
  expect(found).toEqual([]);
  expect(text).not.toContain("f:");
});

test.each(["clock", "random", "id"] as const)("%s is a function of the runtime", async (kind) => {
  const { found, text } = await compiled([calling({ kind })]);
  expect(found).toEqual([]);
  expect(text).toContain(`import { ${kind} } from "./runtime.js";`);
});

test("workflows that call a function by different protocols have separate functions, unless it is bound", async () => {
  const [one, other] = ["https://a", "https://b"].map((server, i) =>
    calling({ kind: "http", operation: { method: "GET", server, path: "/", parameters: [] } }, `w${i}`),
  );
  const { found, text } = await compiled([one!, other!], { http: "PUT https://a.example.com/f" });
  expect(found).toEqual([]);
  expect(text).not.toContain("withOwn");
  expect((await compiled([calling({ kind: "http" }), calling({ kind: "grpc" }, "w2")])).text).toContain(
    "w2: { f: reflected() }",
  );
});

test("processes run only with the setting `processes`", async () => {
  const commands = calling({ kind: "process", program: "shell" });
  const { found, text } = await compiled([commands]);
  expect(found).toEqual(["7 WB5307 `f` cannot be called: programs run no processes by default."]);
  expect(text).toBe("");
  const allowed = await compiled([commands], { timeout: 5 }, { processes: true });
  expect(allowed.found).toEqual([]);
  expect(allowed.text).toContain("f: shell({ timeout: 5 })");
  const scripts = calling({ kind: "process", program: "js" });
  expect((await compiled([scripts], undefined, { processes: true })).text).toContain("f: javascript()");
});
