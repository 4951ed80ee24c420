import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import { FunctionFailure } from "../../src/environment/errors.ts";
import { unescapeStepName } from "../../src/ir/step-keys.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { Outcome, RunRequest, Simulator } from "../../src/target/simulator.ts";
import { runtimeModule } from "./emit/runtime-imports.ts";
import { createLoader, loadWorkflows, workflowModules, writeFiles } from "./load.ts";
import type * as runtime from "./runtime/face.ts";
import { jsonataFiles, queryFiles, runtimeFiles } from "./runtime-files.ts";
import { connectScripts, findScriptModules, type ScriptWorkers } from "./script-workers.ts";

/** Runs programs in memory. All share one runtime, and each is loaded once. */
export function createSimulator(): Simulator {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-")));
  const close = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", close);
  writeFiles(
    [
      ...[...runtimeFiles(), ...queryFiles(runtimeModule), ...jsonataFiles(runtimeModule)],
      { path: "package.json", text: '{ "type": "module" }\n' },
    ],
    folder,
  );
  const programs = new WeakMap<readonly OutputFile[], LoadedProgram>();
  const load = (files: readonly OutputFile[]): LoadedProgram => {
    const program = programs.get(files) ?? loadProgram(files, folder);
    programs.set(files, program);
    return program;
  };
  return {
    async run(files, request) {
      const program = load(files);
      return run(program, request).finally(() => program.workers.close());
    },
    close() {
      process.off("exit", close);
      close();
    },
  };
}

interface LoadedProgram {
  readonly runtime: typeof runtime;
  readonly workflows: ReadonlyMap<string, runtime.AnyWorkflow>;
  readonly workers: ScriptWorkers;
}

/** The files are removed once loaded. */
function loadProgram(files: readonly OutputFile[], shared: string): LoadedProgram {
  const folder = mkdtempSync(join(shared, "program-"));
  try {
    const scripts = findScriptModules(files);
    writeFiles(
      [
        ...workflowModules(files),
        ...scripts.stubs,
        ...["runtime.js", "query.js", "jsonata.js"].map((path) => ({ path, text: `export * from "../${path}";\n` })),
      ],
      folder,
    );
    const load = createLoader(folder);
    return {
      workers: connectScripts(scripts, load),
      runtime: load("runtime.js") as unknown as typeof runtime,
      workflows: new Map(loadWorkflows(files, load).map((workflow) => [workflow.id, workflow])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(
  { runtime: loaded, workflows }: LoadedProgram,
  { workflow, environment, input, timer }: RunRequest,
): Promise<Outcome> {
  const emitted = workflows.get(workflow) as runtime.Workflow<unknown, runtime.Json>;
  if (timer !== undefined && emitted.start?.timers?.[timer] === undefined)
    throw new Error(`The module of ${workflow} has no timer ${timer}.`);
  const tasks = simulatedTasks(environment);
  const outcome = await loaded.runInMemory(
    emitted,
    functionsOf(environment, loaded, { readers: secretReaders(workflows), tasks }),
    surroundingsOf(environment, loaded, tasks),
    input as never,
  );
  if ("output" in outcome) return { status: "succeeded", output: outcome.output as Json };
  const { name, message, data } = outcome.error;
  return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data: data as Json }) } };
}

const secretReaders = (workflows: LoadedProgram["workflows"]): ReadonlySet<string> =>
  new Set([...workflows.values()].flatMap(({ secrets }) => secrets ?? []));

/** Simulated functions of any name, and readers of secrets. */
function functionsOf(
  environment: SimulatedEnvironment,
  { WorkflowError }: typeof runtime,
  { readers, tasks }: SimulatedFunctions,
): object {
  const secret = async (name: Json) => {
    const { id, key } = name as { readonly id: string; readonly key: string };
    const text = environment.secret(id, key);
    if (text !== undefined) return text;
    throw new WorkflowError("SecretNotFound", `There is no secret ${id} with a key ${key}.`, { origin: "function" });
  };
  const call = async (name: string, argument: Json, step: runtime.Step & Partial<runtime.TaskStep>) => {
    const { position, signal, token } = step;
    const called =
      token === undefined
        ? environment.call(name, argument, { position, signal })
        : tasks.call(token, name, argument, step);
    return called.catch(failing(WorkflowError));
  };
  return new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === "symbol"
          ? undefined
          : readers.has(name)
            ? secret
            : (argument: Json, step: runtime.Step) => call(name, argument, step),
    },
  );
}

