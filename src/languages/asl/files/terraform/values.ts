import { duplicateKey, tooDeep } from "../../../../diagnostics/reading.ts";
import { maxDepth } from "../../../../documents/document.ts";
import { createDocument, type Document } from "../../../../documents/index.ts";
import type { NodePositions } from "../../../../documents/positions.ts";
import { type Json, setOwn } from "../../../../json.ts";
import type { Report } from "../../../../text/diagnostics.ts";
import type { Source } from "../../../../text/source.ts";
import { unreadableTerraform } from "../../diagnostics/kinds.ts";
import { type Cursor, heredocAt, skipBalanced, skipExpression, skipInline, skipSpace, skipString } from "./scan.ts";

/**
 * Reads a value of literals. References and function calls become placeholders such as `${aws_sqs_queue.orders.url}`;
 * everything else of Terraform's language is reported.
 */
export function readValue(
  source: Source,
  at: number,
  report: Report,
): { readonly document: Document; readonly end: number } {
  const reader: ValueReader = {
    source,
    text: source.text,
    at,
    positions: new Map(),
    report,
    depth: 0,
    isStopped: false,
  };
  const value = readNode(reader);
  const parsed = { value, start: at, end: reader.at, positions: reader.positions };
  return { document: createDocument(source, parsed, reader.isStopped), end: reader.at };
}

interface ValueReader extends Cursor {
  readonly source: Source;
  readonly positions: Map<object, NodePositions>;
  readonly report: Report;
  depth: number;
  isStopped: boolean;
}

function readNode(reader: ValueReader): Json {
  const { text, at } = reader;
  const value = readPrimary(reader);
  skipInline(reader);
  const next = text[reader.at];
  const isEnd =
    next === undefined || /[\r\n,}\]):=#]/.test(next) || /^\/[/*]/.test(text.slice(reader.at, reader.at + 2));
  if (isEnd || reader.isStopped) return value;
  skipExpression(reader);
  return refuse(reader, at, text.slice(at, reader.at).includes("?") ? "A condition" : "An expression");
}

function readPrimary(reader: ValueReader): Json {
  const { text, at } = reader;
  const heredoc = text.startsWith("<<", at) ? heredocAt(text, at) : undefined;
  if (heredoc) {
    reader.at = heredoc.end;
    return heredoc.value;
  }
  if (text[at] === '"') return readText(reader);
  if (text[at] === "{" || text[at] === "[") return readCollection(reader);
  const [literal] =
    /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.[(])/.exec(text.slice(at, at + 100)) ?? [];
  if (literal !== undefined) {
    reader.at += literal.length;
    return JSON.parse(literal) as Json;
  }
  return readReference(reader);
}

