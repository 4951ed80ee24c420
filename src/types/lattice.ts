import { assertNever, type Json } from "../json.ts";
import {
  any,
  anyNumber,
  arrayOf,
  boolean,
  integer,
  isNever,
  type LiteralType,
  literal,
  type MemberType,
  type NumberType,
  never,
  nullType,
  number,
  type ObjectType,
  objectOf,
  recordOf,
  type StringType,
  string,
  type Type,
  type TypeDefinition,
} from "./type.ts";

/** The union in normal form; may be wider. */
export const union = (...types: readonly Type[]): Type => unite(types, fuelOf(2_000));

/** The least type that contains `start` and is closed under `step`, or `any`. */
export function fixpoint(start: Type, step: (type: Type) => Type): Type {
  let type = start;
  for (let i = 0; i < maxFixpointSteps; i++) {
    const next = union(type, step(type));
    if (equalTypes(next, type)) return type;
    type = next;
  }
  return any;
}

/** The union; `any` without fuel. */
export function unite(types: readonly Type[], fuel: Fuel): Type {
  if (types.length === 1) return types[0]!;
  for (const type of types) if (type.kind === "any") return type;
  const some = types.filter((type) => !isNever(type));
  const [first = never] = some;
  if (some.every((type) => type === first)) return first;
  if (!spend(fuel)) return any;
  const parts = some.flatMap((type) => (type.kind === "union" ? type.of : [type]));
  const references = [...new Map(partsOf(parts, "reference").map((part) => [part.definition, part])).values()];
  if (references.length > maxReferences) return any;
  const of = [...scalars(parts), ...arrays(parts, fuel), ...objects(partsOf(parts, "object"), fuel), ...references];
  return of.length === 1 ? of[0]! : { kind: "union", of };
}

/** Merges object types. Members of all of them are required. */
export function uniteObjects(objects: readonly ObjectType[], fuel: Fuel): Type {
  const rest = unite([...new Set(objects.map((object) => object.rest))], fuel);
  const listed = new Map<string, MemberType[]>();
  for (const { members } of objects) {
    for (const [name, member] of members) {
      const known = listed.get(name);
      if (known) known.push(member);
      else listed.set(name, [member]);
    }
  }
  const members = Array.from(
    listed,
    ([name, found]) => [name, uniteMember(found, found.length === objects.length ? undefined : rest, fuel)] as const,
  );
  return objectOf(new Map(members), rest, objects.every(({ origin }) => origin) ? objects[0]?.origin : undefined);
}

/** The union of constants. */
export const oneOf = (...values: readonly (boolean | number | string)[]): Type => union(...values.map(literal));

/** The intersection; may contain more of `a` if it is too costly or unknown. */
export function intersect(a: Type, b: Type, resolve: ResolveDefinition, fuel: Fuel, depth = maxReferenceDepth): Type {
  if (a === b || b.kind === "any") return a;
  if (a.kind === "any") return b;
  if (!spend(fuel)) return a;
  if (a.kind === "reference" || b.kind === "reference") return intersectReferences(a, b, resolve, fuel, depth);
  const [left, right] = [partsToIntersect(a), partsToIntersect(b)];
  if (left.length === 1 && right.length === 1) return intersectParts(left[0]!, right[0]!, resolve, fuel, depth);
  if (left.length * right.length > maxPairs) return a;
  return unite(
    left.flatMap((x) => right.map((y) => intersect(x, y, resolve, fuel, depth))),
    fuel,
  );
}

/** The intersection of types whose definitions are complete; may contain more of `a` if it is too costly. */
export const intersection = (a: Type, b: Type): Type => intersect(a, b, ({ type }) => type, fuelOf(2_000));

/** Whether two types are known to have the same structure. */
export const equalTypes = (a: Type, b: Type): boolean => areEqual(a, b, fuelOf(2_000));

/** Whether a type is known to contain all values of another one. */
export const isSubtype = (part: Type, whole: Type): boolean => isContained(part, whole, fuelOf(500));

/** A budget of work: types may have exponentially many paths. */
export interface Fuel {
  left: number;
}

/** Creates a budget. */
export const fuelOf = (left: number): Fuel => ({ left });

