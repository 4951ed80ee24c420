import { FunctionFailure, type SimulatedEnvironment } from "../../../src/environment/environment.ts";
import { receivedEvents } from "../../../src/ir/event-patterns.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { setupOf } from "../../../src/scenario/answers.ts";
import type { Clock } from "../../../src/scenario/clock.ts";
import type { Computer } from "../../../src/scenario/computer.ts";
import type { Scenario } from "../../../src/scenario/model.ts";
import { type Observed, simulateAll } from "../../../src/scenario/simulation.ts";
import type { Outcome } from "../../../src/target/simulator.ts";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { WorkflowError as WorkflowErrorOf } from "../../../targets/typescript/runtime/errors.ts";
import type { durable, Hooks, receiving, Started } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { AnyWorkflow, Step } from "../../../targets/typescript/runtime/index.ts";
import { runtimePlace } from "../place.ts";
import type { Emitted } from "../program.ts";
import { createService, type Ended, type Service } from "./service.ts";
import { inMemory, type Lost, losing } from "./table.ts";
import { onClock } from "./time.ts";

/** What is lost on the way to AWS. */
export interface Losses {
  /** Requests to the service, as it knows their numbers. */
  readonly service: Lost;
  /** Requests to the table: of one invocation after the other, or of the function that takes events in. */
  readonly table: Lost;
}

/**
 * Runs a scenario on durable executions of what stands for AWS Lambda, on virtual time. What was seen of each run. An invocation of which a request is lost is
 * lost itself, and the service invokes the function again.
 */
