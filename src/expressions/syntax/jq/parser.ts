import { truncate } from "../../../text/messages.ts";
import { type Cursor, cursorOf, ParseErrorSignal } from "../cursor.ts";
import {
  advance,
  describeNext,
  expect,
  failAt,
  isNext,
  type Token,
  type TokenStream,
  tokenStream,
} from "../token-stream.ts";

/** The parser of jq programs. */
export interface JqParser extends TokenStream<JqToken> {
  readonly lines: { offset: number; count: number };
}

/** Starts a parser; fails if the source text is too long. */
export const parserOf = (text: string): JqParser => ({
  ...tokenStream(cursorOf(text, maxQueryDepth), { read: tokenAt, fixed: "fixed", show: describeToken }),
  lines: { offset: 0, count: 1 },
});

/**
 * The maximum nesting of brackets and of chained operators and accesses. jq allows about 3,300 brackets; Node.js
 * overflows the stack at three times this depth.
 */
export const maxQueryDepth = 500;

/** Consumes a keyword or sign; fails with a suggestion otherwise. */
export function expectSign(parser: JqParser, text: string, hint = hintFor(parser)): void {
  expect(parser, text, hint);
}

/** Fails unless a keyword or sign is next. */
export function expectNext(parser: JqParser, text: string, hint?: string): void {
  if (!isNext(parser, text)) expectSign(parser, text, hint);
}

/** Consumes the end of a query; the message mentions a missing operator. */
export function expectAfterQuery(parser: JqParser, text: string, hint?: string): void {
  if (startsTerm(parser))
    failNext(parser, `\`${text}\` or an operator is missing before ${describeNext(parser)}.`, hint ?? hintFor(parser));
  expectSign(parser, text, hint);
}

/** Consumes a kind of token; `missing` starts the message. */
export function expectKind(parser: JqParser, kind: JqToken["kind"], missing: string): JqToken {
  return parser.token.kind === kind
    ? advance(parser)
    : failNext(parser, `${missing} is missing before ${describeNext(parser)}.`, nameHint(parser));
}

/** Fails at the next token. */
export function failNext(parser: JqParser, message: string, hint?: string): never {
  failAt(parser, "syntax", message, undefined, hint);
}

/** Fails with a syntax error. */
export function fail(from: number, to: number, message: string, hint?: string): never {
  throw new ParseErrorSignal({ category: "syntax", from, to, message, hint });
}

function describeToken({ kind, from, to }: JqToken, { text }: Cursor): string {
  if (kind === "end") return "the end of the expression";
  return kind === "string" ? "a string" : `\`${truncate(text.slice(from, to))}\``;
}

/** The hint for a misplaced token. */
export function hintFor({ cursor, token }: JqParser): string | undefined {
  if (token.kind === "number" && /^\.\d+$/.test(token.text))
    return `Write \`[${truncate(token.text.slice(1))}]\` for an element.`;
  if (token.kind !== "fixed") return undefined;
  return token.text === "?//"
    ? "Write `? //` with a space for `?` followed by `//`."
    : foreignOperators.get(cursor.text.slice(token.from - 1, token.from + 1));
}

/** The hint for a token that is not a name. */
export const nameHint = ({ token: { kind, text } }: JqParser): string | undefined =>
  kind === "fixed" && keywords.has(text) ? `\`${text}\` is a keyword.` : undefined;

/** Fails because of the nesting limit. */
export function failDepth(from: number, to: number): never {
  throw new ParseErrorSignal({
    category: "limit",
    from,
    to,
    message: `This expression is nested more than ${maxQueryDepth} levels deep.`,
  });
}

/**
 * A token. `fixed`: a keyword or sign; `string`: only the opening quote. Otherwise `text` is the name without its `.`,
 * `$` or `@`, or the digits.
 */
export interface JqToken extends Token {
  readonly kind: "fixed" | "name" | "field" | "variable" | "location" | "format" | "number" | "string" | "end";
}

/** Whether a token is a plain word or keyword. */
export const isWord = ({ kind, text }: JqToken): boolean => kind === "name" || (kind === "fixed" && keywords.has(text));

