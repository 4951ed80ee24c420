import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { typescript } from "../../../targets/typescript/index.ts";
import { runtimeFiles } from "../../../targets/typescript/runtime-files.ts";
import { goldenNames, readGolden } from "../../golden/folder.ts";
import { emitGolden } from "../../golden/make.ts";

const root = join(import.meta.dirname, "../../..");

/** Writes the programs of all goldens and returns their folders. */
async function writePrograms(workspace: string): Promise<readonly string[]> {
  const folders: string[] = [];
  writeFileSync(join(workspace, "package.json"), '{ "type": "module" }');
  write(runtimeFiles(), join(workspace, "shared"));
  symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
  for (const name of goldenNames()) {
    const golden = readGolden(name, (text) => parse(text));
    const files = (await emitGolden(golden, typescript)).filter(({ path }) => !path.startsWith("runtime."));
    const folder = join(workspace, name, "typescript");
    if (files.length === 0) continue;
    write(files, folder);
    write(golden.modules, join(workspace, name));
    folders.push(folder);
  }
  return folders;
}

function write(files: readonly { readonly path: string; readonly text: string }[], folder: string): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Type-checks programs as if the runtime were in each folder. Returns the errors. */
function typeErrors(workspace: string, folders: readonly string[]): string {
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
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    rootDirs: [...folders, join(workspace, "shared")],
  };
  writeFileSync(
    join(workspace, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: folders.map((folder) => `${folder}/*.ts`) }),
  );
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", workspace], {
      encoding: "utf8",
    });
    return "";
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

test("the programs of all goldens pass the strictest type checks", { timeout: 120_000 }, async () => {
  const workspace = mkdtempSync(join(tmpdir(), "waybill-types-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const folders = await writePrograms(workspace);
  expect(folders.length).toBeGreaterThan(60);
  expect(typeErrors(workspace, folders)).toBe("");
});
