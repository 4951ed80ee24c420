import { type Fuel, fuelOf, spend, union, unite, uniteObjects } from "./lattice.ts";
import { alternatives, areObjects, memberOf, objectsOf, withoutObjects } from "./members.ts";
import {
  any,
  anyObject,
  isNever,
  type MemberType,
  never,
  nullType,
  type ObjectType,
  objectOf,
  recordOf,
  type Type,
} from "./type.ts";

const maxDepth = 12;

/** The type of `merge(target, value)`. */
export function mergeTypes(target: Type, value: Type): Type {
  const fuel = fuelOf(2_000);
  return union(withoutObjects(value), mergeObjects(objectsOf(target), objectsOf(value), fuel, maxDepth));
}

/** The type of `assign(target, value)`. */
export const assignType = (target: Type, value: Type): Type =>
  union(withoutObjects(value), shallowMerge(objectsOf(target), objectsOf(value)));

/** The type of `mergeResult(target, value, key)`, or of `assignResult` if `merge` is `assignType`. */
export function mergeResultTypes(target: Type, value: Type, key: Type, merge = mergeTypes): Type {
  const parts = alternatives(value);
  const objects = parts.filter(({ kind }) => kind === "object");
  const others = parts.filter(({ kind }) => kind !== "object" && kind !== "null");
  const isNamed = key.kind === "literal" && typeof key.value === "string";
  const keyed = isNamed ? recordOf([[String(key.value), union(...others)]]) : anyObject;
  return union(
    parts.some(({ kind }) => kind === "null") ? target : never,
    objects.length > 0 ? merge(target, union(...objects)) : never,
    others.length > 0 ? merge(target, keyed) : never,
  );
}

/** The type of `place(target, path, value)`. */
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

/** Sets the type of one member. */
export function withMember(object: ObjectType, name: string, type: Type, required = true): Type {
  const known = object.members.get(name);
  const documentation = known?.documentation === undefined ? {} : { documentation: known.documentation };
  return objectOf(new Map(object.members).set(name, { type, required, ...documentation }), object.rest, object.origin);
}

/** The type of `difference(value, base)`. */
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
  const members = new Map<string, MemberType>();
  for (const [name, member] of object.members)
    members.set(name, { ...member, type: partial(member.type), required: false });
  return objectOf(members, isNever(object.rest) ? never : any, object.origin);
}

/** The type of `left + right` for objects. */
export const shallowMerge = (left: readonly ObjectType[], right: readonly ObjectType[]): Type =>
  combinePairs(left, right, fuelOf(2_000), (_, after) => after);

/** The type of `left * right` for objects. */
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
  const members = new Map<string, MemberType>();
  for (const name of names) members.set(name, combineMember(left, right, name, fuel, blend));
  const rest = isNever(right.rest)
    ? left.rest
    : uniteLazily(left.rest, right.rest, () => blend(left.rest, right.rest), fuel);
  return objectOf(members, rest, isNever(right.rest) ? left.origin : undefined);
}

function combineMember(
  left: ObjectType,
  right: ObjectType,
  name: string,
  fuel: Fuel,
  blend: CombineMembers,
): MemberType {
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

const uniteLazily = (a: Type, b: Type, third: () => Type, fuel: Fuel): Type =>
  a.kind === "any" ? a : b.kind === "any" ? b : unite([a, third(), b], fuel);
