import { duplicateKey, jsonSyntax, tooDeep } from "../diagnostics/reading.ts";
import { type Json, setOwn } from "../json.ts";
import { clip } from "../text/clip.ts";
import type { Diagnostic, Note } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { depthLimit, faultLimit, numberFault } from "./limits.ts";
import type { Places, Reading } from "./places.ts";

/** Whether a text begins as JSON objects and lists do. */
export function looksLikeJson(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text);
}

/**
 * Reads a text as JSON (RFC 8259), with the place of every part. Written by hand because `JSON.parse` gives neither places
 * nor duplicate keys, and words its errors differently from one version of Node to the next.
 */
export function readJson(source: Source): JsonReading {
  const { text } = source;
  const reader: JsonReader = {
    source,
    text,
    at: text.startsWith("\uFEFF") ? 1 : 0,
    places: new Map(),
    faults: [],
    errors: 0,
    fatal: undefined,
  };
  skipSpace(reader);
  const start = reader.at;
  const value = readValue(reader, 1);
  const end = reader.at;
  skipSpace(reader);
  if (!reader.fatal && reader.at < text.length) stop(reader, "There is more text after the end of the JSON value.");
  if (reader.fatal) return { faults: [reader.fatal], isNoJson: reader.fatal.code === jsonSyntax.code };
  return {
    read: reader.errors > 0 ? undefined : { value: value!, start, end, places: reader.places },
    faults: reader.faults,
    isNoJson: false,
  };
}

/** What came of reading a text as JSON. */
interface JsonReading {
  /** Absent when a fault is an error. */
  readonly read?: Reading | undefined;
  readonly faults: readonly Diagnostic[];
  /** Whether the text is not JSON at all, rather than JSON that cannot be accepted. */
  readonly isNoJson: boolean;
}

function readValue(reader: JsonReader, depth: number): Json | undefined {
  const next = reader.text[reader.at];
  if (next === '"') return readString(reader);
  if (next !== "{" && next !== "[") return readPlain(reader);
  if (depth <= depthLimit) return next === "{" ? readObject(reader, depth) : readArray(reader, depth);
  reader.fatal = tooDeep(spanIn(reader, reader.at, reader.at + 1), { limit: depthLimit });
  return undefined;
}

function readArray(reader: JsonReader, depth: number): Json | undefined {
  const start = reader.at;
  const value: Json[] = [];
  const offsets: number[] = [];
  for (let more = opens(reader, "]"); more; more = goesOn(reader, start, "]")) {
    const itemStart = reader.at;
    const item = readValue(reader, depth + 1);
    if (item === undefined) return undefined;
    value.push(item);
    offsets.push(itemStart, reader.at);
  }
  if (reader.fatal) return undefined;
  reader.places.set(value, { start, end: reader.at, names: undefined, offsets });
  return value;
}

function readObject(reader: JsonReader, depth: number): Json | undefined {
  const start = reader.at;
  const value: { [key: string]: Json } = {};
  const names: string[] = [];
  const offsets: number[] = [];
  for (let more = opens(reader, "}"); more; more = goesOn(reader, start, "}")) {
    const keyStart = reader.at;
    const key = readKey(reader);
    if (key === undefined) return undefined;
    const keyEnd = reader.at;
    if (!readColon(reader, key)) return undefined;
    const valueStart = reader.at;
    const property = readValue(reader, depth + 1);
    if (property === undefined) return undefined;
    if (Object.hasOwn(value, key))
      reportRepeated(reader, key, keyStart, keyEnd, () => offsets.slice(names.indexOf(key) * 4));
    setOwn(value, key, property);
    names.push(key);
    offsets.push(keyStart, keyEnd, valueStart, reader.at);
  }
  if (reader.fatal) return undefined;
  reader.places.set(value, { start, end: reader.at, names, offsets });
  return value;
}

function reportRepeated(
  reader: JsonReader,
  name: string,
  start: number,
  end: number,
  placeOfFirst: () => readonly number[],
): void {
  if (reader.errors >= faultLimit) return;
  const [firstStart, firstEnd] = placeOfFirst();
  const note = { message: "It stands here first.", span: spanIn(reader, firstStart!, firstEnd!) };
  addFault(reader, duplicateKey(spanIn(reader, start, end), { name }, [note]));
}

function readKey(reader: JsonReader): string | undefined {
  const next = reader.text[reader.at];
  if (next === '"') return readString(reader);
  if (next === "/" || next === "#") return stop(reader, "There are no comments in JSON.");
  const written = wordAt(reader.text, reader.at);
  if (written === "" && next !== "'") return stop(reader, "A key in double quotes is expected here.");
  return stop(reader, "Keys stand in double quotes in JSON.", { to: reader.at + Math.max(1, written.length) });
}

function readColon(reader: JsonReader, key: string): boolean {
  skipSpace(reader);
  if (reader.text[reader.at] !== ":") stop(reader, `A colon is missing after the key \`${clip(key)}\`.`);
  reader.at += 1;
  skipSpace(reader);
  return !reader.fatal;
}

/** Goes past an opening bracket; whether anything stands in it. */
function opens(reader: JsonReader, close: "]" | "}"): boolean {
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] !== close) return true;
  reader.at += 1;
  return false;
}

/** Goes past what follows a part: whether there is another one. */
function goesOn(reader: JsonReader, start: number, close: "]" | "}"): boolean {
  skipSpace(reader);
  const { text, at } = reader;
  reader.at += 1;
  if (text[at] === close) return false;
  if (text[at] !== ",") return stopBetween(reader, start, at, close);
  skipSpace(reader);
  if (text[reader.at] === close)
    stop(reader, `This comma is followed by nothing but \`${close}\`.`, { from: at, hint: "Leave the comma out." });
  return !reader.fatal;
}

