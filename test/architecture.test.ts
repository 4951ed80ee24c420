import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stronglyConnectedComponents } from "../src/analysis/components.ts";

// The arrows of the house. A room is a folder of `src`, a file that stands in `src` itself, or one target; each may import what is listed behind it, types
// included, and nothing else. What is meant: languages → ir ← analysis, flow, lower, targets; texts and shapes below; only `cli` and `index` see the targets.

const below = ["src/json.ts", "src/text"];
const read = [...below, "src/documents", "src/diagnostics"];
const middle = [...below, "src/expressions", "src/ir"];

const arrows: { readonly [room: string]: readonly string[] } = {
  "src/json.ts": [],
  "src/priority-queue.ts": [],
  "src/worker.ts": ["src/json.ts"],
  "src/text": ["src/json.ts"],
  "src/js-ast": below,
  "src/documents": read,
  "src/diagnostics": [...below, "src/expressions"],
  "src/schema": [...read, "src/expressions"],
  "src/types": [...read, "src/program.ts"],
  "src/expressions": [...below, "src/js-ast", "src/types"],
  "src/ir": [...middle, "src/types", "src/program.ts"],
  "src/cfg": [...middle, "src/types"],
  "src/passes": [...middle, "src/cfg", "src/types"],
  "src/analysis": [...middle, "src/diagnostics", "src/program.ts", "src/types"],
  "src/readable": [...below, "src/js-ast", "src/expressions", "src/types"],
  "src/program.ts": [...below, "src/ir"],
  "src/world.ts": [...below, "src/ir"],
  "src/language.ts": [...read, "src/ir", "src/program.ts", "src/schema", "src/types"],
  "src/languages/options.ts": [...read, "src/language.ts", "src/program.ts"],
  "src/languages": [
    "src/languages/options.ts",
    ...[...middle, ...read, "src/language.ts", "src/program.ts", "src/schema", "src/types"],
  ],
  "src/target.ts": [...middle, "src/documents", "src/program.ts", "src/world.ts"],
  "src/configuration": [
    ...read,
    "src/languages/options.ts",
    "src/ir",
    "src/program.ts",
    "src/schema",
    "src/types",
    "src/target.ts",
  ],
  "src/errno.ts": [],
  "src/output": [...below, "src/diagnostics", "src/ir", "src/errno.ts", "src/target.ts"],
  "src/matching": [],
  "src/reference": [
    ...middle,
    "src/priority-queue.ts",
    "src/matching",
    "src/program.ts",
    "src/target.ts",
    "src/world.ts",
  ],
  "src/compile.ts": [
    "src/languages/options.ts",
    ...["src/analysis", "src/configuration", "src/documents", "src/ir", "src/language.ts", "src/languages"],
    ...["src/program.ts", "src/diagnostics", "src/types", "src/target.ts", "src/text"],
  ],
  "src/scenario": [
    ...[...middle, ...read, "src/compile.ts", "src/configuration", "src/language.ts", "src/program.ts"],
    ...[
      "src/priority-queue.ts",
      "src/languages/options.ts",
      "src/reference",
      "src/diagnostics",
      "src/target.ts",
      "src/worker.ts",
      "src/world.ts",
    ],
  ],
};

/** What a target may import besides its own. */
const forTargets = [
  ...[...middle, ...read, "src/analysis", "src/js-ast", "src/cfg", "src/passes", "src/program.ts"],
  ...[
    "src/priority-queue.ts",
    "src/matching",
    "src/readable",
    "src/types",
    "src/target.ts",
    "src/worker.ts",
    "src/world.ts",
  ],
];

/** The rooms that see all of `src` and the list of targets. */
const roots = ["src/cli", "src/index.ts"];

/** Rooms that are entered by their `index.ts` only. */
const faces = ["src/expressions", "src/types", "src/cfg", "src/passes"];

/**
 * Folders in which files may import each other in a circle, types aside, and why. Each is one recursion over one tree whose kinds of nodes are a file each, or
 * a few.
 */
