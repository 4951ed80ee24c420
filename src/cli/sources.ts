import { basename, resolve } from "node:path";
import { configurationNames } from "../configuration/index.ts";
import { skippedFile, unreadableFile } from "../diagnostics/reading.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { type Document, type ReadResult, readWithDiagnostics } from "../documents/index.ts";
import type { Json } from "../json.ts";
import { detectLanguage, readSource as readAsDefinition } from "../languages/detect.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { type FoundFile, findFiles } from "./find-files.ts";
import { type ReadFailure, tryReadSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type Terminal } from "./terminal.ts";

/** Which files to read from folders. */
export interface SourceFilter {
  /** For messages, such as "workflow definition". */
  readonly noun: string;
  readonly recognizes: (value: Json) => boolean;
  /** Reads a source in the form of one of the languages; `plain` is the result of parsing it as YAML or JSON. */
  readonly read?: ((source: Source, plain: ReadResult) => ReadResult) | undefined;
  /** Returns a diagnostic for a document that may be intended as one. */
  readonly nearMiss?: (document: Document) => Diagnostic | undefined;
  /** Detects files of this kind with invalid syntax. */
  readonly hints: readonly RegExp[];
  /** Whether configuration and flags include an absolute path. */
  readonly includes: (file: string) => Promise<boolean>;
  readonly maximumBytes?: number | undefined;
  /** Files that were read by the same filter before, and receives those that it reads. */
  readonly known?: KnownFiles | undefined;
}

/** Files by path, and what they are. */
export type KnownFiles = Map<string, KnownFile>;

interface KnownFile {
  readonly source: Source;
  readonly reading: ReadResult | undefined;
  readonly kind: FileKind;
  /** Whether it was found in a folder, where not every file is a definition. */
  readonly inFolder: boolean;
}

/** Whether a filter wants a file; `unparsed` is not, since its syntax is invalid. */
type FileKind = "wanted" | "other" | "unparsed";

/** Creates a filter for definitions, optionally in one language. */
export function createDefinitionFilter(
  from: string | undefined,
  { languages }: Registry,
  more: Pick<SourceFilter, "includes" | "maximumBytes" | "known">,
): SourceFilter {
  const candidates = languages.filter(({ name }) => from === undefined || name === from);
  const nearMiss = ({ value, start }: Document) => {
    const found = detectLanguage(value, candidates);
    if (found.kind !== "doubtful" && found.kind !== "foreign") return undefined;
    const dialect = found.kind === "foreign" ? found.dialect : undefined;
    return found.language && skippedFile(start, { language: found.language.name, dialect });
  };
  return {
    noun: "workflow definition",
    read: (source, plain) => readAsDefinition(candidates, source, plain, from),
    recognizes: (value) => ["known", "ambiguous"].includes(detectLanguage(value, candidates).kind),
    nearMiss,
    hints: candidates.flatMap(({ sniff }) => sniff ?? []),
    ...more,
  };
}

/** The files that were read, and those that were skipped. */
export interface SourceSet {
  readonly sources: readonly Source[];
  /** Parse results of files in folders. */
  readonly readings: ReadonlyMap<Source, ReadResult>;
  readonly skipped: number;
  /** Skipped files that are neither YAML nor JSON. */
  readonly unparsed: readonly string[];
}

/**
 * Reads the files that arguments name. In folders, applies the filter and reports near misses. Reports unreadable
 * files.
 */
export async function readSources(
  paths: readonly string[],
  filter: SourceFilter,
  terminal: Terminal,
  report: Report,
): Promise<SourceSet> {
  const found = await readFoundFiles(findFiles(paths, terminal.cwd), filter, terminal, report);
  const { sources, nearMisses, isUnreadable } = found;
  if (sources.length === 0 && !isUnreadable)
    throw commandFailure(`No ${filter.noun} found in ${quoted(paths)}.${describeNearMisses(nearMisses)}`);
  for (const nearMiss of nearMisses) report(nearMiss);
  return found;
}

/** The files that were read, what resembles the wanted files, and whether one is unreadable. */
export interface ReadFiles extends SourceSet {
  readonly nearMisses: readonly Diagnostic[];
  readonly isUnreadable: boolean;
}

