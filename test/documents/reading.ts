import { type Document, type ReadOptions, readDocuments } from "../../src/documents/index.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";

/** The result of reading a source. */
export interface ReadSummary {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
  /** Each diagnostic as `code «text at fault» message | hint | «text of a note» note`. */
  readonly findings: readonly string[];
}

/** Reads a string under a file name. */
export function read(text: string, path = "workflow.yaml", limits?: ReadOptions): ReadSummary {
  const diagnostics: Diagnostic[] = [];
  const documents = readDocuments({ path, text }, (diagnostic) => diagnostics.push(diagnostic), limits);
  return { documents, diagnostics, findings: diagnostics.map(finding) };
}

/** Reads the only document of a source without errors. */
export function only(text: string, path?: string): Document {
  const { documents, findings } = read(text, path);
  if (documents.length !== 1 || findings.length > 0)
    throw new Error(`Expected one document without faults, got ${findings.join("; ")}`);
  return documents[0]!;
}

/** The text of a span. */
export function textOf({ source, start, end }: Span): string {
  return source.text.slice(start, end);
}

function finding({ code, message, hint, span, notes }: Diagnostic): string {
  const parts = [`${code} «${textOf(span)}» ${message}`, ...(hint === undefined ? [] : [hint])];
  return [...parts, ...notes.map((note) => `«${textOf(note.span)}» ${note.message}`)].join(" | ");
}
