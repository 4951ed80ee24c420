import { js, type TypeDeclaration, type TypeMember, type TypeNode } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { OpenUse } from "../../../src/readable/use.ts";
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
import { jsonType } from "../expressions/runtime.ts";
import { jsonOrNothing, looseObject, typeByUse } from "../expressions/types.ts";
import { type NameScope, pascalCase } from "./names.ts";
import { oneLine } from "./steps.ts";

/** The type of what a schema allows. */
export interface SchemaType {
  readonly name: string;
  readonly type: Type;
  /** It, and the types that its parts have names for. */
  readonly declarations: readonly TypeDeclaration[];
  /** Whether all that the schema says is in it: of large ones only the beginning is. */
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

/** Larger and deeper types are `Json` from there on. */
const mostParts = 2_000;
const deepest = 24;

interface Writing {
  readonly names: ReadonlyMap<TypeDefinition, string>;
  left: number;
  isWhole: boolean;
}

/** The type of a schema, named after it; undefined where it allows for anything, or nothing. */
export function schemaType(
  type: Type | undefined,
  uri: string | undefined,
  what: "input" | "output",
  names: NameScope,
): SchemaType | undefined {
  if (!type || type.kind === "any" || isNever(type)) return undefined;
  const own = type.kind === "reference" ? undefined : names.fresh(pascalCase(nameIn(uri) || what));
  const definitions = definitionsOf([type]);
  const writing: Writing = {
    names: new Map(definitions.map((definition) => [definition, names.fresh(pascalCase(definition.name))])),
    left: mostParts,
    isWhole: true,
  };
  const doc = `The ${what} of a run, as its schema says.`;
  const whole = own === undefined ? [] : [exportedType(own, typeOf(type, deepest, writing), doc)];
  const parts = definitions.map((definition) => declared(definition, writing));
  const declarations = [...whole, ...parts];
  return { name: declarations[0]!.name, type, declarations, isWhole: writing.isWhole };
}

function declared(definition: TypeDefinition, writing: Writing): TypeDeclaration {
  const name = writing.names.get(definition)!;
  const type = isCircle(definition) ? jsonType : typeOf(definition.type, deepest, writing);
  return exportedType(name, type, definition.documentation ?? `What the schema calls \`${definition.name}\`.`);
}

/** Whether a definition refers to itself without an object or array between. */
function isCircle(definition: TypeDefinition): boolean {
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

/** The last word of a fragment, or the name of the file without its endings. */
function nameIn(uri: string | undefined): string {
  const [path = "", fragment = ""] = (uri ?? "").split("#");
  const word = (fragment || path.replace(/[?].*$/, "")).split("/").findLast((part) => part !== "") ?? "";
  const name = fragment ? word : word.replace(/\.(?:json|ya?ml)$/i, "").replace(/[.-]schema$/i, "");
  return /[A-Za-z]/.test(name) ? name : "";
}

function typeOf(type: Type, depth: number, writing: Writing): TypeNode {
  writing.left -= 1;
  if (depth > 0 && writing.left >= 0) return typeNodeOf(type, depth, writing);
  writing.isWhole = false;
  return jsonType;
}

function typeNodeOf(type: Type, depth: number, writing: Writing): TypeNode {
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
      return js.arrayType(typeOf(type.items, depth - 1, writing));
    case "object":
      return objectType(type, depth, writing);
    case "union":
      return js.union(nullLast(type.of).map((part) => typeOf(part, depth - 1, writing)));
    case "reference": {
      const name = writing.names.get(type.definition);
      return name === undefined ? jsonType : js.type(name);
    }
    default:
      return assertNever(type);
  }
}

const nullLast = (types: readonly Type[]): readonly Type[] =>
  types.toSorted((a, b) => Number(a.kind === "null") - Number(b.kind === "null"));

function objectType({ members, rest }: ObjectType, depth: number, writing: Writing): TypeNode {
  const listed = Array.from(members, ([name, member]) => memberType(name, member, depth, writing));
  const others = members.size === 0 && rest.kind !== "any" ? typeOf(rest, depth - 1, writing) : jsonOrNothing;
  const isClosed = isNever(rest) && members.size > 0;
  return js.objectType([...listed, ...(isClosed ? [] : [js.indexSignature("member", others)])]);
}

const memberType = (
  name: string,
  { type, required, documentation }: MemberType,
  depth: number,
  writing: Writing,
): TypeMember =>
  js.propertySignature(name, typeOf(type, depth - 1, writing), {
    optional: !required,
    doc: documentation === undefined ? undefined : oneLine(documentation, 400),
  });

/**
 * The type of a variable that begins with a value of a shape, by what is looked at in it: all values of the shape are of the type. `isNullable`: whether it
 * may be null by its type.
 */
export function typeOfUse(use: OpenUse, valueType: Type, isNullable: boolean): TypeNode {
  if (use.members.size === 0) return jsonType;
  if (valueType.kind === "any" || use.isCompared) return typeByUse(use);
  const parts = alternatives(valueType);
  const objects = union(...parts.filter(({ kind }) => kind === "object"));
  const type = looseObject(
    Array.from(use.members, ([name, member]) => {
      const found = memberOf(objects, name).type;
      return [name, isNever(found) ? typeByUse(member) : typeOfUse(member, found, true)] as const;
    }),
  );
  return isNullable && parts.some(({ kind }) => kind === "null") ? js.union([type, js.keyword("null")]) : type;
}

/** Whether the values of a shape are of the type of what is looked at in it, as their own type says. */
export function isOfUse(use: OpenUse, type: Type): boolean {
  if (use.members.size === 0 || isNever(type)) return true;
  if (type.kind === "any") return false;
  return alternatives(type).every(
    (part) =>
      part.kind === "object" &&
      Array.from(use.members).every(([name, member]) => isOfUse(member, part.members.get(name)?.type ?? never)),
  );
}
