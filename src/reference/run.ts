import type { StartedRun } from "../events/memory.ts";
import type { Expression } from "../expressions/index.ts";
import { noChoiceMatchedError } from "../ir/errors.ts";
import { builtInOf } from "../ir/protocols.ts";
import { countOf, isTolerated } from "../ir/tolerance.ts";
import type {
  Assign,
  Attempt,
  Call,
  Callback,
  Choose,
  Delay,
  End,
  ForEach,
  Fork,
  Invoke,
  Reference,
  Scope,
  Step,
  Workflow,
} from "../ir/workflow.ts";
import { assertNever, type Json, setOwn } from "../json.ts";
import { promised, type Result, type Work, waiting } from "./activities.ts";
import { callBuiltIn } from "./built-in.ts";
import { type Iterations, iterated, joined } from "./concurrency.ts";
import { type Context, compute, enter, firstOf, isActive, type Run, stepOf } from "./context.ts";
import { definitionOf, emit, receive, tokenOf } from "./events.ts";
import { errorValueOf, failureIn, failureOf, RunEnd, StepFailure } from "./failure.ts";
import { raising } from "./raising.ts";
import { beating, type Done, limited, recovering, slept } from "./recovery.ts";
import { traced } from "./traced.ts";

/** The parts of a run that its starter supplies. */
type Given = Omit<Run, "age" | "subscriber" | "token" | "depth" | "children">;

/** The parameters of a run. */
export interface Starting {
  readonly input: Json;
  readonly position: readonly number[];
  /** Outside its window a subflow completes with its input, and a called run fails. */
  readonly asSubflow: boolean;
  /** The events that started it. */
  readonly started?: StartedRun | undefined;
  /** The age of the root run. */
  readonly rootAge: number;
  /** The number of subflows that wait for each other, up to this one. */
  readonly depth: number;
}

/** Runs a workflow and returns its output. Throws a `StepFailure` or a `RunEnd`. */
export function* runWorkflow(given: Given, starting: Starting): Work<Json> {
  const { workflow, simulated } = given;
  const { input, position, asSubflow, started, rootAge, depth } = starting;
  if (!isActive(workflow.start.window, simulated.now())) {
    if (asSubflow) return input;
    throw new StepFailure({
      origin: "denied",
      name: "NotActive",
      message: `Workflow ${workflow.id} cannot be started now.`,
    });
  }
  const { broker, nextAge } = given.events;
  const age = [rootAge, nextAge()];
  const subscriber = started?.run ?? `run ${age[1]}`;
  const token = firstToken(given, starting);
  broker.join(subscriber, token);
  const children = new Set<() => void>();
  const run: Run = { ...given, age, subscriber, token, depth, children };
  try {
    const environment = enter(workflow.body, undefined, new Map([[workflow.input, input]]));
    return yield* runScope(workflow.body, { run, environment, position });
  } catch (error) {
    throw error instanceof RunEnd ? error : failureIn(workflow, error);
  } finally {
    for (const stop of children) stop();
    broker.leave(subscriber);
  }
}

/** The initial correlation value of a run: that of its first starting event with one, or else the workflow's. */
function firstToken({ workflow, simulated }: Given, { input, started }: Starting): Json | undefined {
  for (const { name, event } of started?.events ?? []) {
    const token = tokenOf(definitionOf(name, workflow), event);
    if (token !== undefined) return token;
  }
  if (!workflow.correlation) return undefined;
  const variables = new Map<string, Json>([
    [workflow.input, input],
    ["run", { id: simulated.runId }],
  ]);
  return firstOf(workflow.correlation, variables) ?? undefined;
}

/** Runs a scope from its entry to an end and returns its value. Throws a `StepFailure` or a `RunEnd`. */
function* runScope(scope: Scope, context: Context): Work<Json> {
  const { run, environment } = context;
  if (!isActive(scope.window, run.simulated.now())) return environment.get(run.workflow.input) ?? null;
  const { recorder } = run.simulated;
  recorder?.entered(scope);
  for (let id = scope.entry.name; ; ) {
    const step = stepOf(scope, id, run);
    limit(() => run.simulated.visit(step.id));
    recorder?.entered(step);
    const work = raising(step, context, execute(step, context));
    const done = yield* recorder?.begins ? traced(step, context, work, recorder.begins) : work;
    if (done.kind === "ended") return done.value;
    recorder?.left(done.by ?? step);
    id = done.next.name;
  }
}

/** Calls a counter of the environment; exceeding its limit fails the step. */
function limit(note: () => void): void {
  try {
    note();
  } catch (error) {
    throw failureOf(error);
  }
}

