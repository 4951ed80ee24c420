import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { runtimeFiles } from "../../../targets/typescript/runtime-files.ts";

const root = join(import.meta.dirname, "../../..");

/** A folder with the runtime and some files, in which programs can be checked and run; removed at the end of the test. */
export function programFolder(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const runtime = Object.fromEntries(runtimeFiles.map(({ path, text }) => [path, text]));
  for (const [path, text] of Object.entries({ ...runtime, "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** What the type checker says about files of a folder and what they import; empty when all is well. */
export function typeFaults(folder: string, files: readonly string[]): Promise<string> {
  const options =
    "--noEmit --strict --erasableSyntaxOnly --verbatimModuleSyntax --allowImportingTsExtensions --skipLibCheck --noUncheckedIndexedAccess " +
    "--exactOptionalPropertyTypes --noUnusedLocals --target es2023 --lib es2024 --module nodenext --types node";
  return new Promise((resolve) => {
    const args = [join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), ...files];
    execFile(process.execPath, args, { cwd: folder }, (_, printed) => resolve(printed));
  });
}
