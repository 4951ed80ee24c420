import { jsonSyntax } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import { type Diagnostic, type Note, withFix } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { checkNumber, maxErrors } from "./document.ts";
import type { NodePositions } from "./positions.ts";

/** Closes an object or an array. */
export type ClosingBracket = "]" | "}";

/** The state of the JSON reader. */
export interface JsonCursor {
  readonly source: Source;
  readonly text: string;
  at: number;
  readonly open: ClosingBracket[];
  readonly positions: Map<object, NodePositions>;
  readonly diagnostics: Diagnostic[];
  errors: number;
  isNotJson: boolean;
  hasComment: boolean;
  /** Whether comments and commas before a closing bracket are allowed, as in JSONC. */
  readonly isLenient: boolean;
  hasWrongBracket: boolean;
  hasUnknownValue: boolean;
  isStopped: boolean;
}

/** Ends reading with a syntax error. */
export function stop(reader: JsonCursor, detail: string, place?: SyntaxErrorDetails): undefined {
  addSyntaxError(reader, detail, place);
  reader.isStopped = true;
  return undefined;
}

/** Details of a syntax error, by default at the next character. */
export interface SyntaxErrorDetails {
  readonly from?: number;
  readonly to?: number;
  readonly hint?: string | undefined;
  readonly notes?: readonly Note[];
  readonly fix?: { readonly from: number; readonly to: number; readonly text: string } | undefined;
}

/** Reports a syntax error, unless reading has ended. */
export function addSyntaxError(reader: JsonCursor, detail: string, place: SyntaxErrorDetails = {}): void {
  if (reader.isStopped) return;
  const { from = reader.at, to = from + 1, hint, notes, fix } = place;
  reader.isNotJson = true;
  const diagnostic = jsonSyntax(spanIn(reader, from, to), { detail, hint }, notes);
  addDiagnostic(reader, fix ? withFix(diagnostic, fix.text, spanIn(reader, fix.from, fix.to)) : diagnostic);
}

/** After the last nonblank character. */
export function endOf({ text }: JsonCursor): SyntaxErrorDetails {
  const end = text.trimEnd().length;
  return { from: end, to: end };
}

/** A span, clamped to the source. */
export function spanIn({ source, text }: JsonCursor, start: number, end: number): Span {
  return { source, start: Math.min(start, text.length), end: Math.min(end, text.length) };
}

/** Skips white space; reports comments. */
export function skipSpace(reader: JsonCursor): void {
  const { text } = reader;
  for (;;) {
    const code = text.charCodeAt(reader.at);
    if (code === 32 || code === 10 || code === 13 || code === 9) reader.at += 1;
    else if (code !== 35 && code !== 47) return;
    else if (!skipComment(reader)) return;
  }
}

const commentHint = "Remove the comment, or write the definition in YAML.";

