import { type Document, readDocuments } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { resolveUri } from "../../text/uris.ts";
import type { ReaderOptions } from "./context.ts";

const keys = ["functions", "events", "errors", "retries", "secrets", "constants"] as const;

/** A definition and the document with its spans. */
export interface PlacedDefinition {
  readonly document: Document;
  readonly definition: JsonObject;
}

/** Replaces the URIs of files of definitions by what the files contain. The files were checked before. */
export function withIncluded(placed: PlacedDefinition, { read }: ReaderOptions): PlacedDefinition {
  const { document: from, definition } = placed;
  const included = keys.flatMap((key) => {
    const uri = own(definition, key);
    if (typeof uri !== "string") return [];
    const file = read?.(resolveUri(uri, from.source).path);
    const [document] = file && !("reason" in file) ? readDocuments(file, () => undefined) : [];
    return [[key, listIn(document?.value, key)] as const];
  });
  if (included.length === 0) return placed;
  const copy = { ...definition, ...Object.fromEntries(included) };
  return { document: from.withValue(from.value, new Map([[copy, { of: definition }]])), definition: copy };
}

/** The definitions of a file: the whole file, or a member of it. */
const listIn = (value: Json | undefined, key: string): Json =>
  (isObject(value) && Object.hasOwn(value, key) ? own(value, key) : value) ?? [];
