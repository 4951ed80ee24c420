import type { ReplayingRun } from "./replay.ts";
import type { JournalRow } from "./statements.ts";
import { failureIn, valueIn } from "./values.ts";

/** Gives an entry of the journal to its run; false if the run does not want it. */
export const recordedEntry =
  (run: ReplayingRun, { seq, key, kind, value }: JournalRow): (() => boolean) =>
  () =>
    run.settle(key, ({ resolve, reject, again }) => {
      if (kind === "begun") again?.(seq);
      if (kind !== "failure") return resolve(readable(key, () => valueIn(value)));
      const failure = readable(key, () => failureIn(value));
      run.causes.set(failure, seq);
      reject(failure);
    });

/** Reads what is recorded of a step. Errors name the step. */
function readable<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new Error(`What is recorded of ${key} cannot be read: ${why}`);
  }
}
