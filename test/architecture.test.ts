import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stronglyConnectedComponents } from "../src/analysis/components.ts";

// Imports point downward, types included: `src/README.md` explains the layers. A unit is a folder of `src`, a file directly in `src`, or a target. Within
// `src/expressions` and within each target, the folders and files directly below are units of their own.

/** The units of `src` from the bottom up. A unit imports only from layers below its own. */
const layers: readonly (readonly string[])[] = [
  [
    ...["src/json.ts", "src/options.ts", "src/priority-queue.ts", "src/errno.ts", "src/schema-keywords.ts"],
    ...["src/text", "src/lazy", "src/page"],
  ],
  ["src/events", "src/layout"],
  ["src/diagnostics", "src/js-ast", "src/worker.ts"],
  ["src/documents"],
  ["src/types", "src/schema"],
  ["src/expressions", "src/signatures"],
  ["src/ir"],
  ["src/language.ts", "src/cfg", "src/analysis", "src/environment"],
  ["src/languages", "src/passes", "src/graph", "src/migration"],
  ["src/target"],
  ["src/output", "src/plugins", "src/reference"],
  ["src/configuration"],
  ["src/pipeline"],
  ["src/compile.ts"],
  ["src/scenario"],
  ["src/diff"],
  ["src/lsp"],
];

/** The composition roots: they see all of `src` and the list of targets. */
const roots = ["src/cli", "src/library", "src/playground", "src/index.ts"];

/** What no target may import: it is above the targets, or knows languages. */
const aboveTargets = [
  ...["src/languages", "src/language.ts", "src/configuration", "src/output", "src/plugins"],
  ...["src/reference", "src/pipeline"],
  ...["src/compile.ts", "src/scenario", "src/diff", "src/lsp", "src/options.ts", ...roots],
];

/** Folders that others import only through their `index.ts`. */
const faces = ["src/expressions", "src/expressions/js", "src/types", "src/cfg", "src/passes"];

/**
 * Folders whose files may import each other's values in a circle, and why. Each is one recursion over one tree, with one or a few kinds of nodes per file.
 */
const recursions: { readonly [folder: string]: string } = {
  "src/js-ast": "expressions contain functions, whose bodies are statements",
  "src/expressions/analysis": "the type of a path depends on the types of its parts",
  "src/expressions/interpreter": "paths are evaluated by evaluating expressions",
  "src/expressions/js": "each construct prints the expressions inside it",
  "src/expressions/jsonata-js": "each construct prints the expressions inside it",
  "src/expressions/syntax/condition": "groups, arguments and indexes contain operators",
  "src/expressions/syntax/jsonpath": "filters contain paths",
  "src/expressions/syntax/jsonata": "operands contain expressions, and operators operands",
  "src/expressions/syntax/jq": "terms contain queries, and definitions are lowered where they are called",
  "targets/asl/jsonata": "each construct prints the expressions inside it",
  "targets/asl/select": "states contain the scopes of branches and iterations",
  "targets/openwhisk/select": "steps contain the scopes of branches, iterations and attempts",
  "src/languages/asl": "states contain states, and paths and templates each other",
  "src/languages/serverless-workflow": "states contain states",
  "src/languages/serverless-workflow-1.0": "tasks contain tasks",
  "src/languages/sm4c": "actions contain actions",
  "src/languages/yawl": "steps contain steps",
  "targets/typescript/emit": "steps contain the blocks of branches and iterations",
  "targets/typescript/runtime/flow": "branches are flows, and flows start workflows",
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  readonly isLazy: boolean;
}

const root = join(import.meta.dirname, "..");
const files = ["src", "targets"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts") && !path.includes("/generated/")),
);
const imports = files.flatMap(importsOf);

