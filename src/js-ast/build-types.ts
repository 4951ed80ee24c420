import type { ImportSource } from "./tree.ts";
import type {
  ArrayTypeNode,
  FunctionTypeNode,
  IndexSignature,
  KeywordTypeNode,
  LiteralTypeNode,
  MethodSignature,
  ObjectTypeNode,
  ParameterSignature,
  PropertySignature,
  TypeMember,
  TypeNode,
  TypeReferenceNode,
  UnionTypeNode,
} from "./types.ts";

/** `string` */
export const keyword = (text: KeywordTypeNode["name"]): KeywordTypeNode => ({ kind: "keywordType", name: text });

/** `Name<args>` */
export const type = (text: string, args: readonly TypeNode[] = [], from?: ImportSource): TypeReferenceNode => ({
  kind: "namedType",
  name: text,
  args,
  from,
});

/** A type of a module, imported as `local`. */
export const importedType = (exported: string, module: string, local = exported): TypeReferenceNode =>
  type(local, [], exported === local ? { module } : { module, exported });

/** `"text"` as a type. */
export const literalType = (of: LiteralTypeNode["value"]): LiteralTypeNode => ({ kind: "literalType", value: of });

/** `readonly element[]` */
export const arrayType = (of: TypeNode): ArrayTypeNode => ({ kind: "arrayType", element: of, readonly: true });

/** `{ readonly a: string }` */
export const objectType = (members: readonly TypeMember[]): ObjectTypeNode => ({ kind: "objectType", members });

/** `a | b`; `never` for an empty array. */
export function union(types: readonly TypeNode[]): TypeNode {
  const [first, ...rest] = types;
  return first === undefined ? keyword("never") : rest.length === 0 ? first : unionOf(types);
}

const unionOf = (types: readonly TypeNode[]): UnionTypeNode => ({ kind: "unionType", operator: "|", types });

/** `readonly name?: type` */
export const propertySignature = (
  text: string,
  of: TypeNode,
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
export const indexSignature = (text: string, of: TypeNode): IndexSignature => ({
  kind: "indexSignature",
  name: text,
  key: keyword("string"),
  type: of,
  readonly: true,
});

/** `name(parameters): returns` */
export const methodSignature = (
  text: string,
  parameters: readonly ParameterSignature[],
  returns: TypeNode,
  doc?: string,
): MethodSignature => ({ kind: "methodSignature", name: text, parameters, returns, doc });

/** `(parameters) => returns` */
export const functionType = (parameters: readonly ParameterSignature[], returns: TypeNode): FunctionTypeNode => ({
  kind: "functionType",
  parameters,
  returns,
});
