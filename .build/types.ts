// Flattens the declarations of the library to dist/index.d.ts and dist/ir.d.ts. Run by `npm run build`.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flattenDeclarations } from "./declarations.ts";

const dist = join(import.meta.dirname, "../dist");
const at = (path: string): string => path;

/**
 * Names of the unstable module, so that the declarations of the stable one do not contain the intermediate
 * representation.
 */
const unstable = new Map(["Plugin", "Target"].map((name) => [name, "./ir.js"]));

const entries = [
  ["index.d.ts", "types/src/index.d.ts", { outside: unstable, exportsAll: true }],
  ["ir.d.ts", "types/src/library/ir.d.ts", { exportsAll: true }],
] as const;
for (const [file, entry, options] of entries)
  writeFileSync(join(dist, file), flattenDeclarations([join(dist, entry)], at, options));
rmSync(join(dist, "types"), { recursive: true });
