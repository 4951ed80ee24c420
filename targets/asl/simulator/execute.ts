import { isTolerated } from "../../../src/ir/tolerance.ts";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { distributedMapFailed, failureLimits } from "../errors.ts";
import {
  type ExecutionEnvironment,
  ExecutionTimeout,
  type MachineDefinition,
  StateError,
  UnsupportedDefinition,
} from "./environment.ts";
import { createEvaluator, failure, type StateView } from "./evaluator.ts";
import type { ExecutionFrame } from "./frame.ts";
import { checkData, createVariables, withLimitedHistory } from "./limits.ts";
import { catcherOf, createRetryCounter, errorOutput } from "./recovery.ts";
import { runTask } from "./task.ts";
import { secondsOf } from "./wait-time.ts";

/** Executes a definition at a position. Resolves to its output; rejects with a `StateError`. */
export function execute(
  definition: MachineDefinition,
  input: Json,
  outer: ExecutionEnvironment,
  signal: AbortSignal,
  position: readonly number[],
): Promise<Json> {
  const run = (within: AbortSignal): Promise<Json> =>
    outer.scheduler.run(position, () => runMachine(definition, input, outer, within, position));
  const { TimeoutSeconds: limit } = definition;
  if (limit === undefined) return run(signal);
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const expiry = outer.sleep(limit, within, position).then(() => {
    throw new ExecutionTimeout();
  });
  expiry.catch(() => undefined);
  const work = run(within);
  work.catch(() => undefined);
  return Promise.race([work, expiry]).finally(() => stop.abort());
}

function runMachine(
  machine: MachineDefinition,
  input: Json,
  outer: ExecutionEnvironment,
  signal: AbortSignal,
  position: readonly number[],
): Promise<Json> {
  const environment = withLimitedHistory(outer);
  const context = { Execution: { ...outer.execution, Input: input }, StateMachine: outer.stateMachine };
  const variables = { own: new Map<string, Json>(), outer: undefined };
  const evaluator = createEvaluator(environment);
  const all = createVariables(environment);
  const frame: ExecutionFrame = { environment, outer, evaluator, machine, variables, all, position, signal, context };
  environment.count("events of history", 2);
  return runStates(frame, input);
}

async function runStates(frame: ExecutionFrame, input: Json): Promise<Json> {
  let name = frame.machine.StartAt;
  let data = input;
  const repeats = loopDetector(frame);
  for (;;) {
    const state = Object.hasOwn(frame.machine.States, name) ? frame.machine.States[name]! : undefined;
    if (!state) throw new UnsupportedDefinition(`There is no state ${name}.`);
    frame.signal.throwIfAborted();
    frame.environment.visit(name);
    frame.environment.count("transitions", 1);
    frame.environment.count("events of history", eventsOf(state));
    if (repeats(name, data)) frame.environment.stopEndlessLoop(name);
    const { output, next } = await runState(frame, name, state, data);
    if (next === undefined) return output;
    name = next;
    data = output;
  }
}

/** Excludes Task attempts and iterations. */
function eventsOf({ Type: type }: JsonObject): number {
  if (type === "Fail") return 1;
  return type === "Parallel" || type === "Map" ? 4 : 2;
}

/**
 * Detects endless loops: the same state with the same data and no side effect between. Uses Brent's algorithm after the
 * first thousand states, for cycles of any length.
 */
function loopDetector({ environment, variables }: ExecutionFrame): (name: string, data: Json) => boolean {
  let [acts, steps, power, mark] = [-1, 0, 1024, ""];
  return (name, data) => {
    if (acts !== environment.sideEffects()) [acts, steps, power, mark] = [environment.sideEffects(), 0, 1024, ""];
    steps += 1;
    if (steps < power && mark === "") return false;
    const seen = JSON.stringify([name, data, [...variables.own]]);
    if (seen === mark) return true;
    if (steps === power) [steps, power, mark] = [0, 2 * power, seen];
    return false;
  };
}

async function runState(frame: ExecutionFrame, name: string, state: JsonObject, input: Json): Promise<StateResult> {
  const retries = createRetryCounter(state);
  const entered = new Date(frame.environment.now()).toISOString();
  for (;;) {
    const view = viewOf(frame, { Name: name, EnteredTime: entered, RetryCount: retries.count }, input);
    try {
      const done = await perform(frame, name, state, view);
      checkData(done.output, { kind: "output", owner: name }, frame.environment);
      frame.all.assign(frame.variables, done.assign, name);
      return done;
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const delay = retries.next(error);
      if (delay === undefined) return recover(frame, state, view, error);
      frame.environment.count("transitions", 1);
      await pause(frame, delay);
    }
  }
}

