import type { Span } from "../text/source.ts";

/**
 * What is known of JSON values: a set of them, described by their form. A shape never leaves out a value that can occur; it may well allow for
 * values that never do. Shapes are data in normal form: made by the functions of this folder, never by hand.
 */
export type Shape =
  | AnyShape
  | NullShape
  | BooleanShape
  | NumberShape
  | StringShape
  | LiteralShape
  | ArrayShape
  | ObjectShape
  | UnionShape
  | ReferenceShape;

/** The shapes that are neither made of others nor stand for others. */
export type PlainShape = Exclude<Shape, AnyShape | UnionShape | ReferenceShape>;

/** What every shape has. */
interface Written {
  /** The part of a schema that says so; absent for what was inferred. Of two shapes that say the same, either may be kept. */
  readonly origin?: Span | undefined;
}

/** Every value: nothing is known. */
export interface AnyShape extends Written {
  readonly kind: "any";
}

/** Null. */
export interface NullShape extends Written {
  readonly kind: "null";
}

/** True and false. */
export interface BooleanShape extends Written {
  readonly kind: "boolean";
}

/** Numbers, or only those without a fraction. */
export interface NumberShape extends Written {
  readonly kind: "number";
  readonly integer: boolean;
  /**
   * While an expression is evaluated, a number can be infinite, or no number (and infinite): outside of expressions the one is then the largest number,
   * and the other null. Absent: neither.
   */
  readonly beyond?: "infinite" | "nan" | undefined;
}

/** Texts. */
export interface StringShape extends Written {
  readonly kind: "string";
}

/** One boolean, number or text. */
export interface LiteralShape extends Written {
  readonly kind: "literal";
  readonly value: boolean | number | string;
}

/** Arrays, all elements of which have one shape; never: the empty array. */
export interface ArrayShape extends Written {
  readonly kind: "array";
  readonly items: Shape;
}

/** Objects with these members, and others of the shape `rest`; never: no others. */
export interface ObjectShape extends Written {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, Member>;
  readonly rest: Shape;
}

/** A member of an object. */
export interface Member {
  readonly shape: Shape;
  /** Whether every object has it. */
  readonly required: boolean;
  /** What a schema says about it for people. */
  readonly documentation?: string | undefined;
}

/** Values of any of several shapes, none of which is a union or `any`; of none: no value at all. */
export interface UnionShape extends Written {
  readonly kind: "union";
  readonly of: readonly Shape[];
}

/** The values of a shape that has a name, in which it may occur again. */
export interface ReferenceShape extends Written {
  readonly kind: "reference";
  readonly definition: Definition;
}

/** A shape with a name: one for each place in a schema that is referred to. Definitions that refer to each other are a graph with circles. */
export interface Definition {
  /** The last word of the reference, or a title: a name for people, unique in its schema. */
  readonly name: string;
  readonly shape: Shape;
  /** What the schema says about it for people. */
  readonly documentation?: string | undefined;
}

/** More members than this are not told apart. */
export const mostMembers = 500;

/** Every value. */
export const any: AnyShape = { kind: "any" };
/** No value: what never comes out. */
export const never: UnionShape = { kind: "union", of: [] };
/** Null. */
export const nullShape: NullShape = { kind: "null" };
/** True and false. */
export const boolean: BooleanShape = { kind: "boolean" };
/** All numbers. */
export const number: NumberShape = { kind: "number", integer: false };
/** Numbers without a fraction. */
export const integer: NumberShape = { kind: "number", integer: true };
/** What calculation can give: numbers, infinite ones, and what is no number. */
export const calculated: NumberShape = { kind: "number", integer: false, beyond: "nan" };
/** All texts. */
export const string: StringShape = { kind: "string" };
/** One value. */
export const literal = (value: boolean | number | string): LiteralShape => ({ kind: "literal", value });
/** Arrays of elements. */
export const arrayOf = (items: Shape): ArrayShape => ({ kind: "array", items });
/** All objects. */
export const anyObject: ObjectShape = { kind: "object", members: new Map(), rest: any };
/** All arrays. */
export const anyArray: ArrayShape = arrayOf(any);

/** Whether there is no such value. */
export const isNever = (shape: Shape): boolean => shape.kind === "union" && shape.of.length === 0;

/** Objects with these members, and others of the shape `rest`; no value if a member that they must have cannot exist. */
export function objectOf(members: ReadonlyMap<string, Member>, rest: Shape, origin?: Span): Shape {
  for (const { shape, required } of members.values()) if (required && isNever(shape)) return never;
  if (members.size > mostMembers) return origin ? { ...anyObject, origin } : anyObject;
  return origin ? { kind: "object", members, rest, origin } : { kind: "object", members, rest };
}

/** Objects with exactly these members. */
export const recordOf = (members: Iterable<readonly [string, Shape]>): Shape =>
  objectOf(new Map(Array.from(members, ([name, shape]) => [name, { shape, required: true }])), never);
