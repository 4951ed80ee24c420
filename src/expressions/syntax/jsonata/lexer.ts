import { failWith } from "./errors.ts";
import type { SourceRange } from "./syntax.ts";

/** A token. Names include the words `and`, `or` and `in` only in back-ticks: otherwise, they are signs. */
export type JsonataToken = SourceRange &
  (
    | { readonly kind: "sign" | "name" | "variable" | "string"; readonly text: string }
    | { readonly kind: "number"; readonly value: number; readonly text: string }
    | { readonly kind: "constant"; readonly value: null | boolean; readonly text: string }
    | { readonly kind: "regex"; readonly pattern: string; readonly flags: string; readonly text: string }
    | { readonly kind: "end"; readonly text: string }
  );

/** Reads the token at an offset. A slash begins a regular expression unless an operator is expected. */
export function tokenAt(text: string, offset: number, expectsOperator: boolean): JsonataToken {
  const start = skipBlank(text, offset);
  if (start >= text.length) return { kind: "end", text: "", start: text.length, end: text.length };
  const character = text.charAt(start);
  if (character === "/" && !expectsOperator) return regexAt(text, start);
  const pair = text.slice(start, start + 2);
  if (pairs.has(pair)) return { kind: "sign", text: pair, start, end: start + 2 };
  if (character === "!" || character === "~") failWith("S0204", { start, end: start + 1 }, character);
  if (stops.has(character)) return { kind: "sign", text: character, start, end: start + 1 };
  if (character === '"' || character === "'") return stringAt(text, start);
  numberPattern.lastIndex = start;
  const [digits] = numberPattern.exec(text) ?? [];
  if (digits !== undefined) return numberAt(digits, start);
  return character === "`" ? quotedNameAt(text, start) : wordAt(text, start);
}

const pairs = new Set(["..", ":=", "!=", ">=", "<=", "**", "~>", "?:", "??"]);
const stops = new Set(".[]{}(),@#;:?+-*/%|=<>^&!~");
const blanks = new Set(" \t\n\r\v");
const numberPattern = /(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?/y;

function skipBlank(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    while (blanks.has(text.charAt(at))) at += 1;
    if (!text.startsWith("/*", at)) return at;
    const end = text.indexOf("*/", at + 2);
    if (end < 0) failWith("S0106", { start: at, end: at + 2 });
    at = end + 2;
  }
}

/** A slash in brackets or behind an odd number of backslashes does not end it. */
function regexAt(text: string, start: number): JsonataToken {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "/" && depth === 0 && !isEscaped(text, at)) return regexBetween(text, start, at);
    if (text.charAt(at - 1) === "\\") continue;
    if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
  }
  return failWith("S0302", { start, end: text.length });
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charAt(at - 1 - count) === "\\") count += 1;
  return count % 2 === 1;
}

function regexBetween(text: string, start: number, slash: number): JsonataToken {
  const pattern = text.slice(start + 1, slash);
  if (pattern === "") failWith("S0301", { start, end: slash + 1 });
  const [flags = ""] = /^[im]*/.exec(text.slice(slash + 1, slash + 4)) ?? [];
  const end = slash + 1 + flags.length;
  try {
    const { source } = new RegExp(pattern, flags);
    return { kind: "regex", pattern, flags, text: `/${source}/${flags}g`, start, end };
  } catch (error) {
    return failWith("S0303", { start, end }, error instanceof Error ? error.message.replace(/^.*: /s, "") : "");
  }
}

function stringAt(text: string, start: number): JsonataToken {
  const quote = text.charAt(start);
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) {
      parts.push(text.slice(from, at));
      return { kind: "string", text: parts.join(""), start, end: at + 1 };
    }
    if (character !== "\\") continue;
    parts.push(text.slice(from, at));
    const [value, length] = escapeAt(text, at);
    parts.push(value);
    at += length - 1;
    from = at + 1;
  }
  return failWith("S0101", { start, end: text.length });
}

/** The character, and the length of its escape sequence. */
function escapeAt(text: string, start: number): readonly [value: string, length: number] {
  const character = text.charAt(start + 1);
  if (character === "u") {
    const digits = text.slice(start + 2, start + 6);
    // Fewer digits are accepted at the end of the expression, where the string lacks its quote anyway.
    if (!/^[0-9a-fA-F]+$/.test(digits)) failWith("S0104", { start, end: Math.min(start + 6, text.length) });
    return [String.fromCharCode(Number.parseInt(digits, 16)), 6];
  }
  const value = escapes.get(character);
  return value === undefined ? failWith("S0103", { start, end: start + 1 + character.length }, character) : [value, 2];
}

const escapes = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function numberAt(digits: string, start: number): JsonataToken {
  const end = start + digits.length;
  const value = Number(digits);
  if (!Number.isFinite(value)) failWith("S0102", { start, end }, digits);
  return { kind: "number", value, text: String(value), start, end };
}

function quotedNameAt(text: string, start: number): JsonataToken {
  const close = text.indexOf("`", start + 1);
  if (close < 0) failWith("S0105", { start, end: text.length });
  return { kind: "name", text: text.slice(start + 1, close), start, end: close + 1 };
}

function wordAt(text: string, start: number): JsonataToken {
  let end = start;
  while (end < text.length && !blanks.has(text.charAt(end)) && !stops.has(text.charAt(end))) end += 1;
  const word = text.slice(start, end);
  if (word.startsWith("$")) return { kind: "variable", text: word.slice(1), start, end };
  const constant = constants.get(word);
  if (constant !== undefined) return { kind: "constant", value: constant, text: word, start, end };
  return { kind: words.has(word) ? "sign" : "name", text: word, start, end };
}

const words = new Set(["and", "or", "in"]);
const constants = new Map<string, null | boolean>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
