import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import { positionOf, type Span } from "../text/source.ts";

/** Diagnostics as GitHub Actions workflow commands, which annotate the lines in a pull request; one line each. */
export function renderGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${command(diagnostic)}\n`).join("");
}

const commands: { readonly [severity in Severity]: string } = { error: "error", warning: "warning", info: "notice" };

function command({ severity, code, message, hint, span, notes }: Diagnostic): string {
  const start = positionOf(span.source, span.start);
  const end = positionOf(span.source, span.end);
  // The columns of a range over several lines are not understood there.
  const columns = start.line === end.line ? { col: start.column, endColumn: Math.max(start.column, end.column) } : {};
  const properties = { file: span.source.path, line: start.line, endLine: end.line, ...columns, title: code };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(`${value}`)}`);
  const lines = [
    message,
    ...(hint === undefined ? [] : [hint]),
    ...notes.map((note) => `${place(note.span)}: ${note.message}`),
  ];
  return `::${commands[severity]} ${list.join(",")}::${escapeText(lines.join("\n"))}`;
}

function place({ source, start }: Span): string {
  const { line, column } = positionOf(source, start);
  return `${source.path}:${line}:${column}`;
}

function escapeText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