/** Spends one unit, if any is left. */
export function spend(fuel: Fuel): boolean {
  fuel.left -= 1;
  return fuel.left >= 0;
}

/** The most precise type of a value; large values are widened. */
export const typeOfValue = (value: Json): Type => valueType(value, fuelOf(2_000), maxValueDepth);

/** The type of a value in a variable: finite and not NaN. */
export const storedType = (type: Type): Type => storedTypeWithin(type, fuelOf(3_000), maxStoredDepth);

const maxLiterals = 32;

const maxObjects = 8;

/** Bounds alternatives, which would multiply with each step. */
const maxOpenObjects = 2;

const maxReferences = 16;

function uniteMember(found: readonly MemberType[], elsewhere: Type | undefined, fuel: Fuel): MemberType {
  const types = found.map((member) => member.type);
  const type = unite(elsewhere ? [...types, elsewhere] : types, fuel);
  const documentation = found.find((member) => member.documentation !== undefined)?.documentation;
  const required = !elsewhere && found.every((member) => member.required);
  return { type, required, ...(documentation === undefined ? {} : { documentation }) };
}

const partsOf = <Kind extends Type["kind"]>(parts: readonly Type[], kind: Kind) =>
  parts.filter((part): part is Extract<Type, { kind: Kind }> => part.kind === kind);

function scalars(parts: readonly Type[]): readonly Type[] {
  const literals = [...new Map(partsOf(parts, "literal").map((part) => [part.value, part])).values()];
  return [
    ...partsOf(parts, "null").slice(0, 1),
    ...booleans(parts, literals),
    ...numbers(partsOf(parts, "number"), literals),
    ...strings(partsOf(parts, "string"), literals),
  ].map((part) => (part.kind === "null" && !part.origin ? nullType : part));
}

function booleans(parts: readonly Type[], literals: readonly LiteralType[]): readonly Type[] {
  const own = literals.filter(({ value }) => typeof value === "boolean");
  const [all] = partsOf(parts, "boolean");
  return all ? [all] : own.length > 1 ? [boolean] : own;
}

function numbers(parts: readonly NumberType[], literals: readonly LiteralType[]): readonly Type[] {
  const own = literals.filter(({ value }) => typeof value === "number");
  if (parts.length === 0 && own.length <= maxLiterals) return own;
  const isInteger = parts.every((part) => part.integer) && own.every(({ value }) => Number.isInteger(value));
  const special = (["nan", "infinite"] as const).find((value) => parts.some((part) => part.special === value));
  const same = parts.find((part) => part.integer === isInteger && part.special === special);
  return [same ?? { kind: "number", integer: isInteger, ...(special ? { special } : {}) }];
}

function strings(parts: readonly StringType[], literals: readonly LiteralType[]): readonly Type[] {
  const own = literals.filter(({ value }) => typeof value === "string");
  if (parts[0]) return [parts[0]];
  return own.length <= maxLiterals ? own : [string];
}

function arrays(parts: readonly Type[], fuel: Fuel): readonly Type[] {
  const own = partsOf(parts, "array");
  const [first] = own;
  if (!first || own.length === 1) return own;
  const items = unite(
    own.map((part) => part.items),
    fuel,
  );
  const isFilled = own.every((part) => part.isFilled);
  if (items === first.items && Boolean(first.isFilled) === isFilled) return [first];
  const { origin } = first;
  return [{ ...arrayOf(items), ...(isFilled ? { isFilled } : {}), ...(origin ? { origin } : {}) }];
}

function objects(parts: readonly ObjectType[], fuel: Fuel): readonly Type[] {
  if (parts.length < 2) return parts;
  const distinct: ObjectType[] = [];
  for (const part of parts) {
    if (distinct.length > maxObjects) return [uniteObjects(parts, fuel)].filter((type) => !isNever(type));
    addUnlessContained(part, distinct);
  }
  if (distinct.length > maxObjects) return [uniteObjects(distinct, fuel)];
  const open = distinct.filter(({ rest }) => rest.kind === "any");
  if (open.length <= maxOpenObjects) return distinct;
  return [uniteObjects(open, fuel), ...distinct.filter(({ rest }) => rest.kind !== "any")];
}

