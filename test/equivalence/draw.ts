import fc, { type Arbitrary } from "fast-check";
import type { Json } from "../../src/json.ts";

/** Builds a part of a program from its context; undefined omits the part. */
export type Part<Place, Written = Json | undefined> = (place: Place) => Written;

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
export const fixed = <Place, T extends Json | undefined>(value: Arbitrary<T>): Arbitrary<Part<Place, T>> =>
  value.map((written) => () => written);

/** An object whose members are parts. Undefined members are omitted. */
export const object = <Place>(parts: {
  readonly [name: string]: Arbitrary<Part<Place> | undefined>;
}): Arbitrary<Part<Place, { readonly [name: string]: Json }>> =>
  fc.record(parts).map((made) => (place) => {
    const written: { [name: string]: Json } = {};
    for (const [name, part] of Object.entries(made)) {
      const value = part?.(place);
      if (value !== undefined) written[name] = value;
    }
    return written;
  });

/** Merges several object parts. */
export const together = <Place>(
  ...objects: readonly Arbitrary<Part<Place, { readonly [name: string]: Json }>>[]
): Arbitrary<Part<Place, { readonly [name: string]: Json }>> =>
  fc
    .tuple(...objects)
    .map(
      (made) => (place) => Object.assign({}, ...made.map((part) => part(place))) as { readonly [name: string]: Json },
    );

/** An array of parts. */
export const list = <Place, Written extends Json>(
  part: Arbitrary<Part<Place, Written>>,
  minLength: number,
  maxLength: number,
): Arbitrary<Part<Place, readonly Written[]>> =>
  fc.array(part, { minLength, maxLength, size: "max" }).map((made) => (place) => made.map((each) => each(place)));
