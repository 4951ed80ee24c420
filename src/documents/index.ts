import { emptyDocument, tooLarge } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Document } from "./document.ts";
import { looksLikeJson, readJson } from "./json.ts";
import { createDocument } from "./positions.ts";
import { readYaml, type YamlOptions } from "./yaml.ts";

export type { CopyOrigin, Document } from "./document.ts";
export { createSpanMap, embeddedDiagnostic, embeddedDocument, type SpanMap } from "./embedded.ts";
export { createDocument } from "./positions.ts";

/** Options for reading documents. */
export interface ReadOptions {
  /** Bytes of UTF-8; 4 MiB by default. */
  readonly maximumBytes?: number | undefined;
  /** Also returns documents with errors. */
  readonly recovers?: boolean | undefined;
  /** Allows comments and trailing commas in JSON, as in every `.jsonc` file. */
  readonly allowsComments?: boolean | undefined;
  /** Tags of YAML that read as objects with one key, by tag: `!Ref X` as `{ Ref: X }`. */
  readonly tags?: ReadonlyMap<string, string> | undefined;
}

/** The documents of a source and their diagnostics. */
export interface ReadResult {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The value of a source that has to be JSON; undefined if it has errors. */
export interface JsonValue {
  readonly value: Json | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads JSON, without limits on the size and without recovery. */
export function readJsonValue(source: Source): JsonValue {
  const { read, diagnostics } = readJson(source);
  const isSound = diagnostics.every(({ severity }) => severity !== "error");
  return { value: isSound ? read?.value : undefined, diagnostics };
}

/** Reads a source and collects diagnostics. */
export function readWithDiagnostics(source: Source, options?: ReadOptions): ReadResult {
  const diagnostics: Diagnostic[] = [];
  return { documents: readDocuments(source, (diagnostic) => diagnostics.push(diagnostic), options), diagnostics };
}

/** Reads a JSON file or the nonempty documents of a YAML stream; reports an empty source. */
export function readDocuments(source: Source, report: Report, options: ReadOptions = {}): readonly Document[] {
  const { maximumBytes: maximum = 4 * 1024 * 1024, recovers = false, allowsComments = false, tags } = options;
  if (isLarger(source.text, maximum)) return reject(report, tooLarge({ source, start: 0, end: 0 }, { maximum }));
  if (source.text.trim() === "") return reject(report, emptyDocument({ source, start: 0, end: 0 }, {}));
  return /\.jsonc?$/i.test(source.path) || looksLikeJson(source.text)
    ? readAsJson(source, report, { recovers, tags, isLenient: allowsComments || /\.jsonc$/i.test(source.path) })
    : readYaml(source, report, { recovers, tags });
}

/** The file name decides, then whether YAML finds errors. */
function readAsJson(
  source: Source,
  report: Report,
  { recovers, tags, isLenient }: YamlOptions & { readonly isLenient: boolean },
): readonly Document[] {
  const json = readJson(source, isLenient);
  if (json.isNotJson && !/\.jsonc?$/i.test(source.path)) {
    const diagnostics: Diagnostic[] = [];
    const documents = readYaml(source, (diagnostic) => diagnostics.push(diagnostic), { recovers, tags });
    if (/\.ya?ml$/i.test(source.path) || diagnostics.length === 0) {
      for (const diagnostic of diagnostics) report(diagnostic);
      return documents;
    }
  }
  for (const diagnostic of json.diagnostics) report(diagnostic);
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
