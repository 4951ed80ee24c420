import { RunEnd } from "../errors.ts";
import type { Branch, ForkOptions } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { begin, type Result, wait } from "./activities.ts";
import { type Context, innerContext, keysOf, prefixesOf } from "./context.ts";
import { flowOf } from "./create.ts";

/**
 * Runs branches until their join is decided. Returns the values of the joined branches by name, in the order of the
 * branches, in an object without a prototype, so that reading an abandoned branch named `toString` yields undefined.
 */
export async function fork(
  context: Context,
  name: string,
  branches: { readonly [name: string]: Branch<Json> },
  options: ForkOptions,
): Promise<{ readonly [name: string]: Json }> {
  const keys = keysOf(context, name);
  const names = options.order ?? Object.keys(branches);
  const values = await wait<ReadonlyMap<number, Json>>(context, (wake) => {
    const { signal, stop } = stoppable(context.signal);
    joinBranches(names.length, options, wake, (i, ended) => {
      const branch = innerContext(context, prefixesOf(keys, names[i]!), i, signal);
      const flow = flowOf(branch);
      begin(
        branch,
        () => branches[names[i]!]!(flow),
        (result) => ended("error" in result ? { error: flow.raised(result.error) } : result),
      );
    });
    return stop;
  });
  const result: { [name: string]: Json } = Object.create(null);
  for (const [i, branch] of names.entries()) if (values.has(i)) result[branch] = values.get(i)!;
  return result;
}

/** Starts branches and decides the join with the values of the joined ones by index. */
function joinBranches(
  total: number,
  options: ForkOptions,
  decide: (result: Result<ReadonlyMap<number, Json>>) => void,
  start: (index: number, ended: (result: Result<Json>) => void) => void,
): void {
  const wanted = options.join ?? total;
  const values = new Map<number, Json>();
  let [failed, started] = [0, 0];
  const startNext = () => {
    if (started >= total) return;
    const index = started++;
    start(index, (result) => {
      if ("error" in result) {
        failed += 1;
        if (!options.spare || result.error instanceof RunEnd || total - failed < wanted) decide(result);
        else startNext();
        return;
      }
      if (values.size < wanted) values.set(index, result.value);
      if (values.size >= wanted) decide({ value: values });
      else startNext();
    });
  };
  for (let i = 0; i < Math.min(options.width ?? total, total); i++) startNext();
  if (wanted === 0) decide({ value: values });
}
