import type { Span } from "../text/source.ts";

/**
 * What is known of JSON values: a set of them, described by their form. A shape never leaves out a value that can occur; it may well allow for
 * values that never do. Shapes are data in normal form: made by the functions of this folder, never by hand.
 */
export type Type =
  | AnyType
  | NullType
  | BooleanType
  | NumberType
  | StringType
  | LiteralType
  | ArrayType
  | ObjectType
  | UnionType
  | ReferenceType;

/** The shapes that are neither made of others nor stand for others. */
export type PlainType = Exclude<Type, AnyType | UnionType | ReferenceType>;

/** What every shape has. */
interface TypeBase {
  /** The part of a schema that says so; absent for what was inferred. Of two shapes that say the same, either may be kept. */
  readonly origin?: Span | undefined;
}

/** Every value: nothing is known. */
export interface AnyType extends TypeBase {
  readonly kind: "any";
}

/** Null. */
export interface NullType extends TypeBase {
  readonly kind: "null";
}

/** True and false. */
export interface BooleanType extends TypeBase {
  readonly kind: "boolean";
}

/** Numbers, or only those without a fraction. */
export interface NumberType extends TypeBase {
  readonly kind: "number";
  readonly integer: boolean;
  /**
   * While an expression is evaluated, a number can be infinite, or no number (and infinite): outside of expressions the one is then the largest number,
   * and the other null. Absent: neither.
   */
  readonly beyond?: "infinite" | "nan" | undefined;
}

/** Texts. */
export interface StringType extends TypeBase {
  readonly kind: "string";
}

/** One boolean, number or text. */
export interface LiteralType extends TypeBase {
  readonly kind: "literal";
  readonly value: boolean | number | string;
}

/** Arrays, all elements of which have one shape; never: the empty array. */
export interface ArrayType extends TypeBase {
  readonly kind: "array";
  readonly items: Type;
}

/** Objects with these members, and others of the shape `rest`; never: no others. */
export interface ObjectType extends TypeBase {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, Member>;
  readonly rest: Type;
}

/** A member of an object. */
export interface Member {
  readonly type: Type;
  /** Whether every object has it. */
  readonly required: boolean;
  /** What a schema says about it for people. */
  readonly documentation?: string | undefined;
}

/** Values of any of several shapes, none of which is a union or `any`; of none: no value at all. */
export interface UnionType extends TypeBase {
  readonly kind: "union";
  readonly of: readonly Type[];
}

/** The values of a shape that has a name, in which it may occur again. */
export interface ReferenceType extends TypeBase {
  readonly kind: "reference";
  readonly definition: Definition;
}

/** A shape with a name: one for each place in a schema that is referred to. Definitions that refer to each other are a graph with circles. */
export interface Definition {
  /** The last word of the reference, or a title: a name for people, unique in its schema. */
  readonly name: string;
  readonly type: Type;
  /** What the schema says about it for people. */
  readonly documentation?: string | undefined;
}

/** More members than this are not told apart. */
export const maxMembers = 500;

/** Every value. */
export const any: AnyType = { kind: "any" };
/** No value: what never comes out. */
export const never: UnionType = { kind: "union", of: [] };
/** Null. */
export const nullType: NullType = { kind: "null" };
/** True and false. */
export const boolean: BooleanType = { kind: "boolean" };
/** All numbers. */
export const number: NumberType = { kind: "number", integer: false };
/** Numbers without a fraction. */
export const integer: NumberType = { kind: "number", integer: true };
/** What calculation can give: numbers, infinite ones, and what is no number. */
export const anyNumber: NumberType = { kind: "number", integer: false, beyond: "nan" };
/** All texts. */
export const string: StringType = { kind: "string" };
/** One value. */
export const literal = (value: boolean | number | string): LiteralType => ({ kind: "literal", value });
/** Arrays of elements. */
export const arrayOf = (items: Type): ArrayType => ({ kind: "array", items });
/** All objects. */
export const anyObject: ObjectType = { kind: "object", members: new Map(), rest: any };
/** All arrays. */
export const anyArray: ArrayType = arrayOf(any);

/** Whether there is no such value. */
export const isNever = (type: Type): boolean => type.kind === "union" && type.of.length === 0;

/** Objects with these members, and others of the shape `rest`; no value if a member that they must have cannot exist. */
export function objectOf(members: ReadonlyMap<string, Member>, rest: Type, origin?: Span): Type {
  for (const { type, required } of members.values()) if (required && isNever(type)) return never;
  if (members.size > maxMembers) return origin ? { ...anyObject, origin } : anyObject;
  return origin ? { kind: "object", members, rest, origin } : { kind: "object", members, rest };
}

/** Objects with exactly these members. */
export const recordOf = (members: Iterable<readonly [string, Type]>): Type =>
  objectOf(new Map(Array.from(members, ([name, type]) => [name, { type, required: true }])), never);
