import type { Json, JsonObject } from "../../src/json.ts";
import type { Outcome, RunRequest } from "../../src/target.ts";
import { FunctionFailure, type World } from "../../src/world.ts";
import { moduleNames } from "./bindings.ts";
import { loadedFrom } from "./load.ts";
import type * as runtime from "./runtime/index.ts";

/** Executes the emitted program in memory, in a scenario's world. */
export async function run({ program, workflow, files, world, input }: RunRequest): Promise<Outcome> {
  const loaded = loadedFrom(files);
  const emitted = loaded.workflow(workflow.id, moduleNames(program).get(workflow.id)!);
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
  return new Proxy(
    {},
    { get: (_, name) => (argument: Json, step: runtime.Step) => call(String(name), argument, step) },
  );
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
