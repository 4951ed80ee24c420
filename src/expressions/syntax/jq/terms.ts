import { truncate } from "../../../text/messages.ts";
import { ParseErrorSignal } from "../cursor.ts";
import { accept, advance, describeNext, isNext, nested } from "../token-stream.ts";
import { readComputedKey, readString } from "./literals.ts";
import {
  expectAfterQuery,
  expectKind,
  expectSign,
  fail,
  failNext,
  hintFor,
  isWord,
  type JqParser,
  type JqToken,
} from "./parser.ts";
import { readConditional, readForeach, readMember, readQuery, readReduce, readTry } from "./query.ts";
import type {
  Call,
  Index,
  Iteration,
  Jq,
  Location,
  ObjectConstruction,
  ObjectEntry,
  Slice,
  SourceRange,
} from "./syntax.ts";

/** Parses a term with the suffixes `.a`, `[…]` and `?`. */
export function readTerm(parser: JqParser): Jq {
  const { from: start } = parser.token;
  let term = readPrimary(parser);
  for (let longer = readSuffix(parser, term, start); longer !== undefined; longer = readSuffix(parser, term, start))
    term = longer;
  return term;
}

function readPrimary(parser: JqParser): Jq {
  const { kind, text, from: start, to: end } = parser.token;
  switch (kind) {
    case "number":
      advance(parser);
      return { kind, text, start, end };
    case "variable":
      advance(parser);
      return { kind, name: text, start, end };
    case "location":
      return readLocation(parser);
    case "string":
      return readString(parser);
    case "format":
      return readFormat(parser);
    case "field":
      return readField(parser, { kind: "identity", start, end: start + 1 }, start);
    case "name":
      return readCall(parser);
    default:
      return primaryParsers.get(text)?.(parser) ?? rejectToken(parser);
  }
}

const primaryParsers: ReadonlyMap<string, (parser: JqParser) => Jq> = new Map<string, (parser: JqParser) => Jq>([
  [".", readDot],
  ["..", readRecursion],
  ["-", readNegation],
  ["(", readParentheses],
  ["[", readArray],
  ["{", readObject],
  ["if", readConditional],
  ["try", readTry],
  ["reduce", readReduce],
  ["foreach", readForeach],
  ["break", readBreak],
]);

function readDot(parser: JqParser): Jq {
  const { from: start, to: end } = advance(parser);
  const identity: Jq = { kind: "identity", start, end };
  if (parser.token.kind === "string" || parser.token.kind === "format") return readNamed(parser, identity, start);
  const { kind, text } = parser.token;
  if (kind === "name")
    failNext(
      parser,
      `An operator is missing between \`.\` and ${describeNext(parser)}.`,
      `Write \`.${truncate(text)}\` without space for the member.`,
    );
  return identity;
}

function readRecursion(parser: JqParser): Jq {
  const { from: start, to: end } = advance(parser);
  if (parser.token.kind === "name")
    failNext(
      parser,
      `An operator is missing between \`..\` and ${describeNext(parser)}.`,
      `Write \`.. | .${truncate(parser.token.text)}\`.`,
    );
  return { kind: "recursion", start, end };
}

function readNegation(parser: JqParser): Jq {
  const { from: start } = advance(parser);
  return { kind: "negation", operand: nested(parser, readTerm), start, end: parser.end };
}

function readParentheses(parser: JqParser): Jq {
  advance(parser);
  const query = readQuery(parser);
  expectAfterQuery(parser, ")");
  return query;
}

function readArray(parser: JqParser): Jq {
  const { from: start } = advance(parser);
  const items = isNext(parser, "]") ? undefined : readQuery(parser);
  expectAfterQuery(parser, "]");
  return { kind: "array", items, start, end: parser.end };
}

function readBreak(parser: JqParser): Jq {
  const { from: start } = advance(parser);
  const name = expectKind(parser, "variable", "The name of a label, such as `$out`,").text;
  return { kind: "break", name, start, end: parser.end };
}