const circles: { readonly [folder: string]: string } = {
  "src/js-ast": "expressions hold functions, whose bodies are statements",
  "src/expressions/analysis": "the shape of a path asks for those of its parts",
  "src/expressions/interpreter": "paths are evaluated by evaluating expressions",
  "src/expressions/javascript": "each construct compiles the expressions in it",
  "src/expressions/syntax/jsonpath": "filters hold paths",
  "src/expressions/syntax/jq": "terms hold queries, and definitions are lowered where they are called",
  "targets/asl/jsonata": "each construct prints the expressions in it",
  "targets/asl/select": "states hold the scopes of branches and iterations",
  "targets/openwhisk/select": "steps hold the scopes of branches, iterations and attempts",
  "src/readable": "each construct writes the expressions in it",
  "src/languages/serverless-workflow": "states hold states",
  "src/languages/sm4c": "actions hold actions",
  "src/languages/yawl": "steps hold steps",
  "targets/typescript/emit": "steps hold the blocks of branches and iterations",
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

/** What a file imports of ours, but for what is generated. */
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

/** The room that a file is in. */
function roomOf(path: string): string {
  return path in arrows ? path : path.split("/").slice(0, 2).join("/");
}

const isTarget = (room: string): boolean => room.startsWith("targets/") && room !== "targets/index.ts";

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

test("imports are found, also those on several lines and those of types", () => {
  expect(imports.length).toBeGreaterThan(files.length);
  expect(imports.map(shown)).toContain("targets/index.ts → targets/asl/index.ts");
  expect(imports).toContainEqual({ from: "src/target.ts", to: "src/world.ts", isType: true, isLazy: false });
  expect(imports).toContainEqual({
    from: "targets/asl/index.ts",
    to: "targets/asl/simulator/index.ts",
    isType: false,
    isLazy: true,
  });
});

test("arrows point one way", () => {
  const wrong = imports.filter(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (room === other || room === "targets/index.ts") return false;
    if (roots.includes(room)) return isTarget(other);
    return !(isTarget(room) ? forTargets : (arrows[room] ?? [])).includes(other);
  });
  expect(wrong.map(shown)).toEqual([]);
});

test("every room has its arrows", () => {
  const rooms = new Set(files.map(roomOf).filter((room) => !isTarget(room) && room !== "targets/index.ts"));
  for (const room of roots) rooms.delete(room);
  expect([...rooms].filter((room) => !(room in arrows))).toEqual([]);
});

test("the runtime of emitted programs knows nothing but itself, and how events are matched, which is copied with it", () => {
  const runtime = "targets/typescript/runtime/";
  const copied = [runtime, "src/matching/"];
  const known = (to: string) => copied.some((folder) => to.startsWith(folder));
  expect(imports.filter(({ from, to }) => from.startsWith(runtime) && !known(to)).map(shown)).toEqual([]);
});

test("nobody reaches behind a face", () => {
  const behind = imports.filter(({ from, to }) =>
    faces.some((face) => to.startsWith(`${face}/`) && to !== `${face}/index.ts` && !from.startsWith(`${face}/`)),
  );
  expect(behind.map(shown)).toEqual([]);
});

test("no file of src but the roots names a target", () => {
  const names = readdirSync(join(root, "targets"), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const naming = new RegExp(`["'\`](?:${names.join("|")})["'\`]`);
  const wrong = files.filter(
    (path) => path.startsWith("src/") && !roots.includes(roomOf(path)) && naming.test(withoutComments(path)),
  );
  expect(wrong).toEqual([]);
});

const withoutComments = (path: string): string =>
  readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

test("files import each other in circles only where one recursion is spread over them", () => {
  const next = (file: string): readonly string[] =>
    imports.flatMap(({ from, to, isType, isLazy }) => (from === file && !isType && !isLazy ? [to] : []));
  const found = stronglyConnectedComponents(files, next).filter(({ length }) => length > 1);
  const folderOf = (circle: readonly string[]) =>
    Object.keys(circles).find((folder) => circle.every((file) => file.startsWith(`${folder}/`)));
  expect(found.filter((circle) => folderOf(circle) === undefined)).toEqual([]);
  expect(Object.keys(circles).filter((folder) => !found.some((circle) => folderOf(circle) === folder))).toEqual([]);
});
