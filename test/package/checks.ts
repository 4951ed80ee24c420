import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Installed, root } from "./install.ts";
import { checkPackaged, checkVendored } from "./programs.ts";
import { checkBuilds, checkLibraryPage, checkPeers, checkProgramPage, checkTutorial } from "./recipes.ts";
import { dangling, greet, program, scenarios } from "./samples.ts";
import { recordSession, whyNoTerminal } from "./session.ts";

/** Uses the installed package. Returns the reason if it is skipped. */
export type Check = (installed: Installed) => string | undefined | Promise<string | undefined>;

/** The checks of the installed package. */
export const checks: { readonly [name: string]: Check } = {
  "the tarball contains only what is needed": ({ files, size, folder }) => {
    assert.ok(size < 1_730_000, `it has ${size} bytes`);
    assert.deepEqual(
      files.filter((path) => path.endsWith(".map")),
      [],
    );
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules/waybill/package.json"), "utf8"));
    const ofDevelopment = ["scripts", "devDependencies", "imports", "private"];
    assert.deepEqual(
      ofDevelopment.filter((name) => name in manifest),
      [],
    );
    for (const name of ["repository", "homepage", "bugs"]) assert.ok(name in manifest, `it has no ${name}`);
    const expected = ["LICENSE", "README.md", "dist", "package.json", "schema"];
    assert.deepEqual([...new Set(files.map((path) => path.split("/")[0]!))].sort(), expected);
    assert.deepEqual(
      files.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")),
      [],
    );
    return undefined;
  },
  "publint and attw find no mistake": ({ tarball, folder }) => {
    const tools = join(root, "test/tools/node_modules");
    const node = (script: string, ...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(tools, script), ...args], {
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1" },
      });
      assert.equal(status, 0, stdout + stderr);
    };
    node("publint/src/cli.js", "run", join(folder, "node_modules/waybill"), "--strict", "--pack", "false");
    // The module is ESM, which `require` loads too in all supported versions of Node.js. The schemas have no types.
    node(
      "@arethetypeswrong/cli/dist/index.js",
      tarball,
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      "./schema/*",
    );
    return undefined;
  },
  "optional packages are not installed, and are named when they are needed": (installed) => {
    const modules = join(installed.folder, "node_modules");
    for (const name of ["ts-morph", "jq-wasm", "@aws-sdk"]) assert.equal(existsSync(join(modules, name)), false, name);
    const size = sizeOf(join(modules, "waybill"));
    assert.ok(size < 4_950_000, `it has ${size} bytes installed`);
    const folder = join(installed.folder, "typed");
    mkdirSync(folder);
    writeFileSync(join(folder, "greet.yaml"), greet);
    writeFileSync(join(folder, "greet.ts"), "export const greet = (): string => '';\n");
    const bound = "{ trust: types, typescript: { module: ./greet.ts#greet } }";
    writeFileSync(join(folder, "waybill.config.yaml"), `functions: { greetPerson: ${bound} }\n`);
    const { status, stderr } = installed.run("waybill", ["check", "greet.yaml"], { cwd: folder });
    assert.equal(status, 1);
    assert.match(stderr, /WB0523: .*the package ts-morph is not installed/);
    assert.match(stderr, /npm install --save-dev ts-morph@28/);
    const composition =
      '{"Entry":"a","Exit":"a","States":{"a":{"Type":"Task","Function":"p => p","Next":"b"},"b":{"Type":"Pass"}}}';
    const checked = installed.run("waybill", ["check", "-"], {
      stdin: composition.replace('"Exit":"a"', '"Exit":"b"'),
    });
    assert.equal(checked.status, 1);
    assert.match(checked.stderr, /^This needs the package ts-morph, which is not installed\. Run `npm install /);
    return undefined;
  },
  "a plug-in of a project adds a target": (installed) => {
    const folder = join(installed.folder, "plugin");
    mkdirSync(folder);
    writeFileSync(join(folder, "greet.yaml"), greet);
    writeFileSync(join(folder, "waybill.config.yaml"), "plugins: [./names.mjs]\n");
    const text = `import { stepsOf } from "waybill/ir";
const emit = (all) => all.map(({ id, steps }) => ({ path: id + ".txt", text: steps.join(" ") + "\\n", workflow: id }));
const generate = ({ workflows }) => workflows.map((workflow) => ({ id: workflow.id, steps: stepsOf(workflow).map(({ kind }) => kind) }));
export default { name: "names", targets: [{ name: "names", summary: "kinds of steps", generate, emit }] };
`;
    writeFileSync(join(folder, "names.mjs"), text);
    const { status, stdout, stderr } = installed.run("waybill", ["compile", "greet.yaml", "--target", "names"], {
      cwd: folder,
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
    assert.match(stdout, /^call .*end\n$/);
    return undefined;
  },
  "waybill compile": (installed) => {
    writeFileSync(join(installed.folder, "greet.yaml"), greet);
    const { status, stdout, stderr } = installed.run("waybill", ["compile", "greet.yaml", "--target", "asl"]);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
    assert.equal(JSON.parse(stdout).QueryLanguage, "JSONata");
    return undefined;
  },
  "the same bytes from standard input, another folder, time zone and locale": (installed) => {
    const args = (path: string) => ["compile", path, "--target", "asl"];
    const { stdout } = installed.run("waybill", args("greet.yaml"));
    mkdirSync(join(installed.folder, "elsewhere"));
    const env = { TZ: "Pacific/Chatham", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" };
    const elsewhere = { cwd: join(installed.folder, "elsewhere"), env };
    assert.equal(installed.run("waybill", args("../greet.yaml"), elsewhere).stdout, stdout);
    assert.equal(installed.run("waybill", args("-"), { stdin: greet, env }).stdout, stdout);
    return undefined;
  },
  "compiled code is cached for the next run, and is optional": (installed) => {
    const args = ["compile", "greet.yaml", "--target", "asl"];
    const { stdout } = installed.run("waybill", args);
    const cache = join(installed.folder, "compiled");
    const env = { NODE_COMPILE_CACHE: cache };
    const files = () => readdirSync(cache, { recursive: true, encoding: "utf8" });
    const kept = () => files().filter((path) => /waybill-\w+$/.test(path));
    assert.equal(installed.run("waybill", args, { env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } }).stdout, stdout);
    assert.equal(existsSync(cache), false);
    assert.equal(installed.run("waybill", args, { env }).stdout, stdout);
    assert.ok(kept().length > 5, files().join("\n"));
    const times = () => kept().map((path) => statSync(join(cache, path)).mtimeMs);
    const first = times();
    assert.equal(installed.run("waybill", args, { env }).stdout, stdout);
    assert.deepEqual(times(), first);
    for (const path of kept()) writeFileSync(join(cache, path), "no code");
    assert.equal(installed.run("waybill", args, { env }).stdout, stdout);
    assert.ok(kept().every((path) => statSync(join(cache, path)).size > 100));
    return undefined;
  },
  "waybill compile --out and --check": (installed) => {
    const args = ["compile", "greet.yaml", "--target", "asl", "--out", "out"];
    assert.equal(installed.run("waybill", [...args, "--check"]).status, 1);
    assert.equal(installed.run("waybill", args).status, 0);
    assert.equal(installed.run("waybill", [...args, "--check"]).status, 0);
    assert.equal(JSON.parse(readFileSync(join(installed.folder, "out/greet.asl.json"), "utf8")).StartAt, "Greet");
    return undefined;
  },
  "waybill eval --compare without jq": (installed) => {
    const { status, stderr } = installed.run("waybill", ["eval", "-n", "--compare", "1"]);
    assert.equal(status, 2);
    assert.match(stderr, /`npm install jq-wasm@/);
    return undefined;
  },
  "waybill check": (installed) => {
    const { status, stdout } = installed.run("waybill", ["check", "-", "--format", "json"], { stdin: dangling });
    assert.equal(status, 1);
    const [{ code, line, hint }] = JSON.parse(stdout);
    assert.deepEqual({ code, line, hint }, { code: "WB2001", line: 13, hint: "Did you mean `Greet`?" });
    return undefined;
  },
  "waybill test": (installed) => {
    writeFileSync(join(installed.folder, "scenarios.yaml"), scenarios);
    const { status, stdout, stderr } = installed.run("waybill", [
      "test",
      "scenarios.yaml",
      "--on",
      "all",
      "--format",
      "json",
    ]);
    assert.equal(status, 0, stdout + stderr);
    const outcomes = JSON.parse(stdout).results.map(({ target, outcome }: { target: string; outcome: string }) => [
      target,
      outcome,
    ]);
    assert.deepEqual(outcomes, [
      ["reference", "passed"],
      ["asl", "passed"],
      ["openwhisk", "passed"],
      ["typescript", "passed"],
    ]);
    return undefined;
  },
  "waybill run": (installed) => {
    const folder = join(installed.folder, "shop");
    mkdirSync(folder);
    writeFileSync(join(folder, "greet.yaml"), greet);
    writeFileSync(
      join(folder, "waybill.config.yaml"),
      "functions:\n  greetPerson: { typescript: { module: ./person.mts#greetPerson } }\n",
    );
    writeFileSync(
      join(folder, "person.mts"),
      'export const greetPerson = async ({ name }: { name: string }) => ({ greeting: "Hello, ".concat(name) });\n',
    );
    const { status, stdout, stderr } = installed.run(
      "waybill",
      ["run", "greet.yaml", "--input", '{"name":"Ada"}', "--store", "runs.db"],
      {
        cwd: folder,
      },
    );
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
    assert.deepEqual(JSON.parse(stdout), { name: "Ada", greeting: "Hello, Ada" });
    return undefined;
  },
  "an emitted program is checked, and runs": (installed) => {
    const args = ["compile", "greet.yaml", "--target", "typescript", "--out", "app"];
    assert.equal(installed.run("waybill", args, { cwd: join(installed.folder, "shop") }).status, 0);
    const folder = join(installed.folder, "shop/app");
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    const { status, stdout, stderr } = installed.run(
      "node",
      ["main.ts", "start", "greet", "--input", '{"name":"Eve"}', "--wait"],
      {
        cwd: folder,
      },
    );
    assert.equal(status, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { name: "Eve", greeting: "Hello, Eve" });
    return undefined;
  },
  "a program contains its runtime and needs no packages": checkVendored,
  "a program with the runtime's package needs no other": checkPackaged,
  "waybill explain and list": (installed) => {
    assert.match(installed.run("waybill", ["explain", "wb2001"]).stdout, /^WB2001/);
    assert.match(installed.run("waybill", ["list"]).stdout, /serverless-workflow.*asl/s);
    assert.equal(installed.run("waybill", ["explain", "WB9999"]).status, 2);
    return undefined;
  },
  "the library, and its types": (installed) => {
    const { folder } = installed;
    writeFileSync(join(folder, "program.mts"), program);
    const { status, stderr } = installed.run("node", ["program.mts"]);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
    const compilerOptions = {
      module: "NodeNext",
      target: "ES2023",
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.mts"] }));
    const checked = installed.run(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
    assert.equal(checked.status, 0, checked.stdout);
    return undefined;
  },
  "the recipes of the command line": checkBuilds,
  "the page about the library": checkLibraryPage,
  "the page about programs": checkProgramPage,
  "the tutorial": checkTutorial,
  "the package next to other versions of its peers": checkPeers,
  "the first five minutes, on a terminal": async ({ tarball }) => {
    if (whyNoTerminal !== undefined) return whyNoTerminal;
    const { ms } = await recordSession(tarball);
    assert.ok(ms < 5 * 60_000, `they take ${(ms / 1000).toFixed(0)} s`);
    return undefined;
  },
  "an older Node is reported": ({ folder }) => {
    const old = olderNode();
    if (!old) return "no older Node on the PATH";
    const { status, stdout, stderr } = spawnSync(old, [join(folder, "node_modules/waybill/dist/waybill.cjs"), "list"], {
      encoding: "utf8",
    });
    assert.deepEqual({ status, stdout }, { status: 3, stdout: "" });
    assert.match(stderr, /^Waybill requires Node\.js 22\.18 or later, not [\d.]+\.\n$/);
    return undefined;
  },
};

/** An unsupported version of Node.js on the PATH. */
function olderNode(): string | undefined {
  const candidates = process.env["PATH"]!.split(delimiter).map((folder) => join(folder, "node"));
  return candidates.find((path) => {
    const version = /^v(\d+)\.(\d+)/.exec(spawnSync(path, ["--version"], { encoding: "utf8" }).stdout ?? "");
    return version !== null && (Number(version[1]) < 22 || (version[1] === "22" && Number(version[2]) < 18));
  });
}

/** The size of the files in a folder in bytes. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
