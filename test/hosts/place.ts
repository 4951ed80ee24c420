import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { write } from "../../targets/typescript/load.ts";
import { hostFilesOf, runtimeFiles } from "../../targets/typescript/runtime-files.ts";

let place: string | undefined;

/** A folder with the runtime and the modules of hosts, for the programs in the folders within: one for all tests of a process. */
export function runtimePlace(): string {
  if (place !== undefined) return place;
  const made = realpathSync(mkdtempSync(join(tmpdir(), "waybill-hosts-")));
  write(
    [
      ...runtimeFiles,
      ...hostFilesOf("dbos").files,
      ...hostFilesOf("restate").files,
      ...hostFilesOf("lambda").files,
      { path: "package.json", text: '{ "type": "module" }\n' },
    ],
    made,
  );
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(made, "node_modules"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  place = made;
  return made;
}

/** A folder in it for one program, that finds the runtime as in its own. */
export function programPlace(name: string): string {
  const folder = join(runtimePlace(), name);
  mkdirSync(folder);
  write([{ path: "runtime.js", text: 'export * from "../runtime.js";\n' }], folder);
  return folder;
}
