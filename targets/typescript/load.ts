import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OutputFile } from "../../src/target.ts";
import type * as runtime from "./runtime/index.ts";
import type * as sqlite from "./runtime/sqlite.ts";

/** What was emitted, as Node runs it. */
export interface Loaded {
  readonly runtime: typeof runtime;
  /** The workflow of an id, in a module by its name without ending. */
  workflow(id: string, file: string): runtime.Workflow<unknown, runtime.Json>;
}

const programs = new WeakMap<readonly OutputFile[], Loaded>();

/** Writes the files to a folder of their own, loads them and removes them: each program once. */
export function loadedFrom(files: readonly OutputFile[]): Loaded {
  const known = programs.get(files);
  if (known) return known;
  const folder = mkdtempSync(join(sharedFolder(files), "program-"));
  try {
    symlinkSync(join(folder, "../runtime"), join(folder, "runtime"), "junction");
    const loaded = load(files, folder);
    programs.set(files, loaded);
    return loaded;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let shared: string | undefined;

/** A folder with the runtime, which is the same for all programs: it is loaded once. It is there until the process ends. */
function sharedFolder(files: readonly OutputFile[]): string {
  if (shared !== undefined) return shared;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  write(
    files.filter(({ path }) => /^runtime\/(?:flow\/)?[\w-]+\.ts$/.test(path)),
    folder,
  );
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  shared = folder;
  return folder;
}

/** A program in a folder of its own, ready to run on a store. */
export interface Opened {
  readonly openEngine: typeof sqlite.openEngine;
  readonly workflows: readonly runtime.AnyWorkflow[];
  readonly functions: unknown;
  /** Removes the folder. */
  close(): void;
}

/** Writes a whole program to a folder and loads it, with its functions and its engine. `modules` are the names of the modules of its workflows, by their ids. */
export function openProgram(files: readonly OutputFile[], modules: ReadonlyMap<string, string>): Opened {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-run-")));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    write(files, folder);
    const require = createRequire(join(folder, "package.json"));
    const load = (path: string) => require(join(folder, path)) as { readonly [name: string]: unknown };
    const workflows = [...modules].map(([id, name]) =>
      Object.values(load(`${name}.ts`)).find((value) => isWorkflow(value, id)),
    );
    const { openEngine } = load("runtime/sqlite.ts") as unknown as typeof sqlite;
    return {
      openEngine,
      workflows: workflows as runtime.AnyWorkflow[],
      functions: load("functions.ts")["functions"],
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function write(files: readonly OutputFile[], folder: string): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function load(files: readonly OutputFile[], folder: string): Loaded {
  const scripts = files.filter(
    ({ path }) => /^[^/]+\.[jt]s$/.test(path) && path !== "main.ts" && path !== "functions.ts",
  );
  write(scripts, folder);
  const load = createRequire(join(folder, "package.json"));
  const modules = new Map(
    scripts
      .filter(({ path }) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
      .map(({ path }) => [path, load(join(folder, path)) as { readonly [name: string]: unknown }]),
  );
  return {
    runtime: load(join(folder, "runtime/index.ts")) as typeof runtime,
    workflow: (id, file) =>
      Object.values(modules.get(`${file}.ts`) ?? {}).find((value) => isWorkflow(value, id)) as never,
  };
}

const isWorkflow = (value: unknown, id: string): boolean =>
  typeof value === "object" && value !== null && "id" in value && value.id === id;
