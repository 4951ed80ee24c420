import type { CloudEvent } from "../../../../targets/typescript/runtime/events.ts";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import { type Outcome, runInMemory, type Surroundings } from "../../../../targets/typescript/runtime/memory.ts";
import type { Workflow } from "../../../../targets/typescript/runtime/workflow.ts";

/** An event from outside, and its second. */
export interface Arrival {
  readonly at: number;
  readonly event: CloudEvent;
}

/** The result of a run: its outcome, the second at which it ended, and its emitted events. */
export interface Went {
  readonly outcome: Outcome;
  readonly seconds: number;
  readonly emitted: readonly CloudEvent[];
}

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Runs a workflow in memory and in virtual time, which advances when the run is idle. */
export async function inVirtualTime<I extends Json>(
  workflow: Workflow<never, I>,
  input?: I,
  arrivals: readonly Arrival[] = [],
): Promise<Went> {
  const run = { workflow: workflow as unknown as Workflow<never, Json>, ...(input !== undefined && { input }) };
  const { outcomes, seconds, emitted } = await allInVirtualTime([run], arrivals);
  return { outcome: outcomes[0]!, seconds, emitted };
}

/** The results of several runs, and the second at which the last one ended. */
export interface AllWent {
  readonly outcomes: readonly Outcome[];
  readonly seconds: number;
  readonly emitted: readonly CloudEvent[];
}

/** Runs workflows that share events in memory and in virtual time. */
export async function allInVirtualTime(
  runs: readonly { readonly workflow: Workflow<never, Json>; readonly input?: Json }[],
  arrivals: readonly Arrival[] = [],
): Promise<AllWent> {
  const world = new World(arrivals);
  let outcomes: readonly Outcome[] | undefined;
  let broken: unknown;
  const all = runs.map(({ workflow, input }) =>
    runInMemory(workflow as unknown as Workflow<unknown, Json>, {}, world.surroundings, input),
  );
  Promise.all(all).then(
    (ended) => {
      outcomes = ended;
    },
    (reason: unknown) => {
      broken = reason ?? new Error("It broke.");
    },
  );
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (broken !== undefined) throw broken;
    if (outcomes) return { outcomes, seconds: world.now / 1000, emitted: world.emitted };
    if (!world.step()) throw new Error("The run waits for nothing that could happen.");
  }
}

class World {
  now = 0;
  readonly emitted: CloudEvent[] = [];
  readonly surroundings: Surroundings;
  readonly #timers = new Set<Timer>();
  readonly #listeners = new Set<(event: CloudEvent) => void>();

  constructor(arrivals: readonly Arrival[]) {
    for (const { at, event } of arrivals) this.#deliver(at * 1000, event);
    this.surroundings = {
      runId: "run",
      simulation: this,
      now: () => this.now,
      sleep: (seconds, signal) => this.#sleep(seconds, signal),
      listen: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      send: (event) => {
        this.emitted.push(event);
        this.#deliver(this.now, event);
      },
    };
  }

  #deliver(at: number, event: CloudEvent): void {
    this.#set(at, () => {
      for (const listener of [...this.#listeners]) listener(event);
    });
  }

  /** Fires the next timer or arrival; false if none is left. */
  step(): boolean {
    const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
    if (!next) return false;
    this.#timers.delete(next);
    this.now = Math.max(this.now, next.at);
    next.fire();
    return true;
  }

  #set(at: number, fire: () => void): Timer {
    const timer = { at, fire };
    this.#timers.add(timer);
    return timer;
  }

  #sleep(seconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#set(this.now + seconds * 1000, resolve);
      signal.addEventListener("abort", () => {
        this.#timers.delete(timer);
        reject(signal.reason);
      });
    });
  }
}
