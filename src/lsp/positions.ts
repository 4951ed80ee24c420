import type { Position, Range } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Source, Span } from "../text/source.ts";

const documents = new WeakMap<Source, TextDocument>();

/** A source as the protocol counts: from 0, in UTF-16 units, with lines that end in LF, CRLF or CR. */
function documentOf(source: Source): TextDocument {
  const known = documents.get(source);
  if (known) return known;
  const document = TextDocument.create("", "", 0, source.text);
  documents.set(source, document);
  return document;
}

/** The range of a span. */
export function rangeOf({ source, start, end }: Span): Range {
  const document = documentOf(source);
  return { start: document.positionAt(start), end: document.positionAt(Math.max(start, end)) };
}

/** The offset of a position; the nearest one if the position is outside of the source. */
export const offsetAt = (source: Source, position: Position): number => documentOf(source).offsetAt(position);

/** The range of offsets in a source. */
export const rangeBetween = (source: Source, start: number, end: number): Range => rangeOf({ source, start, end });
