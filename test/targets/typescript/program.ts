import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { runtimeFiles } from "../../../targets/typescript/runtime-files.ts";

const root = join(import.meta.dirname, "../../..");

/** Creates a folder with the runtime and the given files for a program. Removed at the end of the test. */
export function programFolder(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const runtime = Object.fromEntries(runtimeFiles().map(({ path, text }) => [path, text]));
  for (const [path, text] of Object.entries({ ...runtime, "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Type-checks files and their imports. Returns the errors. */
export function typeErrors(folder: string, files: readonly string[]): Promise<string> {
  const options =
    "--noEmit --strict --erasableSyntaxOnly --verbatimModuleSyntax --allowImportingTsExtensions --noUncheckedIndexedAccess " +
    "--exactOptionalPropertyTypes --noUnusedLocals --target es2023 --lib es2024 --module nodenext --types node";
  return new Promise((resolve) => {
    const args = [join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), ...files];
    execFile(process.execPath, args, { cwd: folder }, (_, printed) => resolve(printed));
  });
}
