import type { Expression, Placed } from "../ast.ts";

/**
 * `T[K]`, `.name`: the member or element of each output of `source` under each key; null where there is none. The key is evaluated first, with the
 * `.` around the whole. Objects take strings, arrays numbers (cut off to integers, negative ones from the end) and arrays (the places where that one
 * occurs); null takes each of these. Anything else fails; `optional`: gives nothing instead.
 */
export interface Access extends Placed {
  readonly kind: "access";
  readonly source: Expression;
  readonly key: Expression;
  readonly optional: boolean;
}

/** `T[F:U]`: part of an array or string, by elements or code points; of null, null. A bound that is absent or null is the end. Otherwise as `Access`. */
export interface Slice extends Placed {
  readonly kind: "slice";
  readonly source: Expression;
  readonly from: Expression | undefined;
  readonly upTo: Expression | undefined;
  readonly optional: boolean;
}

/** `T[]`: all elements, or the values of all members in their order. Fails for other values; `optional`: gives nothing instead. */
export interface Iterate extends Placed {
  readonly kind: "iterate";
  readonly source: Expression;
  readonly optional: boolean;
}

/**
 * `recurse(E)`: the input, then `recurse(E)` of each output of E for it, one after the other; as deep as it goes. `while` and `..` are this too.
 */
export interface Recurse extends Placed {
  readonly kind: "recurse";
  readonly body: Expression;
}

/** `path(E)`: where in `.` each output of E stands, as an array of keys. Fails where E gives something that is not a place in `.`. */
export interface Path extends Placed {
  readonly kind: "path";
  readonly body: Expression;
}

/**
 * `P |= E`: the input with what is at each place that P gives, one after the other, replaced by the first output of E, for which `.` is what is there.
 * Places for which E gives nothing are deleted, when all others have been replaced.
 */
export interface Update extends Placed {
  readonly kind: "update";
  readonly path: Expression;
  readonly value: Expression;
}
