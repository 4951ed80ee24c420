import type { ForEachOptions, Iteration } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { type Context, inside, keyOf } from "./context.ts";
import { flowOf } from "./create.ts";

/** Runs a body for each item; their values in the order of the items. */
export async function forEach<I extends Json, O extends Json>(
  context: Context,
  name: string,
  items: readonly I[],
  body: Iteration<I, O>,
  options: ForEachOptions,
): Promise<readonly O[]> {
  const key = keyOf(context, name);
  const { signal, stop } = stoppable(context.signal);
  const run = (item: I, i: number) => body(flowOf(inside(context, key, `[${i}]`, i, signal)), item, i);
  try {
    return await iterate({ ...context, signal }, key, items, run, options);
  } finally {
    stop();
  }
}

/** Starts iterations in order, as width and gap allow, until all have ended or one has failed. */
async function iterate<I extends Json, O extends Json>(
  context: Context,
  key: string,
  items: readonly I[],
  run: (item: I, index: number) => Promise<O>,
  { width = Number.POSITIVE_INFINITY, gap = 0 }: ForEachOptions,
): Promise<readonly O[]> {
  const values: O[] = new Array<O>(items.length);
  const running = new Set<Promise<void>>();
  let free: Promise<void> | undefined;
  for (const [i, item] of items.entries()) {
    while (running.size >= width) await Promise.race(running);
    if (free) await Promise.race([free, failureAmong(running)]);
    if (gap > 0 && i < items.length - 1) {
      free = context.host.sleep(`${key}#gap#${i + 1}`, gap, context);
      free.catch(() => undefined);
    }
    const iteration: Promise<void> = new Promise<O>((begin) => begin(run(item, i))).then((value) => {
      values[i] = value;
      running.delete(iteration);
    });
    iteration.catch(() => undefined);
    running.add(iteration);
  }
  await Promise.all(running);
  return values;
}

/** Rejects as soon as one of several does; never resolves. */
const failureAmong = (running: ReadonlySet<Promise<void>>): Promise<never> =>
  new Promise((_, reject) => {
    for (const iteration of running) iteration.catch(reject);
  });
