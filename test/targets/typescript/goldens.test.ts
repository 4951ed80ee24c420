import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const goldens = join(root, "golden/serverless-workflow");
const folders = readdirSync(goldens)
  .map((name) => join(goldens, name, "typescript"))
  .filter((folder) => existsSync(folder));

/** What the type checker says of programs; each finds the runtime as if it were in its own folder. */
function typeFaults(folders: readonly string[]): string {
  const place = mkdtempSync(join(tmpdir(), "waybill-types-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const options = {
    target: "es2023",
    lib: ["es2024"],
    module: "nodenext",
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    rootDirs: [...folders, join(root, "targets/typescript")],
  };
  writeFileSync(
    join(place, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: folders.map((folder) => `${folder}/*.ts`) }),
  );
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", place], { encoding: "utf8" });
    return "";
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

test("the programs of all goldens are well typed, in the strictest way", { timeout: 120_000 }, () => {
  expect(folders.length).toBeGreaterThan(60);
  expect(typeFaults(folders)).toBe("");
});
