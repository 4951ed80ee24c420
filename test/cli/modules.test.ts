import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLoadingInspector, createStaticInspector, exportsIn } from "../../src/cli/modules.ts";

test.each<[text: string, exports: { readonly [name: string]: string }]>([
  [
    "export async function a() {}\nexport function* b() {}\nexport function $c() {}",
    { a: "function", b: "function", $c: "function" },
  ],
  ["export const a = async () => 1;", { a: "unknown" }],
  ["export const a: number = 5, b = 'x';\n", { a: "value", b: "unknown", c: "missing" }],
  ["export const { a, b: c } = made();", { a: "unknown", c: "unknown" }],
  ["export interface A {}\nexport type B = string;", { A: "type", B: "type" }],
  ["export class A {}\nexport abstract class B {}", { A: "value", B: "value" }],
  ["const a = 1, b = 2;\nexport { a, b as c, type D };", { a: "unknown", c: "unknown", D: "type" }],
  ["export type { A } from './a.ts';\nexport { default as b } from './b.ts';", { A: "type", b: "unknown" }],
  ["export default async () => 1;", { default: "unknown" }],
  ["const a = 1;", { a: "missing" }],
])("%j", (text, exports) => {
  const seen = exportsIn(text);
  const kinds = Object.keys(exports).map((name) => [name, seen.exports.get(name) ?? "missing"]);
  expect([Object.fromEntries(kinds), seen.isOpen]).toEqual([exports, false]);
});

test.each(["export * from './a.ts';", "module.exports = { a };", "exports.a = 1;", "import a = require('a');"])(
  "%s may export more",
  (text) => {
    expect(exportsIn(text)).toMatchObject({ isOpen: true });
  },
);

test("an ES module in a CommonJS package cannot be loaded", async () => {
  const folder = mkdtempSync(join(tmpdir(), "modules-"));
  mkdirSync(join(folder, "src"));
  for (const name of ["a.ts", "a.mts"]) writeFileSync(join(folder, "src", name), "export const a = () => 1;");
  writeFileSync(join(folder, "src/b.ts"), "module.exports = { a: 1 };");
  const read = createStaticInspector(folder);
  const writePackage = (type: object) => writeFileSync(join(folder, "package.json"), JSON.stringify(type));
  writePackage({ type: "commonjs" });
  const reason = { reason: expect.stringContaining('"type": "commonjs"') };
  expect(await read("src/a.ts")).toMatchObject(reason);
  // Loading the module finds the same exports.
  expect(await createLoadingInspector(folder)("src/a.ts")).toMatchObject(reason);
  expect(await read("src/a.mts")).toMatchObject({ isOpen: false });
  expect(await read("src/b.ts")).toMatchObject({ isOpen: true });
  for (const type of [{}, { type: "module" }]) {
    writePackage(type);
    expect(await read("src/a.ts")).toMatchObject({ isOpen: false });
  }
});
