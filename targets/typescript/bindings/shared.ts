import type { OpenapiDocument } from "../../../src/documents/openapi.ts";
import { camelCase } from "../../../src/expressions/js/index.ts";
import { equalNodes, js, type TypeDeclaration, type TypeNode } from "../../../src/js-ast/index.ts";
import { pascalCase } from "../emit/names.ts";
import { jsonType, runtimeType } from "../emit/runtime-imports.ts";
import type { MessageTypes, ProtoFiles } from "./grpc.ts";
import type { SchemaTypes } from "./openapi/types.ts";

/** Documents by file name, so that each is read, and each type declared, once. Undefined if unusable. */
export interface SharedDocuments {
  readonly openapi: Map<string, { readonly document: OpenapiDocument; readonly types: SchemaTypes } | undefined>;
  readonly protos: Map<string, { readonly files: ProtoFiles; readonly types: MessageTypes } | undefined>;
  readonly protoFolders: Map<string, string>;
}

/** Creates an empty table. */
export const createSharedDocuments = (): SharedDocuments => ({
  openapi: new Map(),
  protos: new Map(),
  protoFolders: new Map(),
});

/** The named types of all documents. */
export function namedTypes({ openapi, protos }: SharedDocuments): readonly TypeDeclaration[] {
  return [...openapi.values(), ...protos.values()].flatMap((entry) => entry?.types.named ?? []);
}

/** Returns a value, creating it on first use. */
export function getOrCreate<T>(table: Map<string, T>, key: string, make: () => T): T {
  if (!table.has(key)) table.set(key, make());
  return table.get(key) as T;
}

/** Chooses unique names in a module. */
export interface LocalNames {
  value(wanted: string): string;
  type(wanted: string): string;
}

/** Avoids the fixed names in `functions.ts`. */
export function createLocalNames(taken: readonly string[]): LocalNames {
  const used = new Set([...reserved, ...taken]);
  const fresh = (base: string): string => {
    let name = base;
    for (let i = 2; used.has(name); i += 1) name = `${base}${i}`;
    used.add(name);
    return name;
  };
  return { value: (wanted) => fresh(camelCase(wanted)), type: (wanted) => fresh(pascalCase(wanted)) };
}

/** Any JSON value. */
export const json: TypeNode = jsonType;

/** Any JSON object. */
export const jsonObject: TypeNode = runtimeType("JsonObject");

/** `export type Name = type` */
export const exportedType = (name: string, doc: string, type: TypeNode): TypeDeclaration => ({
  kind: "typeDeclaration",
  name,
  doc,
  exported: true,
  typeParameters: [],
  type,
});

/** `{ readonly [name: string]: type }` */
export const mapType = (of: TypeNode): TypeNode => js.objectType([js.indexSignature("name", of)]);

/** `a | b` or `a & b`. `Json` absorbs unions and vanishes from intersections. */
export function combineTypes(types: readonly TypeNode[], operator: "|" | "&"): TypeNode {
  const flat = types.flatMap((type) => (type.kind === "unionType" && type.operator === operator ? type.types : [type]));
  const distinct = flat.filter((type, i) => flat.findIndex((other) => equalNodes(other, type)) === i);
  if (operator === "|" && distinct.includes(json)) return json;
  const parts = operator === "&" ? distinct.filter((type) => type !== json) : distinct;
  return parts.length < 2 ? (parts[0] ?? json) : { kind: "unionType", operator, types: parts };
}

const reserved: readonly string[] = (
  "functions sinks codec Codec http openapi grpc reflected request oauth2 shell javascript logLine postgres mysql limited withOwn WorkflowError Json JsonObject Sink URL Promise undefined arguments await break case catch class const continue debugger default " +
  "delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private " +
  "protected public return static super switch this throw true try typeof var void while with yield async of"
).split(" ");
