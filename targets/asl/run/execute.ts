import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { type Environment, type Machine, StateError, Unsupported, type Variables } from "./environment.ts";
import { createEvaluator, type Evaluator, type View } from "./evaluator.ts";
import { catcherOf, errorOutput, retriesOf } from "./recovery.ts";
import { type Done, perform } from "./states.ts";

/** One `States` object being executed: the machine, a branch or an iteration. */
export interface Frame {
  readonly environment: Environment;
  readonly evaluator: Evaluator;
  readonly machine: Machine;
  readonly variables: Variables;
  readonly position: readonly number[];
  readonly signal: AbortSignal;
  /** `$states.context` parts that do not change within the frame. */
  readonly context: JsonObject;
}

/** Executes a definition in the JSONata dialect. Resolves with its output; rejects with the `StateError` that it failed with. */
export function execute(
  definition: Machine,
  input: Json,
  environment: Environment,
  signal: AbortSignal,
): Promise<Json> {
  const context = { Execution: { ...environment.execution, Input: input }, StateMachine: environment.stateMachine };
  const variables = { own: new Map<string, Json>(), outer: undefined };
  const evaluator = createEvaluator(environment);
  return runStates({ environment, evaluator, machine: definition, variables, position: [], signal, context }, input);
}

/** Runs the states of a frame from `StartAt` to an end. */
export async function runStates(frame: Frame, input: Json): Promise<Json> {
  let name = frame.machine.StartAt;
  let data = input;
  for (;;) {
    const state = Object.hasOwn(frame.machine.States, name) ? frame.machine.States[name]! : undefined;
    if (!state) throw new Unsupported(`There is no state ${name}.`);
    frame.signal.throwIfAborted();
    frame.environment.visit(name);
    const { output, next } = await runState(frame, name, state, data);
    if (next === undefined) return output;
    name = next;
    data = output;
  }
}

/** One visit of a state, with its retries and catchers. */
async function runState(frame: Frame, name: string, state: JsonObject, input: Json): Promise<Done> {
  const retries = retriesOf(state);
  for (;;) {
    const view = viewOf(frame, name, input, retries.count);
    try {
      const done = await perform(frame, name, state, view);
      for (const [variable, value] of done.assign) frame.variables.own.set(variable, value);
      return done;
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const delay = retries.next(error);
      if (delay === undefined) return recover(frame, state, view, error);
      await frame.environment.sleep(delay, frame.signal);
    }
  }
}

async function recover(frame: Frame, state: JsonObject, view: View, error: StateError): Promise<Done> {
  const catcher = catcherOf(state, error);
  if (!catcher) throw error;
  const output = errorOutput(error);
  const seen: View = { ...view, states: { ...view.states, errorOutput: output } };
  const { evaluator } = frame;
  const data =
    catcher["Output"] === undefined ? output : await evaluator.field("Catch/Output", catcher["Output"], seen);
  for (const [variable, value] of await assignments(frame, catcher["Assign"], seen))
    frame.variables.own.set(variable, value);
  return { output: data, next: catcher["Next"] as string, assign: [] };
}

/** The values of an `Assign` field. */
export async function assignments(
  frame: Frame,
  assign: Json | undefined,
  view: View,
): Promise<readonly (readonly [string, Json])[]> {
  if (assign === undefined) return [];
  const values = await frame.evaluator.field("Assign", assign, view);
  return isObject(values) ? Object.entries(values) : [];
}

function viewOf(frame: Frame, name: string, input: Json, retryCount: number): View {
  const entered = new Date(frame.environment.now()).toISOString();
  const context = { ...frame.context, State: { Name: name, EnteredTime: entered, RetryCount: retryCount } };
  return { states: { input, context }, variables: frame.variables, state: name };
}
