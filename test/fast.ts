// What a contributor runs while working: generated files, types, lint, and the tests of the compiler's core. Languages, expressions and targets have folders
// of their own (`npm test -- test/languages/yawl`); `.ci/run` runs everything. Run by `npm run test:fast`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const tests = [
  "test/architecture.test.ts",
  "test/vocabulary.test.ts",
  "test/compile.test.ts",
  "test/dependencies.test.ts",
  "test/diagnostics.test.ts",
  "test/json.test.ts",
  "test/library.test.ts",
  ...["analysis", "cfg", "configuration", "documents", "ir", "js-ast", "passes", "schema", "text", "toy", "types"],
].map((path) => (path.startsWith("test/") ? path : `test/${path}/`));

/** Slow tests in those folders. */
const slow = ["test/ir/renaming.test.ts", "test/documents/properties.test.ts", "test/analysis/properties.test.ts"];

const run = (title: string, command: string, ...args: readonly string[]): void => {
  console.log(`== ${title}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exitCode = 1;
};

const hasHosts = existsSync(join(root, "test/hosts/node_modules"));
run("generate", "npm", "run", "--silent", "generate");
// Files that need the packages in test/hosts are checked only if these are installed.
run("types", "npx", "tsc", "--noEmit", ...(hasHosts ? [] : ["-p", ".build/tsconfig.fast.json"]));
run("lint", "npm", "run", "--silent", "lint");
run("tests", "npx", "vitest", "run", "--testTimeout=30000", ...slow.flatMap((path) => ["--exclude", path]), ...tests);
