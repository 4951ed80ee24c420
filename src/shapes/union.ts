import { equalShapes } from "./equal.ts";
import { type Fuel, fuelOf, spend } from "./fuel.ts";
import {
  any,
  arrayOf,
  boolean,
  isNever,
  type LiteralShape,
  literal,
  type Member,
  type NumberShape,
  nullShape,
  type ObjectShape,
  objectOf,
  type Shape,
  type StringShape,
  string,
} from "./shape.ts";

/** More single values than this are taken for all of their type. */
export const mostLiterals = 32;
/** More shapes of objects than this become one. */
export const mostObjects = 8;
/** With more references than this nothing is known. */
const mostReferences = 16;

/** The values of any of several shapes, in normal form. May allow for more: several shapes of arrays become one, and so do many of objects. */
export const union = (...shapes: readonly Shape[]): Shape => unite(shapes, fuelOf(2_000));

/** The same, with so much work at most; `any` where that does not suffice. */
export function unite(shapes: readonly Shape[], fuel: Fuel): Shape {
  if (shapes.length === 1) return shapes[0]!;
  const parts = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
  const [first] = parts;
  if (first && parts.every((part) => part === first)) return first;
  const everything = parts.find(({ kind }) => kind === "any");
  if (everything || !spend(fuel)) return everything ?? any;
  const references = [...new Map(partsOf(parts, "reference").map((part) => [part.definition, part])).values()];
  if (references.length > mostReferences) return any;
  const of = [...scalars(parts), ...arrays(parts, fuel), ...objects(partsOf(parts, "object"), fuel), ...references];
  return of.length === 1 ? of[0]! : { kind: "union", of };
}

/** One shape for several of objects: a member has what it has in any of them, and is required if it is in all. */
export function uniteObjects(objects: readonly ObjectShape[], fuel: Fuel): Shape {
  const rest = unite([...new Set(objects.map((object) => object.rest))], fuel);
  const listed = new Map<string, Member[]>();
  for (const { members } of objects) {
    for (const [name, member] of members) {
      const known = listed.get(name);
      if (known) known.push(member);
      else listed.set(name, [member]);
    }
  }
  const members = Array.from(
    listed,
    ([name, found]) => [name, unitedMember(found, found.length === objects.length ? undefined : rest, fuel)] as const,
  );
  return objectOf(new Map(members), rest, objects.every(({ origin }) => origin) ? objects[0]?.origin : undefined);
}

/** A member of several objects; `elsewhere` is what it can be in those that do not list it, if there are any. */
function unitedMember(found: readonly Member[], elsewhere: Shape | undefined, fuel: Fuel): Member {
  const shapes = found.map((member) => member.shape);
  const shape = unite(elsewhere ? [...shapes, elsewhere] : shapes, fuel);
  const documentation = found.find((member) => member.documentation !== undefined)?.documentation;
  const required = !elsewhere && found.every((member) => member.required);
  return { shape, required, ...(documentation === undefined ? {} : { documentation }) };
}

const partsOf = <Kind extends Shape["kind"]>(parts: readonly Shape[], kind: Kind) =>
  parts.filter((part): part is Extract<Shape, { kind: Kind }> => part.kind === kind);

function scalars(parts: readonly Shape[]): readonly Shape[] {
  const literals = [...new Map(partsOf(parts, "literal").map((part) => [part.value, part])).values()];
  return [
    ...partsOf(parts, "null").slice(0, 1),
    ...booleans(parts, literals),
    ...numbers(partsOf(parts, "number"), literals),
    ...strings(partsOf(parts, "string"), literals),
  ].map((part) => (part.kind === "null" && !part.origin ? nullShape : part));
}

function booleans(parts: readonly Shape[], literals: readonly LiteralShape[]): readonly Shape[] {
  const own = literals.filter(({ value }) => typeof value === "boolean");
  const [all] = partsOf(parts, "boolean");
  return all ? [all] : own.length > 1 ? [boolean] : own;
}

function numbers(parts: readonly NumberShape[], literals: readonly LiteralShape[]): readonly Shape[] {
  const own = literals.filter(({ value }) => typeof value === "number");
  if (parts.length === 0 && own.length <= mostLiterals) return own;
  const isInteger = parts.every((part) => part.integer) && own.every(({ value }) => Number.isInteger(value));
  const beyond = (["nan", "infinite"] as const).find((way) => parts.some((part) => part.beyond === way));
  const same = parts.find((part) => part.integer === isInteger && part.beyond === beyond);
  return [same ?? { kind: "number", integer: isInteger, ...(beyond ? { beyond } : {}) }];
}

function strings(parts: readonly StringShape[], literals: readonly LiteralShape[]): readonly Shape[] {
  const own = literals.filter(({ value }) => typeof value === "string");
  if (parts[0]) return [parts[0]];
  return own.length <= mostLiterals ? own : [string];
}

function arrays(parts: readonly Shape[], fuel: Fuel): readonly Shape[] {
  const own = partsOf(parts, "array");
  const [first] = own;
  if (!first || own.length === 1) return own;
  const items = unite(
    own.map((part) => part.items),
    fuel,
  );
  return [items === first.items ? first : { ...arrayOf(items), ...(first.origin ? { origin: first.origin } : {}) }];
}

function objects(parts: readonly ObjectShape[], fuel: Fuel): readonly Shape[] {
  const distinct: ObjectShape[] = [];
  for (const part of parts) {
    if (distinct.length > mostObjects) return [uniteObjects(parts, fuel)].filter((shape) => !isNever(shape));
    if (!distinct.some((other) => equalShapes(part, other))) distinct.push(part);
  }
  return distinct.length > mostObjects ? [uniteObjects(distinct, fuel)] : distinct;
}

/** The shape of one of a few values that are written out. */
export const oneOf = (...values: readonly (boolean | number | string)[]): Shape => union(...values.map(literal));
