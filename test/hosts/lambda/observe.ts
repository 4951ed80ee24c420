import type { Json, JsonObject } from "../../../src/json.ts";
import { setupOf } from "../../../src/scenario/answers.ts";
import type { Clock } from "../../../src/scenario/clock.ts";
import type { Computer } from "../../../src/scenario/computer.ts";
import type { Scenario } from "../../../src/scenario/model.ts";
import { type Observed, simulateAll } from "../../../src/scenario/simulation.ts";
import type { Outcome } from "../../../src/target.ts";
import { FunctionFailure, type World } from "../../../src/world.ts";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { WorkflowError as WorkflowErrorOf } from "../../../targets/typescript/runtime/errors.ts";
import type { durable, Hooks, Started } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { Step } from "../../../targets/typescript/runtime/index.ts";
import { runtimePlace } from "../place.ts";
import type { Emitted } from "../program.ts";
import { createService, type Ended, type Service } from "./service.ts";
import { onClock } from "./time.ts";

/** Runs a scenario on durable executions of what stands for AWS Lambda, on virtual time. What was seen of each run. */
export async function observe(
  scenario: Scenario,
  emitted: Emitted,
  computer: Computer,
  dies?: (request: number) => boolean,
): Promise<readonly Observed[]> {
  const { program, language, workflow } = emitted;
  const module = loaderOf(runtimePlace())("lambda.js") as { readonly durable: typeof durable };
  let stop: () => void = () => undefined;
  let service: Service | undefined;
  const run = (input: Scenario["input"], id: string) => (world: World) => {
    const { clock, calls } = world.simulation as Simulation;
    if (!service) {
      stop = onClock(clock);
      const made = createService(
        { now: clock.now, at: (instant, fire) => void clock.plan(instant, "timer", fire) },
        dies,
      );
      service = made;
      const { flush } = calls;
      calls.flush = async () => {
        await untilQuiet(made);
        return flush();
      };
    }
    world.started();
    return start(service, module.durable, emitted, world, { workflow: workflow.id, input: input ?? {}, id });
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

interface Simulation {
  readonly clock: Clock;
  readonly calls: { flush(): Promise<boolean> };
}

/** Waits until the service was asked for nothing for a while. */
async function untilQuiet(service: Service): Promise<void> {
  for (let [asked, turns] = [service.asked(), 0]; turns < 6; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (service.asked() !== asked) [asked, turns] = [service.asked(), 0];
  }
}

async function start(
  service: Service,
  make: typeof durable,
  emitted: Emitted,
  world: World,
  started: Started & { readonly id: string },
): Promise<Outcome> {
  const sent = new Set<string>();
  const hooks: Hooks = {
    client: service.client,
    clock: () => world.now(),
    send(event) {
      if (sent.has(event.id)) return;
      sent.add(event.id);
      world.emit(event as JsonObject);
    },
    launch: async (next) => {
      world.launch();
      await begin(next as typeof started, [Number.POSITIVE_INFINITY]);
    },
  };
  const answers = new Map<string, Promise<Json>>();
  const begin = async (next: typeof started, position: readonly number[]) => {
    const handler = make(
      { workflows: emitted.workflows, functions: functionsOf(emitted, world, position, answers) },
      hooks,
    );
    return service.start(handler, next.id.replaceAll(/[^\w-]/g, "-"), next);
  };
  const execution = await begin(started, []);
  return outcomeOf(await execution.ended);
}

function outcomeOf(ended: Ended): Outcome {
  if ("result" in ended) return { status: "succeeded", output: JSON.parse(ended.result ?? "null") as Json };
  const { ErrorType: name = "", ErrorMessage: message = "", ErrorData: data } = ended.error;
  return { status: "failed", error: { name, message, ...(data !== undefined && { data: JSON.parse(data) as Json }) } };
}

/** The functions of the world, and those that look secrets up in it. A call that is made again, as its key tells, has the answer that it had. */
function functionsOf(
  { load, workflows }: Emitted,
  world: World,
  behind: readonly number[],
  answers: Map<string, Promise<Json>>,
): object {
  const { WorkflowError } = load("runtime.js") as { readonly WorkflowError: typeof WorkflowErrorOf };
  const readers = new Set(workflows.flatMap(({ secrets }) => secrets ?? []));
  const secret = async ({ id, key }: { readonly id: string; readonly key: string }) => {
    const text = world.secret(id, key);
    if (text !== undefined) return text;
    throw new WorkflowError("SecretNotFound", `There is no secret ${id} with a key ${key}.`, { origin: "function" });
  };
  const call = async (name: string, argument: Json, { position, signal }: Step) => {
    try {
      return await world.call(name, argument, { position: [...behind, ...position], signal });
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
