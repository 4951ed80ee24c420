// Packs the package, installs it in an empty folder and uses it there: the command, the library, the types; and on an older Node, if one
// is on the PATH. Run by `npm run package-test`.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./checks.ts";
import { type Installed, install } from "./install.ts";

const folder = mkdtempSync(join(tmpdir(), "waybill-package-"));
try {
  mkdirSync(join(folder, "user"));
  const installed = install(folder, join(folder, "user"));
  for (const [name, check] of Object.entries(checks)) process.stdout.write(`${name}: ${verdict(check, installed)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function verdict(check: (installed: Installed) => string | undefined, installed: Installed): string {
  try {
    const skipped = check(installed);
    return skipped === undefined ? "ok" : `skipped, ${skipped}`;
  } catch (error) {
    process.exitCode = 1;
    return `FAILED: ${error instanceof Error ? error.message : error}`;
  }
}
