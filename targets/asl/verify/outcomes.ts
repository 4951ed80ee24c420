import type { Json, JsonObject } from "../../../src/json.ts";
import {
  createScheduler,
  type ExecutionEnvironment,
  type MachineDefinition,
  StateError,
} from "../simulator/environment.ts";
import { execute } from "../simulator/execute.ts";
import { contextOf, type StateTest } from "./state-tests.ts";

/** What happened to a state: it succeeded, with a next state or at an end, or it failed. */
export type StateOutcome =
  | { readonly kind: "went on"; readonly next: string | undefined; readonly output: Json }
  | { readonly kind: "failed"; readonly error: string };

/** Runs one state in the simulator. */
export async function simulateState(test: StateTest): Promise<StateOutcome> {
  const { machine, state, input } = test;
  const path: string[] = [];
  try {
    const signal = new AbortController().signal;
    const output = await execute(isolateState(machine, state), input, environmentOf(test, path), signal, []);
    return { kind: "went on", next: path[1], output };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { kind: "failed", error: error.error ?? "" };
  }
}

function isolateState({ States }: MachineDefinition, state: string): MachineDefinition {
  const ends = Object.keys(States).map((name) => [name, { Type: "Succeed" }] as const);
  return { StartAt: state, States: { ...Object.fromEntries(ends), [state]: mocked(States[state]!) } };
}

/** Parallel and Map states are mocked as Tasks; AWS evaluates `Items` too. */
function mocked(state: JsonObject): JsonObject {
  const { Branches: _, ItemProcessor: __, ItemSelector: ___, MaxConcurrency: ____, Items, ...rest } = state;
  if (state["Type"] === "Parallel") return { ...rest, Type: "Task", Resource: "mock" };
  return state["Type"] === "Map" ? { ...rest, Type: "Task", Resource: "mock", Arguments: Items ?? null } : state;
}

function environmentOf(test: StateTest, path: string[]): ExecutionEnvironment {
  const { Execution, StateMachine, Task } = contextOf(test) as unknown as {
    readonly Execution: ExecutionEnvironment["execution"];
    readonly StateMachine: ExecutionEnvironment["stateMachine"];
    readonly Task: { readonly Token: string };
  };
  const { mock } = test;
  return {
    now: () => Date.parse(Execution.StartTime),
    sleep: async () => {},
    task: async () => {
      if (!mock) throw new Error("A state without a task has called one.");
      if ("error" in mock) throw new StateError(mock.error, mock.cause);
      return mock.result;
    },
    scheduler: createScheduler(),
    visit: (state) => void path.push(state),
    count: () => {},
    sideEffects: () => path.length,
    stopEndlessLoop: (state) => {
      throw new Error(`${state} leads to itself without end.`);
    },
    random: () => 0.5,
    uuid: () => "00000000-0000-4000-8000-000000000000",
    token: () => Task.Token,
    taskToken: () => Task.Token,
    execution: Execution,
    stateMachine: StateMachine,
  };
}

/** Whether a state's output differs from run to run. */
export const isNondeterministic = ({ machine, state }: StateTest): boolean =>
  /\$(?:uuid|now|millis|random)\(/.test(JSON.stringify(machine.States[state]));
