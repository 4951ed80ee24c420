import { type Fuel, fuelOf, spend, union, unite, uniteObjects } from "./lattice.ts";
import { alternatives, areObjects, memberOf, objectsOf, withoutObjects } from "./members.ts";
import {
  any,
  anyObject,
  isNever,
  type Member,
  never,
  nullShape,
  type ObjectShape,
  objectOf,
  recordOf,
  type Shape,
} from "./type.ts";

/** How deep members are told apart: deeper ones can be anything. */
const deepest = 12;

/** `merge(target, value)`: of two objects member by member, recursively; else the value. An object goes into an object only. */
export function mergeShapes(target: Shape, value: Shape): Shape {
  const fuel = fuelOf(2_000);
  return union(withoutObjects(value), mergedObjects(objectsOf(target), objectsOf(value), fuel, deepest));
}

/** `mergeResult(target, value, key)`: null leaves the target as it is, an object is merged into it, anything else becomes its member `key`. */
export function mergeResultShapes(target: Shape, value: Shape, key: Shape): Shape {
  const parts = alternatives(value);
  const objects = parts.filter(({ kind }) => kind === "object");
  const others = parts.filter(({ kind }) => kind !== "object" && kind !== "null");
  const isNamed = key.kind === "literal" && typeof key.value === "string";
  const keyed = isNamed ? recordOf([[String(key.value), union(...others)]]) : anyObject;
  return union(
    parts.some(({ kind }) => kind === "null") ? target : never,
    objects.length > 0 ? mergeShapes(target, union(...objects)) : never,
    others.length > 0 ? mergeShapes(target, keyed) : never,
  );
}

/** `place(target, path, value)`: objects with the value at a chain of names, made on the way where there are none. */
export function placeShape(target: Shape, names: readonly string[], value: Shape): Shape {
  const [name, ...others] = names;
  if (name === undefined) return value;
  if (names.length > deepest) return anyObject;
  return union(
    ...objectsOf(target).map((object) => withMember(object, name, placedWithin(object, name, others, value))),
  );
}

function placedWithin(object: ObjectShape, name: string, others: readonly string[], value: Shape): Shape {
  if (others.length === 0) return value;
  const { shape, presence } = memberOf(object, name);
  const isMade = presence !== "always" || !areObjects(shape);
  return union(placeShape(shape, others, value), isMade ? placeShape(recordOf([]), others, value) : never);
}

/** An object whose member of that name is this one. */
export function withMember(object: ObjectShape, name: string, shape: Shape, required = true): Shape {
  const known = object.members.get(name);
  const documentation = known?.documentation === undefined ? {} : { documentation: known.documentation };
  return objectOf(new Map(object.members).set(name, { shape, required, ...documentation }), object.rest, object.origin);
}

/** `difference(value, base)`: of two objects members of the value, all of them perhaps; null where both are equal; else the value. */
export function differenceShape(value: Shape, base: Shape): Shape {
  const objects = objectsOf(value);
  const bases = objectsOf(base);
  const bothAreObjects = areObjects(value) && areObjects(base);
  const changed = bases.length > 0 ? objects.map((object) => partOf(object, fuelOf(500), deepest)) : [];
  return bothAreObjects ? union(...changed) : union(nullShape, value, ...changed);
}

function partOf(object: ObjectShape, fuel: Fuel, depth: number): Shape {
  if (!spend(fuel) || depth === 0) return anyObject;
  const partial = (shape: Shape) =>
    unite([shape, ...objectsOf(shape).map((inner) => partOf(inner, fuel, depth - 1))], fuel);
  const members = new Map<string, Member>();
  for (const [name, member] of object.members)
    members.set(name, { ...member, shape: partial(member.shape), required: false });
  return objectOf(members, isNever(object.rest) ? never : any, object.origin);
}

/** `left + right` of objects: each member is the one of the right side, where that has it. */
export const overlaid = (left: readonly ObjectShape[], right: readonly ObjectShape[]): Shape =>
  paired(left, right, fuelOf(2_000), (_, after) => after);

/** Objects merged at all levels. */
export const mergedDeeply = (left: readonly ObjectShape[], right: readonly ObjectShape[]): Shape =>
  mergedObjects(left, right, fuelOf(2_000), deepest);

function mergedObjects(
  targets: readonly ObjectShape[],
  values: readonly ObjectShape[],
  fuel: Fuel,
  depth: number,
): Shape {
  const blended = (before: Shape, after: Shape): Shape => {
    if (after.kind === "any") return after;
    const inner = objectsOf(after);
    const outer = inner.length > 0 ? objectsOf(before) : [];
    if (outer.length === 0) return after;
    const keepsAfter = !areObjects(before) || !areObjects(after);
    return unite([mergedObjects(outer, inner, fuel, depth - 1), ...(keepsAfter ? [after] : [])], fuel);
  };
  if (depth === 0) return targets.length > 0 && values.length > 0 ? anyObject : never;
  return paired(targets, values, fuel, blended);
}

type Blend = (before: Shape, after: Shape) => Shape;

/** Every object of the one side with every object of the other. */
function paired(left: readonly ObjectShape[], right: readonly ObjectShape[], fuel: Fuel, blend: Blend): Shape {
  if (left.length * right.length > 16) return paired(asOne(left, fuel), asOne(right, fuel), fuel, blend);
  return unite(
    left.flatMap((before) => right.map((after) => blendedObject(before, after, fuel, blend))),
    fuel,
  );
}

const asOne = (objects: readonly ObjectShape[], fuel: Fuel): readonly ObjectShape[] =>
  objectsOf(uniteObjects(objects, fuel));

function blendedObject(left: ObjectShape, right: ObjectShape, fuel: Fuel, blend: Blend): Shape {
  if (!spend(fuel)) return anyObject;
  const names = new Set([...left.members.keys(), ...right.members.keys()]);
  const members = new Map<string, Member>();
  for (const name of names) members.set(name, blendedMember(left, right, name, fuel, blend));
  const rest = isNever(right.rest)
    ? left.rest
    : united(left.rest, right.rest, () => blend(left.rest, right.rest), fuel);
  return objectOf(members, rest, isNever(right.rest) ? left.origin : undefined);
}

function blendedMember(left: ObjectShape, right: ObjectShape, name: string, fuel: Fuel, blend: Blend): Member {
  const [first, second] = [left.members.get(name), right.members.get(name)];
  if (first && !second && isNever(right.rest)) return first;
  if (second?.required && !first && isNever(left.rest)) return second;
  const [before, after] = [memberOf(left, name), memberOf(right, name)];
  const documentation = (first ?? second)?.documentation;
  const both = () => (before.presence === "never" ? after.shape : blend(before.shape, after.shape));
  const alone = before.presence === "always" ? never : after.shape;
  const kept = after.presence === "always" ? never : before.shape;
  const shape = after.presence === "never" ? before.shape : united(kept, alone, both, fuel);
  const required = before.presence === "always" || after.presence === "always";
  return { shape, required, ...(documentation === undefined ? {} : { documentation }) };
}

/** Two shapes and a third one, which is not made where nothing is known of one of them. */
const united = (a: Shape, b: Shape, third: () => Shape, fuel: Fuel): Shape =>
  a.kind === "any" ? a : b.kind === "any" ? b : unite([a, third(), b], fuel);
