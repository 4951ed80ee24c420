import type { Span } from "../text/source.ts";

/**
 * A set of JSON values: every value that can occur, perhaps more. Create types only with the functions of this folder.
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

/** Types without alternatives and references. */
export type PlainType = Exclude<Type, AnyType | UnionType | ReferenceType>;

interface TypeBase {
  /** Equal types may lose either origin. */
  readonly origin?: Span | undefined;
}

/** Every value. */
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

/** All numbers, or all integers. */
export interface NumberType extends TypeBase {
  readonly kind: "number";
  readonly integer: boolean;
  /** Infinity or NaN may occur inside an expression. */
  readonly special?: "infinite" | "nan" | undefined;
}

/** All strings. */
export interface StringType extends TypeBase {
  readonly kind: "string";
}

/** One Boolean, number or string. */
export interface LiteralType extends TypeBase {
  readonly kind: "literal";
  readonly value: boolean | number | string;
}

/** Arrays of one element type; `never` for the empty array. */
export interface ArrayType extends TypeBase {
  readonly kind: "array";
  readonly items: Type;
  /** Has an element. */
  readonly isFilled?: true | undefined;
}

/** Objects with these members and others of type `rest` (`never`: none). */
export interface ObjectType extends TypeBase {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, MemberType>;
  readonly rest: Type;
}

/** The type of an object's member. */
export interface MemberType {
  readonly type: Type;
  readonly required: boolean;
  readonly documentation?: string | undefined;
}

/** A union of other types; the empty one has no values. */
export interface UnionType extends TypeBase {
  readonly kind: "union";
  readonly of: readonly Type[];
}

/** A reference to a named type. */
export interface ReferenceType extends TypeBase {
  readonly kind: "reference";
  readonly definition: TypeDefinition;
}

/** A named type for a referenced part of a schema; may be recursive. */
export interface TypeDefinition {
  readonly name: string;
  readonly type: Type;
  readonly documentation?: string | undefined;
}

/** Larger objects become `anyObject`. */
export const maxMembers = 500;

/** Every value. */
export const any: AnyType = { kind: "any" };
/** No value. */
export const never: UnionType = { kind: "union", of: [] };
/** Null. */
export const nullType: NullType = { kind: "null" };
/** True and false. */
export const boolean: BooleanType = { kind: "boolean" };
/** All numbers. */
export const number: NumberType = { kind: "number", integer: false };
/** All integers. */
export const integer: NumberType = { kind: "number", integer: true };
/** Results of arithmetic, including infinity and NaN. */
export const anyNumber: NumberType = { kind: "number", integer: false, special: "nan" };
/** All strings. */
export const string: StringType = { kind: "string" };
/** The type of one constant. */
export const literal = (value: boolean | number | string): LiteralType => ({ kind: "literal", value });
/** Arrays with elements of a type. */
export const arrayOf = (items: Type): ArrayType => ({ kind: "array", items });
/** The type of arrays with any number of elements of an array type. */
export const possiblyEmpty = (type: ArrayType): ArrayType => (type.isFilled ? arrayOf(type.items) : type);
/** All objects. */
export const anyObject: ObjectType = { kind: "object", members: new Map(), rest: any };
/** All arrays. */
export const anyArray: ArrayType = arrayOf(any);

/** Whether a type has no values. */
export const isNever = (type: Type): boolean => type.kind === "union" && type.of.length === 0;

/** Creates an object type; `never` if a required member is. */
export function objectOf(members: ReadonlyMap<string, MemberType>, rest: Type, origin?: Span): Type {
  for (const { type, required } of members.values()) if (required && isNever(type)) return never;
  if (members.size > maxMembers) return origin ? { ...anyObject, origin } : anyObject;
  const present = isNever(rest) ? withoutAbsent(members) : members;
  return origin ? { kind: "object", members: present, rest, origin } : { kind: "object", members: present, rest };
}

/** In a closed object, members without values are those that are not listed. */
function withoutAbsent(members: ReadonlyMap<string, MemberType>): ReadonlyMap<string, MemberType> {
  const present = [...members].filter(([, { type }]) => !isNever(type));
  return present.length === members.size ? members : new Map(present);
}

/** Creates a type with exactly these members. */
export const recordOf = (members: Iterable<readonly [string, Type]>): Type =>
  objectOf(new Map(Array.from(members, ([name, type]) => [name, { type, required: true }])), never);
