import type { Json } from "../../json.ts";

/** What an expression yields: an array of one where that is known at once, so that the common case needs no generators. */
export type Stream<T> = Iterable<T>;

/** Whether a stream is an array of one. */
export const isOne = <T>(values: Stream<T>): values is readonly T[] => Array.isArray(values) && values.length === 1;

/** All that `use` makes of each value, in order. */
export function each<T, U>(values: Stream<T>, use: (value: T) => Stream<U>): Stream<U> {
  return isOne(values) ? use(values[0]!) : flatten(values, use);
}

function* flatten<T, U>(values: Stream<T>, use: (value: T) => Stream<U>): Generator<U> {
  for (const value of values) yield* use(value);
}

/** `use` for every combination of outputs, the first varying slowest. */
export function combine(
  streams: readonly (() => Stream<Json>)[],
  use: (values: readonly Json[]) => Json,
  chosen: readonly Json[] = [],
): Stream<Json> {
  const values = [...chosen];
  while (values.length < streams.length) {
    const next = streams[values.length]!();
    if (!isOne(next)) return each(next, (value) => combine(streams, use, [...values, value]));
    values.push(next[0]!);
  }
  return [use(values)];
}

/** The first value of a stream, in an array of at most one; the rest is not evaluated. */
export function firstOf<T>(values: Stream<T>): readonly T[] {
  for (const value of values) return [value];
  return [];
}
