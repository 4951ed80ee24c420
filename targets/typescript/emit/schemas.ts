import { type OpenUse, provenMember } from "../../../src/expressions/js/index.ts";
import { js, oneLine, type TypeDeclaration, type TypeMember, type TypeNode } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import {
  alternatives,
  definitionsOf,
  isNever,
  type MemberType,
  memberOf,
  never,
  type ObjectType,
  type Type,
  type TypeDefinition,
  union,
} from "../../../src/types/index.ts";
import { type NameSpace, pascalCase } from "./names.ts";
import { jsonType, optionalJson } from "./runtime-imports.ts";

/** The type of a schema. */
export interface SchemaType {
  readonly name: string;
  readonly type: Type;
  readonly declarations: readonly TypeDeclaration[];
  /** False if the schema was truncated. */
  readonly isWhole: boolean;
}

/** `export type Name = type;` with a comment. */
export const exportedType = (name: string, type: TypeNode, doc: string): TypeDeclaration => ({
  kind: "typeDeclaration",
  name,
  typeParameters: [],
  type,
  exported: true,
  doc: oneLine(doc, 400),
});

/** Larger or deeper types are truncated to `Json`. */
const maxTypeParts = 2_000;
const maxTypeDepth = 24;

interface SchemaPrinting {
  readonly names: ReadonlyMap<TypeDefinition, string>;
  left: number;
  isWhole: boolean;
}

/** The type of a schema; undefined if it allows any value, or none. */
export function schemaType(
  type: Type | undefined,
  uri: string | undefined,
  what: "input" | "output",
  names: NameSpace,
): SchemaType | undefined {
  if (!type || type.kind === "any" || isNever(type)) return undefined;
  const own = type.kind === "reference" ? undefined : names.fresh(pascalCase(nameIn(uri) || what));
  const definitions = definitionsOf([type]);
  const printing: SchemaPrinting = {
    names: new Map(definitions.map((definition) => [definition, names.fresh(pascalCase(definition.name))])),
    left: maxTypeParts,
    isWhole: true,
  };
  const doc = `The ${what} of a run, according to its schema.`;
  const whole = own === undefined ? [] : [exportedType(own, printType(type, maxTypeDepth, printing), doc)];
  const parts = definitions.map((definition) => declareDefinition(definition, printing));
  const declarations = [...whole, ...parts];
  return { name: declarations[0]!.name, type, declarations, isWhole: printing.isWhole };
}

function declareDefinition(definition: TypeDefinition, printing: SchemaPrinting): TypeDeclaration {
  const name = printing.names.get(definition)!;
  const type = isSelfReference(definition) ? jsonType : printType(definition.type, maxTypeDepth, printing);
  return exportedType(name, type, definition.documentation ?? `\`${definition.name}\` in the schema.`);
}

/** Whether a definition contains itself without an object or array in between. */
function isSelfReference(definition: TypeDefinition): boolean {
  const seen = new Set<TypeDefinition>();
  const waiting: Type[] = [definition.type];
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    if (type.kind === "union") waiting.push(...type.of);
    if (type.kind !== "reference" || seen.has(type.definition)) continue;
    if (type.definition === definition) return true;
    seen.add(type.definition);
    waiting.push(type.definition.type);
  }
  return false;
}

function nameIn(uri: string | undefined): string {
  const [path = "", fragment = ""] = (uri ?? "").split("#");
  const word = (fragment || path.replace(/[?].*$/, "")).split("/").findLast((part) => part !== "") ?? "";
  const name = fragment ? word : word.replace(/\.(?:json|ya?ml)$/i, "").replace(/[.-]schema$/i, "");
  return /[A-Za-z]/.test(name) ? name : "";
}

function printType(type: Type, depth: number, printing: SchemaPrinting): TypeNode {
  printing.left -= 1;
  if (depth > 0 && printing.left >= 0) return typeNodeOf(type, depth, printing);
  printing.isWhole = false;
  return jsonType;
}

