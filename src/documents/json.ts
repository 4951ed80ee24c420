import { duplicateKey, tooDeep } from "../diagnostics/reading.ts";
import { type Json, setOwn } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source } from "../text/source.ts";
import { maxDepth, maxErrors } from "./document.ts";
import {
  addDiagnostic,
  addSyntaxError,
  type ClosingBracket,
  endOf,
  type JsonCursor,
  readLiteral,
  readString,
  skipSpace,
  spanIn,
  stop,
  wordAt,
} from "./json-scalars.ts";
import type { ParsedDocument } from "./positions.ts";

/** Whether a string starts like JSON. */
export function looksLikeJson(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text);
}

/**
 * Reads JSON (RFC 8259) with positions; reports duplicate keys and recovers from clear mistakes. `isLenient`: also reads
 * comments and trailing commas, as in JSONC.
 */
export function readJson(source: Source, isLenient = false): JsonResult {
  const { text } = source;
  const reader: JsonCursor = {
    source,
    text,
    at: text.startsWith("\uFEFF") ? 1 : 0,
    open: [],
    positions: new Map(),
    diagnostics: [],
    errors: 0,
    isNotJson: false,
    hasComment: false,
    isLenient,
    hasWrongBracket: false,
    hasUnknownValue: false,
    isStopped: false,
  };
  skipSpace(reader);
  const start = reader.at;
  const value = readValue(reader);
  const end = reader.at;
  skipSpace(reader);
  if (!reader.isStopped && !reader.hasWrongBracket && reader.at < text.length)
    addSyntaxError(reader, "Unexpected text after the end of the JSON value.");
  const { positions, diagnostics, errors, isNotJson, isStopped, hasUnknownValue } = reader;
  const read = { value, start, end, positions };
  if (isStopped || hasUnknownValue) return { diagnostics, isNotJson };
  return errors === 0 ? { read, diagnostics, isNotJson } : { recovered: read, diagnostics, isNotJson };
}

interface JsonResult {
  readonly read?: ParsedDocument | undefined;
  readonly recovered?: ParsedDocument | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly isNotJson: boolean;
}

function readValue(reader: JsonCursor): Json {
  const next = reader.text[reader.at];
  if (next === '"' || next === "'") return readString(reader, "JSON strings must be in double quotes.");
  if (next !== "{" && next !== "[") return readLiteral(reader);
  if (reader.open.length < maxDepth) return next === "{" ? readObject(reader) : readArray(reader);
  reader.isStopped = true;
  addDiagnostic(reader, tooDeep(spanIn(reader, reader.at, reader.at + 1), { limit: maxDepth }));
  return null;
}

function readArray(reader: JsonCursor): Json {
  const start = reader.at;
  const value: Json[] = [];
  const offsets: number[] = [];
  let before = start + 1;
  for (let more = openBracket(reader, "]"); more; more = hasNextEntry(reader, start, "]")) {
    const itemStart = reader.at;
    const item = readValue(reader);
    if (typeof item === "string" && closesBeforeKey(reader, start, itemStart, before)) break;
    value.push(item);
    before = reader.at;
    offsets.push(itemStart, before);
  }
  reader.positions.set(value, { start, end: reader.at, names: undefined, offsets });
  return value;
}

function closesBeforeKey(reader: JsonCursor, start: number, item: number, before: number): boolean {
  const { at } = reader;
  skipSpace(reader);
  const isKey = reader.text[reader.at] === ":" && reader.open.at(-2) === "}" && !reader.isStopped;
  if (!isKey) {
    reader.at = at;
    return false;
  }
  const notes = [{ message: "It starts here.", span: spanIn(reader, start, start + 1) }];
  addSyntaxError(reader, "The array is not closed with `]` before this key.", {
    from: item,
    to: at,
    hint: "Add `]` after its last item.",
    notes,
  });
  reader.at = before;
  closeBracket(reader, 0);
  return true;
}

