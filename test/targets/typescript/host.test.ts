import { expect, test } from "vitest";
import { parse } from "yaml";
import { check, generate } from "../../../src/compile.ts";
import { languages } from "../../../src/languages/index.ts";
import { nothingConfigured } from "../../../src/target.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { readGolden } from "../../golden/folder.ts";

const { sources } = readGolden("serverless-workflow/event-wait", (text) => parse(text));

/** The files of a program with settings, by their paths. */
async function emitted(values: { readonly [name: string]: string }): Promise<ReadonlyMap<string, string>> {
  const { program } = check({ sources, options: {} }, languages);
  const { files } = await generate(program!, typescript, { configured: () => ({ ...nothingConfigured, values }) });
  return new Map(files.map(({ path, text }) => [path, text]));
}

test("another host changes nothing but what a program is started, packed and described by", async () => {
  const [sqlite, dbos] = [await emitted({}), await emitted({ host: "dbos" })];
  const differing = [...new Set([...sqlite.keys(), ...dbos.keys()])].filter(
    (path) => sqlite.get(path) !== dbos.get(path),
  );
  expect(differing.sort()).toEqual([
    "Dockerfile",
    "README.md",
    "compose.yaml",
    "dbos.d.ts",
    "dbos.js",
    "main.ts",
    "package.json",
  ]);
  expect(await emitted({ host: "sqlite" })).toEqual(sqlite);
});

test("a program on DBOS has its engine from the module beside it, and depends on what that needs", async () => {
  const files = await emitted({ host: "dbos" });
  expect(files.get("main.ts")).toContain('const { openEngine } = await import("./dbos.js");');
  expect(JSON.parse(files.get("package.json")!).dependencies).toEqual({ "@dbos-inc/dbos-sdk": "5.3.0", pg: "8.23.1" });
  expect(files.get("Dockerfile")).not.toContain("/data");
  expect(Object.keys(parse(files.get("compose.yaml")!).services)).toEqual(["database", "program"]);
});

test("it finds the runtime beside it also where that is a package", async () => {
  const files = await emitted({ host: "dbos", runtime: "package" });
  expect(files.get("runtime.js")).toBe('export * from "waybill-runtime";\n');
  expect([...(await emitted({ runtime: "package" })).keys()]).not.toContain("runtime.js");
});

test("its versions are those that the tests of the host run with", async () => {
  const { default: manifest } = await import("../../../package.json", { with: { type: "json" } });
  const { dependencies } = JSON.parse((await emitted({ host: "dbos" })).get("package.json")!);
  for (const [name, version] of Object.entries(dependencies))
    expect(manifest.devDependencies).toMatchObject({ [name]: version });
});
