// Runs the command in a clone: the bundle if no source is newer, otherwise the sources. Run by `npm run waybill`.

import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bundle = join(root, "dist/waybill.cjs");
const changed = Math.max(...["src", "targets", ".build", "package.json"].map((path) => lastChange(join(root, path))));

if (lastChange(bundle) > changed) createRequire(import.meta.url)(bundle);
// The last file that is generated.
else if (lastChange(join(root, "src/generated/diagnostics.js")) > changed || generate()) {
  enableCompileCache(join(root, "node_modules/.cache/waybill"));
  await import("../src/cli/bin.ts");
}

/** When a file or a folder's contents last changed, except for generated files; 0 if it does not exist. */
function lastChange(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  const inner = readdirSync(path).filter((name) => name !== "generated" && name !== "node_modules");
  return inner.reduce((latest, name) => Math.max(latest, lastChange(join(path, name))), stat.mtimeMs);
}

function generate(): boolean {
  const { status } = spawnSync(process.execPath, [join(root, ".build/generate.ts")], { stdio: ["ignore", 2, 2] });
  process.exitCode = status ?? 1;
  return status === 0;
}