async function recover(
  frame: ExecutionFrame,
  state: JsonObject,
  view: StateView,
  error: StateError,
): Promise<StateResult> {
  try {
    const catcher = catcherOf(state, error);
    if (!catcher) throw error;
    return await enterCatcher(frame, catcher, view, errorOutput(error));
  } catch (uncaught) {
    if (uncaught instanceof StateError) uncaught.state ??= view.state;
    throw uncaught;
  }
}

/** Evaluates a catcher, which may fail. */
async function enterCatcher(
  frame: ExecutionFrame,
  catcher: JsonObject,
  view: StateView,
  output: Json,
): Promise<StateResult> {
  const seen: StateView = { ...view, states: { ...view.states, errorOutput: output } };
  const { evaluator } = frame;
  const data =
    catcher["Output"] === undefined ? output : await evaluator.field("Catch/Output", catcher["Output"], seen);
  frame.all.assign(frame.variables, await assignments(frame, catcher["Assign"], seen), view.state);
  const checked = checkData(data, { kind: "output", owner: view.state }, frame.environment);
  return { output: checked, next: catcher["Next"] as string, assign: [] };
}

async function assignments(
  frame: ExecutionFrame,
  assign: Json | undefined,
  view: StateView,
): Promise<readonly (readonly [string, Json])[]> {
  if (assign === undefined) return [];
  const data = { kind: "assignment", owner: view.state } as const;
  const values = checkData(await frame.evaluator.field("Assign", assign, view), data, frame.environment);
  return isObject(values) ? Object.entries(values) : [];
}

function viewOf(
  { context, variables }: ExecutionFrame,
  state: { readonly Name: string } & JsonObject,
  input: Json,
): StateView {
  return { states: { input, context: { ...context, State: state } }, variables, state: state.Name };
}

interface StateResult {
  readonly output: Json;
  readonly next: string | undefined;
  readonly assign: readonly (readonly [string, Json])[];
}

async function perform(frame: ExecutionFrame, name: string, state: JsonObject, view: StateView): Promise<StateResult> {
  if ((state["QueryLanguage"] ?? "JSONata") !== "JSONata")
    throw new UnsupportedDefinition("This interpreter executes the JSONata dialect only.");
  switch (state["Type"]) {
    case "Pass":
      return finish(frame, state, view, undefined);
    case "Succeed":
      return finish(frame, state, view, undefined);
    case "Fail":
      return fail(frame, state, view);
    case "Wait":
      return wait(frame, state, view);
    case "Choice":
      return choose(frame, state, view);
    case "Task":
      return finish(frame, state, view, { value: await runTask(frame, name, state, view) });
    case "Parallel":
      return finish(frame, state, view, { value: await runBranches(frame, state, view) });
    case "Map":
      return finish(frame, state, view, { value: await runItems(frame, state, view) });
    default:
      throw new UnsupportedDefinition(`States of type ${String(state["Type"])} are not executed.`);
  }
}

/** Only some states have a `result`. */
async function finish(
  frame: ExecutionFrame,
  state: JsonObject,
  view: StateView,
  result: { readonly value: Json } | undefined,
): Promise<StateResult> {
  const seen: StateView = result ? { ...view, states: { ...view.states, result: result.value } } : view;
  const fallback = result ? result.value : view.states["input"]!;
  const output =
    state["Output"] === undefined ? fallback : await frame.evaluator.field("Output", state["Output"], seen);
  return { output, next: state["Next"] as string | undefined, assign: await assignments(frame, state["Assign"], seen) };
}

async function fail({ environment, evaluator }: ExecutionFrame, state: JsonObject, view: StateView): Promise<never> {
  const text = async (field: string) => {
    const value = state[field] === undefined ? undefined : await evaluator.field(field, state[field], view);
    if (value !== undefined && typeof value !== "string") throw failure(view, `The field '${field}' is not a string.`);
    return value;
  };
  const [error, cause] = [await text("Error"), await text("Cause")];
  if ((error ?? "").length > failureLimits.name || (cause ?? "").length > failureLimits.message)
    environment.onLimit?.(`The error of \`${view.state}\` is longer than Step Functions allows.`);
  throw new StateError(error, cause);
}

