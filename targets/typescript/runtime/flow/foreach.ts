import type { ForEachOptions, Iteration } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { begin, type Result, wait } from "./activities.ts";
import { type Context, inside, keysOf } from "./context.ts";
import { flowOf } from "./create.ts";

/** Runs a body for each item; their values in the order of the items. */
export function forEach<I extends Json, O extends Json>(
  context: Context,
  name: string,
  items: readonly I[],
  body: Iteration<I, O>,
  options: ForEachOptions,
): Promise<readonly O[]> {
  const { host } = context;
  const keys = keysOf(context, name);
  const { key } = keys;
  return wait(context, (wake) => {
    const { signal, stop } = stoppable(context.signal);
    iterated<O>(items.length, options, wake, {
      start(i, ended) {
        const iteration = inside(context, keys, `[${i}]`, i, signal);
        const flow = flowOf(iteration);
        begin(
          iteration,
          () => body(flow, items[i]!, i),
          (result) => {
            flow.over();
            ended(result);
          },
        );
      },
      rest(next, gap, rested) {
        const due = host.now() + gap * 1000;
        void host.sleep(`${key}#gap#${next}`, gap, { ...context, signal }).then(rested, () => undefined);
        return (ended) => host.once(`${key}#rest#${ended}`, () => host.now() >= due, signal);
      },
    });
    return stop;
  });
}

/** How iterations are started, and how time passes between two starts. */
interface Pace<O> {
  readonly start: (index: number, ended: (result: Result<O>) => void) => void;
  /** Lets time pass until the next may start. Gives what asks whether it has passed, when one has ended. */
  readonly rest: (next: number, gap: number, rested: () => void) => (ended: number) => Promise<boolean> | boolean;
}

/** Starts iterations in order, as width and gap allow, and tells their values when all have ended or one has failed. */
function iterated<O>(
  count: number,
  { width = Number.POSITIVE_INFINITY, gap = 0 }: ForEachOptions,
  decide: (result: Result<readonly O[]>) => void,
  pace: Pace<O>,
): void {
  const values: O[] = new Array<O>(count);
  const between = spacing(pace.rest, gap, () => startMore());
  let [next, running, hasFailed] = [0, 0, false];
  const ended = (index: number, result: Result<O>) => {
    running -= 1;
    if ("error" in result) {
      hasFailed = true;
      decide(result);
      return;
    }
    values[index] = result.value;
    between.ended(index);
    startMore();
  };
  const startMore = () => {
    while (!hasFailed && between.isOver() && next < count && running < width) {
      const index = next++;
      running += 1;
      pace.start(index, (result) => ended(index, result));
      if (gap > 0 && next < count) between.started(next, running < width);
    }
    if (next === count && running === 0) decide({ value: values });
  };
  startMore();
}

/** The time between two starts. */
interface Rest {
  /** Whether nothing but time is waited for: what begins then is begun by the timer. */
  isAwaited: boolean;
  readonly isOver: (ended: number) => Promise<boolean> | boolean;
}

/**
 * Keeps the time between two starts. One that waits for another to end begins as that ends where the time is over at that instant, before what timers begin
 * then; `onward` is told of all others.
 */
function spacing<O>(rest: Pace<O>["rest"], gap: number, onward: () => void) {
  let resting: Rest | undefined;
  const over = (rested: Rest) => {
    if (resting === rested) resting = undefined;
    onward();
  };
  return {
    isOver: () => resting === undefined,
    /** One has started, and the next may behind it; `isFree`: only time is in its way. */
    started(next: number, isFree: boolean) {
      const begun: Rest = { isAwaited: isFree, isOver: rest(next, gap, () => over(begun)) };
      resting = begun;
    },
    ended(index: number) {
      const begun = resting;
      if (!begun || begun.isAwaited) return;
      begun.isAwaited = true;
      const isOver = begun.isOver(index);
      if (isOver === true) resting = undefined;
      else if (isOver)
        isOver.then(
          (isTime) => isTime && over(begun),
          () => undefined,
        );
    },
  };
}
