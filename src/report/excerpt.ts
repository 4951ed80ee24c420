import { lineText, positionOf, type Span } from "../text/source.ts";
import { visible } from "./visible.ts";

/** How many characters of a line are shown, and how many at least of those before a span. */
const width = 200;
const lead = 40;

/** The first line of a span and a line that underlines it; of a wide line only the part around the span. */
export function excerpt({ source, start, end }: Span): readonly string[] {
  const { line, column } = positionOf(source, start);
  const text = lineText(source, line);
  const last = positionOf(source, end);
  const from = Math.min(column - 1, text.length);
  const to = Math.max(from, last.line > line ? text.trimEnd().length : Math.min(last.column - 1, text.length));
  const window = windowOf(text.length, from, to);
  const before = (window.start > 0 ? "…" : "") + shown(text.slice(window.start, from));
  const marked = shown(text.slice(from, Math.min(to, window.end)));
  const after = shown(text.slice(Math.min(to, window.end), window.end)) + (window.end < text.length ? "…" : "");
  const margin = " ".repeat(`${line}`.length);
  const underline = " ".repeat(before.length) + "^".repeat(Math.max(1, marked.length));
  return [`  ${line} | ${before}${marked}${after}`.trimEnd(), `  ${margin} | ${underline}`];
}

function windowOf(length: number, from: number, to: number): { readonly start: number; readonly end: number } {
  if (length <= width) return { start: 0, end: length };
  const room = Math.max(lead, width - (to - from));
  const start = Math.max(0, Math.min(from - Math.floor(room / 2), length - width));
  return { start, end: Math.min(length, start + width) };
}

function shown(text: string): string {
  return visible(text.replaceAll("\t", "  "));
}