/** `aws_lambda_function.charge.arn`, `var.tables["orders"]` or `format("…")`. */
function readReference(reader: ValueReader): Json {
  const { text, at } = reader;
  skipExpression(reader);
  const written = text.slice(at, reader.at).trim();
  const call = /^([a-z_][a-z\d_]*)\(/.exec(written)?.[1];
  if (call !== undefined && structures.has(call)) return refuse(reader, at, `\`${call}\``);
  if (isReference(written)) return `\${${written}}`;
  if (written === "") reader.isStopped = true;
  return refuse(reader, at, written.includes("?") ? "A condition" : "An expression");
}

/** Whether an expression is a name or a call with members, and nothing else. */
function isReference(text: string): boolean {
  const [name] = /^[\p{L}_][\p{L}\d_-]*/u.exec(text) ?? [];
  if (name === undefined) return false;
  const cursor: Cursor = { text, at: name.length };
  const member = /\.(?:[\p{L}_][\p{L}\d_-]*|\d+|\*)/uy;
  while (cursor.at < text.length) {
    member.lastIndex = cursor.at;
    if (member.test(text)) cursor.at = member.lastIndex;
    else if (text[cursor.at] === "[" || text[cursor.at] === "(") skipBalanced(cursor);
    else return false;
  }
  return true;
}

/** Functions whose result is an object or an array. */
const structures: ReadonlySet<string> = new Set(
  "merge concat flatten tomap tolist toset zipmap jsondecode yamldecode keys values setproduct distinct compact".split(
    " ",
  ),
);

function readText(reader: ValueReader): string {
  const { text, at } = reader;
  skipString(reader);
  const inner = text.slice(at + 1, reader.at - 1);
  if (/(?<!%)%\{/.test(inner)) refuse(reader, at, "A directive `%{ … }`");
  return inner.replaceAll(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs, (_, short, long, letter: string) => {
    if (letter === undefined) return String.fromCodePoint(Math.min(Number.parseInt(short ?? long, 16), 0x10ffff));
    return escapes.get(letter) ?? letter;
  });
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function readCollection(reader: ValueReader): Json {
  const start = reader.at;
  const isObject = reader.text[start] === "{";
  if (reader.depth >= maxDepth) {
    reader.isStopped = true;
    reader.report(tooDeep({ source: reader.source, start, end: start + 1 }, { limit: maxDepth }));
    return null;
  }
  reader.depth += 1;
  reader.at += 1;
  const object: { [key: string]: Json } = {};
  const list: Json[] = [];
  const names: string[] = [];
  const offsets: number[] = [];
  for (skipSeparators(reader); !reader.isStopped; skipSeparators(reader)) {
    if (reader.text[reader.at] === (isObject ? "}" : "]")) break;
    if (/^for\s/.test(reader.text.slice(reader.at, reader.at + 4))) {
      skipExpression({ ...reader, at: start });
      reader.at = start;
      skipExpression(reader);
      reader.depth -= 1;
      return refuse(reader, start, "A `for` expression");
    }
    if (isObject) {
      const keyStart = reader.at;
      const key = readKey(reader);
      if (key === undefined) break;
      const keyEnd = reader.at;
      const valueStart = readAssignment(reader);
      const value = readNode(reader);
      if (Object.hasOwn(object, key))
        reader.report(duplicateKey({ source: reader.source, start: keyStart, end: keyEnd }, { name: key }));
      setOwn(object, key, value);
      names.push(key);
      offsets.push(keyStart, keyEnd, valueStart, reader.at);
    } else {
      const itemStart = reader.at;
      list.push(readNode(reader));
      offsets.push(itemStart, reader.at);
      if (reader.at === itemStart) reader.isStopped = true;
    }
  }
  reader.depth -= 1;
  reader.at += reader.isStopped ? 0 : 1;
  const value = isObject ? object : list;
  reader.positions.set(value, { start, end: reader.at, names: isObject ? names : undefined, offsets });
  return value;
}

function readKey(reader: ValueReader): string | undefined {
  const { text, at } = reader;
  if (text[at] === '"') return readText(reader);
  const [name] = /^[\p{L}_][\p{L}\d_-]*/u.exec(text.slice(at, at + 200)) ?? [];
  if (name !== undefined) {
    reader.at += name.length;
    return name;
  }
  reader.isStopped = true;
  refuse(reader, at, "A computed key");
  return undefined;
}

/** Skips `=` or `:`. */
function readAssignment(reader: ValueReader): number {
  skipSpace(reader);
  if (/[=:]/.test(reader.text[reader.at] ?? "")) reader.at += 1;
  else reader.isStopped = true;
  skipSpace(reader);
  return reader.at;
}

function skipSeparators(reader: ValueReader): void {
  for (skipSpace(reader); reader.text[reader.at] === ","; skipSpace(reader)) reader.at += 1;
  if (reader.at >= reader.text.length) reader.isStopped = true;
}

function refuse({ source, text, at, report }: ValueReader, start: number, what: string): string {
  const line = text.indexOf("\n", start);
  const end = Math.max(start + 1, Math.min(at, line < 0 ? text.length : line));
  report(unreadableTerraform({ source, start, end }, { what }));
  return "";
}
