import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer, ReceivedEvent } from "../../src/events/partition.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { Comparison } from "./comparison.ts";
import { operations, perform, runs, seeds } from "./operations.ts";
import type { EventProgram } from "./program.ts";
import { programs } from "./programs.ts";
import { scenarios } from "./scenarios.ts";

// The suite that every adapter of the broker passes. The test of an adapter implements `EventStoreDriver` over a
// simulation of its platform and calls `describeEventStore(driver)`. Each operation is also applied to a broker in
// memory: all answers and starts have to be equal, also when processes die and operations are repeated.
//
// A driver plays the part of the platform and of the runs: it turns `wait` into what a run of the target does to wait,
// fires timers only by `expire`, and records what runs receive. It does not decide anything about events.

/** An adapter under test. */
export interface EventStoreDriver {
  readonly name: string;
  /** Opens an empty store for a program. The store has no other source of time than the clock. */
  open(program: EventProgram, clock: TestClock): Promise<EventStore> | EventStore;
  /** Whether the adapter has this program; all of them by default. */
  supports?(program: EventProgram): boolean;
  /** The points at which a process may die; none if the store is lost with its process. */
  readonly crashPoints: readonly CrashPoint[];
}

/** Virtual time in milliseconds since 1970 (UTC). The suite sets it. */
export interface TestClock {
  now: number;
}

/**
 * Where a process dies: before it stores a step, after that and before it carries out the effects, or before it stores
 * that it has done so. A step that stores several times dies at the first.
 */
export type CrashPoint = "before store" | "before effects" | "before confirm";

/** A wait as a run begins it. */
export interface RunWait {
  /** Unique; not used again when a run comes to a step again. */
  readonly id: string;
  readonly run: string;
  readonly step: string;
  /** When the run began: older runs come first. No two runs begin at the same time. */
  readonly began: number;
  readonly position: readonly number[];
  readonly variables: JsonObject;
  /** Correlation values that take precedence over the run's. */
  readonly values?: { readonly [key: string]: Json } | undefined;
}

/** What a run has received, or a run that has been started. */
export type Receipt =
  | ({ readonly kind: "answer"; readonly id: string } & Answer)
  | {
      readonly kind: "start";
      readonly workflow: string;
      /** The adapter's id, which the suite uses from now on. */
      readonly run: string;
      readonly events: readonly ReceivedEvent[];
    };

/**
 * An open store. Operations resolve when everything that follows from them has been done. An operation that crashes
 * rejects; the suite then calls `reopen` and repeats the operation, as at-least-once platforms do, except for a wait
 * that has been answered meanwhile.
 */
export interface EventStore {
  /** The bus delivers an event: for the first time, or again. */
  arrive(event: JsonObject): Promise<void> | void;
  /** A run begins, by a call (then with its correlation value, if it has one) or because of a `start`. */
  join(run: string, value: Json | undefined): Promise<void> | void;
  wait(wait: RunWait): Promise<void> | void;
  /** The run gives up a wait, as when its branch has lost a race. Discards nothing. */
  cancel(id: string): Promise<void> | void;
  /** The time limit of all alternatives of a wait has passed. Its run receives an answer with `alternative: null`. */
  expire(id: string): Promise<void> | void;
  /** A run ends, whether or not it still waits. */
  leave(run: string): Promise<void> | void;
  /** Everything received since the last call. The same answer or start may be received several times. */
  received(): Promise<readonly Receipt[]> | readonly Receipt[];
  /** Lets the next operation die at a point, or none if undefined. */
  crashAt?(point: CrashPoint | undefined): void;
  /** A new process opens the store, and continues what the last one has left. */
  reopen?(): Promise<void> | void;
  close?(): Promise<void> | void;
}

/**
 * Declares the tests of an adapter. `count` is the number of random sequences for each program; `others` are programs
 * that only this adapter is tested with, instead of those for all.
 */
export function describeEventStore(
  driver: EventStoreDriver,
  { count = 150, others }: { readonly count?: number; readonly others?: readonly EventProgram[] } = {},
): void {
  const points = [undefined, ...driver.crashPoints];
  describe(`the event store ${driver.name}`, () => {
    for (const program of (others ?? programs).filter((each) => driver.supports?.(each) ?? true)) {
      describe(program.name, () => {
        for (const { name, run } of scenarios.filter((each) => each.program === program))
          test.each(points.map((point) => ({ point })))(`${name} (crash: $point)`, async ({ point }) => {
            const comparison = await Comparison.open(driver, program);
            comparison.everyCrash = point;
            await run(comparison);
            await comparison.close();
          });

        test.each(seeds)("random operations, from seed %i", { timeout: 600_000 }, async (seed) => {
          const property = fc.asyncProperty(operations(program, driver.crashPoints), async (sequence) => {
            const comparison = await Comparison.open(driver, program);
            for (const operation of sequence) await perform(operation, comparison);
            await comparison.close();
          });
          await fc.assert(property, { seed, numRuns: runs(count) });
        });
      });
    }

    test("events that arrive at the same time reach one run each", async () => {
      const program = programs.find(({ name }) => name === "tasks")!;
      if (others || (driver.supports && !driver.supports(program))) return;
      const comparison = await Comparison.open(driver, program);
      const { store, clock } = comparison;
      const ids = Array.from({ length: 8 }, (_, i) => `run${i}`);
      for (const id of ids) {
        clock.now += 1_000;
        await comparison.begin(id);
        await comparison.wait(id, "Task", { id });
      }
      clock.now += 1_000;
      const events = ids.map((id) => ({ specversion: "1.0", type: "task", source: "/test", id }));
      await Promise.all([...events, ...events].map(async (event) => store.arrive(event)));
      const answers = (await store.received()).flatMap((each) => (each.kind === "answer" ? [each] : []));
      const used = new Map(answers.map(({ id, events: [first] }) => [id, first!.event["id"]]));
      expect([...used.keys()].sort()).toEqual(ids);
      expect([...new Set(used.values())].sort()).toEqual(ids);
      await store.close?.();
    });
  });
}
