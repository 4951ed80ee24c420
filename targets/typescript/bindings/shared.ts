import type { TypeDeclaration } from "../../../src/code/index.ts";
import type { ProtoFiles } from "./grpc/files.ts";
import type { MessageTypes } from "./grpc/types.ts";
import type { OpenapiDocument } from "./openapi/document.ts";
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
