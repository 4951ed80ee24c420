import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, greeting, waybill } from "./command.ts";

const schema = '{ "type": "object", "properties": { "name": { "type": "string" } }, "additionalProperties": false }';

/** A definition that names a schema and reads what that rules out. */
const typed = (uri: string): string => `id: typed
name: Typed
version: '1.0'
dataInputSchema: ${JSON.stringify(uri)}
functions:
- { name: f, resource: f }
states:
- name: Call
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: f, parameters: { x: $.nmae } } }]
  end: { kind: default }
`;

/** The codes that checking a definition gives, and the reasons why schemas cannot be read. */
async function findings(folder: string, path: string, ...more: readonly string[]): Promise<readonly string[]> {
  const { err, out } = await waybill(folder, ["check", path, ...more]);
  return (err + out).match(/WB43\d\d(?:: Cannot read the schema .*)?/g) ?? [];
}

describe("a schema is read", () => {
  test.each([
    ["beside the definition", "order.json"],
    ["as ./ says", "./order.json"],
    ["in a folder there", "schemas/order.yaml"],
    ["in a folder above that is in the current one", "../shared/order.json"],
    ["with a fragment", "order.json#"],
    ["with escapes", "schemas/an%20order.json"],
    ["from a file: URI", "file:order.json"],
  ])("%s", async (_, uri) => {
    const others = {
      "flows/order.json": schema,
      "flows/schemas/order.yaml": schema,
      "shared/order.json": schema,
      "flows/schemas/an order.json": schema,
    };
    const folder = folderWith({ "flows/typed.yaml": typed(uri), ...others });
    expect(await findings(folder, "flows/typed.yaml")).toEqual(["WB4301"]);
    expect(await findings(folder, "flows")).toEqual(["WB4301"]);
    expect(await findings(folder, join(folder, "flows/typed.yaml"))).toEqual(["WB4301"]);
  });

  test("from a file: URI with an absolute path", async () => {
    const folder = folderWith({ "order.json": schema });
    writeFileSync(join(folder, "typed.yaml"), typed(`file://${join(folder, "order.json")}`));
    expect(await findings(folder, "typed.yaml")).toEqual(["WB4301"]);
  });

  test("relative to the current folder for standard input", async () => {
    const folder = folderWith({ "order.json": schema });
    expect((await waybill(folder, ["check", "-"], typed("order.json"))).err).toContain("<stdin>:11:");
  });

  test("by compile and test", async () => {
    const scenarios =
      "workflow: ./typed.yaml\nscenarios:\n- name: runs\n  input: { name: Ann }\n  functions: { f: { returns: {} } }\n  expect: { status: succeeded, calls: [{ f: { x: null } }] }\n";
    const folder = folderWith({ "typed.yaml": typed("order.json"), "order.json": schema, "scenarios.yaml": scenarios });
    expect((await waybill(folder, ["compile", "typed.yaml", "--emit", "ir"])).out).toContain(
      "input type { name?: string }",
    );
    expect((await waybill(folder, ["test", "scenarios.yaml"])).status).toBe(0);
  });
});

test("a remote schema is silently ignored", async () => {
  const folder = folderWith({ "typed.yaml": typed("https://example.org/order.json") });
  expect(await findings(folder, "typed.yaml")).toEqual([]);
});

describe("a schema cannot be read", () => {
  const elsewhere = "it is neither in the current folder nor in that of the definition";

  test.each([
    ["that is not there", "none.json", "no such file or folder"],
    ["that is a folder", "folder.json", "it is not a file"],
    ["that is not UTF-8", "latin.json", "it is not UTF-8 text"],
    ["with another extension", "secret.txt", "its extension is not .json, .yaml, .yml, .proto, .asl, .tpl or .tftpl"],
    ["that is outside", "../outside.json", elsewhere],
    ["to which a link leads outside", "link.json", elsewhere],
  ])("%s", async (_, uri, reason) => {
    const folder = folderWith({ "outside.json": schema, "inside/secret.txt": schema, "inside/typed.yaml": typed(uri) });
    const inside = join(folder, "inside");
    mkdirSync(join(inside, "folder.json"));
    writeFileSync(join(inside, "latin.json"), Buffer.from('{"title": "é"}', "latin1"));
    symlinkSync("../outside.json", join(inside, "link.json"));
    expect(await findings(inside, "typed.yaml")).toEqual([`WB4303: Cannot read the schema \`${uri}\`: ${reason}.`]);
  });

  test("that is too large", async () => {
    const folder = folderWith({ "typed.yaml": typed("order.json"), "order.json": `${" ".repeat(2_000)}${schema}` });
    expect(await findings(folder, "typed.yaml", "--max-bytes", "1000")).toEqual([
      "WB4303: Cannot read the schema `order.json`: it is larger than 1000 bytes.",
    ]);
  });

  test.skipIf(process.platform === "win32")("that is a pipe without a writer", async () => {
    const folder = folderWith({ "typed.yaml": typed("pipe.json") });
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    expect(await findings(folder, "typed.yaml")).toEqual([
      "WB4303: Cannot read the schema `pipe.json`: it is not a file.",
    ]);
  });

  test("that is invalid: reported at its location, once for all definitions", async () => {
    const definition = typed("order.json");
    const folder = folderWith({
      "a.yaml": definition,
      "b.yaml": definition.replace("typed", "b"),
      "order.json": '{ "type": }\n',
    });
    const { err, status } = await waybill(folder, ["check", "a.yaml", "b.yaml"]);
    expect(err.match(/^order\.json:1:11: warning WB4305/gm)).toHaveLength(1);
    expect(status).toBe(0);
    expect((await waybill(folder, ["check", "a.yaml", "--strict"])).status).toBe(1);
  });

  test.each([
    ["several documents", "a: 1\n---\nb: 1\n"],
    ["a list", "[]\n"],
    ["a text", "hello\n"],
    ["nothing", ""],
  ])("that contains %s", async (_, text) => {
    const folder = folderWith({ "typed.yaml": typed("order.yaml"), "order.yaml": text });
    expect(await findings(folder, "typed.yaml")).toEqual(["WB4305"]);
  });
});

test("a schema in a folder of definitions is skipped", async () => {
  const folder = folderWith({ "a.yaml": greeting(), "order.json": schema });
  expect(await waybill(folder, ["check", "."])).toEqual({
    status: 0,
    out: "",
    err: "Skipped 1 file that is not a workflow definition.\n",
  });
  expect(await waybill(folder, ["check", ".", "--quiet"])).toEqual({ status: 0, out: "", err: "" });
});
