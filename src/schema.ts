import type { Report } from "./diagnostics.ts";
import type { Document } from "./document.ts";

/** Checks a document's shape against a language's JSON Schema and reports what does not fit; true when it fits. */
export type Validator = (document: Document, report: Report) => boolean;