async function wait(frame: ExecutionFrame, state: JsonObject, view: StateView): Promise<StateResult> {
  const seconds = await secondsOf(frame, state, view);
  if (seconds > 0) await pause(frame, seconds, view.state);
  return finish(frame, state, view, undefined);
}

const pause = ({ environment, position, signal }: ExecutionFrame, seconds: number, state?: string): Promise<void> =>
  environment.scheduler.wait(position, environment.sleep(seconds, signal, position, state));

async function choose(frame: ExecutionFrame, state: JsonObject, view: StateView): Promise<StateResult> {
  for (const [i, rule] of (state["Choices"] as readonly JsonObject[]).entries()) {
    const holds = await frame.evaluator.field(`Choices[${i}]/Condition`, rule["Condition"] ?? null, view);
    if (typeof holds !== "boolean") throw failure(view, `The condition of rule ${i} gave no boolean.`);
    if (holds) return finish(frame, rule, view, undefined);
  }
  if (state["Default"] === undefined)
    throw new StateError("States.NoChoiceMatched", "No choice rule matched, and there is no default.");
  return { ...(await finish(frame, state, view, undefined)), next: state["Default"] as string };
}

/**
 * Runs a Parallel state; the first failure stops the other branches. A `$uuid()` in its `Arguments` is a token, to
 * leave the scenario's ids alone.
 */
async function runBranches(frame: ExecutionFrame, state: JsonObject, view: StateView): Promise<Json> {
  const given =
    state["Arguments"] === undefined
      ? view.states["input"]!
      : await frame.evaluator.field("Arguments", state["Arguments"], { ...view, uuid: frame.environment.token });
  const input = checkData(given, { kind: "input", owner: view.state }, frame.environment);
  const branches = state["Branches"] as unknown as readonly MachineDefinition[];
  return runConcurrently(frame, branches.length, branches.length, (i, signal) =>
    runInner(innerFrame(frame, branches[i]!, i, signal), input),
  );
}

/** Runs the states of a branch or iteration, whose variables end with it. */
const runInner = (frame: ExecutionFrame, input: Json): Promise<Json> =>
  runStates(frame, input).finally(() => {
    frame.all.release(frame.variables);
    frame.environment.onBranchEnd?.(frame.position);
  });

/** Step Functions' limits on concurrent iterations, whatever `MaxConcurrency` says. */
const maxConcurrency = { INLINE: 40, DISTRIBUTED: 10_000 } as const;

type Processor = MachineDefinition & {
  readonly ProcessorConfig?: { readonly Mode?: keyof typeof maxConcurrency; readonly ExecutionType?: string };
};

/** Runs a Map state, at most `MaxConcurrency` iterations at once. Only `ItemSelector` sees the item in its context. */
async function runItems(frame: ExecutionFrame, state: JsonObject, view: StateView): Promise<Json> {
  const { evaluator } = frame;
  const processor = (state["ItemProcessor"] ?? state["Iterator"]) as unknown as Processor;
  const mode = processor.ProcessorConfig?.Mode ?? "INLINE";
  const items = await itemsOf(frame, state, view);
  const asked =
    state["MaxConcurrency"] === undefined ? 0 : await evaluator.field("MaxConcurrency", state["MaxConcurrency"], view);
  const allowed = typeof asked === "number" && asked > 0 ? asked : Number.POSITIVE_INFINITY;
  const width = Math.min(allowed, maxConcurrency[mode]);
  if (Math.min(allowed, items.length) > width)
    frame.environment.onLimit?.(`Map \`${view.state}\` runs ${width} of its ${items.length} iterations at once.`);
  const inputOf = (index: number): Promise<Json> => {
    const context = {
      ...(view.states["context"] as JsonObject),
      Map: { Item: { Index: index, Value: items[index]! } },
    };
    const selector = state["ItemSelector"] ?? items[index]!;
    if (state["ItemSelector"] === undefined) return Promise.resolve(selector);
    return evaluator.field("ItemSelector", selector, { ...view, states: { ...view.states, context } });
  };
  if (mode === "DISTRIBUTED") {
    const limit = async (name: string): Promise<number | undefined> =>
      state[name] === undefined ? undefined : Number(await evaluator.field(name, state[name], view));
    const tolerated = {
      count: await limit("ToleratedFailureCount"),
      percentage: await limit("ToleratedFailurePercentage"),
    };
    return runExecutions(frame, { state, processor, count: items.length, width, inputOf, tolerated });
  }
  return runConcurrently(frame, items.length, width, async (i, signal) => {
    frame.environment.count("events of history", 2);
    const input = checkData(await inputOf(i), { kind: "input", owner: view.state }, frame.environment);
    return runInner(innerFrame(frame, processor, i, signal), input);
  });
}

