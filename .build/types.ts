// Leaves of the emitted declarations only those that the library's own refers to, in one step or several: the others are of no use to anybody.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = join(import.meta.dirname, "../dist/types");
const needed = new Set<string>();
const open = [join(folder, "src/index.d.ts")];
for (let path = open.pop(); path !== undefined; path = open.pop()) {
  if (needed.has(path)) continue;
  needed.add(path);
  for (const [, name] of readFileSync(path, "utf8").matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)) {
    const imported = resolve(path, "..", name!.replace(/\.[jt]s$/, ".d.ts"));
    if (!existsSync(imported)) throw new Error(`${path} refers to ${name}, which has no declarations.`);
    open.push(imported);
  }
}
for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  const path = join(folder, name);
  if (path.endsWith(".d.ts") && !needed.has(path)) rmSync(path);
}
