// Makes src/generated/typescript-runtime.js: the files that the typescript target copies into the programs that it emits, as they are but for the places of
// what they import from `src`, which is copied as well. Run by `npm run generate`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
/** A folder, and what its files are called in emitted programs. */
const folders: readonly (readonly [folder: string, prefix: string])[] = [
  ["targets/typescript/runtime", ""],
  ["src/matching", "matching/"],
];
const files = Object.fromEntries(
  folders
    .flatMap(([folder, prefix]) => pathsIn(folder).map((path) => [`${prefix}${path}`, textOf(folder, path)] as const))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

function pathsIn(folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => relative(join(root, folder), join(parentPath, name)).replaceAll("\\", "/"));
}

/** What is imported as `../../../src/matching/index.ts` from the runtime is `./matching/index.ts` in a program. */
function textOf(folder: string, path: string): string {
  const up = "../".repeat(path.split("/").length - 1);
  const toSource = "../".repeat(folder.split("/").length);
  const text = readFileSync(join(root, folder, path), "utf8");
  return text.replaceAll(`from "${up}${toSource}src/`, `from "${up || "./"}`);
}

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
