import { type ErrorValue, failure, type Problem, WorkflowError } from "../errors.ts";
import type { EmitOptions, Received, ReceiveOptions } from "../events.ts";
import type {
  Branches,
  CallbackOptions,
  Flow,
  ForEachOptions,
  ForkOptions,
  Given,
  InvokeOptions,
  Iteration,
  LaunchOptions,
  Limits,
  Step,
  TaskStep,
} from "../flow.ts";
import type { Json, JsonObject } from "../json.ts";
import { type AnyWorkflow, isActive } from "../workflow.ts";
import { FollowingSignal } from "./abort.ts";
import { outcomeOf } from "./activities.ts";
import { activity, callback } from "./callback.ts";
import { type Context, keyOf } from "./context.ts";
import { emit } from "./emit.ts";
import { forEach } from "./foreach.ts";
import { fork } from "./fork.ts";
import { invoke, launch } from "./invoke.ts";
import { errorWith, raisedError } from "./problems.ts";
import { receive } from "./receive.ts";
import { evaluate, withRetries } from "./recovery.ts";
import { compute, sleep, sleepUntil, start, step } from "./step.ts";

/** Creates the flow of a context. */
export const flowOf = (context: Context): ContextFlow => new ContextFlow(context);

/** A class, because each branch and each iteration has a flow of its own. */
export class ContextFlow implements Flow {
  readonly #context: Context;
  #following: FollowingSignal | undefined;
  /** Of the present step. */
  #pointer: string | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  get run(): Flow["run"] {
    return { id: this.#context.host.runId };
  }

  get signal(): AbortSignal {
    this.#following ??= new FollowingSignal(this.#context.signal);
    return this.#following.signal;
  }

  /** Its branch or iteration has ended. */
  close(): void {
    this.#following?.release();
  }

  step<T extends Json>(name: string, call: (step: Step) => Promise<T> | T, options?: Limits): Promise<T> {
    return step(this.#context, name, call, options);
  }

  compute<T extends Json>(name: string, call: () => T): Promise<T> | T {
    return compute(this.#context, name, call);
  }

  callback(name: string, call: (step: TaskStep) => unknown, options: CallbackOptions = {}): Promise<Json> {
    return callback(this.#context, name, call, options);
  }

  activity(
    name: string,
    activityName: string,
    input: (token: string) => Json,
    options: CallbackOptions = {},
  ): Promise<Json> {
    return activity(this.#context, name, activityName, input, options);
  }

  start(name: string, call: (step: Step) => unknown): Promise<void> {
    return start(this.#context, name, call);
  }

  sleep(name: string, seconds: number): Promise<void> {
    return sleep(this.#context, name, seconds);
  }

  sleepUntil(name: string, instant: Json): Promise<void> {
    return sleepUntil(this.#context, name, Date.parse(String(instant)));
  }

  receive(name: string, options?: ReceiveOptions): Promise<Received> {
    return receive(this.#context, name, options);
  }

  emit(name: string, event: string, data: Json, options?: EmitOptions): Promise<void> {
    return emit(this.#context, name, event, data, options);
  }

  fork(name: string, branches: Branches, options: ForkOptions = {}): Promise<never> {
    this.#context.host.visit(name);
    return withRetries(this.#context, name, options, (inner) => fork(inner, name, branches, options)) as Promise<never>;
  }

  forEach<I extends Json, O extends Json>(
    name: string,
    items: Given<readonly I[]>,
    body: Iteration<I, O>,
    options: ForEachOptions = {},
  ): Promise<readonly O[]> {
    this.#context.host.visit(name);
    return withRetries(this.#context, name, options, async (inner) =>
      forEach(inner, name, evaluate(items), body, options),
    );
  }

  invoke(name: string, workflow: AnyWorkflow | string, input: Given<Json>, options: InvokeOptions = {}): Promise<Json> {
    return invoke(this.#context, name, workflow, input, options);
  }

  launch(name: string, workflow: AnyWorkflow | string, input: Given<Json>, options: LaunchOptions = {}): Promise<void> {
    return launch(this.#context, name, workflow, input, options);
  }

  attempt<T>(name: string, body: (flow: Flow) => Promise<T>, options: Limits = {}): Promise<T> {
    const context = this.#context;
    context.host.visit(name);
    return withRetries(context, name, options, (inner) => (inner === context ? body(this) : flowOf(inner).#run(body)));
  }

  /** Runs a body whose failures leave this flow. */
  async #run<T>(body: (flow: Flow) => Promise<T>): Promise<T> {
    try {
      return await body(this);
    } catch (thrown) {
      throw this.raised(thrown);
    }
  }

  round<D extends JsonObject>(name: string, data: D): Promise<D> | D {
    return round(this.#context, name, data) as Promise<D> | D;
  }

  failure(thrown: unknown): ErrorValue {
    return failure(thrown, this.#context.run.workflow.errors);
  }

  at(pointer: string): void {
    this.#pointer = pointer;
  }

  problem(thrown: unknown): Problem {
    return failure(this.raised(thrown), this.#context.run.workflow.errors) as Problem;
  }

  error(details: JsonObject & { readonly type: string }): Error {
    return errorWith(details, this.#context.run.workflow.problems, this.#pointer);
  }

  /** What a failure becomes when it leaves this flow. */
  raised(thrown: unknown): unknown {
    return raisedError(thrown, this.#context.run.workflow, this.#pointer);
  }

  now(name: string): Promise<number> {
    const { host, signal } = this.#context;
    const key = keyOf(this.#context, name);
    return outcomeOf(
      this.#context,
      host.once(key, () => host.now(), signal),
    );
  }

  isWithin(name: string, window: { readonly from?: string; readonly until?: string }): Promise<boolean> {
    const { host, signal } = this.#context;
    const key = keyOf(this.#context, name);
    return outcomeOf(
      this.#context,
      host.once(key, () => isActive(window, host.now()), signal),
    );
  }
}

/**
 * Begins a round of a loop with its recorded data and counts. A loop that only computes yields to other runs now and
 * then, and counts as endless after many rounds.
 */
function round(context: Context, name: string, data: JsonObject): Promise<JsonObject> | JsonObject {
  const { host, prefix, counts, run, signal } = context;
  const { tally } = run;
  if (signal.aborted) throw signal.reason;
  tally.rounds += 1;
  tally.idle += 1;
  if (tally.idle > maxIdleRounds) throw new WorkflowError("LimitError", endlessLoop, { origin: "limit", fatal: true });
  const recorded = host.round(prefix, name, data, counts);
  const pause = tally.rounds % roundsBetweenPauses === 0 ? host.giveWay() : undefined;
  if (!recorded) return pause ? outcomeOf(context, pause).then(() => data) : data;
  return outcomeOf(context, Promise.all([recorded, pause])).then(([state]) => {
    counts.restore(state.entered);
    return state.data;
  });
}

/** More rounds without an external effect count as an endless loop. */
const maxIdleRounds = 200_000;

const endlessLoop = `More than ${maxIdleRounds} steps were taken in a row without a call, a delay, an event or an end.`;

/** The rounds after which a loop yields. */
const roundsBetweenPauses = 1000;
