import { jsonSyntax } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import { type Diagnostic, type Note, withFix } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { faultLimit, numberFault } from "./limits.ts";
import type { Places } from "./places.ts";

/** What ends an object or a list. */
export type Close = "]" | "}";

/** A text that is being read as JSON, and how far. */
export interface JsonReader {
  readonly source: Source;
  readonly text: string;
  at: number;
  /** What closes the objects and lists that are open, the innermost last. */
  readonly open: Close[];
  readonly places: Map<object, Places>;
  readonly faults: Diagnostic[];
  /** How many errors there are among them; more may have been left out. */
  errors: number;
  /** Whether one of them is that the text is not JSON. */
  isNoJson: boolean;
  /** Whether a comment was told of: one is enough. */
  hasComment: boolean;
  /** Whether one of what closes objects and lists was told of: what follows the end is then of no interest. */
  hasWrongBracket: boolean;
  /** Whether a value cannot be known. */
  isUnclear: boolean;
  /** Set with a fault after which the rest is not looked at. */
  isStopped: boolean;
}

/** Ends the reading with a syntax error. */
export function stop(reader: JsonReader, detail: string, place?: Place): undefined {
  addSyntaxFault(reader, detail, place);
  reader.isStopped = true;
  return undefined;
}

/** Where a syntax error is and what else there is to say; at the next character when nothing else is said. */
export interface Place {
  readonly from?: number;
  readonly to?: number;
  readonly hint?: string | undefined;
  readonly notes?: readonly Note[];
  /** What to write instead of a stretch, where that is certain. */
  readonly mend?: { readonly from: number; readonly to: number; readonly text: string } | undefined;
}

/** Adds an error of the grammar. Once the reading has ended there is nothing more to say. */
export function addSyntaxFault(reader: JsonReader, detail: string, place: Place = {}): void {
  if (reader.isStopped) return;
  const { from = reader.at, to = from + 1, hint, notes, mend } = place;
  reader.isNoJson = true;
  const fault = jsonSyntax(spanIn(reader, from, to), { detail, hint }, notes);
  addFault(reader, mend ? withFix(fault, mend.text, spanIn(reader, mend.from, mend.to)) : fault);
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

/** Goes to the next character that is neither white space nor in a comment, of which JSON has none. */
export function skipSpace(reader: JsonReader): void {
  const { text } = reader;
  for (;;) {
    const code = text.charCodeAt(reader.at);
    if (code === 32 || code === 10 || code === 13 || code === 9) reader.at += 1;
    else if (code !== 35 && code !== 47) return;
    else if (!skipComment(reader)) return;
  }
}

const commentHint = "Remove the comment, or write the definition in YAML.";

/** Goes past a comment as JavaScript or YAML has them; whether there is one. */
function skipComment(reader: JsonReader): boolean {
  const { text, at } = reader;
  const [open] = /^(?:#|\/[/*])?/.exec(text.slice(at, at + 2))!;
  if (open === "") return false;
  if (!reader.hasComment) addSyntaxFault(reader, "JSON does not allow comments.", { hint: commentHint });
  reader.hasComment = true;
  const end = open === "/*" ? text.indexOf("*/", at) + 2 : text.indexOf("\n", at);
  reader.at = end < 2 ? text.length : end;
  return true;
}

/** Adds a fault; errors only up to a limit. */
export function addFault(reader: JsonReader, fault: Diagnostic): void {
  if (fault.severity === "error") reader.errors += 1;
  if (fault.severity !== "error" || reader.errors <= faultLimit) reader.faults.push(fault);
}

/** Reads a string; the reader stands at its opening quote. `detail` says that it is to be a double one. */
export function readString(reader: JsonReader, detail: string): string {
  const { text, at: start } = reader;
  if (text[start] === "'") return readSingleQuoted(reader, detail);
  let isPlain = true;
  const textUntil = (end: number): string => {
    const inside = text.slice(start + 1, end);
    return isPlain ? inside : (JSON.parse(`"${escaped(inside)}"`) as string);
  };
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      reader.at = at + 1;
      return textUntil(at);
    }
    if (code === 10 || code === 13) {
      const end = at - /,?[ \t]*$/.exec(text.slice(start + 1, at))![0].length;
      reader.at = end;
      addSyntaxFault(reader, "This string has no closing quote on its line.", {
        from: start,
        to: at,
        hint: 'Add `"` at its end; write a line break as `\\n`.',
      });
      reader.isStopped = !/^\s*[,\]}]/.test(text.slice(end, end + 1000));
      return textUntil(end);
    }
    if (code >= 32 && code !== 92) continue;
    const length = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0].length;
    if (length) at += length - 1;
    else addStringFault(reader, at);
    isPlain = false;
  }
  stop(reader, "This string has no closing quote.", { from: start });
  reader.at = text.length;
  return "";
}

