import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { FunctionFailure, type World } from "../../src/scenario/world.ts";
import type { Outcome, OutputFile, RunRequest } from "../target.ts";
import { moduleNames } from "./bindings.ts";
import type * as runtime from "./runtime/index.ts";

/** Executes the emitted program in memory, in a scenario's world. */
export async function run({ program, workflow, files, world, input }: RunRequest): Promise<Outcome> {
  const loaded = loadedFrom(files);
  const emitted = loaded.workflow(workflow, moduleNames(program).get(workflow.id)!);
  const outcome = await loaded.runtime.runInMemory(
    emitted,
    functionsOf(world, loaded.runtime),
    surroundingsOf(world, loaded.runtime),
    input as never,
  );
  if ("output" in outcome) return { status: "succeeded", output: outcome.output as Json };
  const { name, message, data } = outcome.error;
  return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data: data as Json }) } };
}

/** What was emitted, as Node runs it. */
interface Loaded {
  readonly runtime: typeof runtime;
  workflow(workflow: Workflow, file: string): runtime.Workflow<unknown, runtime.Json>;
}

const programs = new WeakMap<readonly OutputFile[], Loaded>();

/** Writes the files to a folder of their own, loads them and removes them: each program once. */
function loadedFrom(files: readonly OutputFile[]): Loaded {
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

function write(files: readonly OutputFile[], folder: string): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function load(files: readonly OutputFile[], folder: string): Loaded {
  const scripts = files.filter(({ path }) => /^[^/]+\.[jt]s$/.test(path) && path !== "main.ts" && path !== "functions.ts");
  write(scripts, folder);
  const load = createRequire(join(folder, "package.json"));
  const modules = new Map(
    scripts
      .filter(({ path }) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
      .map(({ path }) => [path, load(join(folder, path)) as { readonly [name: string]: unknown }]),
  );
  return {
    runtime: load(join(folder, "runtime/index.ts")) as typeof runtime,
    workflow: ({ id }, file) => Object.values(modules.get(`${file}.ts`) ?? {}).find((value) => isWorkflow(value, id)) as never,
  };
}

const isWorkflow = (value: unknown, id: string): boolean => typeof value === "object" && value !== null && "id" in value && value.id === id;

/** The functions that a workflow calls: the world's, whatever their names are. */
function functionsOf(world: World, { WorkflowError }: typeof runtime): object {
  const call = async (name: string, argument: Json, { position, signal }: runtime.Step) => {
    try {
      return await world.call(name, argument, { position, signal });
    } catch (error) {
      if (!(error instanceof FunctionFailure)) throw error;
      throw new WorkflowError(error.name, error.message, { origin: "function", data: error.data });
    }
  };
  return new Proxy({}, { get: (_, name) => (argument: Json, step: runtime.Step) => call(String(name), argument, step) });
}

function surroundingsOf(world: World, loaded: typeof runtime): runtime.Surroundings {
  const functions = functionsOf(world, loaded) as {
    readonly [id: string]: (input: runtime.Json, step: runtime.Step) => Promise<runtime.Json>;
  };
  return {
    runId: world.runId,
    now: () => world.now(),
    sleep: (seconds, signal) => world.sleep(seconds, signal),
    listen: (listener) => world.listen((event) => listener(event as unknown as runtime.CloudEvent)),
    send: (event) => world.emit(event as JsonObject),
    visit: (step) => world.visit(step),
    started: () => world.started(),
    callWorkflow: (id, input, step) => functions[id]!(input, step),
  };
}
