import type { Diagnostic, Severity } from "../../text/diagnostics.ts";
import { positionOf, type Span } from "../../text/source.ts";
import { type CatalogEntry, renderPage } from "./catalog.ts";

/** Renders a JSON array. Positions are one-based, ends exclusive. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  const list = diagnostics.map(({ code, severity, message, hint, span, notes }) => ({
    code,
    severity,
    message,
    hint: hint ?? null,
    ...location(span),
    notes: notes.map((note) => ({ message: note.message, ...location(note.span) })),
  }));
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** Renders GitHub Actions workflow commands. */
export function renderGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${renderCommand(diagnostic)}\n`).join("");
}

/** The reporting tool. */
export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly home: string;
}

/** Renders a SARIF 2.1.0 log with the used `rules`. */
export function renderSarif(
  diagnostics: readonly Diagnostic[],
  rules: readonly CatalogEntry[],
  { name, version, home }: Tool,
): string {
  const used = new Set(diagnostics.map(({ code }) => code));
  const listed = rules.filter(({ code }) => used.has(code)).sort((a, b) => (a.code < b.code ? -1 : 1));
  const indexes = new Map(listed.map(({ code }, index) => [code, index]));
  const pages = `${home}/blob/v${version}/`;
  const driver = {
    name,
    semanticVersion: version,
    informationUri: home,
    rules: listed.map((rule) => sarifRule(rule, pages)),
  };
  const results = diagnostics.map((diagnostic) => sarifResult(diagnostic, indexes.get(diagnostic.code)));
  const run = { tool: { driver }, columnKind: "utf16CodeUnits", results };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function location({ source, start, end }: Span) {
  const from = positionOf(source, start);
  const to = positionOf(source, end);
  return { file: source.path, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

const commandNames: { readonly [severity in Severity]: string } = {
  error: "error",
  warning: "warning",
  info: "notice",
};

function renderCommand({ severity, code, message, hint, span, notes }: Diagnostic): string {
  const start = positionOf(span.source, span.start);
  const end = positionOf(span.source, span.end);
  // GitHub rejects columns of multi-line ranges.
  const columns = start.line === end.line ? { col: start.column, endColumn: Math.max(start.column, end.column) } : {};
  const properties = { file: span.source.path, line: start.line, endLine: end.line, ...columns, title: code };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(`${value}`)}`);
  const lines = [
    message,
    ...(hint === undefined ? [] : [hint]),
    ...notes.map((note) => `${lineAndColumn(note.span)}: ${note.message}`),
  ];
  return `::${commandNames[severity]} ${list.join(",")}::${escapeText(lines.join("\n"))}`;
}

function lineAndColumn({ source, start }: Span): string {
  const { line, column } = positionOf(source, start);
  return `${source.path}:${line}:${column}`;
}

function escapeText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const levels: { readonly [severity in Severity]: string } = { error: "error", warning: "warning", info: "note" };

function sarifRule({ code, summary, severity, page, path }: CatalogEntry, pages: string) {
  return {
    id: code,
    helpUri: pages + path,
    shortDescription: { text: summary },
    help: { text: renderPage(page), markdown: page },
    defaultConfiguration: { level: levels[severity] },
  };
}

function sarifResult({ code, severity, message, hint, span, notes }: Diagnostic, ruleIndex: number | undefined) {
  return {
    ruleId: code,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: levels[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [sarifLocation(span)],
    ...(notes.length === 0
      ? {}
      : {
          relatedLocations: notes.map((note, id) => ({
            id,
            message: { text: note.message },
            ...sarifLocation(note.span),
          })),
        }),
  };
}

function sarifLocation(span: Span) {
  const { file, line, column, endLine, endColumn } = location(span);
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } };
}

/** Relative paths stay relative; absolute ones become `file:` URIs. */
function uriOf(path: string): string {
  const slashes = /^[A-Za-z]:\\|^\\\\|^[^/]*\\/.test(path) ? path.replaceAll("\\", "/") : path;
  const encoded = slashes.split("/").map(encodeSegment).join("/");
  if (/^[A-Za-z]:\//.test(slashes)) return `file:///${slashes.slice(0, 2)}${encoded.slice(encoded.indexOf("/"))}`;
  if (encoded.startsWith("//")) return `file:${encoded}`;
  return encoded.startsWith("/") ? `file://${encoded}` : encoded;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}
