/**
 * A class whose constructor adds the private fields of its subclasses to an object that is there already. What is known of expressions is noted so: it is
 * found at once, lives as long as the expression, is not copied with it, and nobody else sees it. A `WeakMap` does the same, but costs a
 * compiler that makes thousands of small expressions a third of its time.
 */
export const Mark = same as unknown as new (marked: object) => object;

/** A constructor that returns an object has made that object. */
function same(marked: object): object {
  return marked;
}
