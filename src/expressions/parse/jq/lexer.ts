import { FaultSignal } from "../fault.ts";

/**
 * A word of a jq text. `fixed`: a keyword or a sign, and `text` is it; `string`: only the quote that opens a string. Otherwise `text` is the name
 * without its `.`, `$` or `@`, or the digits.
 */
export interface Token {
  readonly kind: "fixed" | "name" | "field" | "variable" | "location" | "format" | "number" | "string" | "end";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words that cannot name a function. */
export const keywords: ReadonlySet<string> = new Set(
  "as import include module def if then else elif and or end reduce foreach try catch label break".split(" "),
);

/** Whether a token is a plain word, be it a keyword. */
export const isWord = ({ kind, text }: Token): boolean => kind === "name" || (kind === "fixed" && keywords.has(text));

/** The token at or after an offset, what jq takes for space and comments passed over; signals a fault where there is none. */
export function tokenAt(text: string, offset: number): Token {
  const start = skipBlank(text, offset);
  if (start >= text.length) return { kind: "end", text: "", start: text.length, end: text.length };
  const found = match(signs, text, start);
  if (found !== undefined) return token("fixed", found, start);
  return wordAt(text, start) ?? refuse(text, start);
}

function wordAt(text: string, start: number): Token | undefined {
  const name = match(names, text, start);
  if (name !== undefined) return token(keywords.has(name) ? "fixed" : "name", name, start);
  const number = match(numbers, text, start);
  if (number !== undefined) return token("number", number, start);
  const [kind, pattern] = prefixed[text.charAt(start)] ?? [];
  const found = pattern && match(pattern, text, start);
  if (kind === undefined || found === undefined) return undefined;
  if (found === "$__loc__") return token("location", found, start);
  return { kind, text: found.slice(1), start, end: start + found.length };
}

/** The longest match first, as jq's lexer has it: `?//` is one sign even where `?` and `//` could follow each other. */
const signs = /\?\/\/|\/\/=|[-+*/%|=!<>]=|\/\/|\.\.|\.(?!\w)|\$(?![A-Za-z_])|[[\]{}()?=;,:|+\-*/%<>]/y;
const names = /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y;
const numbers = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const prefixed: Readonly<Record<string, readonly [Token["kind"], RegExp]>> = {
  ".": ["field", /\.[A-Za-z_]\w*/y],
  $: ["variable", /\$[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y],
  "@": ["format", /@\w+/y],
  '"': ["string", /"/y],
};
const token = (kind: Token["kind"], text: string, start: number): Token => ({
  kind,
  text,
  start,
  end: start + text.length,
});

/** The first offset that is neither space nor in a comment. */
function skipBlank(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x23) at = endOfComment(text, at + 1);
    else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at += 1;
    else return at;
  }
}

/** In a comment `\` keeps the end of the line from ending it, unless another `\` stands in front of it. */
function endOfComment(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && text.charCodeAt(at) !== 0x0a) {
    if (text.charCodeAt(at) !== 0x5c) at += 1;
    else if (text.charCodeAt(at + 1) === 0x5c || text.charCodeAt(at + 1) === 0x0a) at += 2;
    else at += text.startsWith("\r\n", at + 1) ? 3 : 1;
  }
  return Math.min(at, text.length);
}

function match(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? text.slice(offset, pattern.lastIndex) : undefined;
}

function refuse(text: string, start: number): never {
  const character = String.fromCodePoint(text.codePointAt(start)!);
  const message = `${shownCharacter(character)} means nothing in jq.`;
  throw new FaultSignal({
    fault: "syntax",
    from: start,
    to: start + character.length,
    message,
    hint: hintFor(character),
  });
}

/** A character by its number where it could not be seen, or would hide or reorder what stands around it. */
function shownCharacter(character: string): string {
  if (character === "`") return "A back-tick";
  if (!/[\p{C}\p{Z}\p{M}]/u.test(character)) return `\`${character}\``;
  return `The character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function hintFor(character: string): string | undefined {
  if (/['`\u2018-\u201f]/.test(character)) return 'Strings are written in double quotes: `"…"`.';
  if (character === "&") return "Write `and`.";
  if (character === "!") return "Write `… | not`.";
  if (character === "@") return "The name of a format follows the `@` without space: `@base64`.";
  return /\p{Z}/u.test(character) ? "Write a plain space." : undefined;
}
