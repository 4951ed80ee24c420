// Makes src/generated/diagnostics.js: all kinds of diagnostics with their pages, as `waybill explain` prints them, and src/generated/severities.js, which has
// what each is by itself. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dataModule } from "./data-module.ts";
import { collectPages } from "./pages.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const entries = await collectPages(root, ["src", "targets"]);

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(join(root, "src/generated/diagnostics.js"), dataModule(["entries"], { entries }));
writeFileSync(
  join(root, "src/generated/diagnostics.d.ts"),
  `import type { CatalogueEntry } from "../diagnostics/renderers/catalogue.ts";

/** All kinds of diagnostics, in the order of their codes. */
export declare const entries: readonly CatalogueEntry[];
`,
);
const severities = Object.fromEntries(entries.map(({ code, severity }) => [code, severity]));
writeFileSync(join(root, "src/generated/severities.js"), `export const severities = ${JSON.stringify(severities)};\n`);
writeFileSync(
  join(root, "src/generated/severities.d.ts"),
  `import type { Severity } from "../text/diagnostics.ts";

/** What each kind of diagnostic is where nothing grades it, by its code. */
export declare const severities: { readonly [code: string]: Severity };
`,
);
