import type { ErrorNames } from "../../src/ir/workflow.ts";
import { type Json, type JsonObject, own } from "../../src/json.ts";
import type { Executor, Outcome, OutputFile, RunRequest } from "../../src/target.ts";
import type { World } from "../../src/world.ts";
import { carriedError } from "./errors.ts";
import type { Performed } from "./machine.ts";
import {
  createTurns,
  type Environment,
  type Machine,
  StateError,
  type TaskRequest,
  type Turns,
} from "./run/environment.ts";
import { execute } from "./run/execute.ts";
import { type Lambda, type Linkage, lambdaOf, type OwnFunction, performTask, threadOf } from "./run/integrations.ts";

/** Executes emitted machines as AWS would. Each is read once. */
export function createExecutor(): Executor {
  const known = new WeakMap<readonly OutputFile[], Machines>();
  return {
    run(files, request) {
      const machines = known.get(files) ?? machinesIn(files);
      known.set(files, machines);
      const own = [...machines.values()].flatMap((each) => each.own);
      return run(machines, request).finally(() => {
        for (const { lambda } of own) lambda.close();
      });
    },
    close() {},
  };
}

/** The machines of a program, by the ids of their workflows. */
type Machines = ReadonlyMap<string, Emitted>;

/** A machine as it was written, with what the map beside it says of its states. */
interface Emitted {
  readonly workflow: string;
  readonly definition: Machine;
  readonly states: { readonly [name: string]: JsonObject };
  /** The names that its language has for errors which nothing has named. */
  readonly errors: ErrorNames | undefined;
  /** The function that computes its expressions, and that which runs the functions whose texts its definition has. */
  readonly own: readonly OwnFunction[];
}

const mapEnding = ".asl.map.json";

function machinesIn(files: readonly OutputFile[]): Machines {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const maps = files.filter(({ path }) => path.endsWith(mapEnding));
  return new Map(
    maps.map(({ path, text }) => {
      const { workflow, errors, expressions, functions, states } = JSON.parse(text) as MapFile;
      const machine = texts.get(`${path.slice(0, -mapEnding.length)}.asl.json`)!;
      const opened = (made: MapFile["functions"], open: (text: string) => Lambda): readonly OwnFunction[] =>
        made ? [{ resource: made.resource, lambda: open(texts.get(made.file)!) }] : [];
      const made = [...opened(expressions, lambdaOf), ...opened(functions, threadOf)];
      return [workflow, { workflow, definition: JSON.parse(machine) as Machine, states, errors, own: made }];
    }),
  );
}

/** What a map file says. */
interface MapFile {
  readonly workflow: string;
  readonly expressions?: { readonly file: string; readonly resource: string };
  readonly functions?: { readonly file: string; readonly resource: string };
  readonly states: Emitted["states"];
  readonly errors?: ErrorNames;
}

async function run(machines: Machines, { workflow, input = {}, world }: RunRequest): Promise<Outcome> {
  world.started();
  try {
    const signal = new AbortController().signal;
    const output = await start(
      workflow,
      input,
      { position: [], signal },
      { machines, world, turns: createTurns(), compiled: new Map(), left: 0, acts: 0 },
    );
    return { status: "succeeded", output };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const { name, message, data } = carriedError(error.error, error.cause, machines.get(workflow)?.errors);
    return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** What the executions of a run share. */
interface Run {
  readonly machines: Machines;
  readonly world: World;
  readonly turns: Turns;
  readonly compiled: NonNullable<Environment["compiled"]>;
  /** How many executions have been started that nobody waits for; grows. */
  left: number;
  /** How often something has been done in the world; grows. */
  acts: number;
}

/** Starts an execution of one machine of the program. */
function start(
  workflow: string,
  input: Json,
  { position, signal }: Pick<TaskRequest, "position" | "signal">,
  run: Run,
): Promise<Json> {
  const { definition, states, own: made } = run.machines.get(workflow)!;
  const linkage: Linkage = {
    performed: (state) => taskOf(own(states, state)),
    own: made,
    has: (id) => run.machines.has(id),
    start(child, given, task, wait) {
      if (wait) return start(child, given, task, run);
      run.world.launch();
      return start(child, given, apart(task.position, run.left++), run);
    },
  };
  return execute(definition, input, environmentOf(run, workflow, linkage), signal, position);
}

/** Where the n-th execution is that nobody waits for: behind what started it, and those before it. */
function apart(position: readonly number[], n: number): Pick<TaskRequest, "position" | "signal"> {
  const end = position.indexOf(Number.POSITIVE_INFINITY);
  const around = end < 0 ? position : position.slice(0, end);
  return { position: [...around, Number.POSITIVE_INFINITY, n], signal: new AbortController().signal };
}

/** What the map says that a Task state does. */
function taskOf(state: JsonObject | undefined): Performed | undefined {
  const { argument, answer } = (state ?? {}) as Partial<Performed>;
  for (const kind of ["function", "workflow", "event"] as const) {
    const name = state?.[kind];
    if (typeof name === "string")
      return { kind, name, ...(argument !== undefined && { argument }), ...(answer !== undefined && { answer }) };
  }
  return undefined;
}

function environmentOf(run: Run, workflow: string, linkage: Linkage): Environment {
  const { world, turns, compiled } = run;
  return {
    now: () => world.now(),
    sleep(seconds, signal, position) {
      run.acts += 1;
      return world.sleep(seconds, signal, position);
    },
    task(request) {
      run.acts += 1;
      return performTask(request, linkage, world);
    },
    turns,
    compiled,
    visit: (state) => world.visit(state),
    acts: () => run.acts,
    spin(state) {
      for (;;) world.visit(state);
    },
    random: () => world.random(),
    uuid: () => world.id(),
    execution: {
      Id: `arn:aws:states:::execution:${workflow}:${world.runId}`,
      Name: world.runId,
      RoleArn: "arn:aws:iam:::role/waybill",
      StartTime: new Date(world.now()).toISOString(),
    },
    stateMachine: { Id: `arn:aws:states:::stateMachine:${workflow}`, Name: workflow },
  };
}