interface DistributedMap {
  readonly state: JsonObject;
  readonly processor: Processor;
  readonly count: number;
  readonly width: number;
  readonly inputOf: (index: number) => Promise<Json>;
  readonly tolerated: { readonly count: number | undefined; readonly percentage: number | undefined };
}

/**
 * Runs a Distributed Map: an execution with its own history and variables for each item. More failures than it tolerates
 * fail the Map with one fixed error. Step Functions may start another execution before that, so one is started here if
 * the machine states no limit.
 */
async function runExecutions(
  frame: ExecutionFrame,
  { state, processor, count, width, inputOf, tolerated }: DistributedMap,
): Promise<Json> {
  const label = String(state["Label"]);
  if (processor.ProcessorConfig?.ExecutionType !== "STANDARD" || !/^[\w-]{1,40}$/.test(label))
    throw new UnsupportedDefinition("Only Distributed Maps of standard executions, with a label, are executed.");
  const { outer, position } = frame;
  const failed = new Set<number>();
  const job = async (index: number, signal: AbortSignal): Promise<Json> => {
    const input = checkData(await inputOf(index), { kind: "input", owner: label }, outer);
    const result = runMachine(processor, input, childEnvironment(outer, label), signal, [...position, index]);
    return result.catch((error: unknown) => {
      if (!(error instanceof StateError) || !isTolerated(failed.add(index).size, count, tolerated)) throw error;
      return null;
    });
  };
  const isLimited = tolerated.count !== undefined || tolerated.percentage !== undefined;
  try {
    const results = await runConcurrently(frame, count, width, job, !isLimited);
    return results.filter((_, i) => !failed.has(i));
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new StateError(distributedMapFailed, "The specified tolerated failure threshold was exceeded");
  }
}

/** A child's history does not count for its parent. */
function childEnvironment(environment: ExecutionEnvironment, label: string): ExecutionEnvironment {
  const { Id: id } = environment.execution;
  const name = environment.token();
  return {
    ...environment,
    count: (what, times) => (what === "transitions" ? environment.count(what, times) : undefined),
    execution: { ...environment.execution, Id: id.replace(/:[^:]*$/, `/${label}:${name}`), Name: name },
  };
}

/** The members of an object are items too. */
async function itemsOf({ evaluator }: ExecutionFrame, state: JsonObject, view: StateView): Promise<readonly Json[]> {
  const given = state["Items"] !== undefined;
  const value = given ? await evaluator.field("Items", state["Items"]!, view) : view.states["input"]!;
  if (Array.isArray(value)) return value as readonly Json[];
  if (given && isObject(value)) return Object.entries(value).map(([Key, Value]) => ({ Key, Value }));
  throw failure(view, `Map state input must be an array but was: ${JSON.stringify(value)}`);
}

function innerFrame(
  frame: ExecutionFrame,
  machine: MachineDefinition,
  index: number,
  signal: AbortSignal,
): ExecutionFrame {
  const variables = { own: new Map<string, Json>(), outer: frame.variables };
  return { ...frame, machine, variables, position: [...frame.position, index], signal };
}

/**
 * Runs jobs concurrently, at most `width` at once, started in order. The first failure aborts the rest and is the
 * result; with `beginsMore`, one more job starts before that.
 */
async function runConcurrently(
  { environment, position, signal }: ExecutionFrame,
  count: number,
  width: number,
  job: (index: number, signal: AbortSignal) => Promise<Json>,
  beginsMore = false,
): Promise<readonly Json[]> {
  const { scheduler: turns } = environment;
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const results: Json[] = new Array<Json>(count).fill(null);
  let started = 0;
  const next = async (): Promise<void> => {
    const index = started++;
    results[index] = await turns.run([...position, index], () => job(index, within));
  };
  const another = (): Promise<unknown> => (beginsMore && started < count ? next().catch(() => {}) : Promise.resolve());
  const worker = async () => {
    while (started < count)
      await next().catch(async (error: unknown) => {
        await another();
        throw error;
      });
  };
  const all = Promise.all(Array.from({ length: Math.min(width, count) }, worker)).catch((error: unknown) => {
    stop.abort(error);
    throw error;
  });
  await turns.wait(position, all);
  return results;
}
