import fc from "fast-check";
import type { CrashPoint } from "./adapters.ts";
import type { Comparison } from "./comparison.ts";
import type { EventProgram } from "./program.ts";

/**
 * An operation of a random sequence. Numbers select, modulo their count, among what there is when it is performed, so
 * that a sequence stays one when operations are removed from it.
 */
export interface RandomOperation {
  readonly kind: "arrive" | "repeat" | "begin" | "wait" | "cancel" | "leave" | "pass";
  readonly which: number;
  readonly step: number;
  readonly key: number;
  readonly number: number;
  readonly crash: CrashPoint | undefined;
}

/** Longer tests with fresh seeds: `EVENT_RUNS=100 npx vitest run test/events`. */
const factor = Number(process.env.EVENT_RUNS ?? 1);

/** How many random sequences to try. */
export const runs = (count: number): number => count * factor;

/** The seeds of random sequences. */
export const seeds: readonly number[] = factor === 1 ? [20_261_126] : [Date.now() & 0x7fffffff];

/** Sequences of operations for a program. */
export const operations = (
  { starts }: EventProgram,
  crashPoints: readonly CrashPoint[],
): fc.Arbitrary<readonly RandomOperation[]> => {
  const kind = fc.oneof(
    { weight: 6, arbitrary: fc.constant("arrive" as const) },
    { weight: 1, arbitrary: fc.constant("repeat" as const) },
    { weight: starts.length > 0 ? 1 : 2, arbitrary: fc.constant("begin" as const) },
    { weight: 7, arbitrary: fc.constant("wait" as const) },
    { weight: 1, arbitrary: fc.constant("cancel" as const) },
    { weight: 1, arbitrary: fc.constant("leave" as const) },
    { weight: 2, arbitrary: fc.constant("pass" as const) },
  );
  const crash = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    ...crashPoints.map((point) => ({ weight: 1, arbitrary: fc.constant(point) })),
  );
  const operation = fc.record({
    kind,
    which: fc.nat({ max: 20 }),
    step: fc.nat({ max: 20 }),
    key: fc.nat({ max: 2 }),
    number: fc.nat({ max: 3 }),
    crash,
  });
  return fc.array(operation, { minLength: 1, maxLength: 40, size: "max" });
};

const values = ["a", "b", "c"] as const;

/** Performs an operation, if there is anything that it could apply to. */
export async function perform(operation: RandomOperation, comparison: Comparison): Promise<void> {
  const { kind, which, step, key, number } = operation;
  const { program, runs: known, waits, events } = comparison;
  const select = <T>(items: Iterable<T>): T | undefined => [...items][which % [...items].length];
  await comparison.pass(1);
  comparison.nextCrash = operation.crash;
  switch (kind) {
    case "arrive": {
      const { type, attribute } = program.events[step % program.events.length]!;
      const correlation = attribute === undefined ? {} : { [attribute]: values[key]! };
      await comparison.arrive({ type: type!, ...correlation, data: { number } });
      break;
    }
    case "repeat": {
      const event = select(events);
      if (event) await comparison.repeat(event);
      break;
    }
    case "begin":
      await comparison.begin(`run${comparison.clock.now / 1_000}`, program.key === undefined ? undefined : values[key]);
      break;
    case "wait": {
      const run = select(known.keys());
      const steps = Object.keys(program.waits);
      const own = program.key !== undefined && number === 0 ? { values: { [program.key]: values[key]! } } : {};
      if (run !== undefined)
        await comparison.wait(run, steps[step % steps.length]!, { variables: { least: number }, ...own });
      break;
    }
    case "cancel": {
      const id = select(waits.keys());
      if (id !== undefined) await comparison.cancel(id);
      break;
    }
    case "leave": {
      const run = select(known.keys());
      if (run !== undefined) await comparison.leave(run);
      break;
    }
    case "pass":
      await comparison.pass(number * 7 + 1);
      break;
  }
  comparison.nextCrash = undefined;
}
