import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { OutputFile } from "../../src/target.ts";
import { runtimeFiles } from "../../targets/typescript/runtime-files.ts";
import { machineFaults } from "../golden/machines.ts";

const root = join(import.meta.dirname, "../..");

/** Something emitted that others refuse. */
export interface Refused {
  /** The name under which it was kept. */
  readonly name: string;
  readonly target: string;
  readonly message: string;
}

/** Keeps what was emitted for a program in a folder, so that all of it is looked at in one go. */
export function keepEmitted(folder: string, name: string, files: ReadonlyMap<string, readonly OutputFile[]>): void {
  for (const [target, all] of files) {
    for (const { path, text } of all) {
      if (path.startsWith("runtime.")) continue;
      const place = join(folder, target, name, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
  }
}

/** What a validator of machines and the strictest type checker refuse of all that was kept in a folder. */
export const emittedFaults = async (folder: string): Promise<readonly Refused[]> => [
  ...(await machinesRefused(join(folder, "asl"))),
  ...(await programsRefused(join(folder, "typescript"))),
];

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

async function machinesRefused(folder: string): Promise<readonly Refused[]> {
  const machines = namesIn(folder).flatMap((name) =>
    readdirSync(join(folder, name), { encoding: "utf8" })
      .filter((path) => path.endsWith(".asl.json"))
      .map((path) => ({ name, text: readFileSync(join(folder, name, path), "utf8") })),
  );
  const refused: Refused[] = [];
  for (let i = 0; i < machines.length; i += 100) {
    const some = machines.slice(i, i + 100);
    const parsed = some.map(({ name, text }) => ({
      name,
      machine: withoutNamesInData(JSON.parse(text)) as JsonObject,
    }));
    const together = await machineFaults(JSON.stringify(side(parsed.map(({ machine }) => machine))));
    for (const { name, machine } of together.length > 0 ? parsed : [])
      for (const message of await machineFaults(JSON.stringify(machine)))
        refused.push({ name, target: "asl", message });
  }
  return refused;
}

/**
 * One machine that has others as its branches, so that a validator that takes long to begin looks at all of them at once. Names of states get
 * the number of their machine in front.
 */
function side(machines: readonly JsonObject[]): JsonObject {
  const branches = machines.map(({ QueryLanguage: _, ...machine }, i) => renamed(machine as JsonObject, `${i} `));
  const all = { Type: "Parallel", Branches: branches, End: true };
  return { QueryLanguage: "JSONata", StartAt: "All", States: { All: all } };
}

/** The validator takes a member `Next` anywhere for a transition, and `States` for a machine, also in what is data: there such members have other names. */
function withoutNamesInData(value: Json, isData = false): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutNamesInData(item, isData));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (isData) return [looked.has(name) ? `${name} of data` : name, withoutNamesInData(item as Json, true)];
      if (name !== "States") return [name, withoutNamesInData(item as Json, dataFields.has(name))];
      const states = Object.entries(item as JsonObject).map(([state, each]) => [
        state,
        withoutNamesInData(each as Json),
      ]);
      return [name, Object.fromEntries(states)];
    }),
  );
}

/** The fields of states that hold data. */
const dataFields: ReadonlySet<string> = new Set(["Arguments", "Assign", "Items", "ItemSelector", "Output"]);

const references: ReadonlySet<string> = new Set(["StartAt", "Next", "Default"]);

/** What the validator looks for at any depth. */
const looked: ReadonlySet<string> = new Set([
  ...references,
  "States",
  "Branches",
  "Iterator",
  "Parameters",
  "ResultSelector",
]);

function renamed(value: Json, prefix: string, key?: string): Json {
  if (key !== undefined && references.has(key)) return prefix + String(value);
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item, prefix));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      key === "States" ? prefix + name : name,
      renamed(item as Json, prefix, name),
    ]),
  );
}

async function programsRefused(folder: string): Promise<readonly Refused[]> {
  const names = namesIn(folder);
  if (names.length === 0) return [];
  for (const { path, text } of runtimeFiles) {
    mkdirSync(dirname(join(folder, ".shared", path)), { recursive: true });
    writeFileSync(join(folder, ".shared", path), text);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const rootDirs = [...names, ".shared"];
  const include = names.map((name) => `${name}/*.ts`);
  const settings = { compilerOptions: { ...compilerOptions, rootDirs }, include };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const said = await new Promise<string>((resolve) => {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFile(process.execPath, [compiler, "-p", folder], { cwd: folder, maxBuffer: 2 ** 26 }, (_, printed) =>
      resolve(printed),
    );
  });
  return said.split("\n").flatMap((line) => {
    const found = /^([^/]+)\/(.*error TS.*)$/.exec(line);
    if (found) return [{ name: found[1]!, target: "typescript", message: found[2]! }];
    return /error TS/.test(line) ? [{ name: "", target: "typescript", message: line }] : [];
  });
}

const compilerOptions = {
  target: "es2023",
  lib: ["es2024"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
};
