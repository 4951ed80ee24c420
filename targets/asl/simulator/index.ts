import { parse } from "yaml";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { ErrorNames } from "../../../src/ir/workflow.ts";
import { type Json, type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import type { Outcome, RunRequest, Simulator } from "../../../src/target/simulator.ts";
import { carriedError } from "../errors.ts";
import type { Performed } from "../machine.ts";
import {
  createTurns,
  type Environment,
  type Machine,
  StateError,
  type TaskRequest,
  type Turns,
} from "./environment.ts";
import { createRendezvous, type Receiving, type ReceivingFiles, type Rendezvous } from "./events.ts";
import { execute } from "./execute.ts";
import { type Lambda, type Linkage, lambdaOf, type OwnFunction, performTask, threadOf } from "./integrations.ts";
import { createJoinTable, type JoinTable } from "./join-table.ts";

/** Executes emitted machines as AWS would. Each is read once. */
export function createExecutor(): Simulator {
  const known = new WeakMap<readonly OutputFile[], Machines>();
  const simulations = new WeakMap<Machines, WeakMap<object, Rendezvous>>();
  const rendezvousOf = (machines: Machines, { simulation, now }: SimulatedEnvironment): Rendezvous | undefined => {
    const files = [...machines.values()].flatMap(({ receiving }) => receiving ?? []);
    if (files.length === 0) return undefined;
    const made = simulations.get(machines) ?? new WeakMap<object, Rendezvous>();
    const rendezvous = made.get(simulation) ?? createRendezvous(files, now);
    simulations.set(machines, made.set(simulation, rendezvous));
    return rendezvous;
  };
  return {
    run(files, request) {
      const machines = known.get(files) ?? machinesIn(files);
      known.set(files, machines);
      const own = [...machines.values()].flatMap((each) => each.own);
      return run(machines, request, rendezvousOf(machines, request.environment)).finally(() => {
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
  /** The functions that receive its events, and whether events start it. */
  readonly receiving: ReceivingFiles | undefined;
}

const mapEnding = ".asl.map.json";

function machinesIn(files: readonly OutputFile[]): Machines {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const maps = files.filter(({ path }) => path.endsWith(mapEnding));
  return new Map(
    maps.map(({ path, text }) => {
      const { workflow, errors, expressions, functions, events, states } = JSON.parse(text) as MapFile;
      const stem = path.slice(0, -mapEnding.length);
      const machine = texts.get(`${stem}.asl.json`) ?? texts.get(`${stem}.asl.yaml`)!;
      const opened = (made: MapFile["functions"], open: (text: string) => Lambda): readonly OwnFunction[] =>
        made ? [{ resource: made.resource, lambda: open(texts.get(made.file)!) }] : [];
      const made = [...opened(expressions, lambdaOf), ...opened(functions, threadOf)];
      const { file, ...rest } = events ?? { file: undefined };
      const receiving =
        file === undefined
          ? undefined
          : { workflow, text: texts.get(file)!, runtime: texts.get("runtime/events.mjs")!, ...rest };
      const definition = (machine.startsWith("{") ? JSON.parse(machine) : parse(machine)) as Machine;
      return [workflow, { workflow, definition, states, errors, own: made, receiving } as Emitted];
    }),
  );
}

/** What a map file says. */
interface MapFile {
  readonly workflow: string;
  readonly expressions?: { readonly file: string; readonly resource: string };
  readonly functions?: { readonly file: string; readonly resource: string };
  readonly events?: {
    readonly file: string;
    readonly resource: string;
    readonly starts: readonly string[];
    readonly leader?: string;
  };
  readonly states: Emitted["states"];
  readonly errors?: ErrorNames;
}

async function run(
  machines: Machines,
  { workflow, input, environment }: RunRequest,
  rendezvous: Rendezvous | undefined,
): Promise<Outcome> {
  const byEvents = input === undefined && machines.get(workflow)?.receiving?.starts.includes(workflow) === true;
  const execution = Promise.withResolvers<{ readonly name: string; readonly input: Json }>();
  const receiving = rendezvous?.join(environment, byEvents ? { workflow, hear: execution.resolve } : undefined);
  const { name, input: given } = byEvents ? await execution.promise : { name: environment.runId, input: input ?? {} };
  environment.started();
  try {
    const signal = new AbortController().signal;
    const shared = {
      machines,
      environment,
      turns: createTurns(),
      compiled: new Map(),
      receiving,
      joins: createJoinTable(),
    };
    const output = await start(
      workflow,
      given,
      { position: [], signal },
      { ...shared, name, started: 0, going: 0, left: 0, acts: 0 },
    );
    return { status: "succeeded", output };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const {
      name: known,
      message,
      data,
    } = carriedError(
      error.error,
      error.cause,
      machines.get(workflow)?.errors,
      (execution) => machines.get(workflowOf(execution))?.errors,
    );
    return { status: "failed", error: { name: known, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** The workflow of an execution that another has started, by its ARN. */
const workflowOf = (execution: Json | undefined): string => String(execution).split(":").slice(6).join(":");

/** What the executions of a run share. */
interface Run {
  readonly machines: Machines;
  readonly environment: SimulatedEnvironment;
  readonly turns: Turns;
  readonly compiled: NonNullable<Environment["compiled"]>;
  /** What hears events, where a machine waits for some. */
  readonly receiving: Receiving | undefined;
  /** The table in which branches are counted. */
  readonly joins: JoinTable;
  /** The name of the first execution. */
  readonly name: string;
  /** How many executions have been started; grows. */
  started: number;
  /** How many executions have not ended; when none is left, the run hears no events any more. */
  going: number;
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
    receive: (task) => (run.receiving?.isWait(task) ? run.receiving.wait(workflow, task) : undefined),
    performed: (state) => taskOf(own(states, state)),
    own: made,
    has: (id) => run.machines.has(id),
    start(child, given, task, wait) {
      if (wait) return start(child, given, task, run);
      run.environment.launch();
      return start(child, given, apart(task.position, run.left++), run);
    },
  };
  run.going += 1;
  const environment = environmentOf(run, workflow, linkage, gapsIn(definition, states));
  return execute(definition, input, environment, signal, position).finally(() => {
    run.going -= 1;
    if (run.going === 0) run.receiving?.leave();
  });
}

/** The Wait states that keep iterations apart, with which these begin: the time passes in the step around them, before what happens in an iteration. */
const gapsIn = (definition: Machine, states: Emitted["states"]): ReadonlySet<string> =>
  new Set(
    processorsIn(definition).flatMap(([map, { StartAt: first, States }]) => {
      const isGap = States[first]?.["Type"] === "Wait" && own(states, first)?.["step"] === own(states, map)?.["step"];
      return isGap ? [first] : [];
    }),
  );

/** What the Map states of a machine run for each item, by their names. */
function processorsIn({ States }: Machine): readonly (readonly [string, Machine])[] {
  return Object.entries(States).flatMap(([name, state]) => {
    const { ItemProcessor: processor, Branches = [] } = state as unknown as Inner;
    const inside = [...(processor ? [processor] : []), ...Branches].flatMap(processorsIn);
    return processor ? [[name, processor], ...inside] : inside;
  });
}

/** The machines within a state. */
interface Inner {
  readonly ItemProcessor?: Machine;
  readonly Branches?: readonly Machine[];
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

function environmentOf(run: Run, workflow: string, linkage: Linkage, gaps: ReadonlySet<string>): Environment {
  const { environment, turns, compiled } = run;
  const isFirst = run.started === 0;
  const name = isFirst ? run.name : `${run.name}-${String(run.started).padStart(6, "0")}`;
  run.started += 1;
  let tokens = 0;
  return {
    now: () => environment.now(),
    sleep(seconds, signal, position, state) {
      run.acts += 1;
      const isGap = state !== undefined && gaps.has(state);
      return environment.sleep(seconds, signal, isGap ? position.slice(0, -1) : position);
    },
    task(request) {
      run.acts += 1;
      return performTask(request, linkage, environment);
    },
    asked: (request) => (linkage.performed(request.state) ? undefined : run.joins.ask(request)),
    turns,
    compiled,
    visit: (state) => environment.visit(state),
    uses(what, times) {
      if (isFirst || what === "transitions") environment.recorder?.uses(what, times);
    },
    acts: () => run.acts,
    spin(state) {
      for (;;) environment.visit(state);
    },
    random: () => environment.random(),
    uuid: () => environment.id(),
    token: () => `${name} ${tokens++}`,
    execution: {
      Id: `arn:aws:states:::execution:${workflow}:${name}`,
      Name: environment.runId,
      RoleArn: "arn:aws:iam:::role/waybill",
      StartTime: new Date(environment.now()).toISOString(),
    },
    stateMachine: { Id: `arn:aws:states:::stateMachine:${workflow}`, Name: workflow },
  };
}
