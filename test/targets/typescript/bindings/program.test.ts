import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { respondWith, startFunctionServer, stepOf } from "../functions/servers.ts";
import { programFolder, typeErrors } from "../program.ts";
import { emit } from "./emitting.ts";
import { schemas } from "./schemas.ts";

/** The interface in the module of a workflow, with the used members of results and arguments. */
const greet = `import type { Json, Step } from "./runtime.js";

export interface Functions {
  charge(argument: { readonly amount: Json }, step: Step): Promise<{ readonly receipt: string }>;
  "place order"(argument: Json, step: Step): Promise<{ readonly number: number }>;
  rpc(argument: Json, step: Step): Promise<Json>;
  notify(argument: Json, step: Step): Promise<Json>;
  missing(argument: Json, step: Step): Promise<readonly string[]>;
}
`;

const files = {
  "shop/api.yaml": readFileSync(`${import.meta.dirname}/api.yaml`, "utf8"),
  "shop/orders.proto": readFileSync(`${import.meta.dirname}/../functions/orders.proto`, "utf8"),
};

const configuration = `
functions:
  charge: { typescript: { module: ./functions/charge.ts#charge } }
  place order: { typescript: { openapi: api.yaml#placeOrder, server: { env: SHOP } } }
  rpc: { typescript: { grpc: orders.proto#shop.orders.Orders/Place, address: localhost:1, tls: false } }
events:
  paid: { typescript: { sink: https://broker.example.com/ } }
`;

test("emitted functions pass the type checker and call what they are bound to", async () => {
  const server = await startFunctionServer(respondWith({ number: 7 }));
  const names = ["charge", "place order", "rpc", ["notify", `${server.url}/notify`], "missing"] as const;
  const { text, files: further } = await emit(names, configuration, files);
  const folder = programFolder({
    "greet.ts": greet,
    "functions.ts": text,
    "functions/charge.ts": `export const charge = async ({ amount }: { readonly amount: unknown }) => ({ receipt: \`for \${amount}\` });\n`,
    ...Object.fromEntries(further.map((file) => [file.path, file.text])),
  });
  expect(await typeErrors(folder, ["functions.ts"])).toBe("");
  process.env["SHOP"] = server.url;
  const { functions } = await import(/* @vite-ignore */ pathToFileURL(join(folder, "functions.ts")).href);
  expect(await functions.charge({ amount: 5 }, stepOf())).toEqual({ receipt: "for 5" });
  expect(await functions["place order"]({ id: "a", "X-Trace": "t", items: [] }, stepOf())).toEqual({ number: 7 });
  await functions.notify("hello", stepOf());
  expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["PUT", "/orders/a", '{"items":[]}'],
    ["POST", "/notify", '"hello"'],
  ]);
  await expect(functions.missing(null, stepOf())).rejects.toMatchObject({ name: "NotImplemented" });
  await expect(functions.rpc({}, stepOf())).rejects.toMatchObject({ name: "UNAVAILABLE" });
}, 60_000);

test("the type checker finds a bound function of an incompatible type", async () => {
  const { text } = await emit(["charge"], configuration);
  const folder = programFolder({
    "greet.ts": greet.replace(/ {2}(?:"place order"|rpc|notify|missing).*\n/g, ""),
    "functions.ts": text,
    "functions/charge.ts": "export const charge = async (amount: number) => amount;\n",
  });
  expect(await typeErrors(folder, ["functions.ts"])).toContain("functions.ts(");
}, 60_000);

test("types of random schemas pass the type checker", async () => {
  const samples = fc.sample(fc.tuple(schemas, schemas), { seed: 20260101, numRuns: 60 }).map(([a, b]) => {
    const responses = { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/A" } } } } };
    const requestBody = {
      content: { "application/json": { schema: { allOf: [b, { $ref: "#/components/schemas/B" }] } } },
    };
    const paths = {
      "/": { post: { operationId: "f", parameters: [{ name: "id", in: "query" }], requestBody, responses } },
    };
    const document = {
      openapi: "3.1.0",
      servers: [{ url: "https://x.example" }],
      paths,
      components: { schemas: { A: a, B: b } },
    };
    const text = JSON.stringify(document);
    return emit(["f"], "functions: { f: { typescript: { openapi: 'x.json#f' } } }", { "shop/x.json": text });
  });
  const modules = (await Promise.all(samples)).map(({ text }) => text);
  const names = modules.map((_, i) => `functions${i}.ts`);
  const folder = programFolder({
    "greet.ts": `import type { Step } from "./runtime.js";\nexport interface Functions {\n  f(argument: unknown, step: Step): Promise<string>;\n}\n`,
    ...Object.fromEntries(modules.map((text, i) => [names[i]!, text])),
  });
  expect(await typeErrors(folder, names)).toBe("");
}, 60_000);
