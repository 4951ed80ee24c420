// Assembles the deployment for AWS Lambda in dist: this program and its packages.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const dist = join(here, "dist");
const others = ["dist", "node_modules", "previous"];

rmSync(dist, { recursive: true, force: true });
for (const name of readdirSync(here))
  if (!others.includes(name)) cpSync(join(here, name), join(dist, ".", name), { recursive: true });

for (const folder of ["."]) {
  const isLocked = ["package-lock.json", "npm-shrinkwrap.json"].some((name) => existsSync(join(dist, folder, name)));
  const line = [isLocked ? "ci" : "install", "--omit=dev", "--no-audit", "--no-fund"];
  execFileSync("npm", line, { cwd: join(dist, folder), stdio: "inherit", shell: process.platform === "win32" });
}
