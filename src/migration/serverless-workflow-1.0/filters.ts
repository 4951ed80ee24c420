import { pipe, wrapped } from "../jq-text.ts";
import type { State } from "../model.ts";
import type { Task } from "./context.ts";
import { asOf } from "./data.ts";
import { durationOf } from "./durations.ts";

/** Adds the filters and the timeout of a state. */
export function withFilters({ input, output, timeout }: State, task: Task): Task {
  const { output: own, ...others } = task;
  const as = asOf(own);
  const filter = output && (as === undefined ? output.jq : pipe(as, output.jq));
  return {
    ...(input ? { input: { from: wrapped(input.jq) } } : {}),
    ...others,
    ...(filter === undefined ? (own === undefined ? {} : { output: own }) : { output: { as: wrapped(filter) } }),
    ...(timeout === undefined ? {} : { timeout: { after: durationOf(timeout) } }),
  };
}
