// Makes src/generated/diagnostics.js: all kinds of diagnostics with their pages, as `waybill explain` prints them. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectPages } from "./pages.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const pages = await collectPages(root, ["src", "targets"]);
const entries = pages;

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(
  join(root, "src/generated/diagnostics.js"),
  `export const entries = ${JSON.stringify(entries, undefined, 1)};\n`,
);
writeFileSync(
  join(root, "src/generated/diagnostics.d.ts"),
  `import type { CatalogueEntry } from "../report/catalogue.ts";

/** All kinds of diagnostics, in the order of their codes. */
export declare const entries: readonly CatalogueEntry[];
`,
);
