import { characterOf, readQuoted } from "../condition/strings.ts";
import { type Cursor, fail, match } from "../cursor.ts";

/** Consumes a string, if next: quoted, raw with the prefix `r`, or in three quotes. */
export function readCelString(cursor: Cursor): string | undefined {
  const from = cursor.offset;
  const prefix = match(cursor, /(?:[rR][bB]?|[bB][rR]?)(?=['"])/y) ?? "";
  if (/b/i.test(prefix)) fail(cursor, "unsupported", "Bytes are not supported in CEL conditions.", from, from + 1);
  const isRaw = prefix !== "";
  const triple = match(cursor, /'''|"""/y);
  if (triple === undefined) return readQuoted(cursor, isRaw ? { backslash: "literal" } : celStrings);
  const text = match(cursor, triple === "'''" ? /(?:(?!''')[^\\]|\\[\s\S])*/y : /(?:(?!""")[^\\]|\\[\s\S])*/y)!;
  if (match(cursor, triple === "'''" ? /'''/y : /"""/y) === undefined)
    fail(
      cursor,
      "syntax",
      "This string is not terminated.",
      from,
      cursor.text.length,
      `Write \`${triple}\` at its end.`,
    );
  if (!isRaw && text.includes("\\"))
    fail(cursor, "unsupported", "Escapes in triple-quoted strings are not supported in CEL conditions.", from);
  return text.replace(/\r\n?/g, "\n");
}

const celStrings = { backslash: "escape", readEscape, escapes: "CEL's own" } as const;

function readEscape(cursor: Cursor, letter: string): string | undefined {
  const plain = simpleEscapes.get(letter);
  if (plain !== undefined) return plain;
  const pattern = numericEscapes.get(letter);
  if (pattern) return characterOf(match(cursor, pattern), 16);
  const rest = /[0-3]/.test(letter) ? match(cursor, /[0-7]{2}/y) : undefined;
  return rest === undefined ? undefined : characterOf(letter + rest, 8);
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["?", "?"],
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
]);

const numericEscapes: ReadonlyMap<string, RegExp> = new Map([
  ["x", /[\da-fA-F]{2}/y],
  ["X", /[\da-fA-F]{2}/y],
  ["u", /[\da-fA-F]{4}/y],
  ["U", /[\da-fA-F]{8}/y],
]);
