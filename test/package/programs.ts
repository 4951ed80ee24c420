import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Installed, root } from "./install.ts";
import { greet } from "./samples.ts";

const person = `import { type Json, type Step, WorkflowError } from "RUNTIME";

export function greetPerson({ name }: { name: Json }, { attempt }: Step) {
  if (typeof name !== "string") throw new WorkflowError("NoName", "Who is it?");
  return { greeting: \`Hello, \${name}\${"!".repeat(attempt)}\` };
}
`;

/** A program with the runtime next to it requires no installation and no build. */
export function checkVendored(installed: Installed): undefined {
  inEmptyFolder((folder) => {
    compile(installed, folder, "vendored", "./app/runtime.js");
    const files = ["README.md", "functions.ts", "greet.ts", "main.ts", "package.json", "runtime.d.ts", "runtime.js"];
    const others = [".gitattributes", ".waybill.json", "Dockerfile", "Dockerfile.dockerignore", "tsconfig.json"];
    const all = [...others, ...files, "greet.graph.json"];
    assert.deepEqual(readdirSync(join(folder, "app")).sort(), all.sort());
    checkRuns(folder);
  });
}

/** A program that depends on the runtime package installs only that package. */
export function checkPackaged(installed: Installed): undefined {
  inEmptyFolder((folder) => {
    compile(installed, folder, "package", "waybill-runtime");
    const [tarball] = JSON.parse(npm(join(root, "dist/runtime"), "pack", "--json", "--pack-destination", folder));
    assert.ok(tarball.size < 300_000, `the runtime has ${tarball.size} bytes`);
    npm(folder, "install", "--omit=dev", "--no-audit", "--no-fund", "--offline", join(folder, tarball.filename));
    const found = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
    assert.deepEqual(found, ["waybill-runtime"]);
    const { dependencies } = JSON.parse(readFileSync(join(folder, "app/package.json"), "utf8"));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.deepEqual(dependencies, { "waybill-runtime": version });
    checkRuns(folder);
  });
}

function inEmptyFolder(check: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "waybill-deployed-"));
  try {
    check(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(installed: Installed, folder: string, runtime: string, imported: string): void {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, "greet.yaml"), greet);
  writeFileSync(join(folder, "person.ts"), person.replace("RUNTIME", imported));
  const binding = "{ typescript: { module: ./person.ts#greetPerson } }";
  const settings = `targets: { typescript: { runtime: ${runtime} } }`;
  writeFileSync(join(folder, "waybill.config.yaml"), `functions: { greetPerson: ${binding} }\n${settings}\n`);
  const args = ["compile", "greet.yaml", "--target", "typescript", "--out", "app"];
  const { status, stderr } = installed.run("waybill", args, { cwd: folder });
  assert.equal(status, 0, stderr);
}

/** Checks that the program passes the type checker and runs, without a compiler in its folder. */
function checkRuns(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    files.filter(
      (path) => /ts-morph|typescript|esbuild|prettier/.test(path) && statSync(join(folder, path)).isDirectory(),
    ),
    [],
  );
  const app = join(folder, "app");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", "main.ts", "start", "greet", "--input", '{"name":"Eve"}', "--wait"],
    { cwd: app, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { name: "Eve", greeting: "Hello, Eve!" });
  mkdirSync(join(folder, "types"));
  const config = JSON.parse(readFileSync(join(app, "tsconfig.json"), "utf8"));
  const typeRoots = [join(root, "node_modules/@types")];
  const compilerOptions = { ...config.compilerOptions, typeRoots };
  writeFileSync(join(folder, "types/tsconfig.json"), JSON.stringify({ compilerOptions, files: ["../app/main.ts"] }));
  const checker = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", join(folder, "types")], { encoding: "utf8" });
  assert.equal(checker.stdout, "");
}

function npm(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}
