import { type ErrorValue, failure, WorkflowError } from "../errors.ts";
import type { EmitOptions, Received, ReceiveOptions } from "../events.ts";
import type {
  Branches,
  Flow,
  ForEachOptions,
  ForkOptions,
  Given,
  InvokeOptions,
  Iteration,
  Limits,
  Step,
} from "../flow.ts";
import type { Json, JsonObject } from "../json.ts";
import { type AnyWorkflow, isActive } from "../workflow.ts";
import { Following } from "./abort.ts";
import { outcomeOf } from "./activities.ts";
import { type Context, keyOf } from "./context.ts";
import { emit } from "./emit.ts";
import { forEach } from "./foreach.ts";
import { fork } from "./fork.ts";
import { invoke, launch } from "./invoke.ts";
import { receive } from "./receive.ts";
import { computed, recovering } from "./recovery.ts";
import { sleep, sleepUntil, start, step } from "./step.ts";

/** What a workflow is given to act with. */
export const flowOf = (context: Context): FlowIn => new FlowIn(context);

/** The methods stand once: each branch and each item has a flow of its own. */
export class FlowIn implements Flow {
  readonly #context: Context;
  #following: Following | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  get run(): Flow["run"] {
    return { id: this.#context.host.runId };
  }

  get signal(): AbortSignal {
    this.#following ??= new Following(this.#context.signal);
    return this.#following.signal;
  }

  /** What it is for has ended: what cuts others off is not for it any more. */
  over(): void {
    this.#following?.letGo();
  }

  step<T extends Json>(name: string, call: (step: Step) => Promise<T> | T, options?: Limits): Promise<T> {
    return step(this.#context, name, call, options);
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
    return recovering(this.#context, name, options, (inner) => fork(inner, name, branches, options)) as Promise<never>;
  }

  forEach<I extends Json, O extends Json>(
    name: string,
    items: Given<readonly I[]>,
    body: Iteration<I, O>,
    options: ForEachOptions = {},
  ): Promise<readonly O[]> {
    this.#context.host.visit(name);
    return recovering(this.#context, name, options, async (inner) =>
      forEach(inner, name, computed(items), body, options),
    );
  }

  invoke(name: string, workflow: AnyWorkflow | string, input: Given<Json>, options: InvokeOptions = {}): Promise<Json> {
    return invoke(this.#context, name, workflow, input, options);
  }

  launch(name: string, workflow: AnyWorkflow | string, input: Json): Promise<void> {
    return launch(this.#context, name, workflow, input);
  }

  attempt<T>(name: string, body: (flow: Flow) => Promise<T>, options: Limits = {}): Promise<T> {
    const context = this.#context;
    context.host.visit(name);
    return recovering(context, name, options, (inner) => body(inner === context ? this : flowOf(inner)));
  }

  round<D extends JsonObject>(name: string, data: D): Promise<D> | D {
    return round(this.#context, name, data) as Promise<D> | D;
  }

  failure(thrown: unknown): ErrorValue {
    return failure(thrown, this.#context.run.workflow.errors);
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
 * Begins a round of a loop with what is recorded for it, and with the counts that its steps had then. A loop that only computes lets others go on now
 * and then, and after many rounds is taken for one without end.
 */
function round(context: Context, name: string, data: JsonObject): Promise<JsonObject> | JsonObject {
  const { host, prefix, counts, run, signal } = context;
  const { tally } = run;
  if (signal.aborted) throw signal.reason;
  tally.rounds += 1;
  tally.idle += 1;
  if (tally.idle > mostIdleRounds) throw new WorkflowError("LimitError", withoutEnd, { origin: "limit", fatal: true });
  const recorded = host.round(prefix, name, data, counts);
  const pause = tally.rounds % roundsAtOnce === 0 ? host.giveWay() : undefined;
  if (!recorded) return pause ? outcomeOf(context, pause).then(() => data) : data;
  return outcomeOf(context, Promise.all([recorded, pause])).then(([state]) => {
    counts.restore(state.entered);
    return state.data;
  });
}

/** More rounds in which nothing is called, waited for or emitted are taken for a loop without end. */
const mostIdleRounds = 200_000;

const withoutEnd = `More than ${mostIdleRounds} steps were taken in a row without a call, a delay, an event or an end.`;

/** After so many rounds others may go on. */
const roundsAtOnce = 1000;
