import type { Json } from "../../json.ts";
import { readNumber } from "./conversions.ts";
import { raise, raiseOne } from "./failure.ts";
import { isList, isRecord, putMember } from "./types.ts";

/** `fromjson`, including nan and infinities, with jq's messages. */
export function fromJson(input: Json): Json {
  if (typeof input !== "string") return raiseOne(input, "only strings can be parsed");
  if (!/\\u[dD]/.test(input)) {
    try {
      const value = JSON.parse(input) as Json;
      if (input.length < 20000 || isShallow(value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return readJson(input);
}

/** Arrays, objects and the keys of open members count. */
function isShallow(value: Json): boolean {
  let level = [{ value, room: 10000 }];
  while (level.length > 0) {
    const inner: typeof level = [];
    for (const { value, room } of level) {
      if (typeof value !== "object" || value === null) continue;
      if (room <= 0) return false;
      for (const item of Object.values(value))
        if (typeof item === "object") inner.push({ value: item, room: room - (isList(value) ? 1 : 2) });
    }
    level = inner;
  }
  return true;
}

interface JsonReader {
  readonly text: string;
  /** Above an open object: the key of the next value. */
  readonly stack: Json[];
  next: Json | undefined;
  token: string;
  state: "normal" | "string" | "escape";
  done: Json | undefined;
  line: number;
  column: number;
}

function readJson(text: string): Json {
  if (/^[\uf000-\ufefe\uff00-\uffff]/.test(text)) return raise(`Malformed BOM${whileParsing(text)}`);
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const reader: JsonReader = {
    text,
    stack: [],
    next: undefined,
    token: "",
    state: "normal",
    done: undefined,
    line: 1,
    column: 0,
  };
  for (let i = 0; i < body.length; i++) readUnit(reader, body.charAt(i));
  if (reader.state !== "normal") return raiseReading(reader, "Unfinished string at EOF");
  endLiteral(reader, " at EOF");
  if (reader.stack.length > 0) return raiseReading(reader, "Unfinished JSON term at EOF");
  if (takeDone(reader)) return raiseExtra(reader);
  return reader.done === undefined ? raise(`Expected JSON value${whileParsing(text)}`) : reader.done;
}

function takeDone(reader: JsonReader): boolean {
  if (reader.stack.length > 0 || reader.next === undefined) return false;
  const extra = reader.done !== undefined;
  reader.done = reader.next;
  reader.next = undefined;
  return extra;
}

function raiseExtra(reader: JsonReader): never {
  return raise(`Unexpected extra JSON values${whileParsing(reader.text)}`);
}

function raiseReading(reader: JsonReader, fault: string): never {
  return raise(`${fault} at line ${reader.line}, column ${reader.column}${whileParsing(reader.text)}`);
}

function whileParsing(text: string): string {
  return ` (while parsing '${text.split("\0")[0]}')`;
}

function readUnit(reader: JsonReader, unit: string): void {
  const code = unit.charCodeAt(0);
  reader.column += code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3;
  if (unit === "\n") {
    reader.line++;
    reader.column = 0;
  }
  if (reader.state === "normal") readStructure(reader, unit);
  else if (unit === '"' && reader.state === "string") endString(reader);
  else {
    reader.token += unit;
    reader.state = unit === "\\" && reader.state === "string" ? "escape" : "string";
  }
}

function endString(reader: JsonReader): void {
  giveValue(reader, unescaped(reader));
  reader.state = "normal";
  reader.token = "";
  if (takeDone(reader)) raiseExtra(reader);
}

function readStructure(reader: JsonReader, unit: string): void {
  if (!/[ \t\r\n"[\]{}:,]/.test(unit)) {
    reader.token += unit;
    return;
  }
  endLiteral(reader, "");
  const extra = takeDone(reader);
  if (unit === '"') reader.state = "string";
  else if (unit === "[" || unit === "{") open(reader, unit === "[" ? [] : {});
  else if (unit === ":") takeKey(reader);
  else if (unit === ",") takeItem(reader);
  else if (unit === "]" || unit === "}") close(reader, unit);
  if (takeDone(reader) || extra) raiseExtra(reader);
}

function giveValue(reader: JsonReader, value: Json): void {
  if (reader.next !== undefined) raiseReading(reader, "Expected separator between values");
  reader.next = value;
}

function endLiteral(reader: JsonReader, place: string): void {
  const token = reader.token;
  if (token === "") return;
  reader.token = "";
  const word = { t: "true", f: "false", n: token.charAt(1) === "u" ? "null" : undefined }[token.charAt(0)];
  if (token.charAt(0) === "'") raiseReading(reader, `Invalid string literal; expected ", but got '${place}`);
  if (word !== undefined && word !== token) raiseReading(reader, `Invalid literal${place}`);
  const value = word === undefined ? readNumber(token.split("\0")[0]!) : token === "null" ? null : token === "true";
  giveValue(reader, value === undefined ? raiseReading(reader, `Invalid numeric literal${place}`) : value);
}

function open(reader: JsonReader, container: Json): void {
  if (reader.stack.length >= 10000) raiseReading(reader, "Exceeds depth limit for parsing");
  if (reader.next !== undefined) raiseReading(reader, "Expected separator between values");
  reader.stack.push(container);
}

function takeKey(reader: JsonReader): void {
  const top = reader.stack[reader.stack.length - 1];
  if (reader.next === undefined) raiseReading(reader, "Expected string key before ':'");
  if (top === undefined || !isRecord(top)) raiseReading(reader, "':' not as part of an object");
  if (typeof reader.next !== "string") raiseReading(reader, "Object keys must be strings");
  reader.stack.push(reader.next);
  reader.next = undefined;
}

function takeItem(reader: JsonReader): void {
  if (reader.next === undefined) raiseReading(reader, "Expected value before ','");
  if (reader.stack.length === 0) raiseReading(reader, "',' not as part of an object or array");
  if (!addNext(reader)) raiseReading(reader, "Objects must consist of key:value pairs");
}

function addNext(reader: JsonReader): boolean {
  const top = reader.stack[reader.stack.length - 1]!;
  if (isList(top)) (top as Json[]).push(reader.next!);
  else if (typeof top === "string") {
    reader.stack.pop();
    putMember(reader.stack[reader.stack.length - 1] as { [key: string]: Json }, top, reader.next!);
  } else return false;
  reader.next = undefined;
  return true;
}

function close(reader: JsonReader, unit: string): void {
  const top = reader.stack[reader.stack.length - 1];
  const array = isList(top);
  if (top === undefined || (unit === "]" && !array)) raiseReading(reader, `Unmatched '${unit}'`);
  if (reader.next !== undefined) {
    if ((unit === "}" && typeof top !== "string") || !addNext(reader))
      raiseReading(reader, "Objects must consist of key:value pairs");
  } else if (unit === "}" && !isRecord(top)) {
    raiseReading(reader, "Unmatched '}'");
  } else if (Object.keys(top as object).length > 0) {
    raiseReading(reader, array ? "Expected another array element" : "Expected another key-value pair");
  }
  reader.next = reader.stack.pop()!;
}

function unescaped(reader: JsonReader): string {
  let text = "";
  for (let i = 0; i < reader.token.length; i++) {
    const unit = reader.token.charAt(i);
    if (unit < " ")
      raiseReading(reader, "Invalid string: control characters from U+0000 through U+001F must be escaped");
    if (unit !== "\\") {
      text += unit;
      continue;
    }
    const letter = reader.token.charAt(++i);
    const plain = { "\\": "\\", '"': '"', "/": "/", b: "\b", f: "\f", t: "\t", n: "\n", r: "\r" }[letter];
    const unescapedText = plain === undefined && letter === "u" ? codeUnits(reader, i + 1) : plain;
    if (unescapedText === undefined) return raiseReading(reader, "Invalid escape");
    if (letter === "u") i += unescapedText.length > 1 ? 10 : 4;
    text += unescapedText;
  }
  return text;
}

function codeUnits(reader: JsonReader, index: number): string {
  const digits = reader.token.slice(index, index + 4);
  if (utf8Size(reader.token, index) < 4) return raiseReading(reader, "Invalid \\uXXXX escape");
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return raiseReading(reader, "Invalid characters in \\uXXXX escape");
  const code = parseInt(digits, 16);
  if (code >= 0xdc00 && code <= 0xdfff) return "\ufffd";
  if (code < 0xd800 || code > 0xdbff) return String.fromCharCode(code);
  const second = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(reader.token.slice(index + 4, index + 10));
  return second
    ? String.fromCharCode(code, parseInt(second[1]!, 16))
    : raiseReading(reader, "Invalid \\uXXXX\\uXXXX surrogate pair escape");
}

function utf8Size(text: string, index: number): number {
  let size = 0;
  for (let i = index; i < text.length && size < 4; i++) {
    const code = text.charCodeAt(i);
    size += code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3;
  }
  return size;
}