function readFormat(parser: JqParser): Jq {
  const format = advance(parser);
  if (parser.token.kind === "string") return readString(parser, format);
  return { kind: "format", name: format.text, start: format.from, end: format.to };
}

function readCall(parser: JqParser): Jq {
  const { text: name, from: start } = advance(parser);
  const constant = constants.get(name);
  if (!isNext(parser, "(")) {
    if (constant !== undefined) return { kind: "constant", value: constant, start, end: parser.end };
    return { kind: "call", name, args: [], start, end: parser.end };
  }
  return readArguments(parser, name, start);
}

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ["null", null],
  ["true", true],
  ["false", false],
]);

function readArguments(parser: JqParser, name: string, start: number): Call {
  advance(parser);
  if (isNext(parser, ")"))
    failNext(
      parser,
      "An argument is missing between `(` and `)`.",
      `Write \`${truncate(name)}\` for the function without parameters.`,
    );
  const args = [readQuery(parser)];
  while (accept(parser, ";")) args.push(readQuery(parser));
  expectAfterQuery(parser, ")");
  return { kind: "call", name, args, start, end: parser.end };
}

function rejectToken(parser: JqParser): never {
  const { kind, text, to: end } = parser.token;
  if (kind === "fixed" && ["module", "import", "include"].includes(text)) return rejectModule(parser.token);
  if (!isNext(parser, "$"))
    return failNext(parser, `An expression is missing before ${describeNext(parser)}.`, hintFor(parser));
  const isName = /[\s\d]/.test(parser.cursor.text.charAt(end));
  const hint = isName
    ? "It must follow `$` without a space and must not start with a digit."
    : "Write `.` for the input; paths start with it: `.a.b`.";
  return failNext(parser, "A variable name is missing after `$`.", hint);
}

function rejectModule({ text, from, to }: JqToken): never {
  const message = `\`${text}\` is not supported: workflows have no jq modules.`;
  const hint = "Define the functions in the expression itself, with `def`.";
  throw new ParseErrorSignal({ category: "unsupported", from, to, message, hint });
}

function readSuffix(parser: JqParser, target: Jq, start: number): Jq | undefined {
  if (parser.token.kind === "field") return readField(parser, target, start);
  if (isNext(parser, "[")) return readBrackets(parser, target, start);
  if (accept(parser, "?")) return { kind: "try", body: target, handler: undefined, start, end: parser.end };
  const dot = parser.token;
  if (!accept(parser, ".")) return undefined;
  if (!isNext(parser, "[")) return readNamed(parser, target, start);
  const access = readBrackets(parser, target, start);
  if (access.kind === "slice") fail(dot.from, dot.to, "A slice has no `.` before its `[`.", "Remove the `.`.");
  return access;
}

function readField(parser: JqParser, target: Jq, start: number): Index {
  const { text, from: dot, to: end } = advance(parser);
  return {
    kind: "index",
    target,
    key: { kind: "string", value: text, start: dot + 1, end },
    ...readOptional(parser, start),
  };
}

function readNamed(parser: JqParser, target: Jq, start: number): Index {
  const format = parser.token.kind === "format" ? advance(parser) : undefined;
  if (parser.token.kind !== "string")
    failNext(parser, `A member name is missing before ${describeNext(parser)}.`, memberHint(parser));
  return { kind: "index", target, key: readString(parser, format), ...readOptional(parser, start) };
}

function memberHint(parser: JqParser): string | undefined {
  const { kind, text } = parser.token;
  if (kind === "name") return `Write \`.${truncate(text)}\` without space.`;
  return kind === "number" || kind === "variable"
    ? `Write \`.[${kind === "variable" ? "$" : ""}${truncate(text)}]\`.`
    : undefined;
}

function readBrackets(parser: JqParser, target: Jq, start: number): Index | Slice | Iteration {
  advance(parser);
  if (accept(parser, "]")) return { kind: "iteration", target, ...readOptional(parser, start) };
  const from = isNext(parser, ":") ? undefined : readQuery(parser);
  if (from !== undefined && !isNext(parser, ":")) {
    expectAfterQuery(parser, "]");
    return { kind: "index", target, key: from, ...readOptional(parser, start) };
  }
  advance(parser);
  if (from === undefined && isNext(parser, "]"))
    failNext(parser, "A slice needs at least one bound.", "Write `.[]` for all elements.");
  const upTo = isNext(parser, "]") ? undefined : readQuery(parser);
  expectAfterQuery(parser, "]");
  return { kind: "slice", target, from, upTo, ...readOptional(parser, start) };
}

