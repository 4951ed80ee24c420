import { failWith, finite, shown } from "./failures.ts";
import { native } from "./native.ts";
import type { Value } from "./values.ts";

/** A function of one number. */
type NumberFunction = (value: Value) => number | undefined;

/** A function of a list of numbers, or of one. */
type ListFunction = (values: Value) => number | undefined;

/** `$number(value)` */
export const $number: NumberFunction = native("number", "(nsb)-", (value?: number | string | boolean) => {
  if (value === undefined || typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  if (decimal.test(value) && Number.isFinite(Number(value))) return Number.parseFloat(value);
  if (prefixed.test(value)) return Number(value);
  return failWith("D3030", `Unable to cast value to a number: ${shown(value)}`);
});

const decimal = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/;
const prefixed = /^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/;

/** `$abs(number)` */
export const $abs: NumberFunction = native("abs", "n-", (value?: number) =>
  value === undefined ? undefined : Math.abs(value),
);

/** `$floor(number)` */
export const $floor: NumberFunction = native("floor", "n-", (value?: number) =>
  value === undefined ? undefined : Math.floor(value),
);

/** `$ceil(number)` */
export const $ceil: NumberFunction = native("ceil", "n-", (value?: number) =>
  value === undefined ? undefined : Math.ceil(value),
);

/** `$round(number, precision)`: halves to the even neighbor. */
export const $round: (value: Value, precision?: Value) => number | undefined = native("round", "n-n?", round);

function round(value: number | undefined, precision: number = 0): number | undefined {
  if (value === undefined) return undefined;
  const shifted = shift(value, precision);
  let result = Math.round(shifted);
  if (Math.abs(result - shifted) === 0.5 && Math.abs(result % 2) === 1) result -= 1;
  return shift(result, -precision) + 0;
}

/** Moves the decimal point: a multiplication would not be exact. */
function shift(value: number, places: number): number {
  if (!places) return value;
  const [digits, exponent] = String(value).split("e");
  return Number(`${digits}e${exponent ? Number(exponent) + places : places}`);
}

/** `$sqrt(number)` */
export const $sqrt: NumberFunction = native("sqrt", "n-", (value?: number) => {
  if (value === undefined) return undefined;
  if (value < 0) return failWith("D3060", `The sqrt function cannot be applied to a negative number: ${shown(value)}`);
  return Math.sqrt(value);
});

/** `$power(base, exponent)` */
export const $power: (base: Value, exponent: Value) => number | undefined = native(
  "power",
  "n-n",
  (base?: number, exponent?: number) => {
    if (base === undefined) return undefined;
    const result = base ** (exponent as number);
    if (Number.isFinite(result)) return result;
    const operands = `base=${shown(base)}, exponent=${shown(exponent)}`;
    return failWith(
      "D3061",
      `The power function has resulted in a value that cannot be represented as a JSON number: ${operands}`,
    );
  },
);

/** `$sum(numbers)` */
export const $sum: ListFunction = native("sum", "a<n>", (values?: readonly number[]) => values && total(values));

const total = (values: readonly number[]): number => finite(values.reduce((sum, value) => sum + value, 0));

/** `$average(numbers)` */
export const $average: ListFunction = native("average", "a<n>", (values?: readonly number[]) =>
  values && values.length > 0 ? total(values) / values.length : undefined,
);

/** `$max(numbers)` */
export const $max: ListFunction = native("max", "a<n>", (values?: readonly number[]) =>
  values && values.length > 0 ? Math.max(...values) : undefined,
);

/** `$min(numbers)` */
export const $min: ListFunction = native("min", "a<n>", (values?: readonly number[]) =>
  values && values.length > 0 ? Math.min(...values) : undefined,
);

/** `$millis()`, from the recorded time in seconds since 1970. */
export const $millis = (seconds: Value): number => Math.round(Number(seconds) * 1000);

/** `$now()`, from the recorded time in seconds since 1970. */
export const $now = (seconds: Value): string => new Date($millis(seconds)).toISOString();
