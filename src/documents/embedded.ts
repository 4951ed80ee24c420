import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import type { Document } from "./document.ts";

/** Maps spans of a string inside a source to that source. */
export type SpanMap = (span: Span) => Span;

/** Maps spans by the offset of each unit of the string and of its end. */
export const createSpanMap =
  (source: Source, offsets: readonly number[]): SpanMap =>
  ({ start, end }) => {
    const first = offsets[Math.min(start, offsets.length - 1)] ?? 0;
    const last = offsets[Math.min(end, offsets.length - 1)] ?? first;
    return { source, start: first, end: Math.max(first, last) };
  };

/** The document of a string inside a source, with positions in that source. */
export const embeddedDocument = (document: Document, source: Source, map: SpanMap): Document => ({
  ...document,
  source,
  span: map(document.span),
  start: map(document.start),
  spanOf: (...place) => map(document.spanOf(...place)),
  spanWithin: (...place) => map(document.spanWithin(...place)),
  offsetsOf: (owner, property) => {
    const offsets = document.offsetsOf(owner, property);
    return offsets?.map((at) => map({ source, start: at, end: at }).start);
  },
  part: (owner, property) => embeddedDocument(document.part(owner, property), source, map),
  withValue: (value, origins) => embeddedDocument(document.withValue(value, origins), source, map),
});

/** A diagnostic about a string inside a source. A fix of the string need not fit the source. */
export const embeddedDiagnostic = ({ fix: _, ...diagnostic }: Diagnostic, map: SpanMap): Diagnostic => ({
  ...diagnostic,
  span: map(diagnostic.span),
  notes: diagnostic.notes.map((note) => ({ ...note, span: map(note.span) })),
});
