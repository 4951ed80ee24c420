import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { tooManyFailed } from "../errors.ts";
import { type Environment, type Machine, StateError, Unsupported, type Variables } from "./environment.ts";
import { createEvaluator, type Evaluator, failure, isExpression, type View } from "./evaluator.ts";
import { checkData, withLimitedHistory } from "./limits.ts";
import { catcherOf, errorOutput, retriesOf } from "./recovery.ts";

/** One `States` object being executed: the machine, a branch or an iteration. */
interface Frame {
  readonly environment: Environment;
  /** The same without the limit of its history. */
  readonly outer: Environment;
  readonly evaluator: Evaluator;
  readonly machine: Machine;
  readonly variables: Variables;
  readonly position: readonly number[];
  readonly signal: AbortSignal;
  /** `$states.context` parts that do not change within the frame. */
  readonly context: JsonObject;
}

/**
 * Executes a definition in the JSONata dialect, as an activity at a position. Resolves with its output; rejects with the `StateError` that it failed with.
 */
export function execute(
  definition: Machine,
  input: Json,
  outer: Environment,
  signal: AbortSignal,
  position: readonly number[],
): Promise<Json> {
  return outer.turns.activity(position, () => runMachine(definition, input, outer, signal, position));
}

/** Runs a machine as an execution, with variables, a context and a history of its own. */
function runMachine(
  machine: Machine,
  input: Json,
  outer: Environment,
  signal: AbortSignal,
  position: readonly number[],
): Promise<Json> {
  const environment = withLimitedHistory(outer);
  const context = { Execution: { ...outer.execution, Input: input }, StateMachine: outer.stateMachine };
  const variables = { own: new Map<string, Json>(), outer: undefined };
  const evaluator = createEvaluator(environment);
  const frame: Frame = { environment, outer, evaluator, machine, variables, position, signal, context };
  environment.uses("events of history", 2);
  return runStates(frame, input);
}

/** Runs the states of a frame from `StartAt` to an end. */
async function runStates(frame: Frame, input: Json): Promise<Json> {
  let name = frame.machine.StartAt;
  let data = input;
  const repeats = repetition(frame);
  for (;;) {
    const state = Object.hasOwn(frame.machine.States, name) ? frame.machine.States[name]! : undefined;
    if (!state) throw new Unsupported(`There is no state ${name}.`);
    frame.signal.throwIfAborted();
    frame.environment.visit(name);
    frame.environment.uses("transitions", 1);
    frame.environment.uses("events of history", eventsOf(state));
    if (repeats(name, data)) frame.environment.spin(name);
    const { output, next } = await runState(frame, name, state, data);
    if (next === undefined) return output;
    name = next;
    data = output;
  }
}

/** The events that a visit of a state leaves in the history, but for the attempts of a Task and the iterations of a Map. */
function eventsOf({ Type: type }: JsonObject): number {
  if (type === "Fail") return 1;
  return type === "Parallel" || type === "Map" ? 4 : 2;
}

/**
 * Tells whether a frame is where it has been, with the same data, and nothing done meanwhile: then it goes round for ever, as the meaning of a state is
 * decided by what it sees. The round that it looks for is any after the first thousand states, however long (Brent's algorithm).
 */
function repetition({ environment, variables }: Frame): (name: string, data: Json) => boolean {
  let [acts, steps, power, mark] = [-1, 0, 1024, ""];
  return (name, data) => {
    if (acts !== environment.acts()) [acts, steps, power, mark] = [environment.acts(), 0, 1024, ""];
    steps += 1;
    if (steps < power && mark === "") return false;
    const seen = JSON.stringify([name, data, [...variables.own]]);
    if (seen === mark) return true;
    if (steps === power) [steps, power, mark] = [0, 2 * power, seen];
    return false;
  };
}

