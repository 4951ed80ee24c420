import type { ProtoField, ProtoFile, ProtoMethod, ProtoService, ProtoType } from "./proto.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Where a .proto file cannot be understood, and why. */
export class ProtoFault extends Error {
  readonly start: number;

  constructor(message: string, start: number) {
    super(message);
    this.start = start;
  }
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
}

/** How deep messages may stand in each other. */
const deepest = 50;

/** Reads a .proto file of version 2, 3 or an edition. Options, extensions and reserved names are passed over. Throws a `ProtoFault`. */
export function parseProto(text: string): ProtoFile {
  const reader: Reader = { tokens: tokensOf(text), at: 0 };
  const imports: string[] = [];
  const services: ProtoService[] = [];
  const types: ProtoType[] = [];
  let scope = "";
  while (next(reader).kind !== "end") {
    const word = take(reader).text;
    if (word === "package") scope = take(reader, "name").text;
    else if (word === "import") imports.push(readImport(reader));
    else if (word === "service") services.push(readService(reader, scope));
    else if (word === "message") readMessage(reader, scope, types, 0);
    else if (word === "enum") types.push(readEnum(reader, scope));
    else skipStatement(reader, word);
  }
  return { package: scope, imports, services, types };
}

function readImport(reader: Reader): string {
  if (["public", "weak"].includes(next(reader).text) && next(reader).kind === "name") take(reader);
  return take(reader, "text").text;
}

function readService(reader: Reader, scope: string): ProtoService {
  const name = within(scope, take(reader, "name").text);
  const methods: ProtoMethod[] = [];
  takeSymbol(reader, "{");
  while (!skipped(reader, "}")) {
    const word = take(reader).text;
    if (word === "rpc") methods.push(readMethod(reader));
    else skipStatement(reader, word);
  }
  return { name, methods };
}

function readMethod(reader: Reader): ProtoMethod {
  const name = take(reader, "name").text;
  const input = readMessageType(reader);
  const word = take(reader, "name");
  if (word.text !== "returns") throw new ProtoFault("`returns` should stand here.", word.start);
  const output = readMessageType(reader);
  skipStatement(reader, "rpc");
  return { name, input: input.type, output: output.type, isStreaming: input.isStream || output.isStream };
}

function readMessageType(reader: Reader): { readonly type: string; readonly isStream: boolean } {
  takeSymbol(reader, "(");
  const first = typeName(reader);
  const isStream = first === "stream" && next(reader).text !== ")";
  const type = isStream ? typeName(reader) : first;
  takeSymbol(reader, ")");
  return { type, isStream };
}

function readMessage(reader: Reader, scope: string, types: ProtoType[], depth: number): void {
  const word = take(reader, "name");
  if (depth > deepest) throw new ProtoFault(`Messages stand more than ${deepest} deep in each other.`, word.start);
  const name = within(scope, word.text);
  const fields: ProtoField[] = [];
  types.push({ kind: "message", name, fields });
  takeSymbol(reader, "{");
  while (!skipped(reader, "}")) readMember(reader, name, fields, types, depth);
}

/** What stands in a message. The fields of a `oneof` are fields like any other. */
function readMember(reader: Reader, scope: string, fields: ProtoField[], types: ProtoType[], depth: number): void {
  const { text: word, kind } = next(reader);
  const isKeyword = reader.tokens[reader.at + 1]?.kind === "name";
  if (kind === "symbol" && word === ";") take(reader);
  else if (word === "message" && isKeyword) readMessage(taken(reader), scope, types, depth + 1);
  else if (word === "enum" && isKeyword) types.push(readEnum(taken(reader), scope));
  else if (word === "oneof" && isKeyword) {
    take(taken(reader), "name");
    takeSymbol(reader, "{");
    while (!skipped(reader, "}")) readMember(reader, scope, fields, types, depth);
  } else if (["option", "reserved", "extensions", "extend", "group"].includes(word)) skipStatement(taken(reader), word);
  else fields.push(readField(reader));
}

function readField(reader: Reader): ProtoField {
  const label = ["optional", "required", "repeated"].includes(next(reader).text) ? take(reader).text : "";
  const isMap = next(reader).text === "map" && reader.tokens[reader.at + 1]?.text === "<";
  const type = isMap ? readMapType(reader) : typeName(reader);
  const name = take(reader, "name").text;
  takeSymbol(reader, "=");
  take(reader, "number");
  skipStatement(reader, "field");
  return { name, type, cardinality: isMap ? "map" : label === "repeated" ? "many" : "one" };
}

function readMapType(reader: Reader): string {
  take(reader);
  takeSymbol(reader, "<");
  typeName(reader);
  takeSymbol(reader, ",");
  const type = typeName(reader);
  takeSymbol(reader, ">");
  return type;
}

function readEnum(reader: Reader, scope: string): ProtoType {
  const name = within(scope, take(reader, "name").text);
  const values: string[] = [];
  takeSymbol(reader, "{");
  while (!skipped(reader, "}")) {
    const { text, kind } = take(reader);
    if (kind === "name" && next(reader).text === "=") values.push(text);
    skipStatement(reader, text);
  }
  return { kind: "enum", name, values };
}

/** Goes on after the end of a statement: its semicolon, or the brackets that it ends with. */
function skipStatement(reader: Reader, word: string): void {
  if (word === ";") return;
  let depth = 0;
  for (;;) {
    const { kind, text, start } = take(reader);
    if (kind === "end") throw new ProtoFault("The file ends in the middle of something.", start);
    if (kind !== "symbol") continue;
    if (text === "{" || text === "[") depth += 1;
    if (text === "}" || text === "]") depth -= 1;
    if (depth < 0) throw new ProtoFault("This closes nothing.", start);
    if (depth === 0 && (text === ";" || text === "}")) return;
  }
}

const within = (scope: string, name: string): string => (scope === "" ? name : `${scope}.${name}`);

/** The name of a type; one that begins with a dot is in no scope. */
function typeName(reader: Reader): string {
  const isAbsolute = skipped(reader, ".");
  return (isAbsolute ? "." : "") + take(reader, "name").text;
}

const next = ({ tokens, at }: Reader): Token => tokens[at]!;

function take(reader: Reader, kind?: Token["kind"]): Token {
  const token = next(reader);
  if (kind !== undefined && token.kind !== kind) throw new ProtoFault(`A ${kind} should stand here.`, token.start);
  if (token.kind !== "end") reader.at += 1;
  return token;
}

function taken(reader: Reader): Reader {
  take(reader);
  return reader;
}

function takeSymbol(reader: Reader, symbol: string): void {
  const { text, start } = take(reader);
  if (text !== symbol) throw new ProtoFault(`\`${symbol}\` should stand here.`, start);
}

function skipped(reader: Reader, symbol: string): boolean {
  const { kind, text, start } = next(reader);
  if (kind === "end") throw new ProtoFault("The file ends in the middle of something.", start);
  if (kind !== "symbol" || text !== symbol) return false;
  reader.at += 1;
  return true;
}
