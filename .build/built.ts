// Bundles the command if it is not there. Run by `npm run waybill`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
if (!existsSync(join(root, "dist/waybill.cjs"))) {
  const { status } = spawnSync("npm", ["run", "--silent", "bundle"], { cwd: root, stdio: ["ignore", 2, 2] });
  process.exitCode = status ?? 1;
}
