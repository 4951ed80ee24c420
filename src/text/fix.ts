import type { Diagnostic, Mend } from "./diagnostics.ts";
import type { Source, Span } from "./source.ts";

/** A text in the quotes of the one that it takes the place of. */
export function asWritten({ source, start }: Span, text: string): string {
  const first = source.text[start];
  if (first === '"') return JSON.stringify(text);
  return first === "'" ? `'${text.replaceAll("'", "''")}'` : text;
}

/** A source after its faults were mended that could be, and the diagnostics that this takes away. */
export interface Mended {
  readonly text: string;
  readonly applied: readonly Diagnostic[];
}

/** Applies the mends of a source's diagnostics. Of those that change the same stretch the first counts; the others may be found again in the new text. */
export function mended(source: Source, diagnostics: readonly Diagnostic[]): Mended {
  const applied: Diagnostic[] = [];
  const edits: Mend[number][] = [];
  for (const diagnostic of diagnostics) {
    const { mend = [] } = diagnostic;
    const isFree = mend.every(({ span }) => span.source === source && edits.every((edit) => areApart(edit.span, span)));
    if (mend.length === 0 || !isFree) continue;
    edits.push(...mend);
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

type Stretch = Pick<Span, "start" | "end">;

/** Whether two stretches have no place in common; two insertions at one place have. */
export const areApart = (a: Stretch, b: Stretch): boolean =>
  a.end < b.start || b.end < a.start || (a.end === b.start) !== (b.end === a.start);
