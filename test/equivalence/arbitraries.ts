import fc, { type Arbitrary } from "fast-check";
import type { Json } from "../../src/json.ts";

/** Builds a part of a program from its context; undefined omits the part. */
export type ProgramPart<Context, Result = Json | undefined> = (context: Context) => Result;

/** A value with the given probability in percent. Shrinks to undefined. */
export const perhaps = <T>(percent: number, value: Arbitrary<T>): Arbitrary<T | undefined> =>
  weighted<T | undefined>([100 - percent, fc.constant(undefined)], [percent, value]);

/** One of several arbitraries, by weight. Shrinks to the first. */
export const weighted = <T>(
  ...choices: readonly (readonly [weight: number, arbitrary: Arbitrary<T>])[]
): Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true },
    ...choices.filter(([weight]) => weight > 0).map(([weight, arbitrary]) => ({ weight, arbitrary })),
  );

/** One of several values. Shrinks to the first. */
export const among = <T>(...values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values);

/** A part that ignores its context. */
export const independent = <Context, T extends Json | undefined>(
  value: Arbitrary<T>,
): Arbitrary<ProgramPart<Context, T>> => value.map((built) => () => built);

/** An object whose members are parts. Undefined members are omitted. */
export const object = <Context>(parts: {
  readonly [name: string]: Arbitrary<ProgramPart<Context> | undefined>;
}): Arbitrary<ProgramPart<Context, { readonly [name: string]: Json }>> =>
  fc.record(parts).map((all) => (context) => {
    const built: { [name: string]: Json } = {};
    for (const [name, part] of Object.entries(all)) {
      const value = part?.(context);
      if (value !== undefined) built[name] = value;
    }
    return built;
  });

/** Merges several object parts. */
export const merged = <Context>(
  ...objects: readonly Arbitrary<ProgramPart<Context, { readonly [name: string]: Json }>>[]
): Arbitrary<ProgramPart<Context, { readonly [name: string]: Json }>> =>
  fc
    .tuple(...objects)
    .map(
      (all) => (context) => Object.assign({}, ...all.map((part) => part(context))) as { readonly [name: string]: Json },
    );

/** An array of parts. */
export const list = <Context, Result extends Json>(
  part: Arbitrary<ProgramPart<Context, Result>>,
  minLength: number,
  maxLength: number,
): Arbitrary<ProgramPart<Context, readonly Result[]>> =>
  fc.array(part, { minLength, maxLength, size: "max" }).map((all) => (context) => all.map((each) => each(context)));

/** Returns a seeded generator of numbers below its argument. */
export function picker(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
