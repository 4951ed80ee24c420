import { equalShapes } from "../../shapes/equal.ts";
import { any, type Shape } from "../../shapes/shape.ts";
import { union } from "../../shapes/union.ts";

/** The shapes of all variables that can be seen at a place. */
export type Variables = ReadonlyMap<string, Shape>;

/** What holds where two ways meet. */
export function joined(a: Variables, b: Variables): Variables {
  if (a === b) return a;
  const names = new Set([...a.keys(), ...b.keys()]);
  return new Map(
    Array.from(names, (name) => [name, union(...[a.get(name), b.get(name)].filter((shape) => shape !== undefined))]),
  );
}

/** What holds where a way has been gone very often: a variable that still changes can be anything. */
export function widened(before: Variables, now: Variables): Variables {
  return new Map(Array.from(now, ([name, shape]) => [name, isSame(before.get(name), shape) ? shape : any]));
}

/** Whether all variables have the same shapes. */
export const areEqual = (a: Variables, b: Variables): boolean =>
  a === b || (a.size === b.size && Array.from(a).every(([name, shape]) => isSame(b.get(name), shape)));

const isSame = (a: Shape | undefined, b: Shape): boolean => a !== undefined && equalShapes(a, b);

/** Variables with other shapes for some. */
export function assigned(variables: Variables, values: readonly (readonly [string | undefined, Shape])[]): Variables {
  const changed = values.filter((value): value is readonly [string, Shape] => value[0] !== undefined);
  return changed.length === 0 ? variables : new Map([...variables, ...changed]);
}
