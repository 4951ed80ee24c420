import type { Json } from "../../../json.ts";
import { minus } from "../../library/arithmetic.ts";
import { raise } from "../../library/failure.ts";

/** How many outputs `limit` or `skip` has to count. What is no number but greater than all of them fails only when it comes to counting. */
export function countOf(count: Json, name: string): Json {
  const tooSmall = typeof count === "number" ? !(count >= 0) : count === null || typeof count === "boolean";
  return tooSmall ? raise(`${name} doesn't support negative count`) : count;
}

/** A count less 1. */
export function lessOne(count: Json): number {
  return typeof count === "number" ? count - 1 : (minus(count, 1) as number);
}

/** A bound of a range. */
export function rangeBound(bound: Json): number {
  return typeof bound === "number" ? bound : raise("Range bounds must be numeric");
}
