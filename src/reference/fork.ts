import type { Fork } from "../ir/workflow.ts";
import { type Json, setOwn } from "../json.ts";
import { type Context, enter } from "./context.ts";
import { RunEnd } from "./failure.ts";
import { runScope } from "./scope.ts";

/** Runs the branches of a fork until its join is decided; the values of those that count, by name, in the order of the branches. */
export async function runFork(step: Fork, context: Context): Promise<Json> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const run = (i: number) => {
    const { scope } = step.branches[i]!;
    const inner = { ...context, signal, position: [...context.position, i] };
    return runScope(scope, { ...inner, environment: enter(scope, context.environment) });
  };
  const tally = { running: 0 };
  try {
    return byName(step, await joined(step, run, tally));
  } finally {
    if (tally.running > 0) context.run.world.recorder?.leftBehind();
    stop.abort(new Error("cut off"));
  }
}

/** The values of the branches that the join counts, by their indexes; `tally` counts the branches that are running. */
function joined(
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

function byName({ branches }: Fork, values: ReadonlyMap<number, Json>): Json {
  const result: { [name: string]: Json } = {};
  for (const [i, { name }] of branches.entries()) if (values.has(i)) setOwn(result, name, values.get(i)!);
  return result;
}
