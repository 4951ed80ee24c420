import { failLimit, failWith } from "./errors.ts";
import { type JsonataToken, tokenAt } from "./lexer.ts";
import type { Jsonata, Name, SourceRange } from "./syntax.ts";

/** The state of a parser with one token of lookahead. */
export interface JsonataParser {
  readonly text: string;
  token: JsonataToken;
  /** The end of the last consumed token. */
  end: number;
  depth: number;
  /** The operand that is missing at the end of the expression, if any: reported after all other syntax errors. */
  missing: Name | undefined;
}

/** Starts a parser at the first token. */
export const parserOf = (text: string): JsonataParser => ({
  text,
  token: tokenAt(text, 0, false),
  end: 0,
  depth: 0,
  missing: undefined,
});

/** Consumes the next token; `expectsOperator` decides what a slash behind it is. */
export function advance(parser: JsonataParser, expectsOperator = false): JsonataToken {
  const { token } = parser;
  parser.end = token.end;
  parser.token = tokenAt(parser.text, token.end, expectsOperator);
  return token;
}

/** Whether a sign is next. */
export const isNext = ({ token }: JsonataParser, sign: string): boolean => token.kind === "sign" && token.text === sign;

/** Consumes a sign; fails unless it is next. */
export function expectSign(parser: JsonataParser, sign: string, expectsOperator = false): void {
  const { token } = parser;
  if (isNext(parser, sign)) advance(parser, expectsOperator);
  else if (token.kind === "end") failWith("S0203", token, sign);
  else failWith("S0202", token, `${sign}\` is missing before \`${excerptOf(parser.text, token)}`);
}

/** Consumes a sign, if next. */
export function accept(parser: JsonataParser, sign: string): boolean {
  const found = isNext(parser, sign);
  if (found) advance(parser);
  return found;
}

/** The range from an offset to the end of the last consumed token. */
export const rangeFrom = ({ end }: JsonataParser, start: number): SourceRange => ({ start, end });

/** The source text of a range for a message. */
export function excerptOf(text: string, { start, end }: SourceRange): string {
  return end - start > maxExcerpt ? `${text.slice(start, start + maxExcerpt)}…` : text.slice(start, end);
}

/** Reads one level deeper; fails beyond the limit. */
export function nested<T>(parser: JsonataParser, read: () => T): T {
  if (++parser.depth > maxNesting)
    failLimit(parser.token, `This expression is nested more than ${maxNesting} levels deep.`);
  const result = read();
  parser.depth -= 1;
  return result;
}

/** The expression without `[]` behind it, which JSONata ignores where it requires a variable or a name. */
export function withoutKeepArray(node: Jsonata): Jsonata {
  let bare = node;
  while (bare.kind === "keepArray") bare = bare.target;
  return bare;
}

const maxNesting = 500;
const maxExcerpt = 40;
