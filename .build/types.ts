// Makes one file of the declarations that were emitted: what the library exports, and what that refers to, in one step or several. The others are of no use to
// anybody.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flattened } from "./declarations.ts";

const dist = join(import.meta.dirname, "../dist");
writeFileSync(
  join(dist, "index.d.ts"),
  flattened([join(dist, "types/src/index.d.ts")], (path) => path),
);
rmSync(join(dist, "types"), { recursive: true });