function skipComment(reader: JsonCursor): boolean {
  const { text, at } = reader;
  const [open] = /^(?:#|\/[/*])?/.exec(text.slice(at, at + 2))!;
  if (open === "") return false;
  if (!reader.hasComment && !reader.isLenient)
    addSyntaxError(reader, "JSON does not allow comments.", { hint: commentHint });
  reader.hasComment = true;
  const end = open === "/*" ? text.indexOf("*/", at) + 2 : text.indexOf("\n", at);
  reader.at = end < 2 ? text.length : end;
  return true;
}

/** Adds a diagnostic; the number of errors is limited. */
export function addDiagnostic(reader: JsonCursor, diagnostic: Diagnostic): void {
  if (diagnostic.severity === "error") reader.errors += 1;
  if (diagnostic.severity !== "error" || reader.errors <= maxErrors) reader.diagnostics.push(diagnostic);
}

/** Reads a string; `detail` is the error for a wrong quote. */
export function readString(reader: JsonCursor, detail: string): string {
  const { text, at: start } = reader;
  if (text[start] === "'") return readSingleQuoted(reader, detail);
  let isPlain = true;
  const textUntil = (end: number): string => {
    const inside = text.slice(start + 1, end);
    return isPlain ? inside : (JSON.parse(`"${escapeInvalid(inside)}"`) as string);
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
      addSyntaxError(reader, "This string has no closing quote on its line.", {
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
    else addStringError(reader, at);
    isPlain = false;
  }
  stop(reader, "This string has no closing quote.", { from: start });
  reader.at = text.length;
  return "";
}

const escapeInvalid = (inside: string): string =>
  inside
    .replace(/(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\/g, (_, good: string | undefined) => good ?? "\\\\")
    .replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

function addStringError(reader: JsonCursor, at: number): void {
  const { text } = reader;
  if (text[at] !== "\\") {
    const hint = text[at] === "\t" ? "Write a tab as `\\t`." : undefined;
    addSyntaxError(reader, "This string contains a control character.", { from: at, hint });
    return;
  }
  const detail = `\`${text.slice(at, at + 2).trim()}\` is not a JSON escape sequence.`;
  addSyntaxError(reader, detail, { from: at, to: at + 2, hint: "Write a backslash as `\\\\`." });
}

function readSingleQuoted(reader: JsonCursor, detail: string): string {
  const { at } = reader;
  const [written, inside] = /^'([^'"\\\n\r]*)'(?=\s*[:,\]}])/.exec(restOfLine(reader.text, at)) ?? [];
  if (inside === undefined) {
    stop(reader, detail);
    return "";
  }
  reader.at += written!.length;
  const text = JSON.stringify(inside);
  addSyntaxError(reader, detail, {
    from: at,
    hint: `Write \`${truncate(text)}\`.`,
    fix: { from: at, to: reader.at, text },
  });
  return inside;
}

const restOfLine = (text: string, at: number): string => /^[^\n]*\n?/.exec(text.slice(at, at + 1000))![0];

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Reads a number, `true`, `false` or `null`. */
export function readLiteral(reader: JsonCursor): Json {
  const start = reader.at;
  const written = wordAt(reader.text, start);
  if (written === "") return readMissingValue(reader);
  reader.at += written.length;
  if (written === "true") return true;
  if (written === "false") return false;
  if (written === "null") return null;
  if (numberForm.test(written)) return readNumber(reader, start, written);
  return readForeignLiteral(reader, start, written);
}

/** `0x10`, `True`, `None`, or an unquoted string. */
function readForeignLiteral(reader: JsonCursor, start: number, written: string): Json {
  const place = { from: start, to: reader.at };
  if (/^[-+]?\.?\d/.test(written)) {
    addSyntaxError(reader, `\`${truncate(written)}\` is not a JSON number.`, place);
    const value = Number(written);
    if (!Number.isFinite(value)) reader.hasUnknownValue = true;
    return Number.isFinite(value) ? value : null;
  }
  const word = literalWords.get(written.toLowerCase());
  const hint = word === undefined ? "Put strings in double quotes." : `Write \`${word}\`.`;
  const fix = word === undefined ? undefined : { ...place, text: `${word}` };
  addSyntaxError(reader, `\`${truncate(written)}\` is not a JSON value.`, { ...place, hint, fix });
  if (word !== undefined) return word;
  const text = written + /^[^,\n\r\]}]*/.exec(restOfLine(reader.text, reader.at))![0];
  reader.at = start + text.length;
  return text.trimEnd();
}

const literalWords: ReadonlyMap<string, true | false | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
  ["nil", null],
  ["undefined", null],
]);

function readNumber(reader: JsonCursor, start: number, written: string): number {
  const value = Number(written);
  const diagnostic = checkNumber(spanIn(reader, start, reader.at), written, value);
  if (diagnostic) addDiagnostic(reader, diagnostic);
  return value;
}

/** The longest number or word at an offset. */
export function wordAt(text: string, start: number): string {
  let at = start;
  while (at < text.length && /[-+.\w$]/.test(text[at]!)) at += 1;
  return text.slice(start, at);
}

/** Reading continues if a separator follows. */
function readMissingValue(reader: JsonCursor): null {
  const next = reader.text[reader.at];
  if (next === undefined) stop(reader, "The file ends where a value is expected.", endOf(reader));
  else if (/[,\]}]/.test(next)) addSyntaxError(reader, "Missing value.");
  else stop(reader, "Missing value.");
  reader.hasUnknownValue = true;
  return null;
}
