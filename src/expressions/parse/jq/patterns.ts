import { clip } from "../../../text/clip.ts";
import { isWord } from "./lexer.ts";
import {
  accept,
  advance,
  expect,
  expectAfterQuery,
  hintFor,
  isNext,
  nested,
  type Parser,
  shown,
  signal,
} from "./parser.ts";
import type { Pattern, PatternEntry } from "./pattern-syntax.ts";
import { readQuery } from "./query.ts";
import { readString } from "./strings.ts";
import type { Jq } from "./syntax.ts";

/** Reads the patterns after `as`: one, or several with `?//` between them. */
export function readPatterns(parser: Parser): readonly Pattern[] {
  const patterns = [nested(parser, readPattern)];
  while (accept(parser, "?//")) patterns.push(nested(parser, readPattern));
  return patterns;
}

function readPattern(parser: Parser): Pattern {
  const { kind, text, start } = parser.token;
  if (kind === "variable") {
    advance(parser);
    return { kind, name: text, start, end: parser.end };
  }
  if (accept(parser, "[")) {
    const items = readAll(parser, readPattern);
    expect(parser, "]");
    return { kind: "array", items, start, end: parser.end };
  }
  if (accept(parser, "{")) {
    const entries = readAll(parser, readEntry);
    expect(parser, "}");
    return { kind: "object", entries, start, end: parser.end };
  }
  return signal(
    parser,
    `A variable, \`[\` or \`{\` is missing before ${shown(parser)}.`,
    kind === "name" ? `Write \`$${clip(text)}\`.` : hintFor(parser),
  );
}

function readAll<T>(parser: Parser, read: (parser: Parser) => T): readonly T[] {
  const items = [nested(parser, read)];
  while (accept(parser, ",")) items.push(nested(parser, read));
  return items;
}

function readEntry(parser: Parser): PatternEntry {
  const { kind, text, start } = parser.token;
  const key = readKey(parser);
  const variable = kind === "variable" ? text : undefined;
  if (variable !== undefined && !isNext(parser, ":"))
    return { key, variable, pattern: undefined, start, end: parser.end };
  expect(parser, ":", kind === "name" ? `Write \`$${clip(text)}\` for a variable with the member's name.` : undefined);
  const pattern = nested(parser, readPattern);
  return { key, variable, pattern, start, end: parser.end };
}

function readKey(parser: Parser): Jq {
  const { kind, text, start, end } = parser.token;
  if (kind === "variable" || isWord(parser.token)) {
    advance(parser);
    return { kind: "string", value: text, start, end };
  }
  return (
    readComputedKey(parser) ??
    signal(
      parser,
      `The name of a member is missing before ${shown(parser)}.`,
      "A name that is no plain word is written in quotes, anything else in parentheses.",
    )
  );
}

/** Reads a key that is a string or a query in parentheses; nothing if there is none. */
export function readComputedKey(parser: Parser): Jq | undefined {
  const { kind } = parser.token;
  if (kind === "string") return readString(parser);
  if (kind === "format") return readFormatted(parser);
  if (!accept(parser, "(")) return undefined;
  const key = readQuery(parser);
  expectAfterQuery(parser, ")");
  return key;
}

function readFormatted(parser: Parser): Jq {
  const format = advance(parser);
  if (parser.token.kind === "string") return readString(parser, format);
  return signal(parser, `A string is missing between \`@${format.text}\` and ${shown(parser)}.`);
}
