import type { Json, JsonObject } from "../../../src/json.ts";
import { createTurns, type Environment, type Machine, StateError } from "../simulator/environment.ts";
import { execute } from "../simulator/execute.ts";
import { contextOf, type Question } from "./state-tests.ts";

/** What became of one state: it led on, or its machine ended, with data; or it failed. */
export type Answer =
  | { readonly kind: "went on"; readonly next: string | undefined; readonly output: Json }
  | { readonly kind: "failed"; readonly error: string };

/** What the interpreter of the project says. */
export async function ownAnswer(question: Question): Promise<Answer> {
  const { machine, state, input } = question;
  const path: string[] = [];
  try {
    const signal = new AbortController().signal;
    const output = await execute(alone(machine, state), input, environmentOf(question, path), signal, []);
    return { kind: "went on", next: path[1], output };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { kind: "failed", error: error.error ?? "" };
  }
}

/** A machine that begins with one state, and ends with the one that this leads to. */
function alone({ States }: Machine, state: string): Machine {
  const ends = Object.keys(States).map((name) => [name, { Type: "Succeed" }] as const);
  return { StartAt: state, States: { ...Object.fromEntries(ends), [state]: mocked(States[state]!) } };
}

/** A state whose branches or iterations are mocked does what a Task does: AWS computes `Items` too. */
function mocked(state: JsonObject): JsonObject {
  const { Branches: _, ItemProcessor: __, ItemSelector: ___, MaxConcurrency: ____, Items, ...rest } = state;
  if (state["Type"] === "Parallel") return { ...rest, Type: "Task", Resource: "mock" };
  return state["Type"] === "Map" ? { ...rest, Type: "Task", Resource: "mock", Arguments: Items ?? null } : state;
}

function environmentOf(question: Question, path: string[]): Environment {
  const { Execution, StateMachine, Task } = contextOf(question) as unknown as {
    readonly Execution: Environment["execution"];
    readonly StateMachine: Environment["stateMachine"];
    readonly Task: { readonly Token: string };
  };
  const { mock } = question;
  return {
    now: () => Date.parse(Execution.StartTime),
    sleep: async () => {},
    task: async () => {
      if (!mock) throw new Error("A state without a task has called one.");
      if ("error" in mock) throw new StateError(mock.error, mock.cause);
      return mock.result;
    },
    turns: createTurns(),
    visit: (state) => void path.push(state),
    uses: () => {},
    acts: () => path.length,
    spin: (state) => {
      throw new Error(`${state} leads to itself without end.`);
    },
    random: () => 0.5,
    uuid: () => "00000000-0000-4000-8000-000000000000",
    token: () => Task.Token,
    execution: Execution,
    stateMachine: StateMachine,
  };
}

/** Whether what a state gives is another each time. */
export const isChance = ({ machine, state }: Question): boolean =>
  /\$(?:uuid|now|millis|random)\(/.test(JSON.stringify(machine.States[state]));
