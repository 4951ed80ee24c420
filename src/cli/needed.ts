import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isObject, type Json, own } from "../json.ts";
import type { ModuleDependencies } from "../target/modules.ts";

/**
 * Finds what a module needs where it runs, as far as texts show it: reads them, and executes nothing. `from` is the folder from which the module is named
 * and from which paths are told; nothing is looked for in `program`, which is written anew. Comments count too: a file too many does no harm.
 */
export function findDependencies(from: string, module: string, program: string): ModuleDependencies {
  const found: Found = { files: new Set(), installs: new Map() };
  const isPath = /^\.{1,2}\//.test(module);
  if (isPath) visit(resolve(from, module), program, found);
  else needPackage(from, module, found);
  const told = (path: string): string => `./${relative(from, path).replaceAll("\\", "/")}`;
  return {
    files: [...found.files].map(told),
    installs: [...found.installs].map(([folder, isLocked]) => ({ folder: told(folder), isLocked })),
  };
}

interface Found {
  readonly files: Set<string>;
  /** The folders in which packages are installed, and whether their versions are told there. */
  readonly installs: Map<string, boolean>;
}

/** Adds a file, what it names, and the package around it. */
function visit(file: string, program: string, found: Found): void {
  if (found.files.has(file) || !isFile(file) || file.startsWith(program + sep)) return;
  found.files.add(file);
  const around = foldersAbove(file).find((folder) => isFile(join(folder, "package.json")));
  if (around !== undefined) found.files.add(join(around, "package.json"));
  if (!/\.[cm]?[jt]s$/.test(file)) return;
  for (const [, name] of readFileSync(file, "utf8").matchAll(named)) {
    if (/^\.{1,2}\//.test(name!)) {
      const path = resolve(dirname(file), name!);
      for (const ending of ["", ".js", ".cjs", ".json", `${sep}index.js`]) visit(path + ending, program, found);
    } else if (!isBuiltin(name!)) needPackage(dirname(file), name!, found);
  }
}

/** What stands for another file in the text of a module: in `import` and `export … from`, `import(…)` and `require(…)`, and in `new URL(…, import.meta.url)`. */
const named = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bnew\s+URL\s*\()\s*["']([^"'\n]+)["']/g;

/** Adds the package that says of another one that it depends on it: the nearest above a folder. */
function needPackage(folder: string, specifier: string, { files, installs }: Found): void {
  const name = /^(?:@[^/]+\/)?[^/@.#:][^/:]*/.exec(specifier)?.[0];
  if (name === undefined) return;
  const place = foldersAbove(join(folder, "package.json")).find((each) => dependsOn(join(each, "package.json"), name));
  if (place === undefined) return;
  const locks = ["package-lock.json", "npm-shrinkwrap.json"].map((lock) => join(place, lock)).filter(isFile);
  for (const file of [join(place, "package.json"), ...locks]) files.add(file);
  installs.set(place, locks.length > 0);
}

function dependsOn(description: string, name: string): boolean {
  if (!isFile(description)) return false;
  try {
    const described = JSON.parse(readFileSync(description, "utf8")) as Json;
    const lists = ["dependencies", "optionalDependencies"].map((list) => isObject(described) && own(described, list));
    return lists.some((list) => isObject(list) && own(list, name) !== undefined);
  } catch {
    return false;
  }
}

/** The folders that a file is in, the nearest first. */
function foldersAbove(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
