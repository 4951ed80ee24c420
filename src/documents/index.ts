import { emptyDocument, tooLarge } from "../diagnostics/reading.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Document } from "./document.ts";
import { looksLikeJson, readJson } from "./json.ts";
import { createDocument } from "./positions.ts";
import { readYaml } from "./yaml.ts";

export type { CopyOrigin, Document } from "./document.ts";

/** What may be set about reading. */
export interface ReadOptions {
  /** Larger texts are refused before they are parsed; in bytes of UTF-8, 4 MiB when absent. */
  readonly maximumBytes?: number | undefined;
  /** Whether a document with errors is given too where it is certain what is meant, for what else is wrong with it to be found. */
  readonly recovers?: boolean | undefined;
}

/** What reading a text gave. */
export interface ReadResult {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a text, with what there is to say of it. */
export function readWithDiagnostics(source: Source, options?: ReadOptions): ReadResult {
  const diagnostics: Diagnostic[] = [];
  return { documents: readDocuments(source, (diagnostic) => diagnostics.push(diagnostic), options), diagnostics };
}

/**
 * Reads a text: the documents of a YAML stream that hold anything, or the one of a JSON file. A document with errors is
 * left out, unless it is to be recovered; so an empty list always comes with a diagnostic.
 */
export function readDocuments(source: Source, report: Report, options: ReadOptions = {}): readonly Document[] {
  const { maximumBytes: maximum = 4 * 1024 * 1024, recovers = false } = options;
  if (isLarger(source.text, maximum)) return reject(report, tooLarge({ source, start: 0, end: 0 }, { maximum }));
  if (source.text.trim() === "") return reject(report, emptyDocument({ source, start: 0, end: 0 }, {}));
  return /\.json$/i.test(source.path) || looksLikeJson(source.text)
    ? readAsJson(source, report, recovers)
    : readYaml(source, report, recovers);
}

/** Text that begins like JSON may still be YAML: files named so are, and others when they have no fault as YAML. */
function readAsJson(source: Source, report: Report, recovers: boolean): readonly Document[] {
  const json = readJson(source);
  if (json.isNotJson && !/\.json$/i.test(source.path)) {
    const faults: Diagnostic[] = [];
    const documents = readYaml(source, (fault) => faults.push(fault), recovers);
    if (/\.ya?ml$/i.test(source.path) || faults.length === 0) {
      for (const fault of faults) report(fault);
      return documents;
    }
  }
  for (const fault of json.diagnostics) report(fault);
  if (json.read) return [createDocument(source, json.read)];
  return json.recovered && recovers ? [createDocument(source, json.recovered, true)] : [];
}

function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

function reject(report: Report, diagnostic: Diagnostic): readonly Document[] {
  report(diagnostic);
  return [];
}
