import type { Document } from "../documents/index.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";

/** Maps a span to the part of its source that is compiled on its own: the document that contains it, or the whole source if none does. */
export type PartOf = (span: Span) => Span;

/**
 * Finds parts by binary search over the documents of each source; the maps may still be filled afterwards. The part of a
 * file that another embeds is where it does.
 */
export function partsOf(
  documents: ReadonlyMap<Source, readonly Pick<Document, "span">[]>,
  embeddedFiles: ReadonlyMap<Source, Span> = new Map(),
): PartOf {
  const wholes = new Map<Source, Span>();
  return ({ source, start }) => {
    const embedded = embeddedFiles.get(source);
    if (embedded) return embedded;
    const parts = documents.get(source) ?? [];
    let [low, high] = [0, parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parts[middle]!.span.end < start) low = middle + 1;
      else high = middle;
    }
    const part = parts[low]?.span;
    if (part && part.start <= start) return part;
    const whole = wholes.get(source) ?? { source, start: 0, end: source.text.length };
    wholes.set(source, whole);
    return whole;
  };
}

/** The source text of a span. */
export const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

/** Collects diagnostics, and the parts that have errors. */
export function collectDiagnostics(partOf: PartOf = partsOf(new Map())): {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: Report;
  readonly broken: ReadonlySet<Span>;
} {
  const diagnostics: Diagnostic[] = [];
  const broken = new Set<Span>();
  const report: Report = (diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostic.severity === "error") broken.add(partOf(diagnostic.span));
  };
  return { diagnostics, report, broken };
}
