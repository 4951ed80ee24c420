import { type Json, setOwn } from "../../json.ts";
import { raiseLimit } from "./failure.ts";

/** A value as JSON carries it, and as jq prints it: infinity is the largest double, NaN null, and -0 zero. */
export function toJsonValue(value: Json): Json {
  if (isJsonExact(value)) return value;
  const whole = { value };
  const open: { [key: string]: Json }[] = [whole];
  for (let top = open.pop(); top; top = open.pop()) {
    for (const [key, inner] of Object.entries(top)) {
      if (typeof inner === "number") setOwn(top, key, toJsonNumber(inner));
      if (typeof inner !== "object" || inner === null) continue;
      const copy = Array.isArray(inner) ? inner.slice() : { ...inner };
      setOwn(top, key, copy);
      open.push(copy as { [key: string]: Json });
    }
  }
  return whole.value;
}

/** Whether JSON represents a value exactly: no infinity, NaN or -0. */
export function isJsonExact(value: Json): boolean {
  if (typeof value === "number") return isJsonNumber(value);
  const open = [value];
  let parts = 0;
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (typeof top !== "object" || top === null) continue;
    const inside = Object.values(top);
    parts += inside.length;
    if (parts > maxParts) raiseLimit("A value is too large.");
    for (const inner of inside) {
      if (typeof inner === "number" && !isJsonNumber(inner)) return false;
      if (typeof inner === "object") open.push(inner);
    }
  }
  return true;
}

/** Values with shared substructure may be exponentially large. */
const maxParts = 10_000_000;

const toJsonNumber = (value: number): number | null =>
  Number.isNaN(value) ? null : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) + 0;

const isJsonNumber = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);
