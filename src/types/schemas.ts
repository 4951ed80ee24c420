import { invalidSchema, missingSchema, missingSchemaPart, unenforcedSchema } from "../diagnostics/data.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { resolveUri } from "../text/uris.ts";
import { isSchema, typeOfSchema } from "./schema.ts";
import { hasRules, type SchemaRules, schemaRules } from "./schema-rules.ts";
import type { Type } from "./type.ts";

/** Reads the schemas at URIs, relative to the file of `span`. */
export interface SchemaReader {
  /** The type of a schema. */
  typeAt(uri: string, span: Span): Type | undefined;
  /** The rules of a schema that is enforced; undefined if it cannot be, which is reported. */
  rulesAt(uri: string, span: Span): SchemaRules | undefined;
}

/** How to read schema files. */
export interface SchemaReaderOptions {
  readonly read?:
    | ((path: string) => Source | { readonly path: string; readonly reason: string } | undefined)
    | undefined;
  readonly maximumBytes?: number | undefined;
}

/** Reads each referenced schema once. A schema with errors is not enforced, so they are warnings. */
export function schemaReader({ read, maximumBytes }: SchemaReaderOptions, report: Report): SchemaReader {
  const documents = new Map<string, Document | undefined>();
  const types = new Map<string, Type | undefined>();
  const documentAt = (path: string, uri: string, span: Span): Document | undefined => {
    if (documents.has(path)) return documents.get(path);
    const found = read?.(path);
    if (found && "reason" in found) report(missingSchema(span, { uri, reason: found.reason }));
    const document = found && "text" in found ? readSchema(found, span, maximumBytes, report) : undefined;
    documents.set(path, document);
    return document;
  };
  const typeAt = (uri: string, span: Span): Type | undefined => {
    const { path, fragment } = resolveUri(uri, span.source);
    const key = `${path}#${fragment}`;
    const document = documentAt(path, uri, span);
    if (!document || types.has(key)) return types.get(key);
    const type = typeOfSchema(document, fragment, report);
    if (!type) report(missingSchemaPart(span, { path: document.source.path, fragment }));
    types.set(key, type);
    return type;
  };
  const rulesAt = (uri: string, span: Span): SchemaRules | undefined => {
    if (!typeAt(uri, span)) return undefined;
    const { path, fragment } = resolveUri(uri, span.source);
    const found = schemaRules(documents.get(path)!, fragment);
    if (!found || hasRules(found)) return found;
    report(unenforcedSchema(found.span, { reason: found.reason }, [{ message: "The schema is named here.", span }]));
    return undefined;
  };
  return { typeAt, rulesAt };
}

function readSchema(
  source: Source,
  span: Span,
  maximumBytes: number | undefined,
  report: Report,
): Document | undefined {
  const notes = [{ message: "The schema is named here.", span }];
  const watch = ({ severity, message, hint, span: place }: Diagnostic) => {
    if (severity === "error") report(invalidSchema(place, { message, hint }, notes));
  };
  const [document, second] = readDocuments(source, watch, { maximumBytes });
  if (!document) return undefined;
  if (!second && isSchema(document.value)) return document;
  const message = second ? "There are several documents in this file." : "A schema is an object, or `true` or `false`.";
  report(invalidSchema((second ?? document).start, { message }, notes));
  return undefined;
}
