import type { Json } from "../../json.ts";
import { raise, raiseOne } from "./failure.ts";

/** A number; fails for other values. */
export function numeric(value: Json): number {
  return typeof value === "number" ? value : raiseOne(value, "number required");
}

/** `floor`. */
export function floor(input: Json): number {
  return Math.floor(numeric(input));
}

/** `ceil`. */
export function ceil(input: Json): number {
  return Math.ceil(numeric(input));
}

/** `trunc`. */
export function trunc(input: Json): number {
  return Math.trunc(numeric(input));
}

/** `round`: halves away from zero. */
export function round(input: Json): number {
  const value = numeric(input);
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

/** `rint`, `nearbyint`: halves to even. */
export function rint(input: Json): number {
  const value = numeric(input);
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  return rest > 0.5 || (rest === 0.5 && whole % 2 !== 0) ? whole + Math.sign(value) : whole;
}

/** `fabs`. */
export function fabs(input: Json): number {
  return Math.abs(numeric(input));
}

/** `sqrt`. */
export function sqrt(input: Json): number {
  return Math.sqrt(numeric(input));
}

/** `fmin(a; b)`; ignores nan. */
export function fmin(left: Json, right: Json): number {
  const [a, b] = [numeric(left), numeric(right)];
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
}

/** `fmax(a; b)`; ignores nan. */
export function fmax(left: Json, right: Json): number {
  const [a, b] = [numeric(left), numeric(right)];
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}

/** `fdim(a; b)`. */
export function fdim(left: Json, right: Json): number {
  const [a, b] = [numeric(left), numeric(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? NaN : a > b ? a - b : 0;
}

/** `fmod(a; b)`, with the sign of the first number. */
export function fmod(left: Json, right: Json): number {
  const [a, b] = [numeric(left), numeric(right)];
  return a % b;
}

/** `drem(a; b)`, `remainder(a; b)`: the IEEE 754 remainder. */
export function remainder(left: Json, right: Json): number {
  const [a, b] = [numeric(left), numeric(right)];
  const size = Math.abs(b);
  if (Number.isNaN(a) || Number.isNaN(b) || Math.abs(a) === Infinity || size === 0) return NaN;
  let rest = Math.abs(a) % (2 * size);
  if (rest > size - rest) {
    rest -= size;
    if (rest >= size - rest) rest -= size;
  }
  return isNegative(a) ? -rest : rest;
}

/** Whether the sign bit is set, as for -0. */
export function isNegative(value: number): boolean {
  return value < 0 || 1 / value < 0;
}

/** `copysign(a; b)`. A zero is positive, because JSON does not keep the sign of one. */
export function copysign(left: Json, right: Json): number {
  const [a, b] = [numeric(left), numeric(right)];
  return b < 0 ? -Math.abs(a) : Math.abs(a);
}

/** `gamma`: always fails in jq 1.8. */
export function gamma(): never {
  return raise("Error: gamma/0 not found at build time");
}
