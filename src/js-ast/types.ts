import type { Identifier, Origin } from "./tree.ts";

/** `name extends constraint = fallback` */
export interface TypeParameter {
  readonly name: string;
  readonly constraint?: Type | undefined;
  readonly fallback?: Type | undefined;
}

/** A type. */
export type Type =
  | KeywordType
  | NamedType
  | LiteralType
  | ArrayType
  | TupleType
  | ObjectType
  | UnionType
  | FunctionType
  | TypeQuery
  | IndexedType;

/** A type that the language has a word for. */
export interface KeywordType {
  readonly kind: "keywordType";
  readonly name:
    | "any"
    | "unknown"
    | "never"
    | "void"
    | "undefined"
    | "null"
    | "boolean"
    | "number"
    | "string"
    | "object"
    | "const";
}

/** `name<args>`, and where it is imported from if it is. */
export interface NamedType {
  readonly kind: "namedType";
  readonly name: string;
  readonly args: readonly Type[];
  readonly from?: Origin | undefined;
}

/** The type of one value. */
export interface LiteralType {
  readonly kind: "literalType";
  readonly value: string | number | boolean;
}

/** `readonly element[]` */
export interface ArrayType {
  readonly kind: "arrayType";
  readonly element: Type;
  readonly readonly: boolean;
}

/** `readonly [a, b]` */
export interface TupleType {
  readonly kind: "tupleType";
  readonly elements: readonly Type[];
  readonly readonly: boolean;
}

/** `{ readonly a?: string; readonly [key: string]: Json }` */
export interface ObjectType {
  readonly kind: "objectType";
  readonly members: readonly TypeMember[];
}

/** A member of an object's type. */
export type TypeMember = PropertySignature | IndexSignature | MethodSignature;

/** `readonly name?: type` */
export interface PropertySignature {
  readonly kind: "propertySignature";
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly doc?: string | undefined;
}

/** `readonly [name: key]: type` */
export interface IndexSignature {
  readonly kind: "indexSignature";
  readonly name: string;
  readonly key: Type;
  readonly type: Type;
  readonly readonly: boolean;
  readonly doc?: string | undefined;
}

/** `name(parameters): returns` */
export interface MethodSignature {
  readonly kind: "methodSignature";
  readonly name: string;
  readonly parameters: readonly NamedParameter[];
  readonly returns: Type;
  readonly doc?: string | undefined;
}

/** `a | b`, `a & b` */
export interface UnionType {
  readonly kind: "unionType";
  readonly operator: "|" | "&";
  readonly types: readonly Type[];
}

/** `(parameters) => returns` */
export interface FunctionType {
  readonly kind: "functionType";
  readonly parameters: readonly NamedParameter[];
  readonly returns: Type;
}

/** `...name?: type`, a parameter in a type. */
export interface NamedParameter {
  readonly name: string;
  readonly type: Type;
  readonly optional?: boolean | undefined;
  readonly rest?: boolean | undefined;
}

/** `typeof name` */
export interface TypeQuery {
  readonly kind: "typeQuery";
  readonly of: Identifier;
}

/** `object[index]` */
export interface IndexedType {
  readonly kind: "indexedType";
  readonly object: Type;
  readonly index: Type;
}
