import type { OpenapiDocument } from "../../../src/documents/openapi.ts";
import { js, equalNodes, type TypeDeclaration, type TypeNode } from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { pascalCase } from "../emit/names.ts";
import { jsonType, runtimeType } from "../expressions/runtime.ts";
import type { MessageTypes, ProtoFiles } from "./grpc.ts";
import type { SchemaTypes } from "./openapi/types.ts";

/** What the functions of one program share: each document is read once, and each of its types written once. By the names of the files; undefined for those that cannot be used. */
export interface Shared {
  readonly openapi: Map<string, { readonly document: OpenapiDocument; readonly types: SchemaTypes } | undefined>;
  readonly protos: Map<string, { readonly files: ProtoFiles; readonly types: MessageTypes } | undefined>;
  /** Where the .proto files of a folder are copied to. */
  readonly protoFolders: Map<string, string>;
}

/** Nothing is read yet. */
export const nothingShared = (): Shared => ({ openapi: new Map(), protos: new Map(), protoFolders: new Map() });

/** The types that the documents name. */
export function namedTypes({ openapi, protos }: Shared): readonly TypeDeclaration[] {
  return [...openapi.values(), ...protos.values()].flatMap((entry) => entry?.types.named ?? []);
}

/** What a table has for a key, made where it has none yet. */
export function once<T>(table: Map<string, T>, key: string, make: () => T): T {
  if (!table.has(key)) table.set(key, make());
  return table.get(key) as T;
}

/** Gives names for what a module declares or imports: each another one. */
export interface LocalNames {
  value(wanted: string): string;
  type(wanted: string): string;
}

/** Names beside those that `functions.ts` always has. */
export function namesOf(taken: readonly string[]): LocalNames {
  const used = new Set([...reserved, ...taken]);
  const fresh = (base: string): string => {
    let name = base;
    for (let i = 2; used.has(name); i += 1) name = `${base}${i}`;
    used.add(name);
    return name;
  };
  return { value: (wanted) => fresh(camelCase(wanted)), type: (wanted) => fresh(pascalCase(wanted)) };
}

/** The type of any JSON. */
export const json: TypeNode = jsonType;

/** The type of any object of JSON. */
export const jsonObject: TypeNode = runtimeType("JsonObject");

/** An exported type: `export type Name = type`. */
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

/** A type of several: `a | b`, `a & b`. `Json` takes in all others, and all are in it. */
export function joined(types: readonly TypeNode[], operator: "|" | "&"): TypeNode {
  const flat = types.flatMap((type) => (type.kind === "unionType" && type.operator === operator ? type.types : [type]));
  const distinct = flat.filter((type, i) => flat.findIndex((other) => equalNodes(other, type)) === i);
  if (operator === "|" && distinct.includes(json)) return json;
  const parts = operator === "&" ? distinct.filter((type) => type !== json) : distinct;
  return parts.length < 2 ? (parts[0] ?? json) : { kind: "unionType", operator, types: parts };
}

const reserved: readonly string[] = (
  "functions sinks http openapi grpc reflected request postgres mysql limited withOwn WorkflowError Json JsonObject Sink URL Promise undefined arguments await break case catch class const continue debugger default " +
  "delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private " +
  "protected public return static super switch this throw true try typeof var void while with yield async of"
).split(" ");