/** One visit of a state, with its retries and catchers. */
async function runState(frame: Frame, name: string, state: JsonObject, input: Json): Promise<Done> {
  const retries = retriesOf(state);
  const entered = new Date(frame.environment.now()).toISOString();
  for (;;) {
    const view = viewOf(frame, { Name: name, EnteredTime: entered, RetryCount: retries.count }, input);
    try {
      const done = await perform(frame, name, state, view);
      checkData(done.output, name, "output");
      for (const [variable, value] of done.assign) frame.variables.own.set(variable, value);
      return done;
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const delay = retries.next(error);
      if (delay === undefined) return recover(frame, state, view, error);
      frame.environment.uses("transitions", 1);
      await pause(frame, delay);
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
  return { output: checkData(data, view.state, "output"), next: catcher["Next"] as string, assign: [] };
}

/** The values of an `Assign` field. */
async function assignments(
  frame: Frame,
  assign: Json | undefined,
  view: View,
): Promise<readonly (readonly [string, Json])[]> {
  if (assign === undefined) return [];
  const values = checkData(await frame.evaluator.field("Assign", assign, view), view.state, "assignment");
  return isObject(values) ? Object.entries(values) : [];
}

function viewOf({ context, variables }: Frame, state: { readonly Name: string } & JsonObject, input: Json): View {
  return { states: { input, context: { ...context, State: state } }, variables, state: state.Name };
}

/**
 * How a visit of a state ended: its output, the next state (none: the `States` object ends), and the variables to set.
 */
interface Done {
  readonly output: Json;
  readonly next: string | undefined;
  readonly assign: readonly (readonly [string, Json])[];
}

/** One attempt at a state. Rejects with a `StateError`. */
async function perform(frame: Frame, name: string, state: JsonObject, view: View): Promise<Done> {
  if ((state["QueryLanguage"] ?? "JSONata") !== "JSONata")
    throw new Unsupported("This interpreter executes the JSONata dialect only.");
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
      throw new Unsupported(`States of type ${String(state["Type"])} are not executed.`);
  }
}

/** Output, Assign and Next of a state that has done its work; `result` is there for those that have one. */
async function finish(
  frame: Frame,
  state: JsonObject,
  view: View,
  result: { readonly value: Json } | undefined,
): Promise<Done> {
  const seen: View = result ? { ...view, states: { ...view.states, result: result.value } } : view;
  const fallback = result ? result.value : view.states["input"]!;
  const output =
    state["Output"] === undefined ? fallback : await frame.evaluator.field("Output", state["Output"], seen);
  return { output, next: state["Next"] as string | undefined, assign: await assignments(frame, state["Assign"], seen) };
}

async function fail({ evaluator }: Frame, state: JsonObject, view: View): Promise<never> {
  const text = async (field: string) => {
    const value = state[field] === undefined ? undefined : await evaluator.field(field, state[field], view);
    if (value !== undefined && typeof value !== "string") throw failure(view, `The field '${field}' is not a string.`);
    return value;
  };
  throw new StateError(await text("Error"), await text("Cause"));
}

async function wait(frame: Frame, state: JsonObject, view: View): Promise<Done> {
  const seconds = await secondsOf(frame, state, view);
  if (seconds > 0) await pause(frame, seconds, view.state);
  return finish(frame, state, view, undefined);
}

const pause = ({ environment, position, signal }: Frame, seconds: number, state?: string): Promise<void> =>
  environment.turns.waiting(position, environment.sleep(seconds, signal, position, state));

async function secondsOf({ environment, evaluator }: Frame, state: JsonObject, view: View): Promise<number> {
  if (state["Timestamp"] !== undefined) {
    const instant = await evaluator.field("Timestamp", state["Timestamp"], view);
    return (millisOf(instant, view) - environment.now()) / 1000;
  }
  const seconds = await evaluator.field("Seconds", state["Seconds"] ?? null, view);
  if (typeof seconds !== "number" || seconds < 0 || seconds > 99_999_999)
    throw failure(view, "The Seconds field is not a number of seconds.");
  return Math.trunc(seconds);
}

function millisOf(instant: Json, view: View): number {
  const wellFormed =
    typeof instant === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(instant);
  const millis = wellFormed ? Date.parse(instant) : Number.NaN;
  if (!Number.isNaN(millis)) return millis;
  throw failure(
    view,
    `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${String(instant)}`,
  );
}

async function choose(frame: Frame, state: JsonObject, view: View): Promise<Done> {
  for (const [i, rule] of (state["Choices"] as readonly JsonObject[]).entries()) {
    const holds = await frame.evaluator.field(`Choices[${i}]/Condition`, rule["Condition"] ?? null, view);
    if (typeof holds !== "boolean") throw failure(view, `The condition of rule ${i} gave no boolean.`);
    if (holds) return finish(frame, rule, view, undefined);
  }
  if (state["Default"] === undefined)
    throw new StateError("States.NoChoiceMatched", "No choice rule matched, and there is no default.");
  return { ...(await finish(frame, state, view, undefined)), next: state["Default"] as string };
}

async function runTask(frame: Frame, name: string, state: JsonObject, entered: View): Promise<Json> {
  const { environment, evaluator } = frame;
  const view = String(state["Resource"]).endsWith(".waitForTaskToken") ? withToken(entered, environment) : entered;
  const given =
    state["Arguments"] === undefined
      ? view.states["input"]!
      : await evaluator.field("Arguments", state["Arguments"], view);
  const resource = String(
    isExpression(state["Resource"]) ? await evaluator.field("Resource", state["Resource"], view) : state["Resource"],
  );
  const limit =
    state["TimeoutSeconds"] === undefined
      ? undefined
      : await evaluator.field("TimeoutSeconds", state["TimeoutSeconds"], view);
  const isSubmitted = /\.(?:sync(?::2)?|waitForTaskToken)$/.test(resource);
  environment.uses("events of history", isSubmitted ? 4 : 3);
  const stop = new AbortController();
  const signal = AbortSignal.any([frame.signal, stop.signal]);
  checkData(given, name, "input");
  const answer = environment.asked?.({ state: name, resource, arguments: given });
  if (answer !== undefined) return answer;
  const work = environment
    .task({ state: name, resource, arguments: given, position: frame.position, signal })
    .then((result) => checkData(result, name, "output"));
  if (typeof limit !== "number" || limit >= 99_999_999) return environment.turns.waiting(frame.position, work);
  const expiry = environment.sleep(limit, signal, frame.position).then(() => {
    throw new StateError("States.Timeout", undefined);
  });
  expiry.catch(() => undefined);
  work.catch(() => undefined);
  const first = Promise.race([work, expiry]).finally(() => stop.abort());
  return environment.turns.waiting(frame.position, first);
}

/** What a Task sees that waits to be told: its token. */
function withToken(view: View, environment: Environment): View {
  const context = { ...(view.states["context"] as JsonObject), Task: { Token: environment.token() } };
  return { ...view, states: { ...view.states, context } };
}

/**
 * A Parallel state: all branches on the same input; the first failure stops the others. Gives the outputs in order. An id in its `Arguments` tells
 * visits apart, and is none that a scenario knows.
 */
async function runBranches(frame: Frame, state: JsonObject, view: View): Promise<Json> {
  const input =
    state["Arguments"] === undefined
      ? view.states["input"]!
      : await frame.evaluator.field("Arguments", state["Arguments"], { ...view, uuid: frame.environment.token });
  const branches = state["Branches"] as unknown as readonly Machine[];
  return together(frame, branches.length, branches.length, (i, signal) =>
    runStates(inner(frame, branches[i]!, i, signal), input),
  );
}

/** How many iterations of a Map run at once at most, whatever `MaxConcurrency` says: those of an inline one, and executions. */
const mostAtOnce = { INLINE: 40, DISTRIBUTED: 10_000 } as const;

/** What a Map does with each item, and whether that is an execution of its own. */
type Processor = Machine & {
  readonly ProcessorConfig?: { readonly Mode?: keyof typeof mostAtOnce; readonly ExecutionType?: string };
};

/**
 * A Map state: an iteration per item, at most `MaxConcurrency` at once. Gives the outputs in the items' order. The item is in the context of
 * `ItemSelector`, and of nothing within.
 */
async function runItems(frame: Frame, state: JsonObject, view: View): Promise<Json> {
  const { evaluator } = frame;
  const processor = (state["ItemProcessor"] ?? state["Iterator"]) as unknown as Processor;
  const mode = processor.ProcessorConfig?.Mode ?? "INLINE";
  const items = await itemsOf(frame, state, view);
  const asked =
    state["MaxConcurrency"] === undefined ? 0 : await evaluator.field("MaxConcurrency", state["MaxConcurrency"], view);
  const width = Math.min(typeof asked === "number" && asked > 0 ? asked : mostAtOnce[mode], mostAtOnce[mode]);
  const inputOf = (index: number): Promise<Json> => {
    const context = {
      ...(view.states["context"] as JsonObject),
      Map: { Item: { Index: index, Value: items[index]! } },
    };
    const selector = state["ItemSelector"] ?? items[index]!;
    if (state["ItemSelector"] === undefined) return Promise.resolve(selector);
    return evaluator.field("ItemSelector", selector, { ...view, states: { ...view.states, context } });
  };
  if (mode === "DISTRIBUTED") return runExecutions(frame, { state, processor, count: items.length, width, inputOf });
  return together(frame, items.length, width, async (i, signal) => {
    frame.environment.uses("events of history", 2);
    return runStates(inner(frame, processor, i, signal), await inputOf(i));
  });
}

/** The items of a Distributed Map, and how each is processed. */
interface MapRun {
  readonly state: JsonObject;
  readonly processor: Processor;
  readonly count: number;
  readonly width: number;
  readonly inputOf: (index: number) => Promise<Json>;
}

/**
 * A Distributed Map: an execution for each item, with a history and variables of its own. When one fails, whatever with, the Map does, always with the same
 * error; meanwhile Step Functions may begin another, so that one is begun here.
 */
async function runExecutions(frame: Frame, { state, processor, count, width, inputOf }: MapRun): Promise<Json> {
  const label = String(state["Label"]);
  if (processor.ProcessorConfig?.ExecutionType !== "STANDARD" || !/^[\w-]{1,40}$/.test(label))
    throw new Unsupported("Only Distributed Maps of standard executions, with a label, are executed.");
  const { outer, position } = frame;
  const job = async (index: number, signal: AbortSignal): Promise<Json> => {
    const input = checkData(await inputOf(index), label, "input");
    return runMachine(processor, input, childOf(outer, label), signal, [...position, index]);
  };
  try {
    return await together(frame, count, width, job, true);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new StateError(tooManyFailed, "The specified tolerated failure threshold was exceeded");
  }
}

/** The world of an execution that a Distributed Map starts. What it leaves in its history is none of the parent's. */
function childOf(environment: Environment, label: string): Environment {
  const { Id: id } = environment.execution;
  const name = environment.token();
  return {
    ...environment,
    uses: (what, times) => (what === "transitions" ? environment.uses(what, times) : undefined),
    execution: { ...environment.execution, Id: id.replace(/:[^:]*$/, `/${label}:${name}`), Name: name },
  };
}

/** What a Map goes over: its `Items` (an array, or an object as its members), or its input, which must be an array. */
async function itemsOf({ evaluator }: Frame, state: JsonObject, view: View): Promise<readonly Json[]> {
  const given = state["Items"] !== undefined;
  const value = given ? await evaluator.field("Items", state["Items"]!, view) : view.states["input"]!;
  if (Array.isArray(value)) return value as readonly Json[];
  if (given && isObject(value)) return Object.entries(value).map(([Key, Value]) => ({ Key, Value }));
  throw failure(view, `Map state input must be an array but was: ${JSON.stringify(value)}`);
}

function inner(frame: Frame, machine: Machine, index: number, signal: AbortSignal): Frame {
  const variables = { own: new Map<string, Json>(), outer: frame.variables };
  return { ...frame, machine, variables, position: [...frame.position, index], signal };
}

/**
 * Runs jobs side by side, at most `width` at once, begun in order; the first failure aborts the rest and is the result. `beginsMore`: after one failure another
 * is begun before that.
 */
async function together(
  { environment, position, signal }: Frame,
  count: number,
  width: number,
  job: (index: number, signal: AbortSignal) => Promise<Json>,
  beginsMore = false,
): Promise<Json> {
  const { turns } = environment;
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const results: Json[] = new Array<Json>(count).fill(null);
  let started = 0;
  const next = async (): Promise<void> => {
    const index = started++;
    results[index] = await turns.activity([...position, index], () => job(index, within));
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
  await turns.waiting(position, all);
  return results;
}