/** What simulated functions need to know of the program, and its tasks. */
interface SimulatedFunctions {
  readonly readers: ReadonlySet<string>;
  readonly tasks: SimulatedTasks;
}

/** Rejects with the failure of a simulated function as a runtime knows it. */
const failing =
  (WorkflowError: (typeof runtime)["WorkflowError"]) =>
  (error: unknown): never => {
    if (!(error instanceof FunctionFailure)) throw error;
    throw new WorkflowError(error.name, error.message, { origin: "function", data: error.data });
  };

type TaskPlace = Parameters<NonNullable<runtime.Surroundings["taskAnswer"]>>[1];

/** The tasks of a run. The environment answers a call with a token when the task is to be answered. */
interface SimulatedTasks {
  /** Calls a function with a token. The call ends with the answer of its task, so that both are there at once. */
  call(token: string, name: string, argument: Json, place: runtime.Step): Promise<Json>;
  /** Gives a task to a worker of an activity. */
  offer(token: string, name: string, input: Json): void;
  /** The answer of a task. */
  answer(token: string, place: TaskPlace): Promise<Json>;
}

/** What is known of a task: its answer, or how a worker answers it. */
interface SimulatedTask extends PromiseWithResolvers<Json> {
  worker?: (place: TaskPlace) => Promise<Json>;
  onHeartbeat: () => void;
}

function simulatedTasks(environment: SimulatedEnvironment): SimulatedTasks {
  const tasks = new Map<string, SimulatedTask>();
  const taskOf = (token: string): SimulatedTask => {
    const task = tasks.get(token) ?? { ...Promise.withResolvers<Json>(), onHeartbeat: () => undefined };
    tasks.set(token, task);
    return task;
  };
  return {
    call(token, name, argument, { position, signal }) {
      const task = taskOf(token);
      const called = environment.call(name, argument, { position, signal, onHeartbeat: () => task.onHeartbeat() });
      called.then(task.resolve, task.reject);
      return called;
    },
    offer(token, name, input) {
      taskOf(token).worker = (place) => environment.call(name, input, place);
    },
    answer(token, place) {
      const task = taskOf(token);
      if (task.worker) return task.worker(place);
      task.onHeartbeat = place.onHeartbeat;
      return task.promise;
    },
  };
}

function surroundingsOf(
  environment: SimulatedEnvironment,
  loaded: typeof runtime,
  tasks: SimulatedTasks,
): runtime.Surroundings {
  const functions = functionsOf(environment, loaded, { readers: new Set(), tasks }) as {
    readonly [id: string]: (input: runtime.Json, step: runtime.Step) => Promise<runtime.Json>;
  };
  return {
    runId: environment.runId,
    simulation: environment.simulation,
    now: () => environment.now(),
    listen: (listener) => environment.listen((event) => listener(event as unknown as runtime.CloudEvent)),
    mayStart: () => environment.mayStart(),
    received: () => environment.received(),
    sleep: (seconds, signal, position) => environment.sleep(seconds, signal, position),
    send: (event) => environment.emit(event as JsonObject),
    visit: (step) => environment.visit(step),
    launch: () => environment.launch(),
    subflow: (depth, given) => environment.subflow(depth, given as Json),
    started: () => environment.started(),
    callWorkflow: (id, input, step) => functions[id]!(input, step),
    newToken: (step, place) => environment.token(unescapeStepName(step), place),
    async offerTask(token, _activity, input, { step }) {
      tasks.offer(token, unescapeStepName(step), input as Json);
    },
    taskAnswer: (token, place) => tasks.answer(token, place).catch(failing(loaded.WorkflowError)),
  };
}
