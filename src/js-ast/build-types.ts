import type { Origin } from "./tree.ts";
import type {
  ArrayType,
  FunctionType,
  IndexSignature,
  KeywordType,
  LiteralType,
  MethodSignature,
  NamedParameter,
  NamedType,
  ObjectType,
  PropertySignature,
  Type,
  TypeMember,
  UnionType,
} from "./types.ts";

/** `string` */
export const keyword = (text: KeywordType["name"]): KeywordType => ({ kind: "keywordType", name: text });

/** `Name<args>` */
export const type = (text: string, args: readonly Type[] = [], from?: Origin): NamedType => ({
  kind: "namedType",
  name: text,
  args,
  from,
});

/** A type that a module exports. */
export const importedType = (exported: string, module: string, local = exported): NamedType =>
  type(local, [], exported === local ? { module } : { module, exported });

/** `"text"` as a type. */
export const literalType = (of: LiteralType["value"]): LiteralType => ({ kind: "literalType", value: of });

/** `readonly element[]` */
export const arrayType = (of: Type): ArrayType => ({ kind: "arrayType", element: of, readonly: true });

/** `{ readonly a: string }` */
export const objectType = (members: readonly TypeMember[]): ObjectType => ({ kind: "objectType", members });

/** `a | b`; the type alone where it is one, `never` of none. */
export function union(types: readonly Type[]): Type {
  const [first, ...rest] = types;
  return first === undefined ? keyword("never") : rest.length === 0 ? first : unionOf(types);
}

const unionOf = (types: readonly Type[]): UnionType => ({ kind: "unionType", operator: "|", types });

/** `readonly name?: type` */
export const propertySignature = (
  text: string,
  of: Type,
  options: Partial<Pick<PropertySignature, "optional" | "doc">> = {},
): PropertySignature => ({
  kind: "propertySignature",
  name: text,
  type: of,
  optional: options.optional ?? false,
  readonly: true,
  doc: options.doc,
});

/** `readonly [name: string]: type` */
export const indexSignature = (text: string, of: Type): IndexSignature => ({
  kind: "indexSignature",
  name: text,
  key: keyword("string"),
  type: of,
  readonly: true,
});

/** `name(parameters): returns` */
export const methodSignature = (
  text: string,
  parameters: readonly NamedParameter[],
  returns: Type,
  doc?: string,
): MethodSignature => ({ kind: "methodSignature", name: text, parameters, returns, doc });

/** `(parameters) => returns` */
export const functionType = (parameters: readonly NamedParameter[], returns: Type): FunctionType => ({
  kind: "functionType",
  parameters,
  returns,
});
