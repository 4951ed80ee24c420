import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { typescript } from "../../../targets/typescript/index.ts";
import { runtimeFiles } from "../../../targets/typescript/runtime-files.ts";
import { goldenNames, readGolden } from "../../golden/folder.ts";
import { emitted } from "../../golden/make.ts";

const root = join(import.meta.dirname, "../../..");

/** The folders to which the programs of all goldens that compile have been written. */
async function writtenPrograms(place: string): Promise<readonly string[]> {
  const folders: string[] = [];
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  write(runtimeFiles, join(place, "shared"));
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  for (const name of goldenNames()) {
    const golden = readGolden(name, (text) => parse(text));
    const files = (await emitted(golden, typescript)).filter(({ path }) => !path.startsWith("runtime."));
    const folder = join(place, name, "typescript");
    if (files.length === 0) continue;
    write(files, folder);
    write(golden.modules, join(place, name));
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

/** What the type checker says of programs; each finds the runtime as if it were in its own folder. */
function typeFaults(place: string, folders: readonly string[]): string {
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
    rootDirs: [...folders, join(place, "shared")],
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

test("the programs of all goldens are well typed, in the strictest way", { timeout: 120_000 }, async () => {
  const place = mkdtempSync(join(tmpdir(), "waybill-types-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const folders = await writtenPrograms(place);
  expect(folders.length).toBeGreaterThan(60);
  expect(typeFaults(place, folders)).toBe("");
});
