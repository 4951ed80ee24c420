import { assertNever, type Json } from "../json.ts";
import {
  any,
  arrayOf,
  boolean,
  calculated,
  type Definition,
  integer,
  isNever,
  type LiteralShape,
  literal,
  type Member,
  type NumberShape,
  never,
  nullShape,
  number,
  type ObjectShape,
  objectOf,
  recordOf,
  type Shape,
  type StringShape,
  string,
} from "./type.ts";

/** The values of any of several shapes, in normal form. May allow for more: several shapes of arrays become one, and so do many of objects. */
export const union = (...shapes: readonly Shape[]): Shape => unite(shapes, fuelOf(2_000));

/** A shape that has `start` and all that `step` makes of it. */
export function fixpoint(start: Shape, step: (shape: Shape) => Shape): Shape {
  let shape = start;
  for (let i = 0; i < patience; i++) {
    const next = union(shape, step(shape));
    if (equalShapes(next, shape)) return shape;
    shape = next;
  }
  return any;
}

/** The same, with so much work at most; `any` where that does not suffice. */
export function unite(shapes: readonly Shape[], fuel: Fuel): Shape {
  if (shapes.length === 1) return shapes[0]!;
  for (const shape of shapes) if (shape.kind === "any") return shape;
  const some = shapes.filter((shape) => !isNever(shape));
  const [first = never] = some;
  if (some.every((shape) => shape === first)) return first;
  if (!spend(fuel)) return any;
  const parts = some.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
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

/** The shape of one of a few values that are written out. */
export const oneOf = (...values: readonly (boolean | number | string)[]): Shape => union(...values.map(literal));

/** The values of both shapes. May allow for more of those of the first: where that is too much work, and for what is not known. */
export function intersect(a: Shape, b: Shape, resolve: Resolve, fuel: Fuel, depth = deepestIntersection): Shape {
  if (a === b || b.kind === "any") return a;
  if (a.kind === "any") return b;
  if (!spend(fuel)) return a;
  if (a.kind === "reference" || b.kind === "reference") return ofReferences(a, b, resolve, fuel, depth);
  const [left, right] = [partsToIntersect(a), partsToIntersect(b)];
  if (left.length === 1 && right.length === 1) return both(left[0]!, right[0]!, resolve, fuel, depth);
  if (left.length * right.length > mostPairs) return a;
  return unite(
    left.flatMap((x) => right.map((y) => intersect(x, y, resolve, fuel, depth))),
    fuel,
  );
}

/** Whether two shapes are written alike, wherever they come from; shapes that are too large to compare are taken for different ones. */
export const equalShapes = (a: Shape, b: Shape): boolean => equal(a, b, fuelOf(2_000));

/** How much work may still be done: shapes that share parts are small as data, and large when all ways through them are gone. */
export interface Fuel {
  left: number;
}

/** Fuel for so many shapes. */
export const fuelOf = (left: number): Fuel => ({ left });

/** Takes one unit; false when there is none left. */
export function spend(fuel: Fuel): boolean {
  fuel.left -= 1;
  return fuel.left >= 0;
}

/** The shape of one value: exactly that value, but for arrays, and as long as it is not very large. */
export const shapeOfValue = (value: Json): Shape => valueShape(value, fuelOf(2_000), deepestValue);

/**
 * The shape of values outside of the expression that gives them: infinite numbers are then finite, and what is no number is null. It is as large as the
 * shapes of variables may become: what is deeper, or too much, can be any value.
 */
export const settled = (shape: Shape): Shape => settle(shape, fuelOf(3_000), deepestSettled);

/** More single values than this are taken for all of their type. */
const mostLiterals = 32;

/** More shapes of objects than this become one. */
const mostObjects = 8;

/**
 * More of those that may have any other members become one: what only some of them list may be anything there, as what none of them lists. Merging
 * multiplies alternatives, and with each step of a workflow there are more.
 */
const mostOpenObjects = 2;

/** With more references than this nothing is known. */
const mostReferences = 16;

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
  if (parts.length < 2) return parts;
  const distinct: ObjectShape[] = [];
  for (const part of parts) {
    if (distinct.length > mostObjects) return [uniteObjects(parts, fuel)].filter((shape) => !isNever(shape));
    if (!distinct.some((other) => equalShapes(part, other))) distinct.push(part);
  }
  if (distinct.length > mostObjects) return [uniteObjects(distinct, fuel)];
  const open = distinct.filter(({ rest }) => rest.kind === "any");
  if (open.length <= mostOpenObjects) return distinct;
  return [uniteObjects(open, fuel), ...distinct.filter(({ rest }) => rest.kind !== "any")];
}

/** What a definition stands for; undefined where that is not known yet. */
type Resolve = (definition: Definition) => Shape | undefined;

/** Alternatives of two sides, multiplied, beyond which only the first side is kept. */
const mostPairs = 256;

/** References are followed that deep. */
const deepestIntersection = 12;

const partsToIntersect = (shape: Shape): readonly Shape[] => (shape.kind === "union" ? shape.of : [shape]);

function ofReferences(a: Shape, b: Shape, resolve: Resolve, fuel: Fuel, depth: number): Shape {
  if (a.kind === "reference" && b.kind === "reference" && a.definition === b.definition) return a;
  if (depth === 0) return a;
  const known = (shape: Shape) => (shape.kind === "reference" ? resolve(shape.definition) : shape);
  const [x, y] = [known(a), known(b)];
  if (!x || !y) return y === undefined ? a : b;
  return intersect(x, y, resolve, fuel, depth - 1);
}

