import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { runtimeFiles } from "../../targets/typescript/runtime-files.ts";
import { validateMachine } from "../golden/machines.ts";

const root = join(import.meta.dirname, "../..");

/** Output that a validator rejects. */
export interface InvalidOutput {
  readonly name: string;
  readonly target: string;
  readonly message: string;
}

/** Writes a program's output to a folder, where one validator run checks all programs. */
export function writeOutput(folder: string, name: string, files: ReadonlyMap<string, readonly OutputFile[]>): void {
  for (const [target, all] of files) {
    for (const { path, text } of all) {
      if (path.startsWith("runtime.")) continue;
      const file = join(folder, target, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Validates the kept output: state machines with a validator, programs with the strictest TypeScript settings. */
export const validateOutput = async (folder: string): Promise<readonly InvalidOutput[]> => [
  ...(await validateMachines(join(folder, "asl"))),
  ...(await validatePrograms(join(folder, "typescript"))),
];

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

async function validateMachines(folder: string): Promise<readonly InvalidOutput[]> {
  const machines = namesIn(folder).flatMap((name) =>
    readdirSync(join(folder, name), { encoding: "utf8" })
      .filter((path) => path.endsWith(".asl.json"))
      .map((path) => ({ name, text: readFileSync(join(folder, name, path), "utf8") })),
  );
  const refused: InvalidOutput[] = [];
  for (let i = 0; i < machines.length; i += 100) {
    const some = machines.slice(i, i + 100);
    const parsed = some.map(({ name, text }) => ({
      name,
      machine: renameDataKeys(JSON.parse(text)) as JsonObject,
    }));
    const together = await validateMachine(JSON.stringify(combineMachines(parsed.map(({ machine }) => machine))));
    for (const { name, machine } of together.length > 0 ? parsed : [])
      for (const message of await validateMachine(JSON.stringify(machine)))
        refused.push({ name, target: "asl", message });
  }
  return refused;
}

/**
 * Combines machines as branches of one machine, since the validator starts slowly. State names get the machine's index
 * as a prefix.
 */
function combineMachines(machines: readonly JsonObject[]): JsonObject {
  const branches = machines.map(({ QueryLanguage: _, ...machine }, i) => withPrefix(machine as JsonObject, `${i} `));
  const all = { Type: "Parallel", Branches: branches, End: true };
  return { QueryLanguage: "JSONata", StartAt: "All", States: { All: all } };
}

/** Renames keys in data that the validator mistakes for transitions or machines, such as `Next` and `States`. */
function renameDataKeys(value: Json, isData = false): Json {
  if (Array.isArray(value)) return value.map((item: Json) => renameDataKeys(item, isData));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (isData) return [inspectedKeys.has(name) ? `${name} of data` : name, renameDataKeys(item as Json, true)];
      if (name !== "States") return [name, renameDataKeys(item as Json, dataFields.has(name))];
      const states = Object.entries(item as JsonObject).map(([state, each]) => [state, renameDataKeys(each as Json)]);
      return [name, Object.fromEntries(states)];
    }),
  );
}

const dataFields: ReadonlySet<string> = new Set(["Arguments", "Assign", "Items", "ItemSelector", "Output"]);

const referenceKeys: ReadonlySet<string> = new Set(["StartAt", "Next", "Default"]);

/** The keys that the validator inspects at any depth. */
const inspectedKeys: ReadonlySet<string> = new Set([
  ...referenceKeys,
  "States",
  "Branches",
  "Iterator",
  "Parameters",
  "ResultSelector",
]);

function withPrefix(value: Json, prefix: string, key?: string): Json {
  if (key !== undefined && referenceKeys.has(key)) return prefix + String(value);
  if (Array.isArray(value)) return value.map((item: Json) => withPrefix(item, prefix));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      key === "States" ? prefix + name : name,
      withPrefix(item as Json, prefix, name),
    ]),
  );
}

async function validatePrograms(folder: string): Promise<readonly InvalidOutput[]> {
  const names = namesIn(folder);
  if (names.length === 0) return [];
  for (const { path, text } of runtimeFiles()) {
    mkdirSync(dirname(join(folder, ".shared", path)), { recursive: true });
    writeFileSync(join(folder, ".shared", path), text);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const rootDirs = [...names, ".shared"];
  const include = names.map((name) => `${name}/*.ts`);
  const settings = { compilerOptions: { ...compilerOptions, rootDirs }, include };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const report = await new Promise<string>((resolve) => {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFile(process.execPath, [compiler, "-p", folder], { cwd: folder, maxBuffer: 2 ** 26 }, (_, printed) =>
      resolve(printed),
    );
  });
  return report.split("\n").flatMap((line) => {
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
