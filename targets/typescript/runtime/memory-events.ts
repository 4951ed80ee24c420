import { createMemoryBroker, type MemoryBroker, type StartedRun } from "../../../src/events/memory.ts";
import type { Json as CoreJson, JsonObject as CoreJsonObject } from "../../../src/json.ts";
import type { Place, Subscription, SubscriptionStart, WaitRequest, WaitResult } from "./host.ts";
import type { Surroundings } from "./memory.ts";
import { createRules, waitOf, waitResult, waitStep } from "./rules.ts";
import type { AnyWorkflow } from "./workflow.ts";

/** The events of runs in memory that compete for them; the oldest run comes first. */
export interface MemoryEvents {
  /** Waits for events that start a run. Never resolves if they do not arrive. */
  untilStarted(workflow: AnyWorkflow, surroundings: Surroundings): Promise<StartedRun>;
  /** Subscribes a run that begins. `started` is the effect that has started it. */
  join(surroundings: Surroundings, started: StartedRun | undefined): RunEvents;
}

/** The events of one run. */
export interface RunEvents {
  subscribe(key: string, workflow: AnyWorkflow, start: SubscriptionStart): Subscription;
  receive(request: WaitRequest, place: Place): Promise<WaitResult> | WaitResult;
}

/** A run that waits for the events that start it. */
interface PendingRun {
  readonly id: string;
  readonly workflow: string;
  readonly surroundings: Surroundings;
  readonly start: (run: StartedRun) => void;
}

interface MemorySubscription extends Subscription {
  readonly id: string;
  readonly age: readonly number[];
}

/** The events of the simulation that surroundings belong to, or else of a single run. */
export function eventsOf(surroundings: Surroundings): MemoryEvents {
  const { simulation } = surroundings;
  const events = (simulation && simulations.get(simulation)) ?? createMemoryEvents(surroundings);
  if (simulation) simulations.set(simulation, events);
  return events;
}

const simulations = new WeakMap<object, MemoryEvents>();

function createMemoryEvents({ now, listen }: Surroundings): MemoryEvents {
  const pending: PendingRun[] = [];
  const numbers = { age: 0, wait: 0, pending: 0 };
  const rules = createRules(({ workflow }) => {
    const isReady = (run: PendingRun) => run.workflow === workflow && run.surroundings.mayStart?.() !== false;
    return pending.find(isReady)?.id;
  });
  const broker = createMemoryBroker(rules, now, (run) => {
    const [started] = pending.splice(
      pending.findIndex(({ id }) => id === run.run),
      1,
    );
    started!.surroundings.received?.();
    started!.start(run);
  });
  listen((event) => broker.arrive(event as CoreJsonObject));
  return {
    untilStarted(workflow, surroundings) {
      rules.add(workflow);
      return new Promise((start) => {
        pending.push({ id: `started ${numbers.pending++}`, workflow: workflow.id, surroundings, start });
      });
    },
    join(surroundings, started) {
      const rootAge = numbers.age++;
      return {
        subscribe(key, workflow, { value }) {
          rules.add(workflow);
          const age = [rootAge, numbers.age++];
          const id = key === "" && started ? started.run : `run ${age[1]}`;
          broker.join(id, value as CoreJson | undefined);
          const subscription: MemorySubscription = { key, workflow, id, age, close: () => broker.leave(id) };
          return subscription;
        },
        receive: (request, place) => receive(broker, surroundings, `wait ${numbers.wait++}`, request, place),
      };
    },
  };
}

/** Begins a wait; returns its result at once if its events are already there. */
function receive(
  broker: MemoryBroker,
  surroundings: Surroundings,
  id: string,
  { subscription, wait, variables, values }: WaitRequest,
  { position, signal }: Place,
): Promise<WaitResult> | WaitResult {
  if (signal.aborted) throw signal.reason;
  const { id: run, age, workflow } = subscription as MemorySubscription;
  const { promise, resolve, reject } = Promise.withResolvers<WaitResult>();
  const timer = new AbortController();
  let result: (() => WaitResult) | undefined;
  const end = (answer: () => WaitResult) => {
    result = answer;
    signal.removeEventListener("abort", cancel);
    timer.abort(new Error("The wait has ended."));
    try {
      resolve(answer());
    } catch (error) {
      reject(error);
    }
  };
  const stop = broker.wait(
    {
      id,
      run,
      step: waitStep(workflow, wait),
      age,
      position,
      variables: variables as CoreJsonObject,
      ...(values && { values: values as CoreJsonObject }),
    },
    (answer) => {
      surroundings.received?.();
      end(() => waitResult(answer));
    },
  );
  function cancel(): void {
    stop();
    end(() => {
      throw signal.reason;
    });
  }
  if (result) {
    promise.catch(() => undefined);
    return result();
  }
  signal.addEventListener("abort", cancel);
  const { alternatives } = waitOf(workflow, wait);
  const timeout = Math.max(...alternatives.map(({ within = Number.POSITIVE_INFINITY }) => within));
  if (timeout < Number.POSITIVE_INFINITY)
    surroundings.sleep(timeout, timer.signal, position).then(
      () => broker.expire(id),
      () => undefined,
    );
  return promise;
}