/** Executes a step as the IR defines it. */
function* execute(step: Step, context: Context): Work<Done> {
  switch (step.kind) {
    case "assign":
      return assign(step, context);
    case "choose":
      return choose(step, context);
    case "call":
      return yield* recovering(step, context, () => call(step, context));
    case "delay":
      return yield* delay(step, context);
    case "receive":
      return bound(step.bind, yield* receive(step, context), step.next, context);
    case "emit":
      return bound(step.bind, emit(step, context), step.next, context);
    case "fork":
      return yield* recovering(step, context, () => runFork(step, context));
    case "foreach":
      return yield* recovering(step, context, () => runForEach(step, context));
    case "invoke":
      return yield* recovering(step, context, () => invoke(step, context));
    case "attempt":
      return yield* recovering(step, context, attempts(step, context));
    case "end":
      return end(step, context);
    default:
      return assertNever(step);
  }
}

function bound(variable: string | undefined, value: Json, next: Reference, { environment }: Context): Done {
  if (variable !== undefined) environment.own.set(variable, value);
  return { kind: "next", next };
}

function assign({ values, next }: Assign, context: Context): Done {
  const computed = values.map(({ variable, value }) => [variable, compute(value, context)] as const);
  for (const [variable, value] of computed) context.environment.own.set(variable, value);
  return { kind: "next", next };
}

function choose(step: Choose, context: Context): Done {
  const taken = step.cases.find(({ when }) => compute(when, context) === true);
  const next = taken ? taken.next : step.otherwise;
  if (next) return { kind: "next", next, by: taken };
  throw new StepFailure(noChoiceMatchedError(step));
}

function* call(step: Call, context: Context): Work<Json> {
  const { simulated: environment, workflow } = context.run;
  if (step.callback) return yield* awaitCallback(step, step.callback, context);
  const argument = argumentOf(step, context);
  const protocol = workflow.functions.find(({ name }) => name === step.function.name)?.protocol;
  const builtIn = builtInOf(protocol);
  if (builtIn) return callBuiltIn(builtIn, argument, environment);
  if (protocol?.kind === "script") return environment.script(workflow, step.function.name, argument);
  const { position } = context;
  const ask = (signal?: AbortSignal) => environment.call(step.function.name, argument, { position, signal });
  if (step.wait) return yield* limited(step.timeout, context, () => promised(ask));
  ask().catch(() => undefined);
  return null;
}

/** The argument of an attempt, with the secrets and the token of the attempt. */
function argumentOf({ argument, secrets = [] }: Call, context: Context, token: readonly [string, Json][] = []): Json {
  const { simulated: environment } = context.run;
  const read = secrets.map(
    ({ bind, id, key }) => [bind, callBuiltIn({ kind: "secret" }, { id, key }, environment)] as const,
  );
  return compute(argument, context, new Map([...read, ...token]));
}

/** Calls a function with a new token and waits for the callback. */
function* awaitCallback(step: Call, { token: variable, heartbeat }: Callback, context: Context): Work<Json> {
  const { simulated: environment } = context.run;
  const { position } = context;
  const { name } = step.function;
  const token = yield* promised((signal) => environment.token(name, { position, signal }));
  const argument = argumentOf(step, context, [[variable, token]]);
  return yield* limited(step.timeout, context, () =>
    beating(heartbeat, context, (onHeartbeat) =>
      promised((signal) => environment.call(name, argument, { position, signal, onHeartbeat })),
    ),
  );
}

function* delay({ wait, next }: Delay, context: Context): Work<Done> {
  const { simulated: environment } = context.run;
  const seconds =
    wait.kind === "for"
      ? Number(compute(wait.seconds, context))
      : (Date.parse(String(compute(wait.instant, context))) - environment.now()) / 1000;
  if (Number.isNaN(seconds))
    throw new StepFailure({ origin: "expression", name: "DataError", message: "There is no time to wait for." });
  if (seconds > 0) yield* slept(seconds, context);
  return { kind: "next", next };
}

/**
 * Returns a function that runs the body once. Further attempts begin with the saved values of the variables in
 * `restore`.
 */
function attempts({ body, restore, timeout: seconds }: Attempt, context: Context): () => Work<Json> {
  const { own } = context.environment;
  const saved = restore.map((name) => [name, own.get(name) ?? null] as const);
  return () => {
    for (const [name, value] of saved) own.set(name, value);
    return limited(seconds, context, () => runScope(body, context));
  };
}

function end({ outcome, extent, value }: End, context: Context): Done {
  const result = compute(value, context);
  if (outcome === "leave") {
    if (extent === "run") throw new RunEnd({ kind: "leave", value: result });
    return { kind: "ended", value: result };
  }
  const error = errorValueOf(result);
  throw extent === "run" ? new RunEnd({ kind: "fail", error }) : new StepFailure(error);
}

/**
 * Runs the branches of a fork until its join is decided. Returns the values of the counted branches by name, in their
 * order.
 */
