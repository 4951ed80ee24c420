import {
  createSpanMap,
  type Document,
  embeddedDiagnostic,
  embeddedDocument,
  readDocuments,
} from "../../../documents/index.ts";
import type { Report } from "../../../text/diagnostics.ts";
import type { Source, Span } from "../../../text/source.ts";
import { unquotedPlaceholder } from "../diagnostics/kinds.ts";

/** A string with the source offset of each unit and of its end. */
export interface PlacedText {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** The string that a member of a document has. */
export function placedText(document: Document, owner: object, property: string | number): PlacedText {
  const text = String((owner as { readonly [key: string | number]: unknown })[property]);
  const offsets = document.offsetsOf(owner, property);
  return offsets ? { text, offsets } : placedAt(text, document.spanOf(owner, property));
}

/** A string whose parts are all at one place. */
export const placedAt = (text: string, { start }: Span): PlacedText => ({
  text,
  offsets: Array.from({ length: text.length + 1 }, () => start),
});

/** Joins strings. */
export const joinTexts = (texts: readonly PlacedText[]): PlacedText => ({
  text: texts.map(({ text }) => text).join(""),
  offsets: texts.flatMap(({ offsets }, i) => (i === texts.length - 1 ? offsets : offsets.slice(0, -1))),
});

/** Reads a machine from a string with JSON in which `${Name}` is a placeholder, also outside of strings if it has a value. */
export function readMachineText(
  placed: PlacedText,
  source: Source,
  values: ReadonlyMap<string, string>,
  report: Report,
): Document | undefined {
  const { text, offsets } = quotePlaceholders(placed, source, values, report);
  const map = createSpanMap(source, offsets);
  const inner = { path: "definition.json", text };
  const [document] = readDocuments(inner, (found) => report(embeddedDiagnostic(found, map)), { recovers: true });
  return document && embeddedDocument(document, source, map);
}

/** Inserts the values of placeholders outside of strings, and escapes quotes in those inside. */
function quotePlaceholders(
  { text, offsets }: PlacedText,
  source: Source,
  values: ReadonlyMap<string, string>,
  report: Report,
): PlacedText {
  if (!text.includes("${")) return { text, offsets };
  const parts: string[] = [];
  const places: number[] = [];
  const add = (part: string, at: number, isCopy = false): void => {
    parts.push(part);
    for (let i = 0; i < part.length; i += 1) places.push(offsets[isCopy ? at + i : at]!);
  };
  let isInString = false;
  for (let at = 0; at < text.length; ) {
    const end = text.startsWith("${", at) ? endOfPlaceholder(text, at) : -1;
    if (end < 0) {
      const length = isInString && text[at] === "\\" ? 2 : 1;
      if (text[at] === '"') isInString = !isInString;
      add(text.slice(at, at + length), at, true);
      at += length;
      continue;
    }
    const written = text.slice(at, end);
    const value = values.get(written.slice(2, -1).trim());
    if (isInString) add(JSON.stringify(written).slice(1, -1), at);
    else if (value !== undefined) add(value, at);
    else {
      const span = { source, start: offsets[at]!, end: offsets[end]! };
      report(unquotedPlaceholder(span, { name: written.slice(2, -1).trim() }));
      add("null", at);
    }
    at = end;
  }
  places.push(offsets[text.length]!);
  return { text: parts.join(""), offsets: places };
}

/** The end of `${ … }`, with inner braces and strings. */
function endOfPlaceholder(text: string, from: number): number {
  let depth = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    else if (text[at] === "\n") return -1;
    if (depth === 0) return at + 1;
  }
  return -1;
}
