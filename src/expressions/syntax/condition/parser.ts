import { didYouMean } from "../../../text/messages.ts";
import type { ComparisonOperator } from "../../builtins/dialect/conditions.ts";
import { type Cursor, cursorOf } from "../cursor.ts";
import {
  accept,
  advance,
  describeNext,
  expect,
  failAt,
  isNext,
  nested,
  type Range,
  type TokenStream,
  tokenStream,
} from "../token-stream.ts";
import { type ConditionLanguage, type ConditionToken, onlyInHint, readToken } from "./tokens.ts";

/** The parser of conditions in a language. */
export interface ConditionParser extends TokenStream<ConditionToken> {
  readonly language: ConditionLanguage | undefined;
}

/** Starts a parser; fails if the source text is too long. */
export function parserOf(text: string, language: ConditionLanguage | undefined): ConditionParser {
  const read = (cursor: Cursor) => readToken(cursor, language);
  return { ...tokenStream(cursorOf(text), { read, fixed: "sign", show: describeToken }), language };
}

function describeToken(token: ConditionToken, cursor: Cursor): string {
  switch (token.kind) {
    case "end":
      return "the end of the expression";
    case "text":
      return "a string";
    case "other":
      return /[\p{C}\p{Z}\p{M}`]/u.test(token.text) ? describeCharacter(token.text) : `\`${token.text}\``;
    default:
      return `\`${truncateToken(cursor.text.slice(token.from, token.to))}\``;
  }
}

/** Truncates a token for a message. */
export const truncateToken = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, "")}…` : text;

/**
 * The semantics that distinguish conditions from event expressions. A `Whole` is an operand that can be joined, negated
 * or the result.
 */
export interface Grammar<T extends Range, Whole extends T> extends GrammarTerms {
  operand(parser: ConditionParser): T;
  whole(parser: ConditionParser, part: T): Whole;
  chain(name: "and" | "or", parts: readonly Whole[]): Whole;
  negation(part: Whole, from: number): Whole;
  group(parser: ConditionParser, part: T, from: number): T;
  infix(parser: ConditionParser, left: T, operator: Exclude<ConditionOperator, { kind: "chain" }>, sign: Range): T;
}

/** Parses a complete expression. */
export function readAll<T extends Range, Whole extends T>(parser: ConditionParser, grammar: Grammar<T, Whole>): Whole {
  const whole = grammar.whole(parser, readAt(parser, grammar, precedences.choice));
  if (isNext(parser, ")")) failAt(parser, "syntax", "An operator or the matching `(` is missing before `)`.");
  if (parser.token.kind !== "end") failAt(parser, "syntax", `An operator is missing before ${describeNext(parser)}.`);
  return whole;
}

/** Parses operators of at least a precedence. */
export function readAt<T extends Range, Whole extends T>(
  parser: ConditionParser,
  grammar: Grammar<T, Whole>,
  power: number,
): T {
  let left = readPrefix(parser, grammar);
  for (;;) {
    const operator = nextOperator(parser, grammar);
    if (!operator || operator.power < power) return left;
    left =
      operator.kind === "chain"
        ? readChain(parser, grammar, left, operator)
        : grammar.infix(parser, left, operator, advance(parser));
  }
}

/**
 * An infix operator; comparisons and memberships are not associative. `membership`: whether the left (`negated`: not)
 * equals an element of a list. `choice`: `condition ? then : otherwise`.
 */
export type ConditionOperator =
  | { readonly kind: "choice"; readonly power: number }
  | { readonly kind: "chain"; readonly power: number; readonly name: "and" | "or" }
  | { readonly kind: "comparison"; readonly power: number; readonly name: ComparisonOperator }
  | {
      readonly kind: "membership";
      readonly power: number;
      readonly negated: boolean;
      readonly language: ConditionLanguage;
    };

/** Operator precedences in all languages; operand parsers reject ambiguous ones. */
export const precedences = { choice: 1, or: 2, and: 3, comparison: 4, not: 5 } as const;

/** The next operator; undefined at the end. Fails for other tokens. */
export function nextOperator(parser: ConditionParser, subject: GrammarTerms): ConditionOperator | undefined {
  const { kind, text } = parser.token;
  if (kind === "end" || (kind === "sign" && terminators.has(text))) return undefined;
  if (kind !== "name" && kind !== "sign")
    return failAt(parser, "syntax", `An operator is missing before ${describeNext(parser)}.`);
  const operator = operators.get(text.toLowerCase());
  if (operator?.kind === "membership" && operator.language !== parser.language)
    return rejectOperator(parser, subject, onlyInHint(operator.language));
  return operator ?? rejectOperator(parser, subject);
}

/** Whether a token is an operator of any language. */
export const isOperator = ({ kind, text }: ConditionToken): boolean =>
  (kind === "name" || kind === "sign") && operators.has(text.toLowerCase());

const describeCharacter = (character: string): string =>
  `the character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