function tokenAt({ text, offset }: Cursor): JqToken {
  const start = skipBlank(text, offset);
  if (start >= text.length) return { kind: "end", text: "", from: text.length, to: text.length };
  const found = matchAt(signPattern, text, start);
  if (found !== undefined) return token("fixed", found, start);
  return wordAt(text, start) ?? rejectCharacter(text, start);
}

function startsTerm({ token: { kind, text } }: JqParser): boolean {
  return kind === "fixed" ? ["{", "(", "if", "try", "reduce", "foreach"].includes(text) : kind !== "end";
}

const foreignOperators: ReadonlyMap<string, string> = new Map([
  ["||", "Write `or`."],
  ["==", "Write `==`."],
  ["<>", "Write `!=`."],
  ["=<", "Write `<=`."],
  ["=>", "Write `>=`."],
]);

const keywords: ReadonlySet<string> = new Set(
  "as import include module def if then else elif and or end reduce foreach try catch label break".split(" "),
);

function wordAt(text: string, start: number): JqToken | undefined {
  const name = matchAt(namePattern, text, start);
  if (name !== undefined) return token(keywords.has(name) ? "fixed" : "name", name, start);
  const number = matchAt(numberPattern, text, start);
  if (number !== undefined) return token("number", number, start);
  const [kind, pattern] = prefixPatterns[text.charAt(start)] ?? [];
  const found = pattern && matchAt(pattern, text, start);
  if (kind === undefined || found === undefined) return undefined;
  if (found === "$__loc__") return token("location", found, start);
  return { kind, text: found.slice(1), from: start, to: start + found.length };
}

/** As in jq, the longest match wins. */
const signPattern = /\?\/\/|\/\/=|[-+*/%|=!<>]=|\/\/|\.\.|\.(?!\w)|\$(?![A-Za-z_])|[[\]{}()?=;,:|+\-*/%<>]/y;

const namePattern = /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y;

const numberPattern = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;

const prefixPatterns: Readonly<Record<string, readonly [JqToken["kind"], RegExp]>> = {
  ".": ["field", /\.[A-Za-z_]\w*/y],
  $: ["variable", /\$[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y],
  "@": ["format", /@\w+/y],
  '"': ["string", /"/y],
};

const token = (kind: JqToken["kind"], text: string, start: number): JqToken => ({
  kind,
  text,
  from: start,
  to: start + text.length,
});

function skipBlank(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x23) at = endOfComment(text, at + 1);
    else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at += 1;
    else return at;
  }
}

/** A backslash continues a comment unless it is escaped. */
function endOfComment(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && text.charCodeAt(at) !== 0x0a) {
    if (text.charCodeAt(at) !== 0x5c) at += 1;
    else if (text.charCodeAt(at + 1) === 0x5c || text.charCodeAt(at + 1) === 0x0a) at += 2;
    else at += text.startsWith("\r\n", at + 1) ? 3 : 1;
  }
  return Math.min(at, text.length);
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? text.slice(offset, pattern.lastIndex) : undefined;
}

function rejectCharacter(text: string, start: number): never {
  const character = String.fromCodePoint(text.codePointAt(start)!);
  const message = `${describeCharacter(character)} is not valid in jq.`;
  throw new ParseErrorSignal({
    category: "syntax",
    from: start,
    to: start + character.length,
    message,
    hint: characterHint(character),
  });
}

/** A code point if the character is invisible or affects its surroundings. */
function describeCharacter(character: string): string {
  if (character === "`") return "A back-tick";
  if (!/[\p{C}\p{Z}\p{M}]/u.test(character)) return `\`${character}\``;
  return `The character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function characterHint(character: string): string | undefined {
  if (/['`\u2018-\u201f]/.test(character)) return 'Write strings in double quotes: `"…"`.';
  if (character === "&") return "Write `and`.";
  if (character === "!") return "Write `… | not`.";
  if (character === "@") return "Write the format's name after `@` without a space: `@base64`.";
  return /\p{Z}/u.test(character) ? "Write a plain space." : undefined;
}
