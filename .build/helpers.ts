// Makes src/generated/asl-helpers.js: the functions that expressions of asl define at their head, with what each of them needs. Run by
// `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { helperTable } from "../targets/asl/jsonata/helpers/table.ts";

const generated = fileURLToPath(new URL("../src/generated/", import.meta.url));

mkdirSync(generated, { recursive: true });
writeFileSync(
  join(generated, "asl-helpers.js"),
  `export const helpers = ${JSON.stringify(helperTable(), undefined, 1)};\n`,
);
writeFileSync(
  join(generated, "asl-helpers.d.ts"),
  `import type { Helper } from "../../targets/asl/jsonata/helpers/table.ts";

/** The functions that expressions define at their head, by name. */
export declare const helpers: { readonly [name: string]: Helper };
`,
);