function* runFork(step: Fork, context: Context): Work<Json> {
  const begin = (i: number, done: (result: Result<Json>) => void) => {
    const { scope } = step.branches[i]!;
    const position = [...context.position, i];
    const run = () => runScope(scope, { ...context, position, environment: enter(scope, context.environment) });
    return context.run.activities.begin(run, position, done);
  };
  return byName(step, yield* waiting(joined(step, begin, context.run)));
}

function byName({ branches }: Fork, values: ReadonlyMap<number, Json>): Json {
  const result: { [name: string]: Json } = {};
  for (const [i, { name }] of branches.entries()) if (values.has(i)) setOwn(result, name, values.get(i)!);
  return result;
}

/** Runs an iteration for each element. If one fails, the others stop. */
function* runForEach(step: ForEach, context: Context): Work<Json> {
  const items = compute(step.items, context);
  if (!Array.isArray(items))
    throw new StepFailure({ origin: "expression", name: "DataError", message: "There is no array to go over." });
  const begin = (i: number, done: (result: Result<Json>) => void) =>
    context.run.activities.begin(() => runIteration(step, i, items[i]!, context), [...context.position, i], done);
  const count = items.length;
  const iterations = { count, width: widthOf(step, context), tolerates: toleranceOf(step, items, context) };
  return yield* waiting(iterated(step, iterations, begin, context));
}

const widthOf = ({ width }: ForEach, context: Context): number =>
  typeof width === "object" ? Number(compute(width.value, context)) : (width ?? Number.POSITIVE_INFINITY);

function toleranceOf({ tolerates }: ForEach, items: readonly Json[], context: Context): Iterations["tolerates"] {
  if (!tolerates) return undefined;
  const limit = (given: number | Expression | undefined): number | undefined =>
    typeof given === "object" ? Number(compute(given, context)) : given;
  const limits = { count: limit(tolerates.count), percentage: limit(tolerates.percentage) };
  const counts = items.map((item) => countOf(item, tolerates.counted));
  const all = counts.reduce((sum, count) => sum + count, 0);
  let failures = 0;
  return (index) => {
    failures += counts[index]!;
    return isTolerated(failures, all, limits) ? undefined : new StepFailure({ origin: "fail", ...tolerates.error });
  };
}

function runIteration(step: ForEach, index: number, item: Json, context: Context): Work<Json> {
  const given = new Map<string, Json>([
    [step.element, item],
    ...(step.index === undefined ? [] : ([[step.index, index]] as const)),
  ]);
  const environment = enter(step.scope, context.environment, given);
  return runScope(step.scope, { ...context, environment, position: [...context.position, index] });
}

/**
 * Starts another workflow and returns its output if the step waits. A workflow outside the program is called by its id.
 */
function* invoke(step: Invoke, context: Context): Work<Json> {
  const { run, position } = context;
  const input = compute(step.input, context);
  const known = run.program.byId.get(step.workflow.name);
  const ask = (signal?: AbortSignal) => run.simulated.call(step.workflow.name, input, { position, signal });
  if (step.wait)
    return yield* limited(step.timeout, context, () =>
      known ? runSubflow(step, known, input, context) : promised(ask),
    );
  if (known) {
    limit(() => run.simulated.launch());
    const behind = positionBehind(position, run.detached.count++);
    const stop = run.activities.begin(
      () => runApart(known, input, behind, context, 0),
      behind,
      () => run.children.delete(stop),
    );
    if (step.whenParentEnds === "terminate") run.children.add(stop);
  } else ask().catch(() => undefined);
  return null;
}

/** The position of the n-th detached subflow: behind its starter's and those of earlier ones. */
function positionBehind(position: readonly number[], n: number): readonly number[] {
  const at = position.indexOf(Number.POSITIVE_INFINITY);
  return [...(at < 0 ? position : position.slice(0, at)), Number.POSITIVE_INFINITY, n];
}

/** Runs a subflow as a separate activity, so that recursion does not exhaust the stack. */
function* runSubflow(step: Invoke, workflow: Workflow, input: Json, context: Context): Work<Json> {
  const { position, run } = context;
  const depth = run.depth + 1;
  limit(() => run.simulated.subflow(depth, input));
  try {
    return yield* waiting<Json>((wake) =>
      run.activities.begin(() => runApart(workflow, input, position, context, depth), position, wake),
    );
  } catch (error) {
    if (!(error instanceof RunEnd) || step.terminates) throw error;
    if (error.ending.kind === "leave") return error.ending.value;
    throw new StepFailure(error.ending.error);
  }
}

const runApart = (
  workflow: Workflow,
  input: Json,
  position: readonly number[],
  { run }: Context,
  depth: number,
): Work<Json> => runWorkflow({ ...run, workflow }, { input, position, asSubflow: true, rootAge: run.age[0]!, depth });
