import { clip } from "../../../text/clip.ts";
import { FaultSignal } from "../fault.ts";
import { readConditional, readForeach, readReduce, readTry } from "./control.ts";
import type { Token } from "./lexer.ts";
import { readLocation, readObject } from "./objects.ts";
import {
  accept,
  advance,
  expectAfterQuery,
  expectKind,
  hintFor,
  isNext,
  nested,
  type Parser,
  shown,
  signal,
} from "./parser.ts";
import { readQuery } from "./query.ts";
import { readString } from "./strings.ts";
import { readField, readNamed, readSuffix } from "./suffixes.ts";
import type { Call, Jq } from "./syntax.ts";

/** Reads a term with all that can stand behind one: `.a`, `[…]` and `?`, which bind tightest. */
export function readTerm(parser: Parser): Jq {
  const { start } = parser.token;
  let term = readPrimary(parser);
  for (let longer = readSuffix(parser, term, start); longer !== undefined; longer = readSuffix(parser, term, start))
    term = longer;
  return term;
}

function readPrimary(parser: Parser): Jq {
  const { kind, text, start, end } = parser.token;
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
      return primaries.get(text)?.(parser) ?? refuse(parser);
  }
}

/** The terms that begin with a keyword or sign. */
const primaries: ReadonlyMap<string, (parser: Parser) => Jq> = new Map<string, (parser: Parser) => Jq>([
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

function readDot(parser: Parser): Jq {
  const { start, end } = advance(parser);
  const identity: Jq = { kind: "identity", start, end };
  if (parser.token.kind === "string" || parser.token.kind === "format") return readNamed(parser, identity, start);
  const { kind, text } = parser.token;
  if (kind === "name")
    signal(
      parser,
      `An operator is missing between \`.\` and ${shown(parser)}.`,
      `Write \`.${clip(text)}\` without space for the member.`,
    );
  return identity;
}

function readRecursion(parser: Parser): Jq {
  const { start, end } = advance(parser);
  if (parser.token.kind === "name")
    signal(
      parser,
      `An operator is missing between \`..\` and ${shown(parser)}.`,
      `Write \`.. | .${clip(parser.token.text)}\`.`,
    );
  return { kind: "recursion", start, end };
}

function readNegation(parser: Parser): Jq {
  const { start } = advance(parser);
  return { kind: "negation", operand: nested(parser, readTerm), start, end: parser.end };
}

function readParentheses(parser: Parser): Jq {
  advance(parser);
  const query = readQuery(parser);
  expectAfterQuery(parser, ")");
  return query;
}

function readArray(parser: Parser): Jq {
  const { start } = advance(parser);
  const items = isNext(parser, "]") ? undefined : readQuery(parser);
  expectAfterQuery(parser, "]");
  return { kind: "array", items, start, end: parser.end };
}

function readBreak(parser: Parser): Jq {
  const { start } = advance(parser);
  const name = expectKind(parser, "variable", "The name of a label, such as `$out`,").text;
  return { kind: "break", name, start, end: parser.end };
}

function readFormat(parser: Parser): Jq {
  const format = advance(parser);
  if (parser.token.kind === "string") return readString(parser, format);
  return { kind: "format", name: format.text, start: format.start, end: format.end };
}

function readCall(parser: Parser): Jq {
  const { text: name, start } = advance(parser);
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

function readArguments(parser: Parser, name: string, start: number): Call {
  advance(parser);
  if (isNext(parser, ")"))
    signal(
      parser,
      "An argument is missing between `(` and `)`.",
      `Write \`${clip(name)}\` for the function without parameters.`,
    );
  const args = [readQuery(parser)];
  while (accept(parser, ";")) args.push(readQuery(parser));
  expectAfterQuery(parser, ")");
  return { kind: "call", name, args, start, end: parser.end };
}

function refuse(parser: Parser): never {
  const { kind, text, end } = parser.token;
  if (kind === "fixed" && ["module", "import", "include"].includes(text)) return refuseModule(parser.token);
  if (!isNext(parser, "$")) return signal(parser, `An expression is missing before ${shown(parser)}.`, hintFor(parser));
  const isName = /[\s\d]/.test(parser.text.charAt(end));
  const hint = isName
    ? "It follows the `$` without space, and does not begin with a digit."
    : "The input is `.`, and paths begin with it: `.a.b`.";
  return signal(parser, "The name of a variable is missing after `$`.", hint);
}

function refuseModule({ text, start, end }: Token): never {
  const message = `\`${text}\` is not supported: a workflow has no modules of jq.`;
  const hint = "Define the functions in the expression itself, with `def`.";
  throw new FaultSignal({ fault: "unsupported", from: start, to: end, message, hint });
}