function readPrefix<T extends Range, Whole extends T>(parser: ConditionParser, grammar: Grammar<T, Whole>): T {
  const opener = parser.token;
  const { from } = opener;
  if (isNegation(parser)) {
    advance(parser);
    const operand = nested(parser, () => readAt(parser, grammar, precedences.not), opener);
    return grammar.negation(grammar.whole(parser, operand), from);
  }
  if (!accept(parser, "(")) return grammar.operand(parser);
  const inner = nested(parser, () => readAt(parser, grammar, precedences.choice), opener);
  expect(parser, ")");
  return grammar.group(parser, inner, from);
}

/** A chain is one node, so its length is not nesting. */
function readChain<T extends Range, Whole extends T>(
  parser: ConditionParser,
  grammar: Grammar<T, Whole>,
  first: T,
  { name, power }: Extract<ConditionOperator, { kind: "chain" }>,
): T {
  const parts = [grammar.whole(parser, first)];
  for (;;) {
    const operator = nextOperator(parser, grammar);
    if (operator?.kind !== "chain" || operator.name !== name) return grammar.chain(name, parts);
    advance(parser);
    parts.push(grammar.whole(parser, readAt(parser, grammar, power + 1)));
  }
}

const comparison = (name: ComparisonOperator): ConditionOperator => ({
  kind: "comparison",
  power: precedences.comparison,
  name,
});

const chain = (name: "and" | "or"): ConditionOperator => ({ kind: "chain", power: precedences[name], name });

const membership = (language: ConditionLanguage, negated: boolean): ConditionOperator => ({
  kind: "membership",
  power: precedences.comparison,
  negated,
  language,
});

const operators: ReadonlyMap<string, ConditionOperator> = new Map([
  ["?", { kind: "choice", power: precedences.choice }],
  ["or", chain("or")],
  ["||", chain("or")],
  ["and", chain("and")],
  ["&&", chain("and")],
  ["eq", comparison("==")],
  ["==", comparison("==")],
  ["ne", comparison("!=")],
  ["!=", comparison("!=")],
  ["lt", comparison("<")],
  ["<", comparison("<")],
  ["le", comparison("<=")],
  ["<=", comparison("<=")],
  ["gt", comparison(">")],
  [">", comparison(">")],
  ["ge", comparison(">=")],
  [">=", comparison(">=")],
  ["in", membership("cel", false)],
  ["=~", membership("jexl", false)],
  ["!~", membership("jexl", true)],
]);

interface GrammarTerms {
  readonly subject: string;
  readonly joiningHint?: string | undefined;
}

const isNegation = ({ token, cursor }: ConditionParser): boolean =>
  (token.kind === "sign" && token.text === "!") ||
  (token.kind === "name" && token.text.toLowerCase() === "not" && cursor.text.charAt(token.to) !== ".");

function rejectOperator(
  parser: ConditionParser,
  { subject, joiningHint: joining }: GrammarTerms,
  hint?: string,
): never {
  const { kind, text } = parser.token;
  if (kind === "sign" && startTokens.has(text))
    failAt(parser, "syntax", `An operator is missing before ${describeNext(parser)}.`);
  const meant = foreignOperators.get(text);
  const message = `The operator \`${truncateToken(text)}\` is not supported in ${subject}.`;
  if (meant !== undefined) return failAt(parser, "syntax", message, undefined, `Write \`${meant}\`.`);
  return failAt(
    parser,
    "unsupported",
    message,
    undefined,
    hint ?? (kind === "name" ? (didYouMean(text, keywords) ?? joining) : undefined),
  );
}

const terminators: ReadonlySet<string> = new Set([")", "]", "}", ",", ":", ";"]);

const startTokens: ReadonlySet<string> = new Set(["(", "[", "{", ".", "!"]);

const keywords: readonly string[] = ["and", "or", "eq", "ne", "lt", "le", "gt", "ge"];

const foreignOperators: ReadonlyMap<string, string> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["=<", "<="],
  ["=>", ">="],
  ["&", "and"],
  ["|", "or"],
]);
