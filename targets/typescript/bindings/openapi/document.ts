import { type Document, readDocuments } from "../../../../src/document/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Span } from "../../../../src/text/source.ts";
import { unusableDocument } from "../../diagnostics/kinds.ts";
import { type Documents, documentNamed } from "../documents.ts";

/** An OpenAPI document of version 3. */
export interface OpenapiDocument {
  readonly document: Document;
  readonly root: JsonObject;
}

/** Reads an OpenAPI document; undefined where it cannot be used, which is reported. */
export function openapiDocument(file: string, span: Span, documents: Documents): OpenapiDocument | undefined {
  const source = documentNamed(file, span, documents);
  const [document] = source ? readDocuments(source, documents.report) : [];
  if (!document) return undefined;
  const { value } = document;
  const version = isObject(value) ? own(value, "openapi") : undefined;
  if (isObject(value) && typeof version === "string" && /^3\.[01](?:\.|$)/.test(version))
    return { document, root: value };
  const found =
    isObject(value) && Object.hasOwn(value, "swagger") ? "a Swagger document of version 2" : "none of these";
  documents.report(
    unusableDocument(document.start, {
      detail: `OpenAPI documents of versions 3.0 and 3.1 are read, and this is ${found}.`,
    }),
  );
  return undefined;
}

/** What an object of the document is, after the references that it may be made of; undefined where one leads nowhere in the document, or in a circle. */
export function resolved(root: JsonObject, value: Json | undefined): Json | undefined {
  let found = value;
  for (let steps = 0; steps < 100; steps += 1) {
    const reference = isObject(found) ? own(found, "$ref") : undefined;
    if (typeof reference !== "string") return found;
    found = target(root, reference);
  }
  return undefined;
}

/** What a reference such as `#/components/schemas/Order` leads to. */
function target(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let found: Json | undefined = root;
  for (const token of reference.slice(2).split("/")) {
    const name = unescaped(token);
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)];
    else found = isObject(found) ? own(found, name) : undefined;
  }
  return found;
}

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}
