import { jsonSyntax, tooDeep } from "../../../diagnostics/reading.ts";
import { checkNumber, maxDepth } from "../../../documents/document.ts";
import type { NodePositions } from "../../../documents/positions.ts";
import type { Json } from "../../../json.ts";
import type { Diagnostic, Note } from "../../../text/diagnostics.ts";
import { truncate } from "../../../text/messages.ts";
import type { Source, Span } from "../../../text/source.ts";
import { repairedJson } from "../diagnostics/kinds.ts";

/** The state of the reader. */
export interface Reader {
  readonly source: Source;
  readonly text: string;
  at: number;
  depth: number;
  readonly places: Map<object, NodePositions>;
  readonly diagnostics: Diagnostic[];
}

/** Aborts reading; never leaves this folder. */
export class Unrepairable extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Replaces a range of the source. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Beyond this, a source is not JSON. */
const maxRepairs = 1_000;

/** Reports a repair with its fix. */
export function repair(
  reader: Reader,
  stretch: Omit<Replacement, "text">,
  detail: string,
  ...edits: readonly Replacement[]
): void {
  if (reader.diagnostics.length >= maxRepairs)
    stop(reader, `This file needs more than ${maxRepairs} repairs to be JSON.`, stretch);
  const fix = edits.map(({ from, to, text }) => ({ span: spanAt(reader, from, to), text }));
  reader.diagnostics.push({ ...repairedJson(spanAt(reader, stretch.from, stretch.to), { detail }), fix });
}

/** Aborts with a syntax error at the next character by default. */
export function stop(
  reader: Reader,
  detail: string,
  { from, to }: Omit<Replacement, "text"> = { from: reader.at, to: reader.at + 1 },
  notes: readonly Note[] = [],
): never {
  throw new Unrepairable(jsonSyntax(spanAt(reader, from, to), { detail }, notes));
}

/** The span of a range, clipped to the source. */
export function spanAt({ source, text }: Reader, start: number, end: number): Span {
  return { source, start: Math.min(start, text.length), end: Math.min(end, text.length) };
}

/** Reads one level deeper. */
export function nested<T>(reader: Reader, read: () => T): T {
  reader.depth += 1;
  if (reader.depth > maxDepth)
    throw new Unrepairable(tooDeep(spanAt(reader, reader.at, reader.at + 1), { limit: maxDepth }));
  const result = read();
  reader.depth -= 1;
  return result;
}

function matchAt({ text, at }: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const space = /[ \t\r\n\ufeff]+/y;
const nonJsonSpace = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000]+/y;
const comment = /(?:\/\/|#|--+)[^\n\r]*|\/\*[\s\S]*?\*\//y;

/** Skips white space and comments: `//`, `#`, `--` and `/* … *\/`. */
export function skipSpace(reader: Reader): void {
  for (;;) {
    const from = reader.at;
    const plain = matchAt(reader, space);
    const strange = plain === undefined ? matchAt(reader, nonJsonSpace) : undefined;
    const said = plain === undefined && strange === undefined ? matchAt(reader, comment) : undefined;
    const found = plain ?? strange ?? said;
    if (found === undefined) return;
    reader.at += found.length;
    const to = reader.at;
    if (strange !== undefined)
      repair(reader, { from, to }, "JSON does not allow this whitespace character.", { from, to, text: " " });
    if (said !== undefined) {
      const blank = /[ \t]*$/.exec(reader.text.slice(Math.max(0, from - 200), from))![0].length;
      repair(reader, { from, to }, "JSON does not allow comments.", { from: from - blank, to, text: "" });
    }
  }
}

const quotes: { readonly [open: string]: string } = {
  '"': '"”',
  "“": '”"“',
  "„": '”“"',
  "”": '”"',
  "'": "'",
  "‘": "’'",
};

/** Whether a quoted string starts here. */
export const isQuoted = ({ text, at }: Reader): boolean => Object.hasOwn(quotes, text[at] ?? "");

/** Reads a string in any quotes. */
export function readQuoted(reader: Reader): string {
  const { text, at: from } = reader;
  const end = endOfQuoted(reader);
  const inside = text.slice(from + 1, end);
  const to = end + 1;
  reader.at = to;
  const isStraight = text[from] === '"' && text[end] === '"';
  const value = parseString(isStraight ? inside : inside.replaceAll('"', '\\"'));
  if (isStraight && value !== undefined) return value;
  const meant = value ?? inside;
  const detail = isStraight ? "This string contains a character that JSON requires to be escaped." : straightQuotes;
  repair(reader, { from, to }, detail, { from, to, text: JSON.stringify(meant) });
  return meant;
}

const straightQuotes = "JSON strings require straight double quotes.";

function parseString(inside: string): string | undefined {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return undefined;
  }
}

