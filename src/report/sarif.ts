import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import { positionOf, type Span } from "../text/source.ts";
import type { CatalogueEntry } from "./catalogue.ts";
import { plainText } from "./page.ts";

/**
 * Diagnostics as a SARIF 2.1.0 log, for GitHub code scanning and its like. `rules` are the kinds that there are; the log
 * lists those that it uses, by code, with what there is to explain.
 */
export function renderSarif(
  diagnostics: readonly Diagnostic[],
  rules: readonly CatalogueEntry[],
  version: string,
): string {
  const used = new Set(diagnostics.map(({ code }) => code));
  const listed = rules.filter(({ code }) => used.has(code)).sort((a, b) => (a.code < b.code ? -1 : 1));
  const indexes = new Map(listed.map(({ code }, index) => [code, index]));
  const driver = { name: "waybill", semanticVersion: version, rules: listed.map(ruleOf) };
  const results = diagnostics.map((diagnostic) => resultOf(diagnostic, indexes.get(diagnostic.code)));
  const run = { tool: { driver }, columnKind: "utf16CodeUnits", results };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

const levels: { readonly [severity in Severity]: string } = { error: "error", warning: "warning", info: "note" };

function ruleOf({ code, summary, severity, page }: CatalogueEntry) {
  return {
    id: code,
    shortDescription: { text: summary },
    help: { text: plainText(page), markdown: page },
    defaultConfiguration: { level: levels[severity] },
  };
}

function resultOf({ code, severity, message, hint, span, notes }: Diagnostic, ruleIndex: number | undefined) {
  return {
    ruleId: code,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: levels[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [locationOf(span)],
    ...(notes.length === 0
      ? {}
      : {
          relatedLocations: notes.map((note, id) => ({
            id,
            message: { text: note.message },
            ...locationOf(note.span),
          })),
        }),
  };
}

function locationOf({ source, start, end }: Span) {
  const from = positionOf(source, start);
  const to = positionOf(source, end);
  const region = { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
  return { physicalLocation: { artifactLocation: { uri: uriOf(source.path) }, region } };
}

/** A path as a URI reference: relative paths stay relative, absolute ones become `file:` URIs. */
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
