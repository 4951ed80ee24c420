// Writes the published package to dist/package: the files of package.json without what only its development needs. Run
// by `npm run build`.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "dist/package");

/**
 * The scripts build it, the imports and development dependencies are bundled, and `files` selects what is copied here.
 */
const ofDevelopment = new Set(["private", "scripts", "devDependencies", "imports", "files"]);

const manifest: object = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const published = Object.fromEntries(Object.entries(manifest).filter(([key]) => !ofDevelopment.has(key)));

rmSync(folder, { recursive: true, force: true });
for (const path of packedFiles()) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  if (path.startsWith("schema/")) writeFileSync(join(folder, path), withoutSpaces(join(root, path)));
  else cpSync(join(root, path), join(folder, path));
}
writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);

/** The text of a JSON file on one line: editors read schemas, and people the pages about what they describe. */
function withoutSpaces(file: string): string {
  return `${JSON.stringify(JSON.parse(readFileSync(file, "utf8")))}\n`;
}

/** The files that npm would pack, except for the manifest. */
function packedFiles(): readonly string[] {
  const args = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${stderr}`);
  const [{ files }] = JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => path).filter((path) => path !== "package.json");
}
