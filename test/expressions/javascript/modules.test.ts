import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runtimeNames } from "../../../src/expressions/index.ts";
import { runtimeModules } from "../../../src/expressions/javascript/modules.ts";

const folder = mkdtempSync(join(tmpdir(), "waybill-modules-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function written(names: Iterable<string>): Promise<readonly string[]> {
  const json = readFileSync(new URL("../../../targets/typescript/runtime/json.ts", import.meta.url), "utf8");
  const modules = [
    { path: "package.json", text: '{ "type": "module" }' },
    { path: "json.ts", text: json },
    ...runtimeModules(names),
  ];
  for (const { path, text } of modules) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return modules.map(({ path }) => path);
}

test("the functions that expressions call are modules of TypeScript on their own, with the JSON values of emitted programs", async () => {
  await written(runtimeNames);
  const options = {
    target: "es2023",
    lib: ["es2024"],
    module: "nodenext",
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] }));
  const checker = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  const { stdout } = spawnSync(process.execPath, [checker, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
  expect(stdout).toBe("");
}, 60_000);

test("a program gets the modules that it needs and no more", async () => {
  const paths = await written(["isTrue", "mergeJson"]);
  expect(paths.slice(2)).toEqual([
    "expressions/index.ts",
    "expressions/builtins/dialect/data.ts",
    "expressions/evaluate/failure.ts",
    "expressions/library/failure.ts",
    "expressions/library/json-text.ts",
    "expressions/library/order.ts",
    "expressions/library/types.ts",
  ]);
  const face = await import(pathToFileURL(join(folder, "expressions/index.ts")).href);
  expect(Object.keys(face).sort()).toEqual(["isTrue", "mergeJson"]);
  expect(face.mergeJson({ a: 1 }, { b: 2 })).toEqual({ a: 1, b: 2 });
});

test("what is no function of theirs is a bug", () => {
  expect(() => runtimeModules(["toString"])).toThrow("The runtime has no function toString.");
});
