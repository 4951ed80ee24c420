import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { OutputFile } from "../../src/target/contract.ts";
import type { AnyWorkflow } from "./runtime/face.ts";

/** Writes files to a folder. */
export function writeFiles(files: readonly OutputFile[], folder: string): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Loads a module of a folder by its path. */
export type LoadModule = (path: string) => { readonly [name: string]: unknown };

/** Creates a function that loads the modules of a folder. */
export function createLoader(folder: string): LoadModule {
  const require = createRequire(join(folder, "package.json"));
  return (path) => require(join(folder, path)) as ReturnType<LoadModule>;
}

/** Modules of workflows and compiled expressions. */
export const workflowModules = (files: readonly OutputFile[]): readonly OutputFile[] =>
  files.filter(({ path, workflow }) => workflow !== undefined && /^[^/]+\.[jt]s$/.test(path));

/** Loads the exported workflows, in module order. */
export function loadWorkflows(files: readonly OutputFile[], load: LoadModule): readonly AnyWorkflow[] {
  const modules = workflowModules(files).filter(({ path }) => /(?<!\.d)\.ts$/.test(path));
  return modules.flatMap(({ path }) => Object.values(load(path)).filter(isWorkflow));
}

const isWorkflow = (value: unknown): value is AnyWorkflow =>
  typeof value === "object" && value !== null && "id" in value && "run" in value;
