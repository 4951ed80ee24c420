import type { ForEachOptions, Iteration } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { begin, type Result, wait } from "./activities.ts";
import { type Context, inside, keyOf } from "./context.ts";
import { flowOf } from "./create.ts";

/** Runs a body for each item; their values in the order of the items. */
export function forEach<I extends Json, O extends Json>(
  context: Context,
  name: string,
  items: readonly I[],
  body: Iteration<I, O>,
  options: ForEachOptions,
): Promise<readonly O[]> {
  const key = keyOf(context, name);
  return wait(context, (wake) => {
    const { signal, stop } = stoppable(context.signal);
    iterated<O>(items.length, options, wake, {
      start(i, ended) {
        const iteration = inside(context, key, `[${i}]`, i, signal);
        begin(iteration, () => body(flowOf(iteration), items[i]!, i), ended);
      },
      rest: (i, gap, rested) =>
        void context.host.sleep(`${key}#gap#${i}`, gap, { ...context, signal }).then(rested, () => undefined),
    });
    return stop;
  });
}

/** How iterations are started, and how time passes between two starts. */
interface Pace<O> {
  readonly start: (index: number, ended: (result: Result<O>) => void) => void;
  readonly rest: (index: number, gap: number, rested: () => void) => void;
}

/** Starts iterations in order, as width and gap allow, and tells their values when all have ended or one has failed. */
function iterated<O>(
  count: number,
  { width = Number.POSITIVE_INFINITY, gap = 0 }: ForEachOptions,
  decide: (result: Result<readonly O[]>) => void,
  { start, rest }: Pace<O>,
): void {
  const values: O[] = new Array<O>(count);
  let [next, running, isResting, hasFailed] = [0, 0, false, false];
  const ended = (index: number, result: Result<O>) => {
    running -= 1;
    if ("error" in result) {
      hasFailed = true;
      decide(result);
      return;
    }
    values[index] = result.value;
    startMore();
  };
  const startMore = () => {
    while (!hasFailed && !isResting && next < count && running < width) {
      const index = next++;
      running += 1;
      start(index, (result) => ended(index, result));
      if (gap > 0 && next < count) {
        isResting = true;
        rest(next, gap, () => {
          isResting = false;
          startMore();
        });
      }
    }
    if (next === count && running === 0) decide({ value: values });
  };
  startMore();
}