/** The imports of files in `src` and `targets`, except generated ones. */
function importsOf(from: string): readonly Import[] {
  const text = readFileSync(join(root, from), "utf8");
  const stated = [...text.matchAll(/^(?:import|export)\s+(type\s)?([^;"'`]*?)\s*(?:\bfrom\s*)?"(\.[^"]+)"/gm)].map(
    ([, type, names = "", path = ""]) => ({ path, isType: type !== undefined || areTypes(names), isLazy: false }),
  );
  const lazy = [...text.matchAll(/\b(typeof\s+)?import\("(\.[^"]+)"\)/g)].map(([, type, path = ""]) => ({
    path,
    isType: type !== undefined,
    isLazy: true,
  }));
  return [...stated, ...lazy]
    .map(({ path, ...rest }) => ({ from, to: join(dirname(from), path), ...rest }))
    .filter(({ to }) => /^(?:src|targets)\//.test(to) && !to.includes("/generated/"));
}

function areTypes(names: string): boolean {
  return /^\{(?:\s*type\s[^,}]+,?)+\s*\}$/.test(names);
}

/** The unit of a file: `folder` and one more segment of its path. */
const unitIn = (folder: string, path: string): string =>
  path
    .split("/")
    .slice(0, folder.split("/").length + 1)
    .join("/");

const unitOf = (path: string): string => unitIn(path.startsWith("src/") ? "src" : "targets", path);

const isTarget = (unit: string): boolean => unit.startsWith("targets/") && unit !== "targets/index.ts";

const describeImport = ({ from, to }: Import): string => `${from} → ${to}`;

/** The strongly connected components, of more than one member, of the units in a folder. */
function cyclesIn(folder: string, unit: (path: string) => string): readonly (readonly string[])[] {
  const inside = imports.filter(({ from, to }) => [from, to].every((path) => path.startsWith(`${folder}/`)));
  const units = new Set(inside.flatMap(({ from, to }) => [unit(from), unit(to)]));
  const next = new Map<string, Set<string>>();
  for (const { from, to } of inside) {
    if (unit(from) === unit(to)) continue;
    if (!next.has(unit(from))) next.set(unit(from), new Set());
    next.get(unit(from))!.add(unit(to));
  }
  return stronglyConnectedComponents([...units], (each) => [...(next.get(each) ?? [])]).filter(
    ({ length }) => length > 1,
  );
}

const folders = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

test("imports are found: on several lines, of types, and lazy ones", () => {
  expect(imports.length).toBeGreaterThan(files.length);
  expect(imports.map(describeImport)).toContain("targets/index.ts → targets/asl/index.ts");
  const contract = "src/target/contract.ts";
  expect(imports).toContainEqual({ from: contract, to: "src/ir/workflow.ts", isType: true, isLazy: false });
  expect(imports.filter(({ from, isLazy }) => from.startsWith("targets/asl/") && isLazy)).not.toEqual([]);
});

test("the graph of units has no cycle", () => {
  expect(cyclesIn("src", unitOf)).toEqual([]);
  expect(cyclesIn("src/expressions", (path) => unitIn("src/expressions", path))).toEqual([]);
});

test.each(folders("targets"))("the folders of target %s have no cycle", (target) => {
  expect(cyclesIn(`targets/${target}`, (path) => unitIn(`targets/${target}`, path))).toEqual([]);
});

test("every unit of src is in one layer", () => {
  const units = new Set(files.filter((path) => path.startsWith("src/")).map(unitOf));
  expect([...layers.flat(), ...roots].sort()).toEqual([...units].sort());
});

test("imports point downward", () => {
  const layerOf = (unit: string): number => layers.findIndex((layer) => layer.includes(unit));
  const upward = imports.filter(({ from, to }) => {
    const [unit, other] = [unitOf(from), unitOf(to)];
    if (unit === other || unit === "targets/index.ts") return false;
    if (roots.includes(unit)) return isTarget(other);
    if (isTarget(unit)) return aboveTargets.includes(other) || other.startsWith("targets/");
    return !(layerOf(other) >= 0 && layerOf(other) < layerOf(unit));
  });
  expect(upward.map(describeImport)).toEqual([]);
});

test("the runtime of emitted programs imports only itself and what is copied into it", () => {
  const runtime = "targets/typescript/runtime/";
  const copied = [
    runtime,
    "src/events/",
    "src/graph/",
    "src/page/",
    "src/priority-queue.ts",
    "src/json.ts",
    "src/text/cron",
  ];
  const isCopied = (to: string) => copied.some((path) => to.startsWith(path));
  expect(imports.filter(({ from, to }) => from.startsWith(runtime) && !isCopied(to)).map(describeImport)).toEqual([]);
});

test("hosts import values of the rest of the runtime only through its internal module", () => {
  const [runtime, folder] = ["targets/typescript/runtime/", "targets/typescript/runtime/hosts/"];
  const around = imports.filter(
    ({ from, to, isType }) =>
      from.startsWith(folder) && !isType && !to.startsWith(folder) && to !== `${runtime}internal.ts`,
  );
  expect(around.map(describeImport)).toEqual([]);
});

test("folders with an index are imported through it", () => {
  const isIndex = (to: string) => faces.some((face) => to === `${face}/index.ts`);
  const behind = imports.filter(
    ({ from, to }) => !isIndex(to) && faces.some((face) => to.startsWith(`${face}/`) && !from.startsWith(`${face}/`)),
  );
  expect(behind.map(describeImport)).toEqual([]);
});

/** The files whose code has one of the names as a string, except those that may have it. */
function filesNaming(names: readonly string[], mayName: (path: string) => boolean): readonly string[] {
  const pattern = new RegExp(`["'\`](?:${names.join("|")})["'\`]`);
  return files.filter((path) => !mayName(path) && pattern.test(withoutComments(path))).sort();
}

const withoutComments = (path: string): string =>
  readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** Whether a file belongs to a language, or to the target with the same name, which has a reason of its own for it. */
const belongsTo = (name: string, path: string): boolean =>
  ["src/languages", "src/migration", "targets"].some((folder) => path.startsWith(`${folder}/${name}/`));

/** Whether a language and a target have this name; composition roots know the target. */
const isShared = (name: string): boolean =>
  folders("targets").includes(name) && folders("src/languages").includes(name);

test("only languages name a language, and each only itself", () => {
  const languages = folders("src/languages").filter((name) => name !== "shared");
  for (const name of languages)
    expect(
      filesNaming([name], (path) => belongsTo(name, path) || (isShared(name) && roots.includes(unitOf(path)))),
      name,
    ).toEqual([]);
});

test("only targets and composition roots name a target, and each target only itself", () => {
  for (const name of folders("targets"))
    expect(
      filesNaming([name], (path) => belongsTo(name, path) || roots.includes(unitOf(path))),
      name,
    ).toEqual([]);
});

test("no file names a host outside of its folders", () => {
  for (const name of folders("targets/typescript/hosts")) {
    const own = [`targets/typescript/hosts/${name}/`, "targets/typescript/runtime/"];
    const isOwn = (path: string) => !path.startsWith("targets/typescript/") || own.some((it) => path.startsWith(it));
    expect(filesNaming([name], isOwn), name).toEqual([]);
  }
});

test("files import each other in circles only where one recursion is spread over them", () => {
  const next = (file: string): readonly string[] =>
    imports.flatMap(({ from, to, isType, isLazy }) => (from === file && !isType && !isLazy ? [to] : []));
  const found = stronglyConnectedComponents(files, next).filter(({ length }) => length > 1);
  const folderOf = (circle: readonly string[]) =>
    Object.keys(recursions).find((folder) => circle.every((file) => file.startsWith(`${folder}/`)));
  expect(found.filter((circle) => folderOf(circle) === undefined)).toEqual([]);
  expect(Object.keys(recursions).filter((folder) => !found.some((circle) => folderOf(circle) === folder))).toEqual([]);
});

/** The files that are loaded with a file: what it imports, except by `import()`. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const each of loaded)
    for (const { from, to, isType, isLazy } of imports) if (from === each && !isType && !isLazy) loaded.add(to);
  return loaded;
}

test("the front end and the validator of a language are loaded when a definition needs them", () => {
  const languages = folders("src/languages").filter((name) => name !== "shared");
  const frontEnds = languages.map((name) => `src/languages/${name}/front-end.ts`);
  const validators = languages.map((name) => `"../../generated/${name}.js"`);
  const text = (path: string): string => readFileSync(join(root, path), "utf8");
  const needed = files.filter(
    (path) => frontEnds.includes(path) || validators.some((validator) => text(path).includes(validator)),
  );
  expect(needed).toEqual(expect.arrayContaining(frontEnds));
  for (const entry of ["src/cli/bin.ts", "src/cli/job-worker.ts", "src/index.ts", "src/playground/page/worker.ts"])
    expect(needed.filter((path) => loadedWith(entry).has(path))).toEqual([]);
  for (const name of languages) {
    const loaded = loadedWith(`src/languages/${name}/front-end.ts`);
    expect(needed.filter((path) => loaded.has(path) && !path.startsWith(`src/languages/${name}/`))).toEqual([]);
  }
});

test("tests take the languages with their front ends", () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^(?!.*node_modules).*\.ts$/.test(path),
  );
  const importing = tests.filter((path) =>
    /^import .*"[./]+\/src\/languages\/index\.ts"/m.test(readFileSync(join(import.meta.dirname, path), "utf8")),
  );
  expect(importing).toEqual(["languages.ts"]);
});
