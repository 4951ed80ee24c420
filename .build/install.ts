// Installs the packages of a folder such as test/hosts, and links each into node_modules, where tests and sources find it. Does nothing if they are installed.
// Run by `npm run hosts:install`.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, process.argv[2] ?? "test/hosts");
const lock = join(folder, "package-lock.json");
const installed = join(folder, "node_modules/.installed-lock.json");

const isInstalled = existsSync(installed) && readFileSync(installed).equals(readFileSync(lock));
if (!isInstalled) {
  // Peers are those of the project.
  const args = ["ci", "--omit=peer", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(lock, installed);
}

const { dependencies }: { readonly dependencies: object } = JSON.parse(
  readFileSync(join(folder, "package.json"), "utf8"),
);
for (const name of Object.keys(dependencies)) {
  const link = join(root, "node_modules", name);
  const stat = lstatSync(link, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) rmSync(link);
  else if (stat) continue;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(folder, "node_modules", name), link, "junction");
}