/** Adds an object type unless another one contains it, in the place of those that it contains. */
function addUnlessContained(part: ObjectType, distinct: ObjectType[]): void {
  if (distinct.some((other) => isSubtype(part, other))) return;
  const contained = distinct.findIndex((other) => isSubtype(other, part));
  if (contained === -1) {
    distinct.push(part);
    return;
  }
  const others = distinct.slice(contained + 1).filter((other) => !isSubtype(other, part));
  distinct.splice(contained, distinct.length, part, ...others);
}

type ResolveDefinition = (definition: TypeDefinition) => Type | undefined;

const maxPairs = 256;

const maxReferenceDepth = 12;

const partsToIntersect = (type: Type): readonly Type[] => (type.kind === "union" ? type.of : [type]);

function intersectReferences(a: Type, b: Type, resolve: ResolveDefinition, fuel: Fuel, depth: number): Type {
  if (a.kind === "reference" && b.kind === "reference" && a.definition === b.definition) return a;
  if (depth === 0) return a;
  const known = (type: Type) => (type.kind === "reference" ? resolve(type.definition) : type);
  const [x, y] = [known(a), known(b)];
  if (!x || !y) return y === undefined ? a : b;
  return intersect(x, y, resolve, fuel, depth - 1);
}

function intersectParts(a: Type, b: Type, resolve: ResolveDefinition, fuel: Fuel, depth: number): Type {
  if (a.kind === "literal") return includesLiteral(b, a) ? a : never;
  if (b.kind === "literal") return includesLiteral(a, b) ? b : never;
  if (a.kind === "number" && b.kind === "number") return a.integer ? a : b;
  if (a.kind === "array" && b.kind === "array")
    return { ...a, items: intersect(a.items, b.items, resolve, fuel, depth) };
  if (a.kind === "object" && b.kind === "object") return intersectObjects(a, b, resolve, fuel, depth);
  return a.kind === b.kind ? a : never;
}

function includesLiteral(type: Type, { value }: LiteralType): boolean {
  switch (type.kind) {
    case "literal":
      return type.value === value;
    case "number":
      return typeof value === "number" && (!type.integer || Number.isInteger(value));
    default:
      return type.kind === typeof value;
  }
}

function intersectObjects(a: ObjectType, b: ObjectType, resolve: ResolveDefinition, fuel: Fuel, depth: number): Type {
  const members = new Map<string, MemberType>();
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    const [x, y] = [a, b].map((object) => object.members.get(name) ?? { type: object.rest, required: false }) as [
      MemberType,
      MemberType,
    ];
    const documentation = x.documentation ?? y.documentation;
    const type = intersect(x.type, y.type, resolve, fuel, depth);
    members.set(name, {
      type,
      required: x.required || y.required,
      ...(documentation === undefined ? {} : { documentation }),
    });
  }
  const rest = intersect(a.rest, b.rest, resolve, fuel, depth);
  const closing = isNever(b.rest) && !isNever(a.rest) ? [b, a] : [a, b];
  const origin = closing.find((object) => object.origin)?.origin;
  return objectOf(members, rest, origin);
}

function areEqual(a: Type, b: Type, fuel: Fuel): boolean {
  if (a === b) return true;
  if (!spend(fuel)) return false;
  switch (a.kind) {
    case "any":
    case "null":
    case "boolean":
    case "string":
      return a.kind === b.kind;
    case "number":
      return b.kind === "number" && a.integer === b.integer && a.special === b.special;
    case "literal":
      return b.kind === "literal" && a.value === b.value;
    case "array":
      return b.kind === "array" && a.isFilled === b.isFilled && areEqual(a.items, b.items, fuel);
    case "object":
      return b.kind === "object" && areEqualObjects(a, b, fuel);
    case "union":
      return (
        b.kind === "union" && a.of.length === b.of.length && a.of.every((part, i) => areEqual(part, b.of[i]!, fuel))
      );
    case "reference":
      return b.kind === "reference" && a.definition === b.definition;
    default:
      return assertNever(a);
  }
}

