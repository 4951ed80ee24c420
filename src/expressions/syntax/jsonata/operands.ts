import { failWith } from "./errors.ts";
import { readExpression } from "./operators.ts";
import { accept, advance, expectSign, isNext, type JsonataParser, rangeFrom } from "./parser.ts";
import type { Jsonata, Name, ObjectEntry } from "./syntax.ts";

/** Reads a literal, a name, a bracketed expression or a prefix operator with its operand. */
export function readOperand(parser: JsonataParser): Jsonata {
  const token = advance(parser, true);
  const { start, end } = token;
  switch (token.kind) {
    case "end": {
      const missing: Name = { kind: "name", name: "", start, end };
      parser.missing ??= missing;
      return parser.missing;
    }
    case "name":
      return { kind: "name", name: token.text, start, end };
    case "variable":
      return { kind: "variable", name: token.text, start, end };
    case "string":
      return { kind: "string", value: token.text, start, end };
    case "number":
    case "constant":
      return token.kind === "number"
        ? { kind: "number", value: token.value, start, end }
        : { kind: "constant", value: token.value, start, end };
    case "regex":
      return { kind: "regex", pattern: token.pattern, flags: token.flags, start, end };
    case "sign":
      return readPrefix(parser, token.text, start, end);
  }
}

function readPrefix(parser: JsonataParser, sign: string, start: number, end: number): Jsonata {
  switch (sign) {
    case "and":
    case "or":
    case "in":
      return { kind: "name", name: sign, start, end };
    case "*":
      return { kind: "wildcard", start, end };
    case "**":
      return { kind: "descendants", start, end };
    case "%":
      return { kind: "parent", start, end };
    case "-": {
      const operand = readExpression(parser, negationPower);
      return { kind: "negation", operand, ...rangeFrom(parser, start) };
    }
    case "(":
      return readBlock(parser, start);
    case "[":
      return readArray(parser, start);
    case "{": {
      const entries = readEntries(parser);
      return { kind: "object", entries, ...rangeFrom(parser, start) };
    }
    case "|":
      return readTransform(parser, start);
    default:
      return failWith("S0211", { start, end }, sign);
  }
}

const negationPower = 70;

function readBlock(parser: JsonataParser, start: number): Jsonata {
  const expressions: Jsonata[] = [];
  while (!isNext(parser, ")")) {
    expressions.push(readExpression(parser));
    if (!accept(parser, ";")) break;
  }
  expectSign(parser, ")", true);
  return { kind: "block", expressions, ...rangeFrom(parser, start) };
}

function readArray(parser: JsonataParser, start: number): Jsonata {
  const items: Jsonata[] = [];
  if (!isNext(parser, "]")) {
    do items.push(readItem(parser));
    while (accept(parser, ","));
  }
  expectSign(parser, "]", true);
  return { kind: "array", items, ...rangeFrom(parser, start) };
}

function readItem(parser: JsonataParser): Jsonata {
  const from = readExpression(parser);
  if (!accept(parser, "..")) return from;
  const upTo = readExpression(parser);
  return { kind: "range", from, upTo, ...rangeFrom(parser, from.start) };
}

/** Reads the members of an object and the closing brace. */
export function readEntries(parser: JsonataParser): readonly ObjectEntry[] {
  const entries: ObjectEntry[] = [];
  if (!isNext(parser, "}")) {
    do {
      const key = readExpression(parser);
      expectSign(parser, ":");
      entries.push({ key, value: readExpression(parser) });
    } while (accept(parser, ","));
  }
  expectSign(parser, "}", true);
  return entries;
}

function readTransform(parser: JsonataParser, start: number): Jsonata {
  const pattern = readExpression(parser);
  expectSign(parser, "|");
  const update = readExpression(parser);
  const deletions = accept(parser, ",") ? readExpression(parser) : undefined;
  expectSign(parser, "|");
  return { kind: "transform", pattern, update, deletions, ...rangeFrom(parser, start) };
}
