import { any, equalTypes, type Type, union } from "../../types/index.ts";

/**
 * The shapes of all variables that can be seen at a place. They are never changed; what is made of them shares with them what stays the same, so that
 * a thousand places with a thousand variables each, most of them the same, take neither the time nor the memory of a million.
 */
export interface Variables {
  get(name: string): Type | undefined;
  readonly parts: Parts;
  /** The places of all names that were ever seen, in all that is made of one beginning. */
  readonly places: Map<string, number>;
}

/** The shapes by the places of their names, so many in one part. */
type Parts = readonly (Part | undefined)[];
type Part = readonly (Type | undefined)[];

const partSize = 32;

/** No variables. */
export const noVariables = (): Variables => variablesOf([], new Map());

const variablesOf = (parts: Parts, places: Map<string, number>): Variables => ({
  parts,
  places,
  get(name) {
    const place = places.get(name);
    return place === undefined ? undefined : parts[Math.floor(place / partSize)]?.[place % partSize];
  },
});

/** Variables with other shapes for some; a name that is absent is nobody's. */
export function assigned(variables: Variables, values: readonly (readonly [string | undefined, Type])[]): Variables {
  const { places } = variables;
  const changed = new Map<number, (Type | undefined)[]>();
  for (const [name, type] of values) {
    if (name === undefined) continue;
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    const index = Math.floor(place / partSize);
    const part = changed.get(index) ?? [...(variables.parts[index] ?? [])];
    part[place % partSize] = type;
    changed.set(index, part);
  }
  if (changed.size === 0) return variables;
  const parts = [...variables.parts];
  for (const [index, part] of changed) parts[index] = part;
  return variablesOf(parts, places);
}

/** What holds where two ways meet. */
export const joined = (a: Variables, b: Variables): Variables =>
  merged(a, b, (left, right) => (left && right ? union(left, right) : (left ?? right)));

/** What holds where a way has been gone very often: a variable that still changes can be anything. */
export const widened = (before: Variables, now: Variables): Variables =>
  merged(before, now, (left, right) => (right && isSame(left, right) ? left : any));

/** Whether all variables have the same shapes. */
export function areEqual(a: Variables, b: Variables): boolean {
  for (let i = 0; i < Math.max(a.parts.length, b.parts.length); i++) {
    const [left = [], right = []] = [a.parts[i], b.parts[i]];
    if (left === right) continue;
    for (let j = 0; j < Math.max(left.length, right.length); j++) if (!isSame(left[j], right[j])) return false;
  }
  return true;
}

/** Each variable of one or the other as `merge` says; those that are the same in both stay. */
function merged(
  a: Variables,
  b: Variables,
  merge: (left: Type | undefined, right: Type | undefined) => Type | undefined,
): Variables {
  const parts: (Part | undefined)[] = [];
  for (let i = 0; i < Math.max(a.parts.length, b.parts.length); i++)
    parts.push(mergedPart(a.parts[i], b.parts[i], merge));
  return parts.length === a.parts.length && parts.every((part, i) => part === a.parts[i])
    ? a
    : variablesOf(parts, a.places);
}

function mergedPart(
  a: Part | undefined,
  b: Part | undefined,
  merge: (left: Type | undefined, right: Type | undefined) => Type | undefined,
): Part | undefined {
  if (a === b || !b) return a;
  if (!a) return b;
  const types: (Type | undefined)[] = [];
  for (let j = 0; j < Math.max(a.length, b.length); j++) types.push(a[j] === b[j] ? a[j] : merge(a[j], b[j]));
  return types.length === a.length && types.every((type, j) => type === a[j]) ? a : types;
}

const isSame = (a: Type | undefined, b: Type | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && equalTypes(a, b));
