// Packs the package, installs it in an empty folder, and uses the command, the library and the types, including on an
// unsupported Node.js if available. Run by `npm run package-test`.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, checks } from "./checks.ts";
import { type Installed, install } from "./install.ts";

const folder = mkdtempSync(join(tmpdir(), "waybill-package-"));
try {
  const installed = install(folder, join(folder, "user"));
  const selected = process.argv.slice(2);
  const isSelected = (name: string) => selected.length === 0 || selected.some((part) => name.includes(part));
  for (const [name, check] of Object.entries(checks).filter(([name]) => isSelected(name)))
    process.stdout.write(`${name}: ${await verdict(check, installed)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function verdict(check: Check, installed: Installed): Promise<string> {
  try {
    const skipped = await check(installed);
    return skipped === undefined ? "ok" : `skipped, ${skipped}`;
  } catch (error) {
    process.exitCode = 1;
    return `FAILED: ${error instanceof Error ? error.message : error}`;
  }
}