/** What stands in a string with escapes that are none, and with control characters, with these escaped. */
const escaped = (inside: string): string =>
  inside
    .replace(/(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\/g, (_, good: string | undefined) => good ?? "\\\\")
    .replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A control character, or a backslash that begins no escape. */
function addStringFault(reader: JsonReader, at: number): void {
  const { text } = reader;
  if (text[at] !== "\\") {
    const hint = text[at] === "\t" ? "Write a tab as `\\t`." : undefined;
    addSyntaxFault(reader, "This string contains a control character.", { from: at, hint });
    return;
  }
  const detail = `\`${text.slice(at, at + 2).trim()}\` is not a JSON escape sequence.`;
  addSyntaxFault(reader, detail, { from: at, to: at + 2, hint: "Write a backslash as `\\\\`." });
}

function readSingleQuoted(reader: JsonReader, detail: string): string {
  const { at } = reader;
  const [written, inside] = /^'([^'"\\\n\r]*)'(?=\s*[:,\]}])/.exec(lineFrom(reader.text, at)) ?? [];
  if (inside === undefined) {
    stop(reader, detail);
    return "";
  }
  reader.at += written!.length;
  const text = JSON.stringify(inside);
  addSyntaxFault(reader, detail, {
    from: at,
    hint: `Write \`${truncate(text)}\`.`,
    mend: { from: at, to: reader.at, text },
  });
  return inside;
}

/** The text from a place to the end of its line, with the line break; as much of it as is looked at. */
const lineFrom = (text: string, at: number): string => /^[^\n]*\n?/.exec(text.slice(at, at + 1000))![0];

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Reads a number, `true`, `false` or `null`. */
export function readPlain(reader: JsonReader): Json {
  const start = reader.at;
  const written = wordAt(reader.text, start);
  if (written === "") return readNoValue(reader);
  reader.at += written.length;
  if (written === "true") return true;
  if (written === "false") return false;
  if (written === "null") return null;
  if (numberForm.test(written)) return readNumber(reader, start, written);
  return readOther(reader, start, written);
}

/** Reads what other languages have: a number in another form, `True`, `None`, a text without quotes. */
function readOther(reader: JsonReader, start: number, written: string): Json {
  const place = { from: start, to: reader.at };
  if (/^[-+]?\.?\d/.test(written)) {
    addSyntaxFault(reader, `\`${truncate(written)}\` is not a JSON number.`, place);
    const value = Number(written);
    if (!Number.isFinite(value)) reader.isUnclear = true;
    return Number.isFinite(value) ? value : null;
  }
  const word = words.get(written.toLowerCase());
  const hint = word === undefined ? "Put strings in double quotes." : `Write \`${word}\`.`;
  const mend = word === undefined ? undefined : { ...place, text: `${word}` };
  addSyntaxFault(reader, `\`${truncate(written)}\` is not a JSON value.`, { ...place, hint, mend });
  if (word !== undefined) return word;
  const text = written + /^[^,\n\r\]}]*/.exec(lineFrom(reader.text, reader.at))![0];
  reader.at = start + text.length;
  return text.trimEnd();
}

/** What other languages write for the words of JSON, in lower case. */
const words: ReadonlyMap<string, true | false | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
  ["nil", null],
  ["undefined", null],
]);

function readNumber(reader: JsonReader, start: number, written: string): number {
  const value = Number(written);
  const fault = numberFault(spanIn(reader, start, reader.at), written, value);
  if (fault) addFault(reader, fault);
  return value;
}

/** The longest run of characters that may be part of a number or a word. */
export function wordAt(text: string, start: number): string {
  let at = start;
  while (at < text.length && /[-+.\w$]/.test(text[at]!)) at += 1;
  return text.slice(start, at);
}

/** Where a value is missing, the rest can be read if what would follow it is there. */
function readNoValue(reader: JsonReader): null {
  const next = reader.text[reader.at];
  if (next === undefined) stop(reader, "The file ends where a value is expected.", endOf(reader));
  else if (/[,\]}]/.test(next)) addSyntaxFault(reader, "Missing value.");
  else stop(reader, "Missing value.");
  reader.isUnclear = true;
  return null;
}
