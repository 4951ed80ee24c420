// Makes src/generated/typescript-runtime.js: the files that the typescript target copies into the programs that it emits, as they are. Run by
// `npm run generate`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "targets/typescript/runtime");
const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && entry.name.endsWith(".ts"),
);
const paths = entries
  .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"))
  .sort();
const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(
  join(root, "src/generated/typescript-runtime.js"),
  `export const runtimeFiles = ${JSON.stringify(files, undefined, 1)};\n`,
);
writeFileSync(
  join(root, "src/generated/typescript-runtime.d.ts"),
  `/** The files that emitted programs are given, by their path in \`runtime/\`. */
export declare const runtimeFiles: { readonly [path: string]: string };
`,
);
