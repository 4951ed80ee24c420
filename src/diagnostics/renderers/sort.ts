import type { Diagnostic } from "../../text/diagnostics.ts";
import type { Source } from "../../text/source.ts";

/** Sorts by source, position and code; drops duplicates. */
export function sortDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: readonly Source[] = [],
): readonly Diagnostic[] {
  const order = new Map<Source, number>();
  for (const source of [...sources, ...diagnostics.map(({ span }) => span.source)])
    if (!order.has(source)) order.set(source, order.size);
  const rank = ({ span }: Diagnostic): number => order.get(span.source)!;
  const sorted = [...diagnostics].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      a.span.start - b.span.start ||
      a.span.end - b.span.end ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
  return sorted.filter((diagnostic, i) => i === 0 || !isRepeat(diagnostic, sorted[i - 1]!));
}

function isRepeat(a: Diagnostic, b: Diagnostic): boolean {
  return (
    a.code === b.code &&
    a.message === b.message &&
    a.span.source === b.span.source &&
    a.span.start === b.span.start &&
    a.span.end === b.span.end
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