function stopBetween(reader: JsonReader, start: number, at: number, close: string): false {
  const notes = [{ message: "It begins here.", span: spanIn(reader, start, start + 1) }];
  const { text } = reader;
  const next = text[at];
  const noun = close === "}" ? "object" : "list";
  if (next === undefined)
    stop(reader, `The text ends before the ${noun} is closed with \`${close}\`.`, { ...endOf(reader), notes });
  else if (next === "]" || next === "}")
    stop(reader, `The ${noun} is closed with \`${next}\` instead of \`${close}\`.`, { from: at, notes });
  else if (next === "/" || next === "#") stop(reader, "There are no comments in JSON.", { from: at });
  else stop(reader, "A comma is missing before this.", { from: at });
  return false;
}

/** A text that is being read as JSON, and how far. Functions that read return undefined once `fatal` says why not. */
interface JsonReader {
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
function stop(reader: JsonReader, detail: string, place: Place = {}): undefined {
  const { from = reader.at, to = from + 1, hint, notes } = place;
  reader.fatal = jsonSyntax(spanIn(reader, from, to), { detail, hint }, notes);
  return undefined;
}

/** Where a syntax error is and what else there is to say; at the next character when nothing else is said. */
interface Place {
  readonly from?: number;
  readonly to?: number;
  readonly hint?: string | undefined;
  readonly notes?: readonly Note[];
}

/** The place after the last character that is no white space. */
function endOf({ text }: JsonReader): Place {
  const end = text.trimEnd().length;
  return { from: end, to: end };
}

/** A stretch of the text, cut off at its end. */
function spanIn({ source, text }: JsonReader, start: number, end: number): Span {
  return { source, start: Math.min(start, text.length), end: Math.min(end, text.length) };
}

/** Goes to the next character that is no white space. */
function skipSpace(reader: JsonReader): void {
  const { text } = reader;
  for (;;) {
    const code = text.charCodeAt(reader.at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    reader.at += 1;
  }
}

/** Adds a fault that lets reading go on; errors only up to a limit. */
function addFault(reader: JsonReader, fault: Diagnostic): void {
  if (fault.severity === "error") reader.errors += 1;
  if (fault.severity !== "error" || reader.errors <= faultLimit) reader.faults.push(fault);
}

/** Reads a string; the reader stands at its opening quote. */
function readString(reader: JsonReader): string | undefined {
  const { text } = reader;
  const start = reader.at;
  let hasEscapes = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      reader.at = at + 1;
      return hasEscapes ? (JSON.parse(text.slice(start, at + 1)) as string) : text.slice(start + 1, at);
    }
    if (code < 32) return stopInString(reader, start, at, code);
    if (code !== 92) continue;
    const length = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0].length;
    if (!length) return stopAtEscape(reader, at);
    hasEscapes = true;
    at += length - 1;
  }
  return stop(reader, "This string has no closing quote.", { from: start });
}

function stopInString(reader: JsonReader, start: number, at: number, code: number): undefined {
  if (code === 10 || code === 13)
    return stop(reader, "This string has no closing quote on its line.", { from: start, to: at });
  const hint = code === 9 ? "Write a tab as `\\t`." : undefined;
  return stop(reader, "There is a control character in this string.", { from: at, hint });
}

function stopAtEscape(reader: JsonReader, at: number): undefined {
  const written = reader.text.slice(at, at + 2).trim();
  return stop(reader, `\`${written}\` is no escape in JSON.`, {
    from: at,
    to: at + 2,
    hint: "Write a backslash as `\\\\`.",
  });
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Reads a number, `true`, `false` or `null`; anything else ends the reading. */
function readPlain(reader: JsonReader): number | boolean | null | undefined {
  const start = reader.at;
  const written = wordAt(reader.text, start);
  if (written === "") return stopAtNoValue(reader);
  reader.at += written.length;
  if (written === "true") return true;
  if (written === "false") return false;
  if (written === "null") return null;
  if (numberForm.test(written)) return readNumber(reader, start, written);
  const what = /^[-+]?\.?\d/.test(written) ? "number" : "value";
  return stop(reader, `\`${clip(written)}\` is no ${what} in JSON.`, {
    from: start,
    to: reader.at,
    hint: remedy(written),
  });
}

function readNumber(reader: JsonReader, start: number, written: string): number {
  const value = Number(written);
  const fault = numberFault(spanIn(reader, start, reader.at), written, value);
  if (fault) addFault(reader, fault);
  return value;
}

/** The longest run of characters that may be part of a number or a word. */
function wordAt(text: string, start: number): string {
  let at = start;
  while (at < text.length && /[-+.\w$]/.test(text[at]!)) at += 1;
  return text.slice(start, at);
}

function stopAtNoValue(reader: JsonReader): undefined {
  const next = reader.text[reader.at];
  if (next === undefined) return stop(reader, "The text ends where a value is expected.", endOf(reader));
  if (next === "'") return stop(reader, "Strings stand in double quotes in JSON.");
  if (next === "/" || next === "#") return stop(reader, "There are no comments in JSON.");
  return stop(reader, "A value is missing here.");
}

function remedy(written: string): string | undefined {
  switch (written.toLowerCase()) {
    case "true":
    case "false":
    case "null":
      return `Write \`${written.toLowerCase()}\`.`;
    case "none":
    case "nil":
    case "undefined":
      return "Write `null`.";
    default:
      return /^[-+]?\.?\d/.test(written) ? undefined : "Strings stand in double quotes.";
  }
}
