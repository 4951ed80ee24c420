import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hosts } from "../../src/generated/typescript-hosts.ts";
import { runtimeModule } from "../../targets/typescript/emit/runtime-imports.ts";
import { writeFiles } from "../../targets/typescript/load.ts";
import {
  hostedRuntimeFiles,
  jsonataFiles,
  queryFiles,
  sharedRuntimeFiles,
} from "../../targets/typescript/runtime-files.ts";

let cached: string | undefined;

/** A folder with the runtime and the host modules, created once per process; programs are its subfolders. */
export function runtimeFolder(): string {
  if (cached !== undefined) return cached;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-hosts-")));
  writeFiles(
    [
      ...hosts.flatMap((host) => (host.module ? hostedRuntimeFiles(host, "./runtime.js") : [])),
      ...sharedRuntimeFiles(),
      ...queryFiles(runtimeModule),
      ...jsonataFiles(runtimeModule),
      { path: "package.json", text: '{ "type": "module" }\n' },
    ],
    folder,
  );
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  cached = folder;
  return folder;
}

/** Creates a subfolder for one program; it re-exports the shared runtime, and functions and the evaluator of JSONata. */
export function programFolder(name: string): string {
  const folder = join(runtimeFolder(), name);
  mkdirSync(folder);
  const shared = ["runtime.js", "query.js", "jsonata.js"];
  writeFiles(
    shared.map((path) => ({ path, text: `export * from "../${path}";\n` })),
    folder,
  );
  return folder;
}