function readOptional(parser: JqParser, start: number): SourceRange & { readonly optional: boolean } {
  const optional = accept(parser, "?");
  return { optional, start, end: parser.end };
}

/** A trailing comma is allowed. */
function readObject(parser: JqParser): ObjectConstruction {
  const { from: start } = advance(parser);
  const entries: ObjectEntry[] = [];
  while (!isNext(parser, "}")) {
    entries.push(readEntry(parser));
    if (!accept(parser, ",")) break;
  }
  if (!accept(parser, "}")) rejectAfterMember(parser, entries.at(-1));
  return { kind: "object", entries, start, end: parser.end };
}

function rejectAfterMember(parser: JqParser, last: ObjectEntry | undefined): never {
  const isMember =
    isWord(parser.token) ||
    parser.token.kind === "string" ||
    parser.token.kind === "variable" ||
    parser.token.kind === "number";
  const missing = !isMember ? "`}`" : last?.value ? "`,` or `}`" : "`:`, `,` or `}`";
  return failNext(parser, `${missing} is missing before ${describeNext(parser)}.`, hintAfterMember(parser));
}

function hintAfterMember(parser: JqParser): string | undefined {
  if (isNext(parser, "as")) return "A member that binds variables needs parentheses.";
  if (isNext(parser, ";")) return "Separate members by `,`.";
  return isNext(parser, ":") || parser.token.kind === "field"
    ? "Write a computed key in parentheses."
    : hintFor(parser);
}

function readEntry(parser: JqParser): ObjectEntry {
  const { kind, text, from: start, to: end } = parser.token;
  if (kind === "location") {
    return { key: { kind: "string", value: "__loc__", start, end }, value: readLocation(parser), start, end };
  }
  if (kind === "variable") {
    advance(parser);
    if (!isNext(parser, ":"))
      return { key: { kind: "string", value: text, start, end }, value: { kind, name: text, start, end }, start, end };
    return { key: { kind, name: text, start, end }, value: readValue(parser), start, end: parser.end };
  }
  if (isWord(parser.token)) {
    advance(parser);
    const value = isNext(parser, ":") ? readValue(parser) : undefined;
    return { key: { kind: "string", value: text, start, end }, value, start, end: parser.end };
  }
  const key = readComputedKey(parser) ?? rejectKey(parser);
  const value = isNext(parser, ":") || isParenthesis(parser, start) ? readValue(parser) : undefined;
  return { key, value, start, end: parser.end };
}

const isParenthesis = (parser: JqParser, start: number): boolean => parser.cursor.text.charAt(start) === "(";

function readValue(parser: JqParser): Jq {
  expectSign(parser, ":", "A member whose key is computed needs a value.");
  return readMember(parser);
}

const rejectKey = (parser: JqParser): never =>
  failNext(parser, `A member key is missing before ${describeNext(parser)}.`, keyHint(parser));

function keyHint(parser: JqParser): string | undefined {
  const { kind, text } = parser.token;
  if (kind === "field")
    return `Write \`${truncate(text)}\` for a member of that name, \`(.${truncate(text)})\` for one named by its value.`;
  return kind === "number" || kind === "fixed"
    ? "Write other names in quotes and other keys in parentheses."
    : undefined;
}

function readLocation(parser: JqParser): Location {
  const { from: start, to: end } = advance(parser);
  return { kind: "location", line: lineOf(parser, start), start, end };
}

/** Offsets must increase from call to call. */
function lineOf({ cursor: { text }, lines }: JqParser, offset: number): number {
  for (let at = text.indexOf("\n", lines.offset); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    lines.count += 1;
  lines.offset = offset;
  return lines.count;
}
