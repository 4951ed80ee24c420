import { duplicateKey, tooDeep } from "../diagnostics/reading.ts";
import { type Json, setOwn } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source } from "../text/source.ts";
import {
  addFault,
  addSyntaxFault,
  type Close,
  endOf,
  type JsonReader,
  readPlain,
  readString,
  skipSpace,
  spanIn,
  stop,
  wordAt,
} from "./json-scalars.ts";
import { depthLimit, faultLimit } from "./limits.ts";
import type { Reading } from "./places.ts";

/** Whether a text begins as JSON objects and lists do. */
export function looksLikeJson(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text);
}

/**
 * Reads a text as JSON (RFC 8259), with the place of every part. Written by hand because `JSON.parse` gives neither places
 * nor duplicate keys, words its errors differently from one version of Node to the next, and stops at the first: this reader goes on where it is certain
 * how, so that a missing comma hides nothing.
 */
export function readJson(source: Source): JsonReading {
  const { text } = source;
  const reader: JsonReader = {
    source,
    text,
    at: text.startsWith("\uFEFF") ? 1 : 0,
    open: [],
    places: new Map(),
    faults: [],
    errors: 0,
    isNoJson: false,
    hasComment: false,
    hasWrongBracket: false,
    isUnclear: false,
    isStopped: false,
  };
  skipSpace(reader);
  const start = reader.at;
  const value = readValue(reader);
  const end = reader.at;
  skipSpace(reader);
  if (!reader.isStopped && !reader.hasWrongBracket && reader.at < text.length)
    addSyntaxFault(reader, "Unexpected text after the end of the JSON value.");
  const { places, faults, errors, isNoJson, isStopped, isUnclear } = reader;
  const read = { value, start, end, places };
  if (isStopped || isUnclear) return { faults, isNoJson };
  return errors === 0 ? { read, faults, isNoJson } : { recovered: read, faults, isNoJson };
}

/** What came of reading a text as JSON. */
interface JsonReading {
  /** Absent when a fault is an error. */
  readonly read?: Reading | undefined;
  /** What a text with errors says, where that is certain. */
  readonly recovered?: Reading | undefined;
  readonly faults: readonly Diagnostic[];
  /** Whether the text is not JSON at all, rather than JSON that cannot be accepted. */
  readonly isNoJson: boolean;
}

function readValue(reader: JsonReader): Json {
  const next = reader.text[reader.at];
  if (next === '"' || next === "'") return readString(reader, "JSON strings must be in double quotes.");
  if (next !== "{" && next !== "[") return readPlain(reader);
  if (reader.open.length < depthLimit) return next === "{" ? readObject(reader) : readArray(reader);
  reader.isStopped = true;
  addFault(reader, tooDeep(spanIn(reader, reader.at, reader.at + 1), { limit: depthLimit }));
  return null;
}

function readArray(reader: JsonReader): Json {
  const start = reader.at;
  const value: Json[] = [];
  const offsets: number[] = [];
  let before = start + 1;
  for (let more = opens(reader, "]"); more; more = goesOn(reader, start, "]")) {
    const itemStart = reader.at;
    const item = readValue(reader);
    if (typeof item === "string" && endsBeforeKey(reader, start, itemStart, before)) break;
    value.push(item);
    before = reader.at;
    offsets.push(itemStart, before);
  }
  reader.places.set(value, { start, end: reader.at, names: undefined, offsets });
  return value;
}

/** Whether what was read as an item, after what ends at `before`, is a key of the object around the list, which then ends before it. */
function endsBeforeKey(reader: JsonReader, start: number, item: number, before: number): boolean {
  const { at } = reader;
  skipSpace(reader);
  const isKey = reader.text[reader.at] === ":" && reader.open.at(-2) === "}" && !reader.isStopped;
  if (!isKey) {
    reader.at = at;
    return false;
  }
  const notes = [{ message: "It starts here.", span: spanIn(reader, start, start + 1) }];
  addSyntaxFault(reader, "The array is not closed with `]` before this key.", {
    from: item,
    to: at,
    hint: "Add `]` after its last item.",
    notes,
  });
  reader.at = before;
  closed(reader, 0);
  return true;
}

