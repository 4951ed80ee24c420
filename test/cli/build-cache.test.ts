import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { doubtful, filesIn, folderWith, greeting, waybill } from "./command.ts";

const schema = (type: string) => JSON.stringify({ type: "object", properties: { order: { type } } });

const withSchema = greeting("schema").replace("states:", "dataInputSchema: order.schema.json\nstates:");

const project = {
  "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: build }]\n",
  "flows/greet.yaml": greeting(),
  "flows/notes.yaml": "a: 1\n",
  "node_modules/.keep": "",
};

const records = (folder: string): readonly string[] => {
  const place = join(folder, "node_modules/.cache/waybill");
  return existsSync(place) ? readdirSync(place) : [];
};

/** Writes, or removes, files of a folder. */
function change(folder: string, files: { readonly [path: string]: string | undefined }): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(folder, path));
    else {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
}

/** The outputs, and what the command printed except for the time. */
async function build(folder: string, args: readonly string[] = []) {
  const { status, err } = await waybill(folder, ["build", ...args]);
  return { status, err: err.replace(/\d+\.\d\d s/, "s"), files: filesIn(join(folder, "build")) };
}

test("an unchanged project is not built again", async () => {
  const folder = folderWith(project);
  const first = await build(folder);
  expect(records(folder)).toHaveLength(1);
  const second = await build(folder);
  expect(second.err).toMatch(/^1 definition, 2 files, [\d,]+ bytes, s\n$/);
  expect(second.files).toEqual(first.files);
  expect((await build(folder, ["--check"])).status).toBe(0);
});

describe("a build sees", () => {
  test.each<[string, { readonly [path: string]: string | undefined }]>([
    ["a changed definition", { "flows/greet.yaml": greeting().replace("world", "all") }],
    ["a new definition", { "flows/other.yaml": greeting("other") }],
    ["a removed definition", { "flows/second.yaml": undefined }],
    ["a file that becomes a definition", { "flows/notes.yaml": greeting("notes") }],
    ["a warning", { "flows/greet.yaml": doubtful }],
    ["a changed configuration", { "waybill.config.yaml": `${project["waybill.config.yaml"]}exclude: [second.yaml]\n` }],
    ["a nearer configuration", { "flows/waybill.config.yaml": "targets: { asl: { format: yaml } }\n" }],
    [
      "a nearer project",
      { "flows/waybill.config.yaml": "sources: [greet.yaml]\noutputs: [{ target: asl, out: o }]\n" },
    ],
    ["a .gitignore", { "flows/.gitignore": "second.yaml\n" }],
    ["a changed schema", { "flows/order.schema.json": schema("number") }],
    ["a removed schema", { "flows/order.schema.json": undefined }],
    ["a removed output", { "build/greet.asl.json": undefined }],
    ["an edited output", { "build/greet.asl.json": "{}" }],
    ["a removed manifest", { "build/.waybill.json": undefined }],
  ])("%s", async (_, files) => {
    const all = {
      ...project,
      "flows/second.yaml": greeting("second"),
      "flows/schema.yaml": withSchema,
      "flows/order.schema.json": schema("string"),
    };
    const [cached, plain] = [folderWith(all), folderWith(all)];
    rmSync(join(plain, "node_modules"), { recursive: true });
    for (const folder of [cached, plain]) {
      await build(folder);
      change(folder, files);
    }
    expect(records(cached)).toHaveLength(1);
    expect(records(plain)).toEqual([]);
    expect(await build(cached)).toEqual(await build(plain));
    expect(await build(cached, ["--check"])).toEqual(await build(plain, ["--check"]));
  });
});

test("what a build reports is reported again, and may fail the next one", async () => {
  const folder = folderWith({ ...project, "flows/greet.yaml": doubtful });
  const first = await build(folder);
  expect(first.err).toContain("flows/greet.yaml:3:1: warning");
  expect(first.err).toContain("1 warning");
  expect(records(folder)).toHaveLength(1);
  const second = await build(folder);
  expect(second.err.split("\n").slice(0, 4)).toEqual(first.err.split("\n").slice(0, 4));
  // Skipped: a build would say that its files are up to date.
  expect(second.err).not.toContain("up to date");
  expect(await build(folder, ["--strict"])).toMatchObject({ status: 1 });
});

test("a build that reads modules is not recorded", async () => {
  const folder = folderWith({
    ...project,
    "waybill.config.yaml": `sources: [flows]
outputs: [{ target: typescript, out: build }]
functions: { mail: { typescript: { module: "./mail.mts#mail" } } }
`,
    "mail.mts": "export const mail = async () => ({});\n",
    "flows/greet.yaml": `id: greet
name: Greet
version: '1.0'
functions: [{ name: mail }]
states:
- { name: Mail, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: mail } }], end: { kind: default } }
`,
  });
  expect((await build(folder)).status).toBe(0);
  expect(records(folder)).toEqual([]);
});

test.each(["", "{", "[]", '{"compiler":1}'])("a damaged record is ignored: %s", async (text) => {
  const folder = folderWith(project);
  const first = await build(folder);
  writeFileSync(join(folder, "node_modules/.cache/waybill", records(folder)[0]!), text);
  rmSync(join(folder, "build"), { recursive: true });
  expect((await build(folder)).files).toEqual(first.files);
});
