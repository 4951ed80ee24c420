// Generates src/generated/diagnostics.js (kinds with pages) and severities.js. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dataModule } from "./data-module.ts";
import { collectPages } from "./diagnostic-pages.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const entries = await collectPages(root, ["src", "targets"]);

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(join(root, "src/generated/diagnostics.js"), dataModule({ entries }));
writeFileSync(
  join(root, "src/generated/diagnostics.d.ts"),
  `import type { CatalogEntry } from "../diagnostics/renderers/catalog.ts";

/** The kinds of diagnostics, sorted by code. */
export declare const entries: () => readonly CatalogEntry[];
`,
);
const severities = Object.fromEntries(entries.map(({ code, severity }) => [code, severity]));
writeFileSync(join(root, "src/generated/severities.js"), `export const severities = ${JSON.stringify(severities)};\n`);
writeFileSync(
  join(root, "src/generated/severities.d.ts"),
  `import type { Severity } from "../text/diagnostics.ts";

/** The default severities of diagnostics by code. */
export declare const severities: { readonly [code: string]: Severity };
`,
);
