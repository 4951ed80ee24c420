import { duplicateKey, jsonSyntax, tooDeep } from "../diagnostics/reading.ts";
import { type Json, setOwn } from "../json.ts";
import { clip } from "../text/clip.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { addFault, endOf, type JsonReader, skipSpace, spanIn, stop } from "./json-reader.ts";
import { readPlain, readString, wordAt } from "./json-scalars.ts";
import { depthLimit, faultLimit } from "./limits.ts";
import type { Reading } from "./places.ts";

/** What came of reading a text as JSON. */
export interface JsonReading {
  /** Absent when a fault is an error. */
  readonly read?: Reading | undefined;
  readonly faults: readonly Diagnostic[];
  /** Whether the text is not JSON at all, rather than JSON that cannot be accepted. */
  readonly isNoJson: boolean;
}

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
