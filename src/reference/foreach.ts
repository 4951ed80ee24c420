import type { ForEach } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { type Context, compute, enter } from "./context.ts";
import { StepFailure } from "./failure.ts";
import { runScope } from "./scope.ts";

/** Runs an iteration for each element; their values in the order of the elements. */
export async function runForEach(step: ForEach, context: Context): Promise<Json> {
  const items = compute(step.items, context);
  if (!Array.isArray(items))
    throw new StepFailure({ origin: "expression", name: "DataError", message: "There is no array to go over." });
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  try {
    return await iterate(step, items, { ...context, signal });
  } catch (error) {
    if (step.width !== 1) context.run.world.recorder?.leftBehind();
    throw error;
  } finally {
    stop.abort(new Error("cut off"));
  }
}

/** Starts iterations in order, as width and gap allow, until all have ended or one has failed. */
async function iterate(step: ForEach, items: readonly Json[], context: Context): Promise<Json> {
  const { world } = context.run;
  const values: Json[] = new Array<Json>(items.length).fill(null);
  const running = new Set<Promise<void>>();
  const width = step.width ?? Number.POSITIVE_INFINITY;
  let nextStart = world.now();
  for (const [i, item] of items.entries()) {
    while (running.size >= width) await Promise.race(running);
    const wait = (nextStart - world.now()) / 1000;
    if (wait > 0) await Promise.race([world.sleep(wait, context.signal), failureAmong(running)]);
    nextStart = world.now() + (step.gap ?? 0) * 1000;
    const iteration: Promise<void> = iterationOf(step, i, item, context).then((value) => {
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

async function iterationOf(step: ForEach, index: number, item: Json, context: Context): Promise<Json> {
  const given = new Map<string, Json>([
    [step.element, item],
    ...(step.index === undefined ? [] : ([[step.index, index]] as const)),
  ]);
  const environment = enter(step.scope, context.environment, given);
  return runScope(step.scope, { ...context, environment, position: [...context.position, index] });
}
