import { clip } from "../../../text/clip.ts";
import { FaultSignal } from "../fault.ts";
import { keywords, type Token, tokenAt } from "./lexer.ts";

/** Where reading a jq text stands: the only thing that changes. */
export interface Parser {
  readonly text: string;
  /** The next word. */
  token: Token;
  /** Where the last word ended. */
  end: number;
  /** How many queries, terms and patterns are open. */
  depth: number;
  /** The number of the line of an offset. */
  readonly lines: { offset: number; count: number };
}

/**
 * How deep a query may be nested: brackets, and operators and accesses in a row. jq's own limit is 10,000 entries of its parser's stack, some
 * 3,300 brackets; this is a third of what overflows the stack of Node.js in a pass over the tree, and ten times what people write.
 */
export const deepestQuery = 500;

/** Moves on by one word, and gives the one passed. */
export function advance(parser: Parser): Token {
  const passed = parser.token;
  moveTo(parser, passed.end);
  return passed;
}

/** Moves on to the word at an offset. */
export function moveTo(parser: Parser, offset: number): void {
  parser.end = offset;
  parser.token = tokenAt(parser.text, offset);
}

/** Whether a keyword or sign comes next. */
export const isNext = (parser: Parser, text: string): boolean =>
  parser.token.kind === "fixed" && parser.token.text === text;

/** Moves past a keyword or sign if it comes next. */
export function accept(parser: Parser, text: string): boolean {
  if (!isNext(parser, text)) return false;
  advance(parser);
  return true;
}

/** Moves past a keyword or sign; signals a fault unless it comes next. */
export function expect(parser: Parser, text: string, hint?: string): void {
  expectNext(parser, text, hint);
  advance(parser);
}

/** Signals a fault unless a keyword or sign comes next. */
export function expectNext(parser: Parser, text: string, hint = hintFor(parser)): void {
  if (!isNext(parser, text)) signal(parser, `\`${text}\` is missing before ${shown(parser)}.`, hint);
}

/** Moves past the keyword or sign that ends a query; signals a fault, which knows that an operator may be missing too, unless it comes next. */
export function expectAfterQuery(parser: Parser, text: string, hint?: string): void {
  if (beginsTerm(parser))
    signal(parser, `\`${text}\` or an operator is missing before ${shown(parser)}.`, hint ?? hintFor(parser));
  expect(parser, text, hint);
}

function beginsTerm({ token: { kind, text } }: Parser): boolean {
  return kind === "fixed" ? ["{", "(", "if", "try", "reduce", "foreach"].includes(text) : kind !== "end";
}

/** Moves past a word of a kind; signals a fault that says what is missing unless it comes next. */
export function expectKind(parser: Parser, kind: Token["kind"], missing: string): Token {
  return parser.token.kind === kind
    ? advance(parser)
    : signal(parser, `${missing} is missing before ${shown(parser)}.`, nameHint(parser));
}

/** Ends reading with a fault at the next word. */
export function signal(parser: Parser, message: string, hint?: string): never {
  signalAt(parser.token.start, parser.token.end, message, hint);
}

/** Ends reading with a fault. */
export function signalAt(from: number, to: number, message: string, hint?: string): never {
  throw new FaultSignal({ fault: "syntax", from, to, message, hint });
}

/** The next word for people, in back-ticks. */
export function shown(parser: Parser): string {
  const { kind, start, end } = parser.token;
  if (kind === "end") return "the end of the text";
  if (kind === "string") return "a string";
  return `\`${clip(parser.text.slice(start, end))}\``;
}

/** What to do about a word that cannot stand where it stands. */
export function hintFor({ text, token }: Parser): string | undefined {
  if (token.kind === "number" && /^\.\d+$/.test(token.text))
    return `An element is taken with \`[${clip(token.text.slice(1))}]\`.`;
  if (token.kind !== "fixed") return undefined;
  return token.text === "?//"
    ? "With a space, `? //`, this is `?` followed by `//`."
    : foreign.get(text.slice(token.start - 1, token.start + 1));
}

/** Operators of other languages, which jq reads as two. */
const foreign: ReadonlyMap<string, string> = new Map([
  ["||", "Write `or`."],
  ["==", "Write `==`."],
  ["<>", "Write `!=`."],
  ["=<", "Write `<=`."],
  ["=>", "Write `>=`."],
]);

/** What to do about a word that cannot be a name. */
export const nameHint = ({ token: { kind, text } }: Parser): string | undefined =>
  kind === "fixed" && keywords.has(text) ? `\`${text}\` is a keyword.` : undefined;

/** Reads something one level deeper; signals a fault when that is too deep. */
export function nested<T>(parser: Parser, read: (parser: Parser) => T): T {
  if (++parser.depth > deepestQuery) signalDepth(parser.token.start, parser.token.end);
  const result = read(parser);
  parser.depth--;
  return result;
}

/** Ends reading at what is nested too deep. */
export function signalDepth(from: number, to: number): never {
  throw new FaultSignal({
    fault: "limit",
    from,
    to,
    message: `This expression is nested more than ${deepestQuery} levels deep.`,
  });
}
