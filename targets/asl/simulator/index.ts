import { parse } from "yaml";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { ErrorNames, ErrorValue } from "../../../src/ir/workflow.ts";
import { type Json, type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import type { Outcome, RunRequest, Simulator } from "../../../src/target/simulator.ts";
import { carriedError, deriveProblem } from "../errors.ts";
import type { TaskAction } from "../machine.ts";
import {
  createScheduler,
  type ExecutionEnvironment,
  ExecutionTimeout,
  type MachineDefinition,
  type Scheduler,
  StateError,
  type TaskRequest,
  UnsupportedDefinition,
} from "./environment.ts";
import { createEventServices, type EventFunctionFiles, type EventServices, type EventSubscription } from "./events.ts";
import { execute } from "./execute.ts";
import {
  type Lambda,
  type LoadedFunction,
  type NextExecution,
  performTask,
  sandboxedLambda,
  type TaskContext,
  workerLambda,
} from "./integrations.ts";
import { createJoinTable, type SimulatedJoinTable } from "./join-table.ts";
import { checkExecutionInput } from "./limits.ts";
import { createRests, type PacingWaits, pacingWaits } from "./pacing.ts";

/** Creates a simulator that executes generated machines as AWS would. Files are parsed once. */
export function createSimulator(): Simulator {
  const known = new WeakMap<readonly OutputFile[], EmittedMachines>();
  const simulations = new WeakMap<EmittedMachines, WeakMap<object, EventServices>>();
  const eventServicesOf = (
    machines: EmittedMachines,
    { simulation, now }: SimulatedEnvironment,
  ): EventServices | undefined => {
    const files = [...machines.values()].flatMap(({ receiving }) => receiving ?? []);
    if (files.length === 0) return undefined;
    const bySimulation = simulations.get(machines) ?? new WeakMap<object, EventServices>();
    const services = bySimulation.get(simulation) ?? createEventServices(files, now);
    simulations.set(machines, bySimulation.set(simulation, services));
    return services;
  };
  return {
    run(files, request) {
      const machines = known.get(files) ?? readMachines(files);
      known.set(files, machines);
      const functions = [...machines.values()].flatMap((each) => each.functions);
      return simulateRun(machines, request, eventServicesOf(machines, request.environment)).finally(() => {
        for (const { lambda } of functions) lambda.close();
      });
    },
    close() {},
  };
}

type EmittedMachines = ReadonlyMap<string, EmittedMachine>;

interface EmittedMachine {
  readonly workflow: string;
  /** Whether it makes a call for which another machine does not wait. */
  readonly isCall: boolean;
  readonly definition: MachineDefinition;
  readonly states: { readonly [name: string]: JsonObject };
  readonly errors: ErrorNames | undefined;
  /** Whether the cause of an error is its message, also that of a Lambda function. */
  readonly plainCauses: boolean;
  /** The standard errors by which errors that leave an execution become problem details. */
  readonly problems: Json | undefined;
  /** What the end of an execution at its limit means. */
  readonly timeout: ErrorValue | undefined;
  readonly timers: readonly { readonly input?: Json }[];
  readonly functions: readonly LoadedFunction[];
  readonly receiving: EventFunctionFiles | undefined;
}

const mapEnding = ".asl.map.json";

function readMachines(files: readonly OutputFile[]): EmittedMachines {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const maps = files.filter(({ path }) => path.endsWith(mapEnding));
  return new Map(
    maps.map(({ path, text }) => {
      const {
        workflow,
        isCall = false,
        errors,
        plainCauses = false,
        problems,
        timeout,
        timers = [],
        expressions,
        functions,
        events,
        states,
      } = JSON.parse(text) as MapFile;
      const stem = path.slice(0, -mapEnding.length);
      const machine = texts.get(`${stem}.asl.json`) ?? texts.get(`${stem}.asl.yaml`)!;
      const loadFunction = (entry: MapFile["functions"], load: (text: string) => Lambda): readonly LoadedFunction[] =>
        entry ? [{ resource: entry.resource, lambda: load(texts.get(entry.file)!) }] : [];
      const loaded = [...loadFunction(expressions, sandboxedLambda), ...loadFunction(functions, workerLambda)];
      const { file, ...rest } = events ?? { file: undefined };
      const receiving = file === undefined ? undefined : { workflow, file, modules: texts, ...rest };
      const definition = (machine.startsWith("{") ? JSON.parse(machine) : parse(machine)) as MachineDefinition;
      return [
        workflow,
        {
          workflow,
          isCall,
          definition,
          states,
          errors,
          plainCauses,
          problems,
          timeout,
          timers,
          functions: loaded,
          receiving,
        } as EmittedMachine,
      ];
    }),
  );
}

interface MapFile {
  readonly workflow: string;
  readonly isCall?: boolean;
  readonly expressions?: { readonly file: string; readonly resource: string };
  readonly functions?: { readonly file: string; readonly resource: string };
  readonly events?: {
    readonly file: string;
    readonly resource: string;
    readonly starts: readonly string[];
    readonly leader?: string;
  };
  readonly states: EmittedMachine["states"];
  readonly errors?: ErrorNames;
  readonly plainCauses?: boolean;
  readonly problems?: Json;
  readonly timeout?: ErrorValue;
  readonly timers?: EmittedMachine["timers"];
}

async function simulateRun(
  machines: EmittedMachines,
  { workflow, timer, environment, ...request }: RunRequest,
  eventServices: EventServices | undefined,
): Promise<Outcome> {
  const input = timer === undefined ? request.input : machines.get(workflow)?.timers[timer]?.input;
  if (timer !== undefined && input === undefined)
    throw new UnsupportedDefinition(`The machine of ${workflow} has no timer ${timer}.`);
  const byEvents = input === undefined && machines.get(workflow)?.receiving?.starts.includes(workflow) === true;
  const execution = Promise.withResolvers<{ readonly name: string; readonly input: Json }>();
  const subscription = eventServices?.join(
    environment,
    byEvents ? { workflow, onStart: execution.resolve } : undefined,
  );
  const { name, input: given } = byEvents ? await execution.promise : { name: environment.runId, input: input ?? {} };
  environment.started();
  try {
    checkExecutionInput(given, (limit) => environment.recorder?.onLimit(limit));
    const signal = new AbortController().signal;
    const shared = {
      machines,
      environment,
      scheduler: createScheduler(),
      compiled: new Map(),
      subscription,
      joins: createJoinTable(),
    };
    const output = await startMachine(
      workflow,
      given,
      { position: [], signal },
      { ...shared, name, started: 0, active: 0, detached: 0, emitted: 0, sideEffects: 0 },
    );
    return { status: "succeeded", output };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const late = error instanceof ExecutionTimeout ? machines.get(workflow)?.timeout : undefined;
    if (late) return { status: "failed", error: late };
    const carried = carriedError(
      error.error,
      error.cause,
      machines.get(workflow)?.errors,
      (execution) => machines.get(workflowOf(execution))?.errors,
      {
        isDetailed: [...machines.values()].some(hasDetailedErrors),
        isPlain: machines.get(workflow)?.plainCauses === true,
      },
    );
    const failed = machines.get(workflow);
    const { name: known, message, data } = failed ? withProblem(carried, error.state, failed) : carried;
    return { status: "failed", error: { name: known, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** The error with problem details, by the state that failed, unless it has them or the machine's language has none. */
function withProblem(error: ErrorValue, state: string | undefined, { problems, states }: EmittedMachine): ErrorValue {
  const pointer = state === undefined ? undefined : own(states, state)?.["pointer"];
  return problems === undefined || pointer === undefined ? error : deriveProblem(error, pointer, problems);
}

const hasDetailedErrors = ({ states }: EmittedMachine): boolean =>
  Object.values(states).some((state) => state["detailed"] === true);

const workflowOf = (execution: Json | undefined): string => String(execution).split(":").slice(6).join(":");

interface RunState {
  readonly machines: EmittedMachines;
  readonly environment: SimulatedEnvironment;
  readonly scheduler: Scheduler;
  readonly compiled: NonNullable<ExecutionEnvironment["compiled"]>;
  readonly subscription: EventSubscription | undefined;
  readonly joins: SimulatedJoinTable;
  readonly name: string;
  started: number;
  /** When no execution is active, the run unsubscribes from events. */
  active: number;
  /** The number of executions started without waiting. */
  detached: number;
  /** The number of events put on a bus. */
  emitted: number;
  sideEffects: number;
}

function startMachine(
  workflow: string,
  input: Json,
  { position, signal }: Pick<TaskRequest, "position" | "signal">,
  run: RunState,
  depth = 0,
  name?: string,
  isContinued = false,
): Promise<Json> {
  const { definition, states, functions, plainCauses } = run.machines.get(workflow)!;
  let next: NextExecution | undefined;
  const tasks: TaskContext = {
    receive: (task) => (run.subscription?.isWait(task) ? run.subscription.wait(workflow, task) : undefined),
    actionOf: (state) => taskOf(own(states, state)),
    functions,
    plainCauses,
    has: (id) => run.machines.has(id),
    eventId: () => `${run.environment.runId}-${++run.emitted}`,
    start(child, given, task, wait, name) {
      if (wait) {
        run.environment.subflow(depth + 1, given);
        return startMachine(child, given, task, run, depth + 1, name);
      }
      // Step Functions gives no order between the two: the call is made before its caller continues.
      if (run.machines.get(child)!.isCall)
        return startMachine(
          child,
          given,
          { position: task.position, signal: new AbortController().signal },
          run,
          0,
          name,
        );
      run.environment.launch();
      return startMachine(child, given, detachedPosition(task.position, run.detached++), run, 0, name);
    },
    continueIn(execution) {
      next = execution;
    },
  };
  run.active += 1;
  const environment = environmentOf(run, workflow, tasks, pacingWaits(definition, states), { name, isContinued });
  const continueRun = (output: Json): Json | Promise<Json> =>
    next ? startMachine(workflow, next.input, { position, signal }, run, depth, next.name, true) : output;
  return execute(definition, input, environment, signal, position)
    .then(continueRun)
    .finally(() => {
      run.active -= 1;
      if (run.active === 0) run.subscription?.unsubscribe();
    });
}

/** After its starter and earlier ones. */
function detachedPosition(position: readonly number[], n: number): Pick<TaskRequest, "position" | "signal"> {
  const end = position.indexOf(Number.POSITIVE_INFINITY);
  const around = end < 0 ? position : position.slice(0, end);
  return { position: [...around, Number.POSITIVE_INFINITY, n], signal: new AbortController().signal };
}

function taskOf(state: JsonObject | undefined): TaskAction | undefined {
  const { argument, answer, detailed, secrets } = (state ?? {}) as Partial<TaskAction>;
  for (const kind of ["function", "workflow", "event", "continuation"] as const) {
    const name = state?.[kind];
    if (typeof name === "string")
      return {
        kind,
        name,
        ...(argument !== undefined && { argument }),
        ...(answer !== undefined && { answer }),
        ...(detailed && { detailed }),
        ...(secrets !== undefined && { secrets }),
      };
  }
  return undefined;
}

function environmentOf(
  run: RunState,
  workflow: string,
  tasks: TaskContext,
  { gaps, rests }: PacingWaits,
  { name: given, isContinued }: { readonly name: string | undefined; readonly isContinued: boolean },
): ExecutionEnvironment {
  const { environment, scheduler, compiled } = run;
  const isFirst = run.started === 0;
  /** Simulated UUIDs are all equal, and with them names. */
  const name =
    isFirst || isContinued ? (given ?? run.name) : `${given ?? run.name}-${String(run.started).padStart(6, "0")}`;
  run.started += 1;
  let tokens = 0;
  const running = createRests(environment);
  return {
    now: () => environment.now(),
    sleep(seconds, signal, position, state) {
      run.sideEffects += 1;
      if (state !== undefined && rests.has(state)) return running.wait(seconds, signal, position);
      const isGap = state !== undefined && gaps.has(state);
      return environment.sleep(seconds, signal, isGap ? position.slice(0, -1) : position);
    },
    onBranchEnd: (position) => running.onEnd(position),
    task(request) {
      run.sideEffects += 1;
      return performTask(request, tasks, environment);
    },
    query: (request) => (tasks.actionOf(request.state) ? undefined : run.joins.query(request)),
    scheduler,
    compiled,
    visit: (state) => environment.visit(state),
    count(what, times) {
      if (isFirst || what === "transitions") environment.recorder?.uses(what, times);
    },
    onLimit: (limit) => environment.recorder?.onLimit(limit),
    sideEffects: () => run.sideEffects,
    stopEndlessLoop(state) {
      for (;;) environment.visit(state);
    },
    random: () => environment.random(),
    uuid: () => environment.id(),
    token: () => `${workflow} ${name} ${tokens++}`,
    taskToken({ state, ...where }) {
      const task = tasks.actionOf(state);
      return task?.kind === "function" ? environment.token(task.name, where) : `${workflow} ${name} ${tokens++}`;
    },
    execution: {
      Id: `arn:aws:states:::execution:${workflow}:${name}`,
      Name: isContinued ? name : environment.runId,
      RoleArn: "arn:aws:iam:::role/waybill",
      StartTime: new Date(environment.now()).toISOString(),
    },
    stateMachine: { Id: `arn:aws:states:::stateMachine:${workflow}`, Name: workflow },
  };
}
