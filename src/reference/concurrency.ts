import type { ForEach, Fork } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Context } from "./context.ts";
import { RunEnd } from "./failure.ts";

/** The values of the branches that the join counts, by their indexes; `tally` counts the branches that are running. */
export function joined(
  step: Fork,
  run: (index: number) => Promise<Json>,
  tally: { running: number },
): Promise<ReadonlyMap<number, Json>> {
  const total = step.branches.length;
  const wanted = step.join.kind === "all" ? total : step.join.count;
  const values = new Map<number, Json>();
  let failed = 0;
  let started = 0;
  return new Promise((resolve, reject) => {
    const startNext = () => {
      if (started >= total) return;
      const index = started++;
      tally.running += 1;
      new Promise<Json>((begin) => begin(run(index))).then(
        (value) => {
          tally.running -= 1;
          if (values.size < wanted) values.set(index, value);
          if (values.size >= wanted) resolve(values);
          else startNext();
        },
        (error: unknown) => {
          tally.running -= 1;
          failed += 1;
          if (step.failure === "fatal" || error instanceof RunEnd || total - failed < wanted) reject(error);
          else startNext();
        },
      );
    };
    for (let i = 0; i < Math.min(step.width ?? total, total); i++) startNext();
    if (wanted === 0) resolve(values);
  });
}

/** Starts iterations in order, as width and gap allow, until all have ended or one has failed; their values in the order of the elements. */
export async function iterated(
  step: ForEach,
  items: readonly Json[],
  run: (item: Json, index: number) => Promise<Json>,
  { run: { world }, signal }: Context,
): Promise<Json> {
  const values: Json[] = new Array<Json>(items.length).fill(null);
  const running = new Set<Promise<void>>();
  const width = step.width ?? Number.POSITIVE_INFINITY;
  let nextStart = world.now();
  for (const [i, item] of items.entries()) {
    while (running.size >= width) await Promise.race(running);
    const wait = (nextStart - world.now()) / 1000;
    if (wait > 0) await Promise.race([world.sleep(wait, signal), failureAmong(running)]);
    nextStart = world.now() + (step.gap ?? 0) * 1000;
    const iteration: Promise<void> = run(item, i).then((value) => {
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
