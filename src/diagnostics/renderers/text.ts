import type { Diagnostic, Severity } from "../../text/diagnostics.ts";
import { lineText, positionOf, type Span } from "../../text/source.ts";

/** Options for text output. */
export interface TextOptions {
  readonly color?: boolean | undefined;
}

/** Renders location, message, an underlined excerpt and hint. */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  const paint = options.color ? colored : plain;
  return diagnostics.map((diagnostic) => `${renderLines(diagnostic, paint).join("\n")}\n`).join("\n");
}

/** Escapes control characters, so that source text cannot control the terminal. */
export function visible(text: string): string {
  return text.replace(unsafe, escapeOf);
}

function renderLines({ severity, code, message, hint, span, notes }: Diagnostic, paint: Paint): readonly string[] {
  return [
    `${paint(renderLocation(span), "bold")}: ${paint(`${severity} ${code}`, severity)}: ${visible(message)}`,
    ...excerpt(span).map((line, i) => (i === 1 ? paint(line, severity) : line)),
    ...(hint === undefined ? [] : [`  ${paint("hint:", "bold")} ${visible(hint)}`]),
    ...notes.flatMap((note) => [`  ${renderLocation(note.span)}: ${visible(note.message)}`, ...excerpt(note.span)]),
  ];
}

function renderLocation({ source, start }: Span): string {
  const { line, column } = positionOf(source, start);
  return `${visible(source.path)}:${line}:${column}`;
}

type Style = Severity | "bold";
type Paint = (text: string, style: Style) => string;

const plain: Paint = (text) => text;
const colored: Paint = (text, style) => `\u001b[${codes[style]}m${text}\u001b[0m`;
const codes: { readonly [style in Style]: string } = { error: "1;31", warning: "1;33", info: "1;36", bold: "1" };

const maxWidth = 200;
const minLead = 40;

/** Long lines are cut around the span. */
function excerpt({ source, start, end }: Span): readonly string[] {
  if (source.text === "") return [];
  const { line, column } = positionOf(source, start);
  const text = lineText(source, line);
  const last = positionOf(source, end);
  const from = Math.min(column - 1, text.length);
  const to = Math.max(from, last.line > line ? text.trimEnd().length : Math.min(last.column - 1, text.length));
  const window = windowOf(text.length, from, to);
  const before = (window.start > 0 ? "…" : "") + expandTabs(text.slice(window.start, from));
  const marked = expandTabs(text.slice(from, Math.min(to, window.end)));
  const after = expandTabs(text.slice(Math.min(to, window.end), window.end)) + (window.end < text.length ? "…" : "");
  const margin = " ".repeat(`${line}`.length);
  const underline = " ".repeat(before.length) + "^".repeat(Math.max(1, marked.length));
  return [`  ${line} | ${before}${marked}${after}`.trimEnd(), `  ${margin} | ${underline}`];
}

function windowOf(length: number, from: number, to: number): { readonly start: number; readonly end: number } {
  if (length <= maxWidth) return { start: 0, end: length };
  const room = Math.max(minLead, maxWidth - (to - from));
  const start = Math.max(0, Math.min(from - Math.floor(room / 2), length - maxWidth));
  return { start, end: Math.min(length, start + maxWidth) };
}

function expandTabs(text: string): string {
  return visible(text.replaceAll("\t", "  "));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are escaped.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
