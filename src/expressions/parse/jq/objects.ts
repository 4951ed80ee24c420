import { clip } from "../../../text/clip.ts";
import { isWord } from "./lexer.ts";
import { accept, advance, expect, hintFor, isNext, type Parser, shown, signal } from "./parser.ts";
import { readComputedKey } from "./patterns.ts";
import { readMember } from "./query.ts";
import type { Jq, Location, ObjectConstruction, ObjectEntry } from "./syntax.ts";

/** Reads `{…}`. The last member may be followed by a comma. */
export function readObject(parser: Parser): ObjectConstruction {
  const { start } = advance(parser);
  const entries: ObjectEntry[] = [];
  while (!isNext(parser, "}")) {
    entries.push(readEntry(parser));
    if (!accept(parser, ",")) break;
  }
  if (!accept(parser, "}")) refuseAfter(parser, entries.at(-1));
  return { kind: "object", entries, start, end: parser.end };
}

function refuseAfter(parser: Parser, last: ObjectEntry | undefined): never {
  const isMember =
    isWord(parser.token) ||
    parser.token.kind === "string" ||
    parser.token.kind === "variable" ||
    parser.token.kind === "number";
  const missing = !isMember ? "`}`" : last?.value ? "`,` or `}`" : "`:`, `,` or `}`";
  return signal(parser, `${missing} is missing before ${shown(parser)}.`, hintAfterMember(parser));
}

function hintAfterMember(parser: Parser): string | undefined {
  if (isNext(parser, "as")) return "A member that binds variables needs parentheses.";
  if (isNext(parser, ";")) return "Members are separated by `,`.";
  return isNext(parser, ":") || parser.token.kind === "field"
    ? "A key that is computed is written in parentheses."
    : hintFor(parser);
}

function readEntry(parser: Parser): ObjectEntry {
  const { kind, text, start, end } = parser.token;
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
  const key = readComputedKey(parser) ?? refuseKey(parser);
  const value = isNext(parser, ":") || isParenthesis(parser, start) ? readValue(parser) : undefined;
  return { key, value, start, end: parser.end };
}

const isParenthesis = (parser: Parser, start: number): boolean => parser.text.charAt(start) === "(";

function readValue(parser: Parser): Jq {
  expect(parser, ":", "A member whose key is computed needs a value.");
  return readMember(parser);
}

const refuseKey = (parser: Parser): never =>
  signal(parser, `The key of a member is missing before ${shown(parser)}.`, keyHint(parser));

function keyHint(parser: Parser): string | undefined {
  const { kind, text } = parser.token;
  if (kind === "field")
    return `Write \`${clip(text)}\` for a member of that name, \`(.${clip(text)})\` for one named by its value.`;
  return kind === "number" || kind === "fixed"
    ? "A name that is no plain word is written in quotes, anything else in parentheses."
    : undefined;
}

/** Reads `$__loc__`. */
export function readLocation(parser: Parser): Location {
  const { start, end } = advance(parser);
  return { kind: "location", line: lineOf(parser, start), start, end };
}

/** The line of an offset behind those asked for before. */
function lineOf({ text, lines }: Parser, offset: number): number {
  for (let at = text.indexOf("\n", lines.offset); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    lines.count += 1;
  lines.offset = offset;
  return lines.count;
}
