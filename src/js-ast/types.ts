import type { Identifier, ImportSource } from "./tree.ts";

/** `name extends constraint = fallback` */
export interface TypeParameter {
  readonly name: string;
  readonly constraint?: TypeNode | undefined;
  readonly fallback?: TypeNode | undefined;
}

/** The syntax node of a type. */
export type TypeNode =
  | KeywordTypeNode
  | TypeReferenceNode
  | LiteralTypeNode
  | ArrayTypeNode
  | TupleTypeNode
  | ObjectTypeNode
  | UnionTypeNode
  | FunctionTypeNode
  | TypeQueryNode
  | IndexedAccessTypeNode;

/** A type keyword. */
export interface KeywordTypeNode {
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

/** `name<args>` */
export interface TypeReferenceNode {
  readonly kind: "namedType";
  readonly name: string;
  readonly args: readonly TypeNode[];
  readonly from?: ImportSource | undefined;
}

/** A literal type. */
export interface LiteralTypeNode {
  readonly kind: "literalType";
  readonly value: string | number | boolean;
}

/** `readonly element[]` */
export interface ArrayTypeNode {
  readonly kind: "arrayType";
  readonly element: TypeNode;
  readonly readonly: boolean;
}

/** `readonly [a, b]` */
export interface TupleTypeNode {
  readonly kind: "tupleType";
  readonly elements: readonly TypeNode[];
  readonly readonly: boolean;
}

/** `{ readonly a?: string; readonly [key: string]: Json }` */
export interface ObjectTypeNode {
  readonly kind: "objectType";
  readonly members: readonly TypeMember[];
}

/** A member of an object type. */
export type TypeMember = PropertySignature | IndexSignature | MethodSignature;

/** `readonly name?: type` */
export interface PropertySignature {
  readonly kind: "propertySignature";
  readonly name: string;
  readonly type: TypeNode;
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly doc?: string | undefined;
}

/** `readonly [name: key]: type` */
export interface IndexSignature {
  readonly kind: "indexSignature";
  readonly name: string;
  readonly key: TypeNode;
  readonly type: TypeNode;
  readonly readonly: boolean;
  readonly doc?: string | undefined;
}

/** `name(parameters): returns` */
export interface MethodSignature {
  readonly kind: "methodSignature";
  readonly name: string;
  readonly parameters: readonly ParameterSignature[];
  readonly returns: TypeNode;
  readonly doc?: string | undefined;
}

/** `a | b`, `a & b` */
export interface UnionTypeNode {
  readonly kind: "unionType";
  readonly operator: "|" | "&";
  readonly types: readonly TypeNode[];
}

/** `(parameters) => returns` */
export interface FunctionTypeNode {
  readonly kind: "functionType";
  readonly parameters: readonly ParameterSignature[];
  readonly returns: TypeNode;
}

/** `...name?: type` of a function type. */
export interface ParameterSignature {
  readonly name: string;
  readonly type: TypeNode;
  readonly optional?: boolean | undefined;
  readonly rest?: boolean | undefined;
}

/** `typeof name` */
export interface TypeQueryNode {
  readonly kind: "typeQuery";
  readonly of: Identifier;
}

/** `object[index]` */
export interface IndexedAccessTypeNode {
  readonly kind: "indexedType";
  readonly object: TypeNode;
  readonly index: TypeNode;
}