export async function observe(
  scenario: Scenario,
  emitted: Emitted,
  computer: Computer,
  losses?: Losses,
): Promise<readonly Observed[]> {
  const { program, language, workflow } = emitted;
  const module = loaderOf(runtimePlace())("lambda.js") as Module;
  const own = { ...emitted, workflows: emitted.workflows.map((each, i) => (i === 0 ? each : called(each))) };
  const stands: Stands = {
    module,
    emitted: own,
    table: inMemory(),
    heard: new Set(),
    toStart: [],
    launched: new Set(),
    lost: losses?.table,
  };
  let stop: () => void = () => undefined;
  let service: Service | undefined;
  const run = (input: Scenario["input"], id: string) => (environment: SimulatedEnvironment) => {
    const { clock, calls } = environment.simulation as Simulation;
    if (!service) {
      stop = onClock(clock);
      const made = createService(
        { now: clock.now, at: (instant, fire) => void clock.plan(instant, "timer", fire) },
        losses?.service,
      );
      service = made;
      const { flush } = calls;
      calls.flush = async () => {
        await untilQuiet(() => made.asked() + stands.table.asked());
        return flush();
      };
    }
    hear(service, stands, environment);
    if (input === undefined && own.workflows[0]?.start?.on?.length)
      return new Promise<Outcome>((resolve, reject) => {
        stands.toStart.push((started) => {
          environment.started();
          start(service!, stands, environment, started).then(resolve, reject);
        });
      });
    environment.started();
    return start(service, stands, environment, { workflow: workflow.id, input: input ?? {}, id });
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

type Module = { readonly durable: typeof durable; readonly receiving: typeof receiving };

/** What the runs of a scenario have in common. */
interface Stands {
  readonly module: Module;
  readonly emitted: Emitted;
  readonly table: ReturnType<typeof inMemory>;
  readonly heard: Set<JsonObject>;
  readonly lost: Lost | undefined;
  /** The runs that events have started, by their ids. */
  readonly launched: Set<string>;
  last?: Promise<unknown>;
  /** The runs that events are to start. */
  readonly toStart: ((started: Started & { readonly id: string }) => void)[];
}

/** A workflow that starts where it is called, and not by events. */
const called = ({ start: _, ...workflow }: AnyWorkflow): AnyWorkflow => workflow;

/** Each event that comes is given to the function for them, once. */
function hear(service: Service, stands: Stands, environment: SimulatedEnvironment): void {
  const ingest = stands.module.receiving(
    { workflows: stands.emitted.workflows },
    {
      ...tableOf(service, stands, environment, () => Promise.reject(new Error("Nobody answers."))),
      async launch(started) {
        if (!stands.launched.has(started.id!)) stands.toStart.shift()?.(started as Started & { readonly id: string });
        stands.launched.add(started.id!);
      },
    },
  );
  environment.listen((event) => {
    if (stands.heard.has(event)) return;
    stands.heard.add(event);
    const detail = { specversion: "1.0", id: `e${stands.heard.size}`, source: "/", ...event };
    const delivered = { id: detail.id, source: "/", "detail-type": "", time: "", detail };
    stands.last = (stands.last ?? Promise.resolve()).then(() => taken(() => ingest(delivered)));
  });
}

/** What is not answered is done again, as EventBridge does. */
const taken = (take: () => Promise<unknown>, attempts = 40): Promise<unknown> =>
  take().catch((reason: unknown) => (attempts > 1 ? taken(take, attempts - 1) : Promise.reject(reason)));

const tableOf = (
  service: Service,
  { table, lost: isLost }: Stands,
  environment: SimulatedEnvironment,
  lost: () => Promise<never>,
): Hooks => ({
  dynamodb: isLost ? losing(table.client, isLost, lost) : table.client,
  wake: async (callback) => service.callBack(callback, ""),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  clock: () => environment.now(),
});

interface Simulation {
  readonly clock: Clock;
  readonly calls: { flush(): Promise<boolean> };
}

/** Waits until the service was asked for nothing for a while. */
async function untilQuiet(count: () => number): Promise<void> {
  for (let [asked, turns] = [count(), 0]; turns < 6; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (count() !== asked) [asked, turns] = [count(), 0];
  }
}

async function start(
  service: Service,
  stands: Stands,
  environment: SimulatedEnvironment,
  started: Started & { readonly id: string },
): Promise<Outcome> {
  const sent = new Set<string>();
  const { emitted, module } = stands;
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
      service.again(name);
      return new Promise<never>(() => undefined);
    };
    const handler = module.durable(
      {
        workflows: emitted.workflows,
        functions: functionsOf(emitted, environment, position, answers),
        receives: emitted.program.workflows.some((workflow) => receivedEvents(workflow).length > 0),
      },
      { ...hooks, ...tableOf(service, stands, environment, invokedAgain) },
    );
    return service.start(handler, name, next);
  };
  const execution = await begin(started, []);
  return outcomeOf(await execution.ended);
}

/** How an execution has ended that nobody stops. */
function outcomeOf(ended: Ended): Outcome {
  if ("isStopped" in ended) throw new Error("Nobody stops an execution here.");
  if ("result" in ended) return { status: "succeeded", output: JSON.parse(ended.result ?? "null") as Json };
  const { ErrorType: name = "", ErrorMessage: message = "", ErrorData: data } = ended.error;
  return { status: "failed", error: { name, message, ...(data !== undefined && { data: JSON.parse(data) as Json }) } };
}

/** The functions of the world, and those that look secrets up in it. A call that is made again, as its key tells, has the answer that it had. */
function functionsOf(
  { load, workflows }: Emitted,
  environment: SimulatedEnvironment,
  behind: readonly number[],
  answers: Map<string, Promise<Json>>,
): object {
  const { WorkflowError } = load("runtime.js") as { readonly WorkflowError: typeof WorkflowErrorOf };
  const readers = new Set(workflows.flatMap(({ secrets }) => secrets ?? []));
  const secret = async ({ id, key }: { readonly id: string; readonly key: string }) => {
    const text = environment.secret(id, key);
    if (text !== undefined) return text;
    throw new WorkflowError("SecretNotFound", `There is no secret ${id} with a key ${key}.`, { origin: "function" });
  };
  const call = async (name: string, argument: Json, { position, signal }: Step) => {
    try {
      return await environment.call(name, argument, { position: [...behind, ...position], signal });
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
