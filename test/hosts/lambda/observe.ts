import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import { FunctionFailure } from "../../../src/environment/errors.ts";
import { receivedEvents } from "../../../src/ir/event-patterns.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { setupOf } from "../../../src/scenario/answers.ts";
import type { Clock } from "../../../src/scenario/clock.ts";
import type { Computer } from "../../../src/scenario/computer.ts";
import type { Scenario } from "../../../src/scenario/model.ts";
import { type Observed, simulateAll } from "../../../src/scenario/simulation.ts";
import type { Outcome } from "../../../src/target/simulator.ts";
import { createLoader } from "../../../targets/typescript/load.ts";
import type { WorkflowError as WorkflowErrorOf } from "../../../targets/typescript/runtime/errors.ts";
import type { AnyWorkflow, Step } from "../../../targets/typescript/runtime/face.ts";
import type {
  durable,
  Hooks,
  receiving,
  StartRequest,
} from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { HostProgram } from "../program.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { createService, type DurableExecutionResult, type LambdaService } from "./service.ts";
import { createMemoryTable, type LossPredicate, withLosses } from "./table.ts";

/** Requests to AWS that are lost. */
export interface Losses {
  /** Requests to the service, by its numbering. */
  readonly service: LossPredicate;
  /** Requests to the table, numbered per invocation and per delivery. */
  readonly table: LossPredicate;
}

/**
 * Runs a scenario as durable executions of a simulated AWS Lambda, in virtual time; returns one observation per run.
 * An invocation that loses a request is lost too, and the service invokes the function again.
 */
export async function observe(
  scenario: Scenario,
  emitted: HostProgram,
  computer: Computer,
  losses?: Losses,
): Promise<readonly Observed[]> {
  const { program, language, workflow } = emitted;
  const module = createLoader(runtimeFolder())("lambda.js") as LambdaModule;
  const own = { ...emitted, workflows: emitted.workflows.map((each, i) => (i === 0 ? each : withoutStart(each))) };
  const region: SimulatedRegion = {
    module,
    emitted: own,
    table: createMemoryTable(),
    received: new Set(),
    pendingStarts: [],
    launched: new Set(),
    isLost: losses?.table,
  };
  let stop: () => void = () => undefined;
  let service: LambdaService | undefined;
  const run = (input: Scenario["input"], id: string) => (environment: SimulatedEnvironment) => {
    const { clock, calls } = environment.simulation as ClockedSimulation;
    if (!service) {
      stop = useClock(clock);
      const made = createService(
        { now: clock.now, at: (instant, fire) => void clock.plan(instant, "timer", fire) },
        losses?.service,
      );
      service = made;
      const { flush } = calls;
      calls.flush = async () => {
        await untilQuiet(() => made.requestCount() + region.table.requestCount());
        return flush();
      };
    }
    deliverEvents(service, region, environment);
    if (input === undefined && own.workflows[0]?.start?.on?.length)
      return new Promise<Outcome>((resolve, reject) => {
        region.pendingStarts.push((started) => {
          environment.started();
          start(service!, region, environment, started).then(resolve, reject);
        });
      });
    environment.started();
    return start(service, region, environment, { workflow: workflow.id, input: input ?? {}, id });
  };
  const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
  try {
    return await simulateAll(
      setupOf(scenario, program, computer, language),
      runs.map(({ id, at, input }) => ({ id, at, run: run(input, id) })),
    );
  } finally {
    stop();
  }
}

type LambdaModule = { readonly durable: typeof durable; readonly receiving: typeof receiving };

/** State shared by the runs of a scenario. */
interface SimulatedRegion {
  readonly module: LambdaModule;
  readonly emitted: HostProgram;
  readonly table: ReturnType<typeof createMemoryTable>;
  readonly received: Set<JsonObject>;
  readonly isLost: LossPredicate | undefined;
  /** The ids of the runs that events have started. */
  readonly launched: Set<string>;
  lastDelivery?: Promise<unknown>;
  /** Starters of the runs that wait for a start event. */
  readonly pendingStarts: ((started: StartRequest & { readonly id: string }) => void)[];
}

/** The workflow without its start events. */
const withoutStart = ({ start: _, ...workflow }: AnyWorkflow): AnyWorkflow => workflow;

/** Passes each event once to the function that receives events. */
function deliverEvents(service: LambdaService, region: SimulatedRegion, environment: SimulatedEnvironment): void {
  const ingest = region.module.receiving(
    { workflows: region.emitted.workflows },
    {
      ...tableOf(service, region, environment, () => Promise.reject(new Error("No response."))),
      async launch(started) {
        if (!region.launched.has(started.id!))
          region.pendingStarts.shift()?.(started as StartRequest & { readonly id: string });
        region.launched.add(started.id!);
      },
    },
  );
  environment.listen((event) => {
    if (region.received.has(event)) return;
    region.received.add(event);
    const detail = { specversion: "1.0", id: `e${region.received.size}`, source: "/", ...event };
    const delivered = { id: detail.id, source: "/", "detail-type": "", time: "", detail };
    region.lastDelivery = (region.lastDelivery ?? Promise.resolve()).then(() => retried(() => ingest(delivered)));
  });
}

