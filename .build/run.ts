// Runs the command in a clone: the bundle if it exists, otherwise the sources. Run by `npm run waybill`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bundle = join(root, "dist/waybill.cjs");
const isGenerated = existsSync(join(root, "src/generated/diagnostics.js"));

if (existsSync(bundle)) createRequire(import.meta.url)(bundle);
else if (isGenerated || generate()) {
  enableCompileCache(join(root, "node_modules/.cache/waybill"));
  await import("../src/cli/bin.ts");
}

function generate(): boolean {
  const { status } = spawnSync(process.execPath, [join(root, ".build/generate.ts")], { stdio: ["ignore", 2, 2] });
  process.exitCode = status ?? 1;
  return status === 0;
}
