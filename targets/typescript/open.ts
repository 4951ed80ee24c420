import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../src/json.ts";
import { type Ending, type Engine, type OpenOptions, type OutputFile, StoreFailure } from "../../src/target.ts";
import { loaderOf, workflowsIn, write } from "./load.ts";
import type { RunSummary, Engine as RuntimeEngine } from "./runtime/engine.ts";
import type * as sqlite from "./runtime/sqlite.ts";

/** Writes a whole program to a folder, loads it with its functions, and opens its engine on a store; the folder is removed when that is closed. */
export function openProgram(files: readonly OutputFile[], options: OpenOptions): Engine {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-run-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    write(files, folder);
    const engine = open(files, folder, options);
    return {
      start: async (workflow, input, id) => void (await engine.start(workflow, input as never, { id })),
      ended: async (id, signal) => endingOf(await engine.ended(id, signal)),
      waitingFor: (id) => waitingFor(engine, id),
      close: () => engine.close().finally(remove),
    };
  } catch (error) {
    remove();
    throw error instanceof Error && error.name === "StoreError" ? new StoreFailure(error.message) : error;
  }
}

function open(files: readonly OutputFile[], folder: string, { store, emitted, warn }: OpenOptions): RuntimeEngine {
  const load = loaderOf(folder);
  const { openEngine } = load("runtime/sqlite.ts") as unknown as typeof sqlite;
  return openEngine({
    store: store ?? ":memory:",
    workflows: workflowsIn(files, load),
    functions: load("functions.ts")["functions"],
    send: (event) => emitted(event as unknown as Json),
    log: ({ level, message }) => (level === "error" || level === "warn") && warn(message),
  });
}

function endingOf({ status, output, error }: RunSummary): Ending {
  if (status === "succeeded") return { status, output: (output ?? null) as Json };
  if (status !== "failed") return { status: status === "stranded" ? status : "cancelled" };
  const { name, message, data } = error!;
  return { status, error: { name, message, ...(data === undefined ? {} : { data: data as Json }) } };
}

function waitingFor(engine: RuntimeEngine, id: string): ReturnType<Engine["waitingFor"]> {
  const { waitingFor: awaited, status } = engine.show(id) ?? {};
  return status === "waiting" && awaited && awaited.events.length > 0 ? awaited : undefined;
}
