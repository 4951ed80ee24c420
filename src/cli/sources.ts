import { basename, resolve } from "node:path";
import { configurationNames } from "../configuration/index.ts";
import { skippedFile, unreadableFile } from "../diagnostics/reading.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { type Document, type ReadResult, readWithDiagnostics } from "../documents/index.ts";
import type { Json } from "../json.ts";
import { detectLanguage } from "../languages/detect.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { findFiles } from "./folders.ts";
import { type Refusal, tryReading } from "./read.ts";
import type { Registry } from "./registry.ts";
import { failure, type Terminal } from "./terminal.ts";

/** What to look for in folders, and how large a text may be. */
export interface Wanted {
  /** What is looked for, for people: "workflow definition". */
  readonly noun: string;
  /** Whether a document of a file in a folder is one of them. */
  readonly recognises: (value: Json) => boolean;
  /** What to say of one that is not, if it may have been meant as one. */
  readonly doubt?: (document: Document) => Diagnostic | undefined;
  /** What shows that a broken text was meant for one of them: any of these stands in it. */
  readonly traces: readonly RegExp[];
  /** Whether the configuration, or the command line, takes a file that stands in a folder, by its whole path. */
  readonly takes: (file: string) => Promise<boolean>;
  readonly maximumBytes?: number | undefined;
}

/** Definitions in any language, or in the one that `--from` insists on. */
export function definitionsIn(
  from: string | undefined,
  { languages }: Registry,
  more: Pick<Wanted, "takes" | "maximumBytes">,
): Wanted {
  const asked = languages.filter(({ name }) => from === undefined || name === from);
  const doubt = ({ value, start }: Document) => {
    const found = detectLanguage(value, asked);
    if (found.kind !== "doubtful" && found.kind !== "foreign") return undefined;
    const dialect = found.kind === "foreign" ? found.dialect : undefined;
    return found.language && skippedFile(start, { language: found.language.name, dialect });
  };
  return {
    noun: "workflow definition",
    recognises: (value) => ["known", "ambiguous"].includes(detectLanguage(value, asked).kind),
    doubt,
    traces: asked.flatMap(({ sniff }) => sniff ?? []),
    ...more,
  };
}

/** What was read, and what was passed over of what stands in folders. */
export interface ReadSources {
  readonly sources: readonly Source[];
  /** What reading those gave that were found in folders. */
  readonly readings: ReadonlyMap<Source, ReadResult>;
  /** The files that are none of those that are looked for. */
  readonly passedOver: number;
  /** Those of them that are neither YAML nor JSON. */
  readonly unparsed: readonly string[];
}

/**
 * Reads the texts that arguments name, but for configurations among them, as `*.yaml` names them. Of the files in a folder those that are wanted, also broken
 * ones that show traces of that; all others are passed over, of which the doubtful ones are reported. What cannot be read is reported at its file.
 */
export async function readSources(
  paths: readonly string[],
  wanted: Wanted,
  terminal: Terminal,
  report: Report,
): Promise<ReadSources> {
  const sources: Source[] = [];
  const readings = new Map<Source, ReadResult>();
  const doubts: Diagnostic[] = [];
  const unparsed: string[] = [];
  let [count, isUnreadable] = [0, false];
  const found = findFiles(paths, terminal.cwd);
  for (const { path, inFolder, reason } of found) {
    if ((inFolder || found.length > 1) && configurationNames.includes(basename(path))) continue;
    if (inFolder && !(await wanted.takes(resolve(terminal.cwd, path)))) continue;
    const source: Source | Refusal =
      reason === undefined ? await tryReading(path, terminal, wanted.maximumBytes) : { reason };
    if ("reason" in source) {
      isUnreadable = true;
      report(unreadableFile(source.at ?? startOf(path), { reason: source.reason, hint: source.hint }));
      continue;
    }
    const reading = inFolder
      ? readWithDiagnostics(source, { maximumBytes: wanted.maximumBytes, recovers: true })
      : undefined;
    const kind = reading ? kindOf(source, reading, wanted, (doubt) => doubts.push(doubt)) : "wanted";
    if (kind === "wanted" && reading) readings.set(source, reading);
    if (kind === "wanted") sources.push(source);
    else count += 1;
    if (kind === "unparsed") unparsed.push(path);
  }
  if (sources.length === 0 && !isUnreadable)
    throw failure(`There is no ${wanted.noun} in ${quoted(paths)}${resembling(doubts)}.`);
  for (const doubt of doubts) report(doubt);
  return { sources, readings, passedOver: count, unparsed };
}

const startOf = (path: string): Span => ({
  source: { path: path === "-" ? "<stdin>" : path, text: "" },
  start: 0,
  end: 0,
});

/** What was passed over, in one line; an empty text where that is nothing. */
export function passedOverText({ passedOver, unparsed }: ReadSources, noun: string): string {
  if (passedOver === 0) return "";
  const what = passedOver === 1 ? `1 file that is no ${noun}` : `${passedOver} files that are no ${noun}s`;
  const shown = unparsed.slice(0, 3).map(visible).join(", ");
  const more = unparsed.length > 3 ? ` and ${unparsed.length - 3} more` : "";
  const broken = unparsed.length === 0 ? "" : `; not readable as YAML or JSON: ${shown}${more}`;
  return `Passed over: ${what}${broken}.\n`;
}

const quoted = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");

function resembling(doubts: readonly Diagnostic[]): string {
  if (doubts.length === 0) return "";
  const paths = doubts.map(({ span }) => span.source.path);
  const [verb, which] = paths.length === 1 ? ["comes", "it"] : ["come", "each"];
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `; ${quoted(paths.slice(0, 3))}${more} ${verb} near to one: name ${which} by itself to see what is missing`;
}

function kindOf(
  source: Source,
  { documents, diagnostics }: ReadResult,
  wanted: Wanted,
  report: Report,
): "wanted" | "other" | "unparsed" {
  if (source.text.trim() === "") return "other";
  const broken = diagnostics.some(({ severity }) => severity === "error");
  if (documents.some(({ value }) => wanted.recognises(value))) return "wanted";
  if (broken) return wanted.traces.some((trace) => trace.test(source.text)) ? "wanted" : "unparsed";
  const doubtful = documents.map((document) => wanted.doubt?.(document)).find((found) => found !== undefined);
  if (doubtful) report(doubtful);
  return "other";
}
