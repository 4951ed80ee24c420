import type { Json, JsonObject } from "../../../../src/json.ts";

/** Draws numbers from a seed: always the same ones. */
export interface Dice {
  /** From 0 inclusive to `sides` exclusive. */
  roll(sides: number): number;
  pick<T>(from: readonly T[]): T;
  /** True so many times of a hundred. */
  chance(percent: number): boolean;
}

/** Dice with a seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (sides: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
  return { roll, pick: (from) => from[roll(from.length)]!, chance: (percent) => roll(100) < percent };
}

const keys = ["a", "b", "c", "list"] as const;

/** A small value, mostly an object. */
export function value(die: Dice, depth = 2): Json {
  if (depth > 0 && die.chance(50)) return members(die, depth);
  if (depth > 0 && die.chance(25)) return Array.from({ length: die.roll(3) }, () => value(die, depth - 1));
  return die.pick<Json>([null, true, false, 0, 1, 2, "x", "y", ""]);
}

/** A small object. */
export const members = (die: Dice, depth = 2): JsonObject =>
  Object.fromEntries(keys.filter(() => die.chance(40)).map((key) => [key, value(die, depth - 1)]));
