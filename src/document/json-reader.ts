import { jsonSyntax } from "../diagnostics/reading.ts";
import type { Diagnostic, Note } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { faultLimit } from "./limits.ts";
import type { Places } from "./places.ts";

/** A text that is being read as JSON, and how far. Functions that read return undefined once `fatal` says why not. */
export interface JsonReader {
  readonly source: Source;
  readonly text: string;
  at: number;
  readonly places: Map<object, Places>;
  /** What does not keep the rest from being read. */
  readonly faults: Diagnostic[];
  /** How many errors there are among them; more may have been left out. */
  errors: number;
  fatal: Diagnostic | undefined;
}

/** Ends the reading with a syntax error. */
export function stop(reader: JsonReader, detail: string, place: Place = {}): undefined {
  const { from = reader.at, to = from + 1, hint, notes } = place;
  reader.fatal = jsonSyntax(spanIn(reader, from, to), { detail, hint }, notes);
  return undefined;
}

/** Where a syntax error is and what else there is to say; at the next character when nothing else is said. */
export interface Place {
  readonly from?: number;
  readonly to?: number;
  readonly hint?: string | undefined;
  readonly notes?: readonly Note[];
}

/** The place after the last character that is no white space. */
export function endOf({ text }: JsonReader): Place {
  const end = text.trimEnd().length;
  return { from: end, to: end };
}

/** A stretch of the text, cut off at its end. */
export function spanIn({ source, text }: JsonReader, start: number, end: number): Span {
  return { source, start: Math.min(start, text.length), end: Math.min(end, text.length) };
}

/** Goes to the next character that is no white space. */
export function skipSpace(reader: JsonReader): void {
  const { text } = reader;
  for (;;) {
    const code = text.charCodeAt(reader.at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    reader.at += 1;
  }
}

/** Adds a fault that lets reading go on; errors only up to a limit. */
export function addFault(reader: JsonReader, fault: Diagnostic): void {
  if (fault.severity === "error") reader.errors += 1;
  if (fault.severity !== "error" || reader.errors <= faultLimit) reader.faults.push(fault);
}
