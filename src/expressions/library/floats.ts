import type { Json } from "../../json.ts";
import { isNegative, numeric } from "./numbers.ts";

/** Splits a number into a fraction from 0.5 to 1 and a power of two. */
export function fractionAndExponent(value: number): readonly [number, number] {
  if (value === 0 || Number.isNaN(value) || Math.abs(value) === Infinity) return [value, 0];
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getUint32(0);
  const exponent = (bits >>> 20) & 0x7ff;
  if (exponent === 0) {
    const [fraction, power] = fractionAndExponent(value * 18014398509481984);
    return [fraction, power - 54];
  }
  view.setUint32(0, ((bits & 0x800fffff) | 0x3fe00000) >>> 0);
  return [view.getFloat64(0), exponent - 1022];
}

/** Multiplies by a power of two, rounding once. */
export function scaled(value: number, power: number): number {
  let result = value;
  let rest = Math.max(-2100, Math.min(2100, Math.trunc(power) || 0));
  for (; rest > 1023; rest -= 1023) result *= 8.98846567431158e307;
  for (; rest < -969 && rest < -1022; rest += 969) result *= 2.004168360008973e-292;
  return result * powerOfTwo(rest);
}

function powerOfTwo(power: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, (power + 1023) * 1048576);
  return view.getFloat64(0);
}

/** `frexp`. */
export function frexp(input: Json): Json[] {
  return Array.from(fractionAndExponent(numeric(input)));
}

/** `modf`: the fractional and integral parts. */
export function modf(input: Json): Json[] {
  const value = numeric(input);
  const whole = Math.trunc(value);
  const rest = Math.abs(value) === Infinity ? 0 : Math.abs(value - whole);
  return [isNegative(value) ? -rest : !Number.isNaN(value) ? rest : value, whole];
}

/** `ldexp(value; power)`, `scalbln(value; power)`; the power is truncated. */
export function ldexp(value: Json, power: Json): number {
  const [x, n] = [numeric(value), numeric(power)];
  return scaled(x, n);
}

/** `scalb(value; power)`; nan unless the power is integral. */
export function scalb(value: Json, power: Json): number {
  const [x, n] = [numeric(value), numeric(power)];
  if (n === Infinity) return x * n;
  if (n === -Infinity) return x / Infinity;
  return n === Math.trunc(n) ? scaled(x, n) : NaN;
}

/** `logb`: the binary exponent. */
export function logb(input: Json): number {
  const value = Math.abs(numeric(input));
  if (value === 0) return -Infinity;
  return value < Infinity ? fractionAndExponent(value)[1] - 1 : value;
}

/** `significand`. */
export function significand(input: Json): number {
  const value = numeric(input);
  return value === 0 || Math.abs(value) === Infinity ? value : fractionAndExponent(value)[0] * 2;
}

/** `nextafter(from; to)`, `nexttoward(from; to)`. */
export function nextafter(from: Json, to: Json): number {
  const [x, y] = [numeric(from), numeric(to)];
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? 5e-324 : -5e-324;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const step = x < y === x > 0 ? 1 : -1;
  const low = view.getUint32(4) + step;
  view.setUint32(4, low);
  view.setUint32(0, view.getUint32(0) + (low > 0xffffffff ? 1 : low < 0 ? -1 : 0));
  return view.getFloat64(0);
}

/** `hypot(a; b)`. */
export function hypot(left: Json, right: Json): number {
  const [a, b] = [Math.abs(numeric(left)), Math.abs(numeric(right))];
  if (a === Infinity || b === Infinity) return Infinity;
  const [long, short] = a > b ? [a, b] : [b, a];
  if (Number.isNaN(long) || Number.isNaN(short)) return NaN;
  if (short === 0 || fractionAndExponent(long)[1] - fractionAndExponent(short)[1] > 64) return long + short;
  const factor = long >= 6.703903964971299e153 ? 2 ** 700 : short < 3.4395525670743494e-136 ? 2 ** -700 : 1;
  const [x, y] = [long / factor, short / factor];
  const [lowOfX, lowOfY] = [squareError(x), squareError(y)];
  return factor * Math.sqrt(lowOfY + lowOfX + y * y + x * x);
}

function squareError(value: number): number {
  const high = value - value * 134217729 + value * 134217729;
  const low = value - high;
  return high * high - value * value + 2 * high * low + low * low;
}
