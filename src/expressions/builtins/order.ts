import type { Json } from "../../json.ts";
import { instantOf } from "../../text/iso8601.ts";

/**
 * The order of two values as conditions compare them: numbers, and strings that are written as JSON numbers, by value; ISO 8601
 * timestamps (`yyyy-mm-ddThh:mm:ss[.f](Z|±hh:mm)`, to the millisecond) by time; other strings by UTF-16 unit. Negative, zero or positive; undefined
 * where there is no order.
 */
export function orderOf(a: Json, b: Json): number | undefined {
  const numbers = both(numberOf, a, b) ?? both(timeOf, a, b);
  if (numbers) return Math.sign(numbers[0] - numbers[1] || 0) || (numbers[0] === numbers[1] ? 0 : undefined);
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return a < b ? -1 : Number(a > b);
}

/** The time of an ISO 8601 timestamp in the form that `orderOf` gives, in milliseconds since 1970 (digits beyond are cut off); undefined for anything else. */
export function timeOf(value: Json): number | undefined {
  if (typeof value !== "string" || value.length > 64) return undefined;
  const [, local, fraction, offset] = timestamp.exec(value) ?? [];
  return local === undefined ? undefined : instantOf(local, fraction, offset);
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d))$/;

/** A number, or the number that a text writes as JSON does; undefined for anything else. */
export function numberOf(value: Json): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && number.test(value) ? Number(value) : undefined;
}

function both(read: (value: Json) => number | undefined, a: Json, b: Json): readonly [number, number] | undefined {
  const [x, y] = [read(a), read(b)];
  return x === undefined || y === undefined ? undefined : [x, y];
}
