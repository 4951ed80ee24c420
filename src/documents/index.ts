import { emptyText, tooLarge } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { looksLikeJson, readJson } from "./json.ts";
import { documentOf } from "./places.ts";
import { readYaml } from "./yaml.ts";

/** A parsed text, or one document of it: plain data, and the place in the text that each part came from. */
export interface Document {
  readonly source: Source;
  readonly value: Json;
  /** Whether the text has faults, which were told of, and this is what it means without them. */
  readonly isRecovered: boolean;
  /** The whole document. */
  readonly span: Span;
  /** Where to say something about the document as a whole: its first key, or the first line of what it holds. */
  readonly start: Span;
  /**
   * Where `owner` (an object or array of `value`) stands, or the key or the value of one of its properties. The nearest
   * known place where that one has none. What came through an alias or a merge key stands where it was written.
   */
  spanOf(owner: unknown, property?: string | number, part?: "key" | "value"): Span;
  /**
   * The place in the file of a stretch of a string value: `from` and `to` are offsets in the string as parsed. Exact for plain and quoted
   * scalars and for block scalars whose lines are not folded; the whole value where folding makes offsets differ.
   */
  spanWithin(owner: unknown, property: string | number, from: number, to: number): Span;
  /** The same document with another value, made of copies: `origins` tells for each copied object or array where its original is, and how its keys were written. */
  with(value: Json, origins: ReadonlyMap<object, Origin>): Document;
}

/** The original of a copied object: `written` gives for a renamed property the name that the text has. */
export interface Origin {
  readonly of: object;
  readonly written?: ReadonlyMap<string, string> | undefined;
}

/** What may be set about reading. */
export interface ReadOptions {
  /** Larger texts are refused before they are parsed; in bytes of UTF-8, 4 MiB when absent. */
  readonly maximumBytes?: number | undefined;
  /** Whether a document with errors is given too where it is certain what is meant, for what else is wrong with it to be found. */
  readonly recovers?: boolean | undefined;
}

/** What reading a text gave. */
export interface ReadText {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a text, with what there is to say of it. */
export function readText(source: Source, options?: ReadOptions): ReadText {
  const diagnostics: Diagnostic[] = [];
  return { documents: readDocuments(source, (diagnostic) => diagnostics.push(diagnostic), options), diagnostics };
}

/**
 * Reads a text: the documents of a YAML stream that hold anything, or the one of a JSON file. A document with errors is
 * left out, unless it is to be recovered; so an empty list always comes with a diagnostic.
 */
export function readDocuments(source: Source, report: Report, options: ReadOptions = {}): readonly Document[] {
  const { maximumBytes: maximum = 4 * 1024 * 1024, recovers = false } = options;
  if (isLarger(source.text, maximum)) return refuse(report, tooLarge({ source, start: 0, end: 0 }, { maximum }));
  if (source.text.trim() === "") return refuse(report, emptyText({ source, start: 0, end: 0 }, {}));
  return /\.json$/i.test(source.path) || looksLikeJson(source.text)
    ? readAsJson(source, report, recovers)
    : readYaml(source, report, recovers);
}

/** Text that begins like JSON may still be YAML: files named so are, and others when they have no fault as YAML. */
function readAsJson(source: Source, report: Report, recovers: boolean): readonly Document[] {
  const json = readJson(source);
  if (json.isNoJson && !/\.json$/i.test(source.path)) {
    const faults: Diagnostic[] = [];
    const documents = readYaml(source, (fault) => faults.push(fault), recovers);
    if (/\.ya?ml$/i.test(source.path) || faults.length === 0) {
      for (const fault of faults) report(fault);
      return documents;
    }
  }
  for (const fault of json.faults) report(fault);
  if (json.read) return [documentOf(source, json.read)];
  return json.recovered && recovers ? [documentOf(source, json.recovered, true)] : [];
}

function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

function refuse(report: Report, diagnostic: Diagnostic): readonly Document[] {
  report(diagnostic);
  return [];
}
