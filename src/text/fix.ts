import type { Diagnostic, Fix } from "./diagnostics.ts";
import type { Source, Span } from "./source.ts";

export { isPlainScalar, quoteLike } from "./quote.ts";

/** A fixed source, and the diagnostics that this resolves. */
export interface FixedSource {
  readonly text: string;
  readonly applied: readonly Diagnostic[];
}

/** Applies the first of overlapping fixes. */
export function applyFixes(source: Source, diagnostics: readonly Diagnostic[]): FixedSource {
  const applied: Diagnostic[] = [];
  const edits: Fix[number][] = [];
  for (const diagnostic of diagnostics) {
    const { fix = [] } = diagnostic;
    const isFree = fix.every(
      ({ span }) => span.source === source && edits.every((edit) => areDisjoint(edit.span, span)),
    );
    if (fix.length === 0 || !isFree) continue;
    edits.push(...fix);
    applied.push(diagnostic);
  }
  edits.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let text = "";
  let end = 0;
  for (const { span, text: written } of edits) {
    text += source.text.slice(end, span.start) + written;
    end = span.end;
  }
  return { text: text + source.text.slice(end), applied };
}

type SpanRange = Pick<Span, "start" | "end">;

/** Whether two ranges do not overlap; insertions at one offset do. */
export const areDisjoint = (a: SpanRange, b: SpanRange): boolean =>
  a.end < b.start || b.end < a.start || (a.end === b.start) !== (b.end === a.start);
