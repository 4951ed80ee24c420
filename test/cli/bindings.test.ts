import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

const workflow = `id: greet
name: Greet
version: '1.0'
functions:
- { name: hello, resource: hello }
- { name: order, resource: order }
- { name: note, resource: note }
states:
- name: Hello
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: hello } }, { functionRef: { refName: order } }, { functionRef: { refName: note } }]
  end: { kind: default }
`;

const files = {
  "flows/greet.yaml": workflow,
  "waybill.config.yaml": `functions:
  hello: { typescript: { openapi: ./api.yaml#hello } }
  order: { typescript: { grpc: ./shop.proto#shop.Orders/Get, address: "127.0.0.1:9099" } }
  note: { typescript: { module: ./functions/note.ts#note } }
`,
  "functions/note.ts": "export const note = async () => ({});\n",
  "api.yaml": `openapi: 3.1.0
info: { title: Greetings, version: '1' }
servers: [{ url: 'https://greet.example.com' }]
paths: { /hello: { post: { operationId: hello, responses: { '204': { description: done } } } } }
`,
  "shop.proto": `syntax = "proto3";
package shop;
message Ask { string id = 1; }
service Orders { rpc Get (Ask) returns (Ask); }
`,
};

test("functions are bound by files next to the configuration, regardless of the output folder", async () => {
  const folder = folderWith(files);
  const to = ["--target", "typescript", "--out", "build/app", "--quiet"];
  const result = await waybill(folder, ["compile", "flows/greet.yaml", ...to]);
  expect(result).toEqual({ status: 0, out: "", err: "" });
  const text = readFileSync(join(folder, "build/app/functions.ts"), "utf8");
  expect(text).toContain('import { note } from "../../functions/note.ts";');
  expect(text).toContain('hello: openapi({ method: "POST", server: "https://greet.example.com", path: "/hello" }),');
  expect(text).toContain("order: grpc({");
  const image = readFileSync(join(folder, "build/app/Dockerfile"), "utf8");
  expect(image).toContain('\nCOPY ["functions/note.ts", "/srv/functions/"]\nCOPY ["build/app/", "./"]\n');
  expect(image).toMatch(/mkdir \/data && chown node:node \/data\n[\s\S]*VOLUME \/data\nUSER node\n/);
  expect(readFileSync(join(folder, "build/app/proto/shop.proto"), "utf8")).toBe(files["shop.proto"]);
  expect(JSON.parse(readFileSync(join(folder, "build/app/package.json"), "utf8")).dependencies).toHaveProperty(
    "@grpc/grpc-js",
  );
});

test("a program without gRPC contains no gRPC code", async () => {
  const folder = folderWith({ ...files, "waybill.config.yaml": "functions: {}\n" });
  const { status, err } = await waybill(folder, [
    "compile",
    "flows/greet.yaml",
    "--target",
    "typescript",
    "--out",
    "app",
  ]);
  expect({ status, err }).toEqual({
    status: 0,
    err: expect.stringContaining("WB5301: Functions `hello`, `order` and `note` are not bound"),
  });
  expect(JSON.parse(readFileSync(join(folder, "app/package.json"), "utf8"))).not.toHaveProperty("dependencies");
});

test("a function cannot be in a file of the program itself", async () => {
  const own = {
    "greet.yaml": workflow,
    "greet.ts": "export const note = async () => ({});\n",
    "waybill.config.yaml": "functions: { note: { typescript: { module: ./greet.ts#note } } }\n",
  };
  const folder = folderWith(own);
  const errorOf = async (...args: readonly string[]) =>
    (await waybill(folder, [...args, "greet.yaml", "--target", "typescript"])).err.match(/error WB\d+.*/g) ?? [];
  const expected =
    "error WB5312: `./greet.ts` is a file of the emitted program, so a configuration cannot refer to it.";
  expect(await errorOf("compile", "--out", ".")).toEqual([expected]);
  expect(await errorOf("compile", "--out", "program")).toEqual([]);
  expect(await errorOf("compile")).toEqual([]);
  expect(await errorOf("check")).toEqual([]);
});

test("a binding with an error is not also reported as missing", async () => {
  const definition = `id: pay
name: Pay
version: '1.0'
functions: [{ name: charge }]
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge } }]
  end: { kind: default }
`;
  const folder = folderWith({
    "pay.yaml": definition,
    "waybill.config.yaml": "functions: { charge: { typescript: { modul: ./pay.mts#charge } } }\n",
  });
  const { err } = await waybill(folder, ["check", "pay.yaml", "--target", "typescript"]);
  expect(err.match(/WB\d{4}/g)).toEqual(["WB1007"]);
  expect(err).toContain("Did you mean `module`?");
});