/** The first one on this line followed by valid syntax, otherwise the first one. */
function endOfQuoted(reader: Reader): number {
  const { text, at } = reader;
  const line = /[^\r\n]*/y;
  line.lastIndex = at + 1;
  const rest = line.exec(text)![0];
  const found = closingQuotes(rest, quotes[text[at]!]!);
  const isSure = (each: number): boolean => /^\s*(?:[:,}\]{[]|$)/.test(rest.slice(each + 1, each + 100));
  const end = found.find(isSure) ?? found[0];
  return end === undefined
    ? stop(reader, "This string has no closing quote on its line.", { from: at, to: at + 1 + rest.length })
    : at + 1 + end;
}

function closingQuotes(line: string, closing: string): readonly number[] {
  const found: number[] = [];
  let open = 0;
  for (let at = 0; at < line.length && found.length < 50; at++) {
    const character = line[at]!;
    if (character === "\\") at += 1;
    else if (character === "”" && open > 0) open -= 1;
    else if (closing.includes(character)) found.push(at);
    else if (character === "“") open += 1;
  }
  return found;
}

const bareValue = /[^,{}[\]\r\n"“”]+/y;
const bareKey = /[^\s:,{}[\]"“”]+(?:[ \t]+[^\s:,{}[\]"“”]+)*/y;

/** Reads an unquoted number, literal or string. */
export function readBare(reader: Reader): Json {
  const { at: from } = reader;
  const written = (matchAt(reader, bareValue) ?? "").replace(/\s(?:\/\/|#|--|\/\*).*$/, "").trimEnd();
  if (written === "") stop(reader, "Missing value.");
  const to = from + written.length;
  reader.at = to;
  const word = words.get(written);
  if (word !== undefined) return word;
  if (jsonNumber.test(written)) return readNumber(reader, from, written);
  const meant = words.get(written.toLowerCase()) ?? parseNumber(written) ?? written;
  const detail =
    typeof meant === "string"
      ? `The string \`${truncate(written)}\` is not quoted.`
      : `\`${truncate(written)}\` is not a JSON value.`;
  repair(reader, { from, to }, detail, { from, to, text: JSON.stringify(meant) });
  return meant;
}

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function parseNumber(text: string): number | undefined {
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function readNumber(reader: Reader, from: number, written: string): number {
  const value = Number(written);
  const fault = checkNumber(spanAt(reader, from, reader.at), written, value);
  if (fault?.severity === "error") throw new Unrepairable(fault);
  if (fault) reader.diagnostics.push(fault);
  return value;
}

/** Reads a key, quoted or not. */
export function readKey(reader: Reader): string {
  if (isQuoted(reader)) return readQuoted(reader);
  const { at: from } = reader;
  const written = matchAt(reader, bareKey);
  if (written === undefined) return stop(reader, "Missing key.");
  const to = from + written.length;
  reader.at = to;
  repair(reader, { from, to }, `The key \`${truncate(written)}\` is not quoted.`, {
    from,
    to,
    text: JSON.stringify(written),
  });
  return written;
}

/** Whether a key and a value come next. */
export const isPairNext = (reader: Reader): boolean => matchAt(reader, pair) !== undefined;

const pair =
  /(?:"(?:[^"\\\r\n]|\\.)*["”]|[“„”][^”"\r\n]*[”"]|'[^'\r\n]*'|‘[^’'\r\n]*[’'])\s*:|(?!(?:true|false|null)\b)[\p{L}_$][\w.$-]*(?:\s*:|[ \t]*\{)/uy;
