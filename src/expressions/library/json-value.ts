import type { Json } from "../../json.ts";
import { raiseLimit } from "./failure.ts";
import { putMember } from "./types.ts";

/** A value with numbers that JSON can carry: NaN is null, and an infinity the largest double. */
export function toFinite(value: Json): Json {
  return hasFiniteNumbers(value) ? value : mapNumbers(value, finiteNumber);
}

/** A value as JSON carries it, and as jq prints it: also -0 is zero. */
export function toJsonValue(value: Json): Json {
  return isJsonExact(value) ? value : mapNumbers(value, jsonNumber);
}

/** Whether a value contains neither NaN nor an infinity. */
export function hasFiniteNumbers(value: Json): boolean {
  return hasOnly(value, Number.isFinite);
}

/** Whether JSON represents a value exactly: no infinity, NaN or -0. */
export function isJsonExact(value: Json): boolean {
  return hasOnly(value, isJsonNumber);
}

/** Values with shared substructure may be exponentially large. */
const maxParts = 10000000;

function finiteNumber(value: number): number | null {
  return Number.isNaN(value) ? null : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

function jsonNumber(value: number): number | null {
  return Number.isNaN(value) ? null : finiteNumber(value)! + 0;
}

function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function hasOnly(value: Json, isAllowed: (number: number) => boolean): boolean {
  if (typeof value === "number") return isAllowed(value);
  const open = [value];
  let parts = 0;
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (typeof top !== "object" || top === null) continue;
    const inside = Object.values(top);
    parts += inside.length;
    if (parts > maxParts) raiseLimit("A value is too large.");
    for (const inner of inside) {
      if (typeof inner === "number" && !isAllowed(inner)) return false;
      if (typeof inner === "object") open.push(inner);
    }
  }
  return true;
}

function mapNumbers(value: Json, convert: (number: number) => Json): Json {
  const whole = { value };
  const open: { [key: string]: Json }[] = [whole];
  for (let top = open.pop(); top; top = open.pop()) {
    for (const [key, inner] of Object.entries(top)) {
      if (typeof inner === "number") putMember(top, key, convert(inner));
      if (typeof inner !== "object" || inner === null) continue;
      const copy = Array.isArray(inner) ? inner.slice() : { ...inner };
      putMember(top, key, copy);
      open.push(copy as { [key: string]: Json });
    }
  }
  return whole.value;
}
