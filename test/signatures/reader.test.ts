import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSignatureReader, type ModuleExport } from "../../src/signatures/index.ts";
import { printType } from "../../src/types/index.ts";

function folderWith(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-signatures-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Each signature in one line, or why it cannot be read. */
function read(cwd: string, exports: readonly string[], from = "waybill.config.yaml"): readonly string[] {
  const named = exports.map((each): ModuleExport => {
    const [module = "", name = ""] = each.split("#");
    return { module, name, from };
  });
  return createSignatureReader({ cwd })(named).map((found) => {
    if ("reason" in found) return `${found.reason}${found.hint === undefined ? "" : ` (${found.hint})`}`;
    const error = found.error ? `, with ${found.error.message} at ${found.error.span.source.path}` : "";
    return `${found.parameter ? printType(found.parameter) : ""} => ${printType(found.result)}${error}`;
  });
}

test("modules are TypeScript, its declarations, JavaScript with JSDoc, and packages", () => {
  const cwd = folderWith({
    "a.ts":
      "export default async (x: string) => x.length;\nexport { inner as renamed } from './lib/b.mts';\nexport * from './lib/b.mts';",
    "lib/b.mts": "export function inner(x: { id: string }): boolean { return x.id !== ''; }",
    "c.js":
      "/** @param {{ id: string, tags?: string[] }} order\n * @returns {Promise<{ ok: boolean }>} */\nexport async function check(order) { return { ok: order.id !== '' }; }",
    "d.d.ts": "export declare function declared(x: number): Promise<string>;",
    "node_modules/pay/package.json": '{ "name": "pay", "version": "1.0.0", "types": "./index.d.ts" }',
    "node_modules/pay/index.d.ts": "export declare function pay(x: { amount: number }): Promise<void>;",
    "flows/e.ts": "export const near = (): 1 => 1;",
  });
  expect(
    read(cwd, ["./a.ts#default", "./a.ts#renamed", "./a.ts#inner", "./c.js#check", "./d.d.ts#declared", "pay#pay"]),
  ).toEqual([
    "string => number",
    "{ id: string, … } => boolean",
    "{ id: string, … } => boolean",
    "{ id: string, tags?: string[], … } => { ok: boolean, … }",
    "number => string",
    "{ amount: number, … } => null",
  ]);
  // Relative to the configuration, and with the extension of the compiled file.
  expect(read(cwd, ["./e.js#near", "../lib/b.mjs#inner"], "flows/waybill.config.yaml")).toEqual([
    " => 1",
    "{ id: string, … } => boolean",
  ]);
});

test("exports that are not functions and modules that cannot be read are reasons", () => {
  const cwd = folderWith({
    "a.ts": "export const value = 1;\nexport type Alias = string;\nexport const charge = () => 1;",
    "empty.ts": "",
    "data.json": "{}",
    "broken.ts": "export const f = (x: string): number => x;\nconst y: number = 'a';",
    "syntax.ts": "export const f = (x: string => x;",
    "import.ts": "import { gone } from './gone.ts';\nexport const f = (x: string) => gone(x);",
  });
  expect(
    read(cwd, [
      ...["./a.ts#value", "./a.ts#Alias", "./a.ts#chagre", "./empty.ts#f", "./data.json#f", "./gone.ts#f", "nowhere#f"],
      ...["./broken.ts#f", "./syntax.ts#f", "./import.ts#f"],
    ]),
  ).toEqual([
    "its export `value` is not a function",
    "its export `Alias` is a type, not a function",
    "it has no export `chagre` (Did you mean `charge`?)",
    "it has no export `f`",
    "its extension is not one of TypeScript or JavaScript",
    "no such file or folder",
    "the package is not installed, or it has no types",
    "string => number, with Type 'string' is not assignable to type 'number' (TS2322) at broken.ts",
    expect.stringMatching(/, with .+ \(TS1005\) at syntax\.ts$/),
    "string => any, with Cannot find module './gone.ts' or its corresponding type declarations (TS2307) at import.ts",
  ]);
});

test("the nearest tsconfig.json applies, and has to distinguish null", () => {
  const cwd = folderWith({
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "paths": { "@lib/*": ["./lib/*"] } } }',
    "a.ts": "import { T } from '@lib/t.ts';\nexport const f = (x: T): T | null => x;",
    "lib/t.ts": "export type T = { t: string };",
    "loose/tsconfig.json": "{}",
    "loose/a.ts": "export const f = (x: string) => x;",
    "wrong/tsconfig.json": '{ "extends": "./gone.json", "compilerOptions": { "strict": "yes" } }',
    "wrong/a.ts": "export const f = (x: string) => x;",
    "nested/tsconfig.json":
      '{ "extends": "../tsconfig.json", "compilerOptions": { "exactOptionalPropertyTypes": true } }',
    "nested/deep/a.ts": "export const f = (): { a?: string } => ({});",
  });
  const [own, loose, wrong, nested] = read(cwd, [
    "./a.ts#f",
    "./loose/a.ts#f",
    "./wrong/a.ts#f",
    "./nested/deep/a.ts#f",
  ]);
  expect(own).toBe("{ t: string, … } => null | { t: string, … }");
  expect(loose).toMatch(
    /^`tsconfig\.json` has neither `strict` nor `strictNullChecks`, so types do not say where null occurs/,
  );
  expect(wrong).toMatch(/^`tsconfig\.json` is invalid: .*\(TS\d+\)$/);
  expect(nested).toBe(" => { a?: string, … }");
});

test("a module that is large, a folder, a device or a link to nowhere is not read", () => {
  const cwd = folderWith({ "folder.ts/x.ts": "export const f = 1;", "large.ts": " ".repeat(4 * 1024 * 1024 + 1) });
  expect(read(cwd, ["./large.ts#f"])).toEqual(["it is larger than 4194304 bytes"]);
  symlinkSync(join(cwd, "gone.ts"), join(cwd, "link.ts"));
  expect(read(cwd, ["./folder.ts#f", "/dev/zero#f", "./link.ts#f"])).toEqual(Array(3).fill("no such file or folder"));
});