/** Reads files, and applies the filter to those that were found in folders. Reports unreadable files. */
export async function readFoundFiles(
  found: readonly FoundFile[],
  filter: SourceFilter,
  terminal: Terminal,
  report: Report,
): Promise<ReadFiles> {
  const sources: Source[] = [];
  const readings = new Map<Source, ReadResult>();
  const nearMisses: Diagnostic[] = [];
  const unparsed: string[] = [];
  let [count, isUnreadable] = [0, false];
  for (const { path, inFolder, reason } of found) {
    if ((inFolder || found.length > 1) && configurationNames.includes(basename(path))) continue;
    if (inFolder && !(await filter.includes(resolve(terminal.cwd, path)))) continue;
    const read: Source | ReadFailure =
      reason === undefined ? await tryReadSource(path, terminal, filter.maximumBytes) : { reason };
    if ("reason" in read) {
      isUnreadable = true;
      report(unreadableFile(read.at ?? startSpan(path), { reason: read.reason, hint: read.hint }));
      continue;
    }
    const { source, reading, kind } = findKnown(read, inFolder, filter) ?? readFile(read, inFolder, filter, nearMisses);
    if (kind === "wanted" && reading) readings.set(source, reading);
    if (kind === "wanted") sources.push(source);
    else if (!/\.tf$/i.test(path)) {
      count += 1;
      if (kind === "unparsed") unparsed.push(path);
    }
  }
  return { sources, readings, skipped: count, unparsed, nearMisses, isUnreadable };
}

/** A file whose text has not changed, and that was found in the same way. */
function findKnown({ path, text }: Source, inFolder: boolean, { known }: SourceFilter): KnownFile | undefined {
  const found = known?.get(path);
  return found?.source.text === text && found.inFolder === inFolder ? found : undefined;
}

/** Parses a file in a folder, and decides what it is. */
function readFile(source: Source, inFolder: boolean, filter: SourceFilter, nearMisses: Diagnostic[]): KnownFile {
  const missed: Diagnostic[] = [];
  const reading = inFolder
    ? readWithDiagnostics(source, { maximumBytes: filter.maximumBytes, recovers: true })
    : undefined;
  const kind = reading ? classify(source, reading, filter, (diagnostic) => missed.push(diagnostic)) : "wanted";
  const file = { source, reading, kind, inFolder };
  if (missed.length === 0) filter.known?.set(source.path, file);
  nearMisses.push(...missed);
  return file;
}

/** Selects the definitions among the files of a folder; a single file is one in any case. */
export function selectSources(files: readonly Source[], filter: SourceFilter): SourceSet {
  const unparsed: string[] = [];
  const sources = files.filter((source) => {
    if (files.length === 1) return true;
    if (configurationNames.includes(basename(source.path))) return false;
    const kind = classify(source, readWithDiagnostics(source, { recovers: true }), filter, () => undefined);
    if (kind === "unparsed") unparsed.push(source.path);
    return kind === "wanted";
  });
  return { sources, readings: new Map(), skipped: files.length - sources.length, unparsed };
}

const startSpan = (path: string): Span => ({
  source: { path: path === "-" ? "<stdin>" : path, text: "" },
  start: 0,
  end: 0,
});

/** Renders the number of skipped files, or an empty string. */
export function renderSkipped({ skipped, unparsed }: SourceSet, noun: string): string {
  if (skipped === 0) return "";
  const what = skipped === 1 ? `1 file that is not a ${noun}` : `${skipped} files that are not ${noun}s`;
  const shown = unparsed.slice(0, 3).map(visible).join(", ");
  const more = unparsed.length > 3 ? ` and ${unparsed.length - 3} more` : "";
  const broken = unparsed.length === 0 ? "" : `; invalid YAML or JSON: ${shown}${more}`;
  return `Skipped ${what}${broken}.\n`;
}

const quoted = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");

function describeNearMisses(nearMisses: readonly Diagnostic[]): string {
  if (nearMisses.length === 0) return "";
  const paths = nearMisses.map(({ span }) => span.source.path);
  const [verb, which] = paths.length === 1 ? ["resembles", "it"] : ["resemble", "each"];
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return ` ${quoted(paths.slice(0, 3))}${more} ${verb} one: check ${which} alone to see what is missing.`;
}

function classify(source: Source, plain: ReadResult, filter: SourceFilter, report: Report): FileKind {
  if (source.text.trim() === "") return "other";
  const { documents, diagnostics } = filter.read?.(source, plain) ?? plain;
  const broken = diagnostics.some(({ severity }) => severity === "error");
  if (documents.some(({ value }) => filter.recognizes(value))) return "wanted";
  if (broken) return filter.hints.some((hint) => hint.test(source.text)) ? "wanted" : "unparsed";
  const doubtful = documents.map((document) => filter.nearMiss?.(document)).find((found) => found !== undefined);
  if (doubtful) report(doubtful);
  return "other";
}
