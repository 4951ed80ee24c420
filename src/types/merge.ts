import { type Fuel, fuelOf, spend, union, unite, uniteObjects } from "./lattice.ts";
import { alternatives, areObjects, memberOf, objectsOf, withoutObjects } from "./members.ts";
import {
  any,
  anyObject,
  isNever,
  type Member,
  never,
  nullType,
  type ObjectType,
  objectOf,
  recordOf,
  type Type,
} from "./type.ts";

/** How deep members are told apart: deeper ones can be anything. */
const maxDepth = 12;

/** `merge(target, value)`: of two objects member by member, recursively; else the value. An object goes into an object only. */
export function mergeTypes(target: Type, value: Type): Type {
  const fuel = fuelOf(2_000);
  return union(withoutObjects(value), mergeObjects(objectsOf(target), objectsOf(value), fuel, maxDepth));
}

/** `mergeResult(target, value, key)`: null leaves the target as it is, an object is merged into it, anything else becomes its member `key`. */
export function mergeResultTypes(target: Type, value: Type, key: Type): Type {
  const parts = alternatives(value);
  const objects = parts.filter(({ kind }) => kind === "object");
  const others = parts.filter(({ kind }) => kind !== "object" && kind !== "null");
  const isNamed = key.kind === "literal" && typeof key.value === "string";
  const keyed = isNamed ? recordOf([[String(key.value), union(...others)]]) : anyObject;
  return union(
    parts.some(({ kind }) => kind === "null") ? target : never,
    objects.length > 0 ? mergeTypes(target, union(...objects)) : never,
    others.length > 0 ? mergeTypes(target, keyed) : never,
  );
}

/** `place(target, path, value)`: objects with the value at a chain of names, made on the way where there are none. */
export function placeType(target: Type, names: readonly string[], value: Type): Type {
  const [name, ...others] = names;
  if (name === undefined) return value;
  if (names.length > maxDepth) return anyObject;
  return union(
    ...objectsOf(target).map((object) => withMember(object, name, placeInMember(object, name, others, value))),
  );
}

function placeInMember(object: ObjectType, name: string, others: readonly string[], value: Type): Type {
  if (others.length === 0) return value;
  const { type, presence } = memberOf(object, name);
  const isMade = presence !== "always" || !areObjects(type);
  return union(placeType(type, others, value), isMade ? placeType(recordOf([]), others, value) : never);
}

/** An object whose member of that name is this one. */
export function withMember(object: ObjectType, name: string, type: Type, required = true): Type {
  const known = object.members.get(name);
  const documentation = known?.documentation === undefined ? {} : { documentation: known.documentation };
  return objectOf(new Map(object.members).set(name, { type, required, ...documentation }), object.rest, object.origin);
}

/** `difference(value, base)`: of two objects members of the value, all of them perhaps; null where both are equal; else the value. */
export function differenceType(value: Type, base: Type): Type {
  const objects = objectsOf(value);
  const bases = objectsOf(base);
  const bothAreObjects = areObjects(value) && areObjects(base);
  const changed = bases.length > 0 ? objects.map((object) => differenceObject(object, fuelOf(500), maxDepth)) : [];
  return bothAreObjects ? union(...changed) : union(nullType, value, ...changed);
}

function differenceObject(object: ObjectType, fuel: Fuel, depth: number): Type {
  if (!spend(fuel) || depth === 0) return anyObject;
  const partial = (type: Type) =>
    unite([type, ...objectsOf(type).map((inner) => differenceObject(inner, fuel, depth - 1))], fuel);
  const members = new Map<string, Member>();
  for (const [name, member] of object.members)
    members.set(name, { ...member, type: partial(member.type), required: false });
  return objectOf(members, isNever(object.rest) ? never : any, object.origin);
}

/** `left + right` of objects: each member is the one of the right side, where that has it. */
export const shallowMerge = (left: readonly ObjectType[], right: readonly ObjectType[]): Type =>
  combinePairs(left, right, fuelOf(2_000), (_, after) => after);

/** Objects merged at all levels. */
export const deepMerge = (left: readonly ObjectType[], right: readonly ObjectType[]): Type =>
  mergeObjects(left, right, fuelOf(2_000), maxDepth);

function mergeObjects(targets: readonly ObjectType[], values: readonly ObjectType[], fuel: Fuel, depth: number): Type {
  const blended = (before: Type, after: Type): Type => {
    if (after.kind === "any") return after;
    const inner = objectsOf(after);
    const outer = inner.length > 0 ? objectsOf(before) : [];
    if (outer.length === 0) return after;
    const keepsAfter = !areObjects(before) || !areObjects(after);
    return unite([mergeObjects(outer, inner, fuel, depth - 1), ...(keepsAfter ? [after] : [])], fuel);
  };
  if (depth === 0) return targets.length > 0 && values.length > 0 ? anyObject : never;
  return combinePairs(targets, values, fuel, blended);
}

type CombineMembers = (before: Type, after: Type) => Type;

/** Every object of the one side with every object of the other. */
function combinePairs(
  left: readonly ObjectType[],
  right: readonly ObjectType[],
  fuel: Fuel,
  blend: CombineMembers,
): Type {
  if (left.length * right.length > 16) return combinePairs(asOne(left, fuel), asOne(right, fuel), fuel, blend);
  return unite(
    left.flatMap((before) => right.map((after) => combineObjects(before, after, fuel, blend))),
    fuel,
  );
}

const asOne = (objects: readonly ObjectType[], fuel: Fuel): readonly ObjectType[] =>
  objectsOf(uniteObjects(objects, fuel));

function combineObjects(left: ObjectType, right: ObjectType, fuel: Fuel, blend: CombineMembers): Type {
  if (!spend(fuel)) return anyObject;
  const names = new Set([...left.members.keys(), ...right.members.keys()]);
  const members = new Map<string, Member>();
  for (const name of names) members.set(name, combineMember(left, right, name, fuel, blend));
  const rest = isNever(right.rest)
    ? left.rest
    : uniteLazily(left.rest, right.rest, () => blend(left.rest, right.rest), fuel);
  return objectOf(members, rest, isNever(right.rest) ? left.origin : undefined);
}

function combineMember(left: ObjectType, right: ObjectType, name: string, fuel: Fuel, blend: CombineMembers): Member {
  const [first, second] = [left.members.get(name), right.members.get(name)];
  if (first && !second && isNever(right.rest)) return first;
  if (second?.required && !first && isNever(left.rest)) return second;
  const [before, after] = [memberOf(left, name), memberOf(right, name)];
  const documentation = (first ?? second)?.documentation;
  const both = () => (before.presence === "never" ? after.type : blend(before.type, after.type));
  const alone = before.presence === "always" ? never : after.type;
  const kept = after.presence === "always" ? never : before.type;
  const type = after.presence === "never" ? before.type : uniteLazily(kept, alone, both, fuel);
  const required = before.presence === "always" || after.presence === "always";
  return { type, required, ...(documentation === undefined ? {} : { documentation }) };
}

/** Two shapes and a third one, which is not made where nothing is known of one of them. */
const uniteLazily = (a: Type, b: Type, third: () => Type, fuel: Fuel): Type =>
  a.kind === "any" ? a : b.kind === "any" ? b : unite([a, third(), b], fuel);
