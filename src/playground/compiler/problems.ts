import { applySafeFixes } from "../../documents/fixes.ts";
import type { Diagnostic } from "../../text/diagnostics.ts";
import { positionOf, type Source } from "../../text/source.ts";
import type { Problem } from "../protocol.ts";

/** Further diagnostics are not sent. */
const maxProblems = 200;

/** The diagnostics of a source as the page shows them. */
export const problemsOf = (source: Source, diagnostics: readonly Diagnostic[]): readonly Problem[] =>
  diagnostics
    .filter(({ span }) => span.source === source)
    .slice(0, maxProblems)
    .map((diagnostic) => problemOf(source, diagnostic));

function problemOf(source: Source, diagnostic: Diagnostic): Problem {
  const { code, severity, message, hint, span } = diagnostic;
  const { line, column } = positionOf(source, span.start);
  const { start } = span;
  const end = Math.min(source.text.length, Math.max(start, span.end));
  return { code, severity, message, hint, start, end, line, column, fix: safeFix(source, diagnostic) };
}

function safeFix(source: Source, diagnostic: Diagnostic): Problem["fix"] {
  if (!diagnostic.fix) return undefined;
  const { applied } = applySafeFixes(source, [diagnostic]);
  if (applied.length === 0) return undefined;
  return diagnostic.fix.map(({ span, text }) => ({ start: span.start, end: span.end, text }));
}
