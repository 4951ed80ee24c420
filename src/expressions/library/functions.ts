import type { Json } from "../../json.ts";
import { isNegative, numeric } from "./numbers.ts";

/** `acos`. */
export function acos(input: Json): number {
  return Math.acos(numeric(input));
}

/** `asin`. */
export function asin(input: Json): number {
  return Math.asin(numeric(input));
}

/** `atan`. */
export function atan(input: Json): number {
  return Math.atan(numeric(input));
}

/** `atan2(y; x)`. A zero is positive, because JSON does not keep the sign of one. */
export function atan2(y: Json, x: Json): number {
  const [b, a] = [numeric(y) + 0, numeric(x) + 0];
  const quotient = Math.abs(b / a);
  if (!(a < 0) || !(quotient > 0) || Math.abs(b) === Infinity) return Math.atan2(b, a);
  if (exponentBits(b) > exponentBits(a) + 64 * 1048576) return b < 0 ? -Math.PI / 2 : Math.PI / 2;
  const rest = Math.atan(quotient) - 1.2246467991473532e-16;
  return b < 0 ? rest - Math.PI : Math.PI - rest;
}

function exponentBits(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getUint32(0) % 2147483648;
}

/** `atanh`. */
export function atanh(input: Json): number {
  return Math.atanh(numeric(input));
}

/** `cbrt`. */
export function cbrt(input: Json): number {
  return Math.cbrt(numeric(input));
}

/** `expm1`. */
export function expm1(input: Json): number {
  return Math.expm1(numeric(input));
}

/** `log1p`. */
export function log1p(input: Json): number {
  return Math.log1p(numeric(input));
}

/** `tan`. */
export function tan(input: Json): number {
  return Math.tan(numeric(input));
}

/** `tanh`, computed from `expm1`. */
export function tanh(input: Json): number {
  const value = numeric(input);
  const size = Math.abs(value);
  if (!(size >= 2.2250738585072014e-308)) return value;
  const result = tanhOfPositive(size);
  return isNegative(value) ? -result : result;
}

function tanhOfPositive(value: number): number {
  if (value > 22) return 1;
  if (value >= 0.5493063926696777) return 1 - 2 / (Math.expm1(2 * value) + 2);
  if (value >= 0.2554128170013428) {
    const power = Math.expm1(2 * value);
    return power / (power + 2);
  }
  const power = Math.expm1(-2 * value);
  return -power / (power + 2);
}

/** `exp`. */
export function exp(input: Json): number {
  return Math.exp(numeric(input));
}

/** `exp2`. */
export function exp2(input: Json): number {
  return 2 ** numeric(input);
}

/** `exp10`. */
export function exp10(input: Json): number {
  return 10 ** numeric(input);
}

/** `pow(base; exponent)`. A zero is positive, because JSON does not keep the sign of one. */
export function pow(base: Json, exponent: Json): number {
  const [x, y] = [numeric(base) + 0, numeric(exponent)];
  if (x === 1 || y === 0) return 1;
  return x === -1 && Math.abs(y) === Infinity ? 1 : x ** y;
}

/** `log`. */
export function log(input: Json): number {
  return Math.log(numeric(input));
}

/** `log2`. */
export function log2(input: Json): number {
  return Math.log2(numeric(input));
}

/** `log10`. */
export function log10(input: Json): number {
  return Math.log10(numeric(input));
}

/** `sin`. */
export function sin(input: Json): number {
  return Math.sin(numeric(input));
}

/** `cos`. */
export function cos(input: Json): number {
  return Math.cos(numeric(input));
}

/** `sinh`. */
export function sinh(input: Json): number {
  return Math.sinh(numeric(input));
}

/** `cosh`. */
export function cosh(input: Json): number {
  return Math.cosh(numeric(input));
}

/** `asinh`. */
export function asinh(input: Json): number {
  return Math.asinh(numeric(input));
}

/** `acosh`. */
export function acosh(input: Json): number {
  return Math.acosh(numeric(input));
}