function typeNodeOf(type: Type, depth: number, printing: SchemaPrinting): TypeNode {
  switch (type.kind) {
    case "any":
      return jsonType;
    case "null":
    case "boolean":
    case "number":
    case "string":
      return js.keyword(type.kind);
    case "literal":
      return js.literalType(type.value);
    case "array":
      return js.arrayType(printType(type.items, depth - 1, printing));
    case "object":
      return objectType(type, depth, printing);
    case "union":
      return js.union(nullLast(type.of).map((part) => printType(part, depth - 1, printing)));
    case "reference": {
      const name = printing.names.get(type.definition);
      return name === undefined ? jsonType : js.type(name);
    }
    default:
      return assertNever(type);
  }
}

const nullLast = (types: readonly Type[]): readonly Type[] =>
  types.toSorted((a, b) => Number(a.kind === "null") - Number(b.kind === "null"));

function objectType({ members, rest }: ObjectType, depth: number, printing: SchemaPrinting): TypeNode {
  const listed = Array.from(members, ([name, member]) => memberType(name, member, depth, printing));
  const others = members.size === 0 && rest.kind !== "any" ? printType(rest, depth - 1, printing) : optionalJson;
  const isClosed = isNever(rest) && members.size > 0;
  return js.objectType([...listed, ...(isClosed ? [] : [js.indexSignature("member", others)])]);
}

const memberType = (
  name: string,
  { type, required, documentation }: MemberType,
  depth: number,
  printing: SchemaPrinting,
): TypeMember =>
  js.propertySignature(name, printType(type, depth - 1, printing), {
    optional: !required,
    doc: documentation === undefined ? undefined : oneLine(documentation, 400),
  });

/** Deeper types are `any`. */
const maxUseDepth = 32;

/** The used members: `{ readonly id?: Json; readonly [member: string]: Json | undefined }`, or `Json` */
export function typeByUse(use: OpenUse, level = 1): TypeNode {
  if (use.members.size === 0) return jsonType;
  if (use.isCompared || level > maxUseDepth) return js.keyword("any");
  return looseObject(Array.from(use.members, ([name, member]) => [name, typeByUse(member, level + 1)]));
}

const looseObject = (members: readonly (readonly [name: string, type: TypeNode])[]): TypeNode =>
  js.objectType([
    ...members.map(([name, type]) => js.propertySignature(name, type, { optional: true })),
    js.indexSignature("member", optionalJson),
  ]);

/** The used members, with the types of a schema, whose values are assignable. `isNullable`: may include null. */
export function typeOfUse(use: OpenUse, valueType: Type, isNullable: boolean): TypeNode {
  if (use.members.size === 0) return jsonType;
  if (valueType.kind === "any" || use.isCompared) return typeByUse(use);
  const parts = alternatives(valueType);
  const objects = union(...parts.filter(({ kind }) => kind === "object"));
  const members = Array.from(use.members, ([name, member]) => {
    const type = memberOf(objects, name).type;
    const { isAlways, isPresent, scalar } = provenMember(use.proven, name);
    const isKnown = isAlways && scalar !== undefined && member.members.size === 0;
    const typeOfMember = isNever(type) ? typeByUse(member) : typeOfUse(member, type, !isPresent);
    return js.propertySignature(name, isKnown ? js.keyword(scalar) : typeOfMember, { optional: !isAlways });
  });
  const type = js.objectType([...members, js.indexSignature("member", optionalJson)]);
  return isNullable && parts.some(({ kind }) => kind === "null") ? js.union([type, js.keyword("null")]) : type;
}

/** Whether a schema type is assignable to the used members. */
export function fitsUse(use: OpenUse, type: Type): boolean {
  if (use.members.size === 0 || isNever(type)) return true;
  if (type.kind === "any") return false;
  return alternatives(type).every(
    (part) =>
      part.kind === "object" &&
      Array.from(use.members).every(([name, member]) => fitsUse(member, part.members.get(name)?.type ?? never)),
  );
}