function areEqualObjects(a: ObjectType, b: ObjectType, fuel: Fuel): boolean {
  if (a.members.size !== b.members.size) return false;
  for (const [name, member] of a.members) {
    const other = b.members.get(name);
    if (!other || other.required !== member.required || !areEqual(member.type, other.type, fuel)) return false;
  }
  return areEqual(a.rest, b.rest, fuel);
}

function isContained(part: Type, whole: Type, fuel: Fuel): boolean {
  if (part === whole || whole.kind === "any") return true;
  if (!spend(fuel)) return false;
  if (part.kind === "union") return part.of.every((each) => isContained(each, whole, fuel));
  if (whole.kind === "union") return whole.of.some((each) => isContained(part, each, fuel));
  switch (part.kind) {
    case "any":
      return false;
    case "literal":
      return includesLiteral(whole, part);
    case "number":
      return (
        whole.kind === "number" &&
        (part.integer || !whole.integer) &&
        specialNumbers.indexOf(part.special) <= specialNumbers.indexOf(whole.special)
      );
    case "array":
      return (
        whole.kind === "array" &&
        (!whole.isFilled || part.isFilled === true) &&
        isContained(part.items, whole.items, fuel)
      );
    case "object":
      return whole.kind === "object" && isContainedObject(part, whole, fuel);
    case "reference":
      return whole.kind === "reference" && part.definition === whole.definition;
    default:
      return part.kind === whole.kind;
  }
}

const specialNumbers: readonly NumberType["special"][] = [undefined, "infinite", "nan"];

function isContainedObject(part: ObjectType, whole: ObjectType, fuel: Fuel): boolean {
  for (const name of new Set([...part.members.keys(), ...whole.members.keys()])) {
    const inner = part.members.get(name) ?? { type: part.rest, required: false };
    const outer = whole.members.get(name) ?? { type: whole.rest, required: false };
    if ((outer.required && !inner.required) || !isContained(inner.type, outer.type, fuel)) return false;
  }
  return isContained(part.rest, whole.rest, fuel);
}

const maxValueDepth = 24;

function valueType(value: Json, fuel: Fuel, depth: number): Type {
  if (!spend(fuel) || depth === 0) return any;
  if (value === null) return nullType;
  if (typeof value === "number") return Number.isFinite(value) ? literal(value) : anyNumber;
  if (typeof value !== "object") return literal(value);
  if (Array.isArray(value)) return arrayOf(elementsType(value, fuel, depth));
  return recordOf(Object.entries(value).map(([name, member]) => [name, valueType(member as Json, fuel, depth - 1)]));
}

function elementsType(values: readonly Json[], fuel: Fuel, depth: number): Type {
  if (values.length > fuel.left) return any;
  return values.length === 0
    ? never
    : unite(
        values.map((item) => valueType(item, fuel, depth - 1)),
        fuelOf(2_000),
      );
}

const maxStoredDepth = 24;

function storedTypeWithin(type: Type, fuel: Fuel, depth: number): Type {
  if (!spend(fuel) || depth === 0) return any;
  switch (type.kind) {
    case "number": {
      if (type.special === undefined) return type;
      const finite = type.integer ? integer : number;
      return type.special === "nan" ? { kind: "union", of: [nullType, finite] } : finite;
    }
    case "array": {
      const items = storedTypeWithin(type.items, fuel, depth - 1);
      return items === type.items ? type : { ...type, items };
    }
    case "object":
      return storedObject(type, fuel, depth);
    case "union": {
      const of = type.of.map((part) => storedTypeWithin(part, fuel, depth));
      return of.every((part, i) => part === type.of[i]) ? type : unite(of, fuel);
    }
    default:
      return type;
  }
}

function storedObject(object: ObjectType, fuel: Fuel, depth: number): Type {
  const members = new Map<string, MemberType>();
  let isSame = true;
  for (const [name, member] of object.members) {
    const type = storedTypeWithin(member.type, fuel, depth - 1);
    isSame &&= type === member.type;
    members.set(name, type === member.type ? member : { ...member, type });
  }
  const rest = storedTypeWithin(object.rest, fuel, depth - 1);
  return isSame && rest === object.rest ? object : objectOf(members, rest, object.origin);
}

const maxFixpointSteps = 4;
