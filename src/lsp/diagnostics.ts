import { DiagnosticSeverity, type Diagnostic as EditorDiagnostic } from "vscode-languageserver";
import { loadCatalog } from "../diagnostics/renderers/catalog.ts";
import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ServerHost } from "./host.ts";
import { rangeOf } from "./positions.ts";

const severities: { readonly [severity in Severity]: DiagnosticSeverity } = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** More diagnostics than this are not sent for one file. */
export const maxSentDiagnostics = 500;

/** Finds the address of a code's page. */
export type PageAddress = (code: string) => string | undefined;

/** Loads the addresses of the pages of all codes. */
export async function loadPageAddresses({ home, version }: ServerHost): Promise<PageAddress> {
  const catalog = await loadCatalog();
  return (code) => {
    const entry = catalog.get(code);
    return entry && `${home}/blob/v${version}/${entry.path}`;
  };
}

/** Converts a diagnostic. The hint follows the message on a line of its own; notes are related places. */
export function convertDiagnostic(
  { code, severity, message, hint, span, notes }: Diagnostic,
  uriOf: (source: Source) => string,
  pageOf: PageAddress,
): EditorDiagnostic {
  const href = pageOf(code);
  const related = notes.map((note) => ({
    location: { uri: uriOf(note.span.source), range: rangeOf(note.span) },
    message: note.message,
  }));
  return {
    range: rangeOf(span),
    severity: severities[severity],
    code,
    source: "waybill",
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}
