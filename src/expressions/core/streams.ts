import type { Json } from "../../json.ts";
import { minus } from "../library/arithmetic.ts";
import { raise } from "../library/failure.ts";
import { isGreater, isLess } from "../library/order.ts";

/** The outputs of an expression. One known output is an array, because generators are slow. */
export type Stream<T> = Iterable<T>;

/** Flat-maps a stream. */
export function each<T, U>(values: Stream<T>, use: (value: T) => Stream<U>): Stream<U> {
  return isOne(values) ? use(values[0]!) : flatten(values, use);
}

/** Maps all combinations of outputs; the first stream varies slowest. */
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

/** The first output, if any; evaluates no further ones. */
export function firstOf<T>(values: Stream<T>): readonly T[] {
  for (const value of values) return [value];
  return [];
}

/** jq's `limit`. */
export function* limited<T>(count: Json, stream: () => Iterable<T>): Generator<T> {
  if (count === 0) return;
  if (!isGreater(count, 0)) raise("limit doesn't support negative count");
  let left = count;
  for (const value of stream()) {
    left = minus(left, 1);
    yield value;
    if (!isGreater(left, 0)) return;
  }
}

/** jq's `skip`. */
export function* skipped<T>(count: Json, stream: () => Iterable<T>): Generator<T> {
  if (count !== 0 && !isGreater(count, 0)) raise("skip doesn't support negative count");
  let left = count;
  for (const value of stream()) {
    left = minus(left, 1);
    if (isLess(left, 0)) yield value;
  }
}

/** jq's `range`. */
export function* numberRange(start: Json, end: Json, step: Json): Generator<number> {
  if (typeof start !== "number" || typeof end !== "number" || typeof step !== "number")
    return raise("Range bounds must be numeric");
  if (step > 0) for (let value = start; value < end; value += step) yield value;
  if (step < 0) for (let value = start; value > end; value += step) yield value;
}

/** The last output, if any. */
export function lastOf<T>(stream: Iterable<T>): readonly T[] {
  let last: readonly T[] = [];
  for (const value of stream) last = [value];
  return last;
}

/** Whether a stream is known to have one output. */
export const isOne = <T>(values: Stream<T>): values is readonly T[] => Array.isArray(values) && values.length === 1;

function* flatten<T, U>(values: Stream<T>, use: (value: T) => Stream<U>): Generator<U> {
  for (const value of values) yield* use(value);
}