function both(a: Shape, b: Shape, resolve: Resolve, fuel: Fuel, depth: number): Shape {
  if (a.kind === "literal") return holds(b, a) ? a : never;
  if (b.kind === "literal") return holds(a, b) ? b : never;
  if (a.kind === "number" && b.kind === "number") return a.integer ? a : b;
  if (a.kind === "array" && b.kind === "array")
    return { ...a, items: intersect(a.items, b.items, resolve, fuel, depth) };
  if (a.kind === "object" && b.kind === "object") return bothObjects(a, b, resolve, fuel, depth);
  return a.kind === b.kind ? a : never;
}

function holds(shape: Shape, { value }: LiteralShape): boolean {
  switch (shape.kind) {
    case "literal":
      return shape.value === value;
    case "number":
      return typeof value === "number" && (!shape.integer || Number.isInteger(value));
    default:
      return shape.kind === typeof value;
  }
}

function bothObjects(a: ObjectShape, b: ObjectShape, resolve: Resolve, fuel: Fuel, depth: number): Shape {
  const members = new Map<string, Member>();
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    const [x, y] = [a, b].map((object) => object.members.get(name) ?? { shape: object.rest, required: false }) as [
      Member,
      Member,
    ];
    const documentation = x.documentation ?? y.documentation;
    const shape = intersect(x.shape, y.shape, resolve, fuel, depth);
    members.set(name, {
      shape,
      required: x.required || y.required,
      ...(documentation === undefined ? {} : { documentation }),
    });
  }
  const rest = intersect(a.rest, b.rest, resolve, fuel, depth);
  const closing = isNever(b.rest) && !isNever(a.rest) ? [b, a] : [a, b];
  const origin = closing.find((object) => object.origin)?.origin;
  return objectOf(members, rest, origin);
}

function equal(a: Shape, b: Shape, fuel: Fuel): boolean {
  if (a === b) return true;
  if (!spend(fuel)) return false;
  switch (a.kind) {
    case "any":
    case "null":
    case "boolean":
    case "string":
      return a.kind === b.kind;
    case "number":
      return b.kind === "number" && a.integer === b.integer && a.beyond === b.beyond;
    case "literal":
      return b.kind === "literal" && a.value === b.value;
    case "array":
      return b.kind === "array" && equal(a.items, b.items, fuel);
    case "object":
      return b.kind === "object" && equalObjects(a, b, fuel);
    case "union":
      return b.kind === "union" && a.of.length === b.of.length && a.of.every((part, i) => equal(part, b.of[i]!, fuel));
    case "reference":
      return b.kind === "reference" && a.definition === b.definition;
    default:
      return assertNever(a);
  }
}

function equalObjects(a: ObjectShape, b: ObjectShape, fuel: Fuel): boolean {
  if (a.members.size !== b.members.size) return false;
  for (const [name, member] of a.members) {
    const other = b.members.get(name);
    if (!other || other.required !== member.required || !equal(member.shape, other.shape, fuel)) return false;
  }
  return equal(a.rest, b.rest, fuel);
}

/** Deeper parts of values, and of shapes, are not looked at. */
const deepestValue = 24;

function valueShape(value: Json, fuel: Fuel, depth: number): Shape {
  if (!spend(fuel) || depth === 0) return any;
  if (value === null) return nullShape;
  if (typeof value === "number") return Number.isFinite(value) ? literal(value) : calculated;
  if (typeof value !== "object") return literal(value);
  if (Array.isArray(value)) return arrayOf(elements(value, fuel, depth));
  return recordOf(Object.entries(value).map(([name, member]) => [name, valueShape(member as Json, fuel, depth - 1)]));
}

function elements(values: readonly Json[], fuel: Fuel, depth: number): Shape {
  if (values.length > fuel.left) return any;
  return values.length === 0
    ? never
    : unite(
        values.map((item) => valueShape(item, fuel, depth - 1)),
        fuelOf(2_000),
      );
}

/** Deeper parts of a shape are not kept. */
const deepestSettled = 24;

function settle(shape: Shape, fuel: Fuel, depth: number): Shape {
  if (!spend(fuel) || depth === 0) return any;
  switch (shape.kind) {
    case "number": {
      if (shape.beyond === undefined) return shape;
      const finite = shape.integer ? integer : number;
      return shape.beyond === "nan" ? { kind: "union", of: [nullShape, finite] } : finite;
    }
    case "array": {
      const items = settle(shape.items, fuel, depth - 1);
      return items === shape.items ? shape : { ...shape, items };
    }
    case "object":
      return settledObject(shape, fuel, depth);
    case "union": {
      const of = shape.of.map((part) => settle(part, fuel, depth));
      return of.every((part, i) => part === shape.of[i]) ? shape : unite(of, fuel);
    }
    default:
      return shape;
  }
}

function settledObject(object: ObjectShape, fuel: Fuel, depth: number): Shape {
  const members = new Map<string, Member>();
  let isSame = true;
  for (const [name, member] of object.members) {
    const shape = settle(member.shape, fuel, depth - 1);
    isSame &&= shape === member.shape;
    members.set(name, shape === member.shape ? member : { ...member, shape });
  }
  const rest = settle(object.rest, fuel, depth - 1);
  return isSame && rest === object.rest ? object : objectOf(members, rest, object.origin);
}

/** How often something is tried to be made larger before it can be anything. */
const patience = 4;
