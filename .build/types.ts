// Flattens the library's declarations into dist/index.d.ts. Run by `npm run build`.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flattenDeclarations } from "./declarations.ts";

const dist = join(import.meta.dirname, "../dist");
writeFileSync(
  join(dist, "index.d.ts"),
  flattenDeclarations([join(dist, "types/src/index.d.ts")], (path) => path),
);
rmSync(join(dist, "types"), { recursive: true });