/** Retries like EventBridge. */
const retried = (deliver: () => Promise<unknown>, attempts = 40): Promise<unknown> =>
  deliver().catch((reason: unknown) => (attempts > 1 ? retried(deliver, attempts - 1) : Promise.reject(reason)));

const tableOf = (
  service: LambdaService,
  { table, isLost }: SimulatedRegion,
  environment: SimulatedEnvironment,
  lost: () => Promise<never>,
): Hooks => ({
  dynamodb: isLost ? withLosses(table.client, isLost, lost) : table.client,
  wake: async (callback) => service.completeCallback(callback, ""),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  clock: () => environment.now(),
});

interface ClockedSimulation {
  readonly clock: Clock;
  readonly calls: { flush(): Promise<boolean> };
}

/** Waits until no request has arrived for six turns of the event loop. */
async function untilQuiet(count: () => number): Promise<void> {
  for (let [requests, turns] = [count(), 0]; turns < 6; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (count() !== requests) [requests, turns] = [count(), 0];
  }
}

async function start(
  service: LambdaService,
  region: SimulatedRegion,
  environment: SimulatedEnvironment,
  started: StartRequest & { readonly id: string },
): Promise<Outcome> {
  const sent = new Set<string>();
  const { emitted, module } = region;
  const hooks: Hooks = {
    client: service.client,
    send(event) {
      if (sent.has(event.id)) return;
      sent.add(event.id);
      environment.emit(event as JsonObject);
    },
    launch: async (next) => {
      environment.launch();
      await begin(next as typeof started, [Number.POSITIVE_INFINITY]);
    },
  };
  const answers = new Map<string, Promise<Json>>();
  const begin = async (next: typeof started, position: readonly number[]) => {
    const name = next.id.replaceAll(/[^\w-]/g, "-");
    const invokedAgain = () => {
      service.reinvoke(name);
      return new Promise<never>(() => undefined);
    };
    const handler = module.durable(
      {
        workflows: emitted.workflows,
        functions: functionsOf(emitted, environment, position, answers),
        receives: emitted.program.workflows.some((workflow) => receivedEvents(workflow).length > 0),
      },
      { ...hooks, ...tableOf(service, region, environment, invokedAgain) },
    );
    return service.start(handler, name, next);
  };
  const execution = await begin(started, []);
  return outcomeOf(await execution.ended);
}

function outcomeOf(ended: DurableExecutionResult): Outcome {
  if ("isStopped" in ended) throw new Error("No execution is stopped here.");
  if ("result" in ended) return { status: "succeeded", output: JSON.parse(ended.result ?? "null") as Json };
  const { ErrorType: name = "", ErrorMessage: message = "", ErrorData: data } = ended.error;
  return { status: "failed", error: { name, message, ...(data !== undefined && { data: JSON.parse(data) as Json }) } };
}

/** The environment's functions and secret readers. A repeated call with the same key gets the same response. */
function functionsOf(
  { load, workflows }: HostProgram,
  environment: SimulatedEnvironment,
  prefix: readonly number[],
  answers: Map<string, Promise<Json>>,
): object {
  const { WorkflowError } = load("runtime.js") as { readonly WorkflowError: typeof WorkflowErrorOf };
  const readers = new Set(workflows.flatMap(({ secrets }) => secrets ?? []));
  const secret = async ({ id, key }: { readonly id: string; readonly key: string }) => {
    const value = environment.secret(id, key);
    if (value !== undefined) return value;
    throw new WorkflowError("SecretNotFound", `There is no secret ${id} with a key ${key}.`, { origin: "function" });
  };
  const call = async (name: string, argument: Json, { position, signal }: Step) => {
    try {
      return await environment.call(name, argument, { position: [...prefix, ...position], signal });
    } catch (error) {
      if (!(error instanceof FunctionFailure)) throw error;
      throw new WorkflowError(error.name, error.message, { origin: "function", data: error.data as never });
    }
  };
  return new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === "symbol"
          ? undefined
          : readers.has(name)
            ? secret
            : (argument: Json, step: Step) => {
                const key = `${step.key} ${step.attempt}`;
                const answer = answers.get(key) ?? call(name, argument, step);
                answers.set(key, answer);
                return answer;
              },
    },
  );
}

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };

/** Replaces the process's timers and `Date.now` by a clock; returns a function that restores them. */
function useClock(clock: Clock): () => void {
  const later = (fire: (...args: readonly unknown[]) => void, milliseconds = 0, ...args: readonly unknown[]) => {
    const cancel = clock.plan(clock.now() + milliseconds, "timer", () => fire(...args));
    return { cancel, unref: () => undefined, ref: () => undefined };
  };
  Object.assign(globalThis, { setTimeout: later, clearTimeout: (timer?: { cancel?(): void }) => timer?.cancel?.() });
  Date.now = () => clock.now();
  return () => {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.now;
  };
}
