import { RunEnd } from "../errors.ts";
import type { Branch, ForkOptions } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { type Context, inside, keyOf } from "./context.ts";
import { flowOf } from "./create.ts";

/**
 * Runs branches until their join is decided; the values of those that count, by name, in the order of the branches: an object that has nothing else,
 * so that a branch which does not count is not found to be `toString` of all objects.
 */
export async function fork(
  context: Context,
  name: string,
  branches: { readonly [name: string]: Branch<Json> },
  options: ForkOptions,
): Promise<{ readonly [name: string]: Json }> {
  const key = keyOf(context, name);
  const names = options.order ?? Object.keys(branches);
  const { signal, stop } = stoppable(context.signal);
  const run = (i: number) => branches[names[i]!]!(flowOf(inside(context, key, names[i]!, i, signal)));
  try {
    const values = await joined(names.length, options, run);
    const result: { [name: string]: Json } = Object.create(null);
    for (const [i, branch] of names.entries()) if (values.has(i)) result[branch] = values.get(i)!;
    return result;
  } finally {
    stop();
  }
}

/** The values of the branches that the join counts, by their indexes. */
function joined(
  total: number,
  options: ForkOptions,
  run: (index: number) => Promise<Json>,
): Promise<ReadonlyMap<number, Json>> {
  const wanted = options.join ?? total;
  const values = new Map<number, Json>();
  let [failed, started] = [0, 0];
  return new Promise((resolve, reject) => {
    const startNext = () => {
      if (started >= total) return;
      const index = started++;
      new Promise<Json>((begin) => begin(run(index))).then(
        (value) => {
          if (values.size < wanted) values.set(index, value);
          if (values.size >= wanted) resolve(values);
          else startNext();
        },
        (error: unknown) => {
          failed += 1;
          if (!options.spare || error instanceof RunEnd || total - failed < wanted) reject(error);
          else startNext();
        },
      );
    };
    for (let i = 0; i < Math.min(options.width ?? total, total); i++) startNext();
    if (wanted === 0) resolve(values);
  });
}