function readObject(reader: JsonCursor): Json {
  const start = reader.at;
  const value: { [key: string]: Json } = {};
  const names: string[] = [];
  const offsets: number[] = [];
  for (let more = openBracket(reader, "}"); more; more = hasNextEntry(reader, start, "}")) {
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
  reader.positions.set(value, { start, end: reader.at, names, offsets });
  return value;
}

function reportRepeated(
  reader: JsonCursor,
  name: string,
  start: number,
  end: number,
  placeOfFirst: () => readonly number[],
): void {
  reader.hasUnknownValue = true;
  if (reader.errors >= maxErrors) return;
  const [firstStart, firstEnd] = placeOfFirst();
  const note = { message: "First defined here.", span: spanIn(reader, firstStart!, firstEnd!) };
  addDiagnostic(reader, duplicateKey(spanIn(reader, start, end), { name }, [note]));
}

const quotedKeys = "JSON keys must be in double quotes.";

function readKey(reader: JsonCursor): string | undefined {
  const { text, at } = reader;
  if (text[at] === '"' || text[at] === "'") return readString(reader, quotedKeys);
  const written = wordAt(text, at);
  if (written === "") return stop(reader, "Expected a key in double quotes.");
  reader.at += written.length;
  const fix = { from: at, to: reader.at, text: JSON.stringify(written) };
  addSyntaxError(reader, quotedKeys, { ...fix, hint: `Write \`${truncate(fix.text)}\`.`, fix });
  return written;
}

function readColon(reader: JsonCursor, key: string): void {
  skipSpace(reader);
  const isThere = reader.text[reader.at] === ":";
  if (!isThere) {
    addSyntaxError(reader, `Missing colon after the key \`${truncate(key)}\`.`, {
      hint: "Insert a colon.",
    });
    if (key.includes(":") || !startsValue(reader)) reader.isStopped = true;
  }
  if (isThere) reader.at += 1;
  skipSpace(reader);
}

function openBracket(reader: JsonCursor, close: ClosingBracket): boolean {
  reader.at += 1;
  reader.open.push(close);
  skipSpace(reader);
  return !reader.isStopped && (reader.text[reader.at] !== close || closeBracket(reader, 1));
}

function hasNextEntry(reader: JsonCursor, start: number, close: ClosingBracket): boolean {
  skipSpace(reader);
  if (reader.isStopped) return false;
  const { text, at } = reader;
  if (text[at] === close) return closeBracket(reader, 1);
  if (text[at] !== ",") return recoverSeparator(reader, start, close);
  reader.at += 1;
  skipSpace(reader);
  if (text[reader.at] !== close) return true;
  if (reader.isLenient) return closeBracket(reader, 1);
  const detail = `Trailing comma before \`${close}\`.`;
  addSyntaxError(reader, detail, { from: at, hint: "Remove the comma.", fix: { from: at, to: at + 1, text: "" } });
  return closeBracket(reader, 1);
}

function closeBracket(reader: JsonCursor, length: number): false {
  reader.open.pop();
  reader.at += length;
  return false;
}

function recoverSeparator(reader: JsonCursor, start: number, close: ClosingBracket): boolean {
  const notes = [{ message: "It starts here.", span: spanIn(reader, start, start + 1) }];
  const { text, at } = reader;
  const next = text[at];
  const noun = close === "}" ? "object" : "array";
  if (next === undefined) {
    addSyntaxError(reader, `The file ends before the ${noun} is closed with \`${close}\`.`, {
      ...endOf(reader),
      hint: `Add \`${close}\` at its end.`,
      notes,
    });
    reader.isStopped = true;
    return false;
  }
  if (next === "]" || next === "}") {
    addSyntaxError(reader, `The ${noun} is closed with \`${next}\` instead of \`${close}\`.`, {
      hint: `Write \`${close}\` here or earlier.`,
      notes,
    });
    reader.hasWrongBracket = true;
    return closeBracket(reader, reader.open.at(-2) === next ? 0 : 1);
  }
  const end = text.slice(0, at).trimEnd().length;
  const isCertain = next === '"' || next === "'" || (close === "]" && startsValue(reader));
  const hint = "Insert a comma after the previous entry.";
  if (isCertain) addSyntaxError(reader, missingComma, { hint, fix: { from: end, to: end, text: "," } });
  else stop(reader, missingComma, { hint });
  return isCertain;
}

const missingComma = "Missing comma before this.";

const startsValue = ({ text, at }: JsonCursor): boolean =>
  /^(?:["{[\d-]|true\b|false\b|null\b)/.test(text.slice(at, at + 6));
