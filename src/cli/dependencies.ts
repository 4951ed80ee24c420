import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isObject, type Json, own } from "../json.ts";
import type { ModuleDependencies } from "../target/contract.ts";

/**
 * Finds the files and packages that a module needs at run time, without executing it. Paths are relative to `from`.
 * Skips generated files in `program`. References in comments count too, which is harmless.
 */
export function findDependencies(from: string, module: string, program: string): ModuleDependencies {
  const found: CollectedDependencies = { files: new Set(), installs: new Map() };
  const isPath = /^\.{1,2}\//.test(module);
  if (isPath) addFile(resolve(from, module), program, found);
  else addPackage(from, module, found);
  const toRelative = (path: string): string => `./${relative(from, path).replaceAll("\\", "/")}`;
  return {
    files: [...found.files].map(toRelative),
    installs: [...found.installs].map(([folder, isLocked]) => ({ folder: toRelative(folder), isLocked })),
  };
}

interface CollectedDependencies {
  readonly files: Set<string>;
  /** Folders with packages, and whether they have a lock file. */
  readonly installs: Map<string, boolean>;
}

function addFile(file: string, program: string, found: CollectedDependencies): void {
  if (found.files.has(file) || !isFile(file) || file.startsWith(program + sep)) return;
  found.files.add(file);
  const around = foldersAbove(file).find((folder) => isFile(join(folder, "package.json")));
  if (around !== undefined) found.files.add(join(around, "package.json"));
  if (!/\.[cm]?[jt]s$/.test(file)) return;
  for (const [, name] of readFileSync(file, "utf8").matchAll(referencePattern)) {
    if (/^\.{1,2}\//.test(name!)) {
      const path = resolve(dirname(file), name!);
      for (const ending of ["", ".js", ".cjs", ".json", `${sep}index.js`]) addFile(path + ending, program, found);
    } else if (!isBuiltin(name!)) addPackage(dirname(file), name!, found);
  }
}

const referencePattern = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bnew\s+URL\s*\()\s*["']([^"'\n]+)["']/g;

/** Adds the nearest package that depends on another one. */
function addPackage(folder: string, specifier: string, { files, installs }: CollectedDependencies): void {
  const name = /^(?:@[^/]+\/)?[^/@.#:][^/:]*/.exec(specifier)?.[0];
  if (name === undefined) return;
  const owner = foldersAbove(join(folder, "package.json")).find((each) => dependsOn(join(each, "package.json"), name));
  if (owner === undefined) return;
  const locks = ["package-lock.json", "npm-shrinkwrap.json"].map((lock) => join(owner, lock)).filter(isFile);
  for (const file of [join(owner, "package.json"), ...locks]) files.add(file);
  installs.set(owner, locks.length > 0);
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

/** Innermost first. */
function foldersAbove(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
