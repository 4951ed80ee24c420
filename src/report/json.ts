import type { Diagnostic } from "../text/diagnostics.ts";
import { positionOf, type Span } from "../text/source.ts";

/** Diagnostics as one JSON array for programs: places count from 1, ends are exclusive, `hint` is null where there is none. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  const list = diagnostics.map(({ code, severity, message, hint, span, notes }) => ({
    code,
    severity,
    message,
    hint: hint ?? null,
    ...place(span),
    notes: notes.map((note) => ({ message: note.message, ...place(note.span) })),
  }));
  return `${JSON.stringify(list, null, 2)}\n`;
}

function place({ source, start, end }: Span) {
  const from = positionOf(source, start);
  const to = positionOf(source, end);
  return { file: source.path, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}
