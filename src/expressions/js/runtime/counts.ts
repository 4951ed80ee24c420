import type { Json } from "../../../json.ts";
import { minus } from "../../library/arithmetic.ts";
import { raise, raiseLimit } from "../../library/failure.ts";

/**
 * The number of outputs that `limit` or `skip` counts. A value other than a number that is greater than all numbers
 * fails only when it is counted.
 */
export function countOf(count: Json, name: string): Json {
  const tooSmall = typeof count === "number" ? !(count >= 0) : count === null || typeof count === "boolean";
  return tooSmall ? raise(`${name} doesn't support negative count`) : count;
}

/** A count less 1. */
export function lessOne(count: Json): number {
  return typeof count === "number" ? count - 1 : (minus(count, 1) as number);
}

/** Ends an expression whose loops go round too often. */
export function endSteps(): never {
  return raiseLimit("An expression takes too many steps.");
}

/** The error of a failing expression: an overflow of the stack, of a string or of an array is a limit error. */
export function asLimit(error: unknown): unknown {
  return error instanceof RangeError ? raiseLimit("An expression needs too much memory.") : error;
}

/** A bound of a range. */
export function rangeBound(bound: Json): number {
  return typeof bound === "number" ? bound : raise("Range bounds must be numeric");
}
