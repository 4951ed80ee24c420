import type { ValueType } from "./scope.ts";

/** How a function of JSONata is printed: as a call of the function of `query.js` with its name. */
export interface FunctionForm {
  /** The fewest and the most arguments that have this form. */
  readonly arity: readonly [fewest: number, most: number];
  readonly type?: ValueType | undefined;
  /** Whether it may give nothing: if its first argument does, in any case, or never. */
  readonly nothing: "as first" | "always" | "never";
  /** Whether it gives a number that counts. */
  readonly isCount?: boolean;
  /** Whether it fails only if its arguments do. */
  readonly isSafe?: boolean;
  /** The first argument that must be something. */
  readonly required?: number;
  /** Whether the context may replace the first argument although there are enough. */
  readonly isAmbiguous?: boolean;
  /** Whether it gives a sequence, which is not taken apart if a function ends with the call. */
  readonly givesSequence?: boolean;
  /** Whether it uses the result of its callback only as a condition. */
  readonly isCondition?: boolean;
  /** The number of parameters that the function in the second argument must have. */
  readonly callback?: readonly [fewest: number, most: number];
}

const text = (fewest: number, most = fewest): FunctionForm => ({
  arity: [fewest, most],
  type: "string",
  nothing: "as first",
});

const number = (fewest: number, most = fewest): FunctionForm => ({ ...text(fewest, most), type: "number" });

const form = (arity: number, more: Partial<FunctionForm> = {}): FunctionForm => ({
  arity: [arity, arity],
  nothing: "always",
  ...more,
});

const element: FunctionForm = form(2, { callback: [1, 3], isSafe: true, givesSequence: true });

/** The functions of JSONata that have a form of their own, by name. */
export const functionForms: ReadonlyMap<string, FunctionForm> = new Map(
  Object.entries<FunctionForm>({
    sum: number(1),
    average: { ...number(1), nothing: "always" },
    max: { ...number(1), nothing: "always" },
    min: { ...number(1), nothing: "always" },
    count: { ...number(1), nothing: "never", isSafe: true, isCount: true },
    number: number(1),
    abs: number(1),
    floor: number(1),
    ceil: number(1),
    round: { ...number(1, 2), isAmbiguous: true },
    sqrt: number(1),
    power: number(2),
    length: number(1),
    uppercase: text(1),
    lowercase: text(1),
    trim: text(1),
    substring: { ...text(2, 3), isAmbiguous: true },
    substringBefore: text(2),
    substringAfter: text(2),
    pad: { ...text(2, 3), isAmbiguous: true },
    contains: { ...text(2), type: "boolean", required: 1 },
    split: { ...text(2, 3), type: "array", required: 1, isAmbiguous: true },
    join: text(1, 2),
    replace: { ...text(3, 4), required: 1, isAmbiguous: true },
    encodeUrlComponent: text(1),
    decodeUrlComponent: text(1),
    type: { ...text(1), isSafe: true },
    parse: form(1, { nothing: "never" }),
    append: form(2, { isSafe: true }),
    merge: { ...form(1, { nothing: "as first" }), type: "object" },
    keys: form(1, { isSafe: true, givesSequence: true }),
    lookup: form(2, { givesSequence: true }),
    spread: form(1, { isSafe: true, givesSequence: true }),
    reverse: form(1, { type: "array", nothing: "as first", isSafe: true }),
    zip: { arity: [1, 9], type: "array", nothing: "never", isSafe: true },
    map: element,
    filter: { ...element, isCondition: true },
    single: form(2, { arity: [1, 2], callback: [1, 3], isCondition: true }),
    reduce: form(2, { arity: [2, 3], callback: [2, 4], isSafe: true }),
    sort: { arity: [1, 2], type: "array", nothing: "as first", callback: [2, 2] },
    each: { ...element, isSafe: false },
    sift: form(2, { type: "object", callback: [1, 3], isCondition: true }),
    partition: form(2, { type: "array" }),
    range: form(3),
  }),
);