function readObject(reader: JsonReader): Json {
  const start = reader.at;
  const value: { [key: string]: Json } = {};
  const names: string[] = [];
  const offsets: number[] = [];
  for (let more = opens(reader, "}"); more; more = goesOn(reader, start, "}")) {
    const keyStart = reader.at;
    const key = readKey(reader);
    if (key === undefined) continue;
    const keyEnd = reader.at;
    readColon(reader, key);
    if (reader.isStopped) continue;
    const valueStart = reader.at;
    const property = readValue(reader);
    if (Object.hasOwn(value, key))
      reportRepeated(reader, key, keyStart, keyEnd, () => offsets.slice(names.indexOf(key) * 4));
    setOwn(value, key, property);
    names.push(key);
    offsets.push(keyStart, keyEnd, valueStart, reader.at);
  }
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
  reader.isUnclear = true;
  if (reader.errors >= faultLimit) return;
  const [firstStart, firstEnd] = placeOfFirst();
  const note = { message: "First defined here.", span: spanIn(reader, firstStart!, firstEnd!) };
  addFault(reader, duplicateKey(spanIn(reader, start, end), { name }, [note]));
}

const quotedKeys = "JSON keys must be in double quotes.";

function readKey(reader: JsonReader): string | undefined {
  const { text, at } = reader;
  if (text[at] === '"' || text[at] === "'") return readString(reader, quotedKeys);
  const written = wordAt(text, at);
  if (written === "") return stop(reader, "Expected a key in double quotes.");
  reader.at += written.length;
  const mend = { from: at, to: reader.at, text: JSON.stringify(written) };
  addSyntaxFault(reader, quotedKeys, { ...mend, hint: `Write \`${truncate(mend.text)}\`.`, mend });
  return written;
}

function readColon(reader: JsonReader, key: string): void {
  skipSpace(reader);
  const isThere = reader.text[reader.at] === ":";
  if (!isThere) {
    addSyntaxFault(reader, `Missing colon after the key \`${truncate(key)}\`.`, {
      hint: "Insert a colon.",
    });
    if (key.includes(":") || !beginsValue(reader)) reader.isStopped = true;
  }
  if (isThere) reader.at += 1;
  skipSpace(reader);
}

/** Goes past an opening bracket; whether anything stands in it. */
function opens(reader: JsonReader, close: Close): boolean {
  reader.at += 1;
  reader.open.push(close);
  skipSpace(reader);
  return !reader.isStopped && (reader.text[reader.at] !== close || closed(reader, 1));
}

/** Goes past what follows a part: whether there is another one. */
function goesOn(reader: JsonReader, start: number, close: Close): boolean {
  skipSpace(reader);
  if (reader.isStopped) return false;
  const { text, at } = reader;
  if (text[at] === close) return closed(reader, 1);
  if (text[at] !== ",") return goesOnBetween(reader, start, close);
  reader.at += 1;
  skipSpace(reader);
  if (text[reader.at] !== close) return true;
  const detail = `Trailing comma before \`${close}\`.`;
  addSyntaxFault(reader, detail, { from: at, hint: "Remove the comma.", mend: { from: at, to: at + 1, text: "" } });
  return closed(reader, 1);
}

/** Takes an object or list for closed, after so many characters. */
function closed(reader: JsonReader, length: number): false {
  reader.open.pop();
  reader.at += length;
  return false;
}

/** What neither closes an object or list nor is a comma: a part before which one is missing, another bracket, or the end of the text. */
function goesOnBetween(reader: JsonReader, start: number, close: Close): boolean {
  const notes = [{ message: "It starts here.", span: spanIn(reader, start, start + 1) }];
  const { text, at } = reader;
  const next = text[at];
  const noun = close === "}" ? "object" : "array";
  if (next === undefined) {
    addSyntaxFault(reader, `The file ends before the ${noun} is closed with \`${close}\`.`, {
      ...endOf(reader),
      hint: `Add \`${close}\` at its end.`,
      notes,
    });
    reader.isStopped = true;
    return false;
  }
  if (next === "]" || next === "}") {
    addSyntaxFault(reader, `The ${noun} is closed with \`${next}\` instead of \`${close}\`.`, {
      hint: `Write \`${close}\` here or earlier.`,
      notes,
    });
    reader.hasWrongBracket = true;
    return closed(reader, reader.open.at(-2) === next ? 0 : 1);
  }
  const end = text.slice(0, at).trimEnd().length;
  const isCertain = next === '"' || next === "'" || (close === "]" && beginsValue(reader));
  const hint = "Insert a comma after the previous entry.";
  if (isCertain) addSyntaxFault(reader, missingComma, { hint, mend: { from: end, to: end, text: "," } });
  else stop(reader, missingComma, { hint });
  return isCertain;
}

const missingComma = "Missing comma before this.";

/** Whether what comes next is a value for certain. */
const beginsValue = ({ text, at }: JsonReader): boolean =>
  /^(?:["{[\d-]|true\b|false\b|null\b)/.test(text.slice(at, at + 6));
