import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { isBuiltin, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { type Engine, EngineError, type EngineRun, type OpenOptions, type RunStatus } from "../../src/target/engine.ts";
import { createLoader, type LoadModule, loadWorkflows, writeFiles } from "./load.ts";
import type { RunSummary, Engine as RuntimeEngine } from "./runtime/engine.ts";
import type * as runtime from "./runtime/face.ts";

/**
 * Loads a program in a temporary folder and opens its engine. The folder is removed on close or exit. Packages are
 * resolved from the definitions, or else from Waybill.
 */
export function openProgram(files: readonly OutputFile[], options: OpenOptions): Engine {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-run-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const hooks = findPackages(folder, options.packagesFrom);
  const close = () => {
    process.off("exit", remove);
    hooks.deregister();
    remove();
  };
  process.once("exit", remove);
  try {
    writeFiles(files, folder);
    const engine = open(files, folder, options);
    const find = async (id: string): Promise<EngineRun | undefined> => {
      const run = await engine.show(id);
      return run && { workflow: run.workflow, input: run.input as Json };
    };
    return {
      async start(workflow, input, id) {
        await engine.start(workflow, input as never, { id });
        return (await find(id))!;
      },
      find,
      deliver: async (event, startAs) =>
        void (await engine.deliver(event as never, { runs: { [startAs.workflow]: startAs.id } })),
      ended: async (id, signal) => runStatusOf(await engine.ended(id, signal)),
      waitingFor: (id) => awaitedBy(engine, id),
      close: () => engine.close().finally(close),
    };
  } catch (error) {
    close();
    throw error instanceof Error && error.name === "StoreError" ? new EngineError(error.message) : error;
  }
}

function open(files: readonly OutputFile[], folder: string, { store, emitted, warn }: OpenOptions): RuntimeEngine {
  const load = createLoader(folder);
  const { openEngine } = load("runtime.js") as unknown as typeof runtime;
  return openEngine({
    store: store ?? ":memory:",
    workflows: loadWorkflows(files, load),
    ...loadFunctions(load),
    forgetsEvents: false,
    send: (event) => emitted(event as unknown as Json),
    // The error of a run is reported as its outcome.
    log: ({ level, message, error }) => (level === "error" || level === "warn") && error === undefined && warn(message),
  });
}

/** Resolves packages from other folders, then from Waybill. */
function findPackages(folder: string, from: readonly string[]): ReturnType<typeof registerHooks> {
  const inside = pathToFileURL(`${folder}/`).href;
  return registerHooks({
    resolve(specifier, context, resolve) {
      const isPackage = /^(?:@|\w)[^:]*$/.test(specifier) && !isBuiltin(specifier);
      if (!isPackage || !context.parentURL?.startsWith(inside)) return resolve(specifier, context);
      for (const parentURL of [...from.map((each) => new URL("package.json", each).href), import.meta.url]) {
        try {
          return resolve(specifier, { ...context, parentURL });
        } catch (error) {
          if (missingPackage(error) === undefined) throw error;
        }
      }
      return resolve(specifier, context);
    },
  });
}

function missingPackage(error: unknown): string | undefined {
  const [, name] =
    (error instanceof Error && /^Cannot find (?:package|module) '((?:@[^'/]+\/)?[^'./][^'/]*)/.exec(error.message)) ||
    [];
  return name;
}

/** Errors in these modules are the user's. */
function loadFunctions(load: LoadModule): Pick<Parameters<typeof runtime.openEngine>[0], "functions" | "codec"> {
  try {
    const { functions, codec } = load("functions.ts");
    return { functions, codec: codec as runtime.Codec | undefined };
  } catch (error) {
    const missing = missingPackage(error);
    if (missing !== undefined)
      throw new EngineError(
        `The functions need the package ${missing}, which is not installed. Run \`npm install ${missing}\` in the folder of the definition.`,
      );
    throw new EngineError(`The functions cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function runStatusOf({ status, output, error }: RunSummary): RunStatus {
  if (status === "succeeded") return { status, output: (output ?? null) as Json };
  if (status !== "failed") return { status: status === "stranded" ? status : "cancelled" };
  const { name, message, data } = error!;
  return { status, error: { name, message, ...(data === undefined ? {} : { data: data as Json }) } };
}

async function awaitedBy(engine: RuntimeEngine, id: string): ReturnType<Engine["waitingFor"]> {
  const { waitingFor, status } = (await engine.show(id)) ?? {};
  if (status !== "waiting" || !waitingFor) return undefined;
  const { events, tasks = [], activities = [], until } = waitingFor;
  const answers = [...tasks, ...activities];
  return events.length + answers.length > 0 ? { events, tasks: answers, until } : undefined;
}
