import { type Document, readDocuments } from "../../documents/index.ts";
import { isObject, type Json, own } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { Span } from "../../text/source.ts";
import type { Resource } from "../../text/uris.ts";
import { circularDefinitions, noDefinitions, unreadableDefinitions } from "./diagnostics/kinds.ts";

/** Definitions in another file. */
export interface IncludedDefinitions {
  /** In the form that `validate` returned. */
  readonly value: Json;
  /** The file with their spans. */
  readonly document: Document;
}

/** How definitions in other files are read. */
export interface DefinitionReader {
  readonly lowering: Pick<LowerContext, "report" | "textAt">;
  /** Canonicalizes and validates the value of `key` in a file; undefined if it was reported as invalid. */
  validate(key: string, value: Json, document: Document): IncludedDefinitions | undefined;
  /** Whether the value is of the kind that `key` needs. */
  isKind(key: string, value: Json): boolean;
}

/**
 * Reads the definitions at a URI: the value of `key` in an object, or the whole file. Follows further references;
 * reports unreadable files and cycles.
 */
export function readIncluded(
  reader: DefinitionReader,
  key: string,
  uri: string,
  span: Span,
  before: readonly string[] = [],
): IncludedDefinitions | undefined {
  const { report, textAt } = reader.lowering;
  const source = textAt?.(uri, span);
  if (!source || "reason" in source) {
    report(unreadableDefinitions(span, { key, uri, reason: describeFailure(uri, source) }));
    return undefined;
  }
  const from = before.indexOf(source.path);
  if (from >= 0) {
    report(circularDefinitions(span, { cycle: [...before.slice(from), source.path] }));
    return undefined;
  }
  const [document] = readDocuments(source, report);
  if (!document) return undefined;
  const { value } = document;
  const named = isObject(value) ? findKey(value, key) : undefined;
  const given = named === undefined ? value : own(value as { readonly [key: string]: Json }, named)!;
  if (typeof given === "string" && named !== undefined)
    return readIncluded(reader, key, given, document.spanOf(value, named), [...before, source.path]);
  if (reader.isKind(key, given)) return reader.validate(key, given, document);
  report(noDefinitions(span, { key, uri }));
  return undefined;
}

/** Why a resource cannot be read, as the end of a sentence. */
export function describeFailure(uri: string, found: Resource | undefined): string {
  if (found && "reason" in found) return found.reason;
  return /^(?!file:)[a-z][a-z\d+.-]+:/i.test(uri)
    ? "Waybill does not fetch files from the network"
    : "the file was not passed to the compiler";
}

/** A document in which the parts of included files have their spans in those files. */
export function withIncluded(document: Document, included: readonly IncludedDefinitions[]): Document {
  if (included.length === 0) return document;
  const owners = new Map<object, Document>();
  const visit = (value: Json, owner: Document): void => {
    if (typeof value !== "object" || value === null) return;
    owners.set(value, owner);
    for (const part of Object.values(value)) visit(part as Json, owner);
  };
  for (const each of included) visit(each.value, each.document);
  const ownerOf = (value: unknown): Document => owners.get(value as object) ?? document;
  return {
    ...document,
    spanOf: (owner, ...rest) => ownerOf(owner).spanOf(owner, ...rest),
    spanWithin: (owner, ...rest) => ownerOf(owner).spanWithin(owner, ...rest),
  };
}

const findKey = (value: { readonly [key: string]: Json }, name: string): string | undefined =>
  Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase());
