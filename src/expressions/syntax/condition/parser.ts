import { didYouMean } from "../../../text/messages.ts";
import type { ComparisonOperator } from "../../builtins/dialect/conditions.ts";
import { cursorOf } from "../cursor.ts";
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
import { type ConditionToken, describeToken, truncateToken } from "./lexer.ts";
import { readToken } from "./tokens.ts";

/** The parser of event expressions. */
export type EventParser = TokenStream<ConditionToken>;

/** Starts a parser; fails if the source text is too long. */
export const parserOf = (text: string): EventParser =>
  tokenStream(cursorOf(text), { read: readToken, fixed: "sign", show: describeToken });

/** The semantics of operators. A `Whole` is an operand that can be joined, negated or the result. */
export interface Grammar<T extends Range, Whole extends T> extends GrammarTerms {
  operand(parser: EventParser): T;
  whole(parser: EventParser, part: T): Whole;
  chain(name: "and" | "or", parts: readonly Whole[]): Whole;
  negation(part: Whole, from: number): Whole;
  group(parser: EventParser, part: T, from: number): T;
  infix(parser: EventParser, left: T, operator: Exclude<ConditionOperator, { kind: "chain" }>, sign: Range): T;
}

/** Parses a complete expression. */
export function readAll<T extends Range, Whole extends T>(parser: EventParser, grammar: Grammar<T, Whole>): Whole {
  const whole = grammar.whole(parser, readAt(parser, grammar, precedences.choice));
  if (isNext(parser, ")")) failAt(parser, "syntax", "An operator or the matching `(` is missing before `)`.");
  if (parser.token.kind !== "end") failAt(parser, "syntax", `An operator is missing before ${describeNext(parser)}.`);
  return whole;
}

/** Parses operators of at least a precedence. */
function readAt<T extends Range, Whole extends T>(parser: EventParser, grammar: Grammar<T, Whole>, power: number): T {
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

/** An infix operator; comparisons are not associative. `choice`: `condition ? then : otherwise`. */
export type ConditionOperator =
  | { readonly kind: "choice"; readonly power: number }
  | { readonly kind: "chain"; readonly power: number; readonly name: "and" | "or" }
  | { readonly kind: "comparison"; readonly power: number; readonly name: ComparisonOperator };

const precedences = { choice: 1, or: 2, and: 3, comparison: 4, not: 5 } as const;

/** The next operator; undefined at the end. Fails for other tokens. */
function nextOperator(parser: EventParser, subject: GrammarTerms): ConditionOperator | undefined {
  const { kind, text } = parser.token;
  if (kind === "end" || (kind === "sign" && terminators.has(text))) return undefined;
  if (kind !== "name" && kind !== "sign")
    return failAt(parser, "syntax", `An operator is missing before ${describeNext(parser)}.`);
  const operator = operators.get(text.toLowerCase());
  return operator ?? rejectOperator(parser, subject);
}

/** Whether a token is an operator. */
export const isOperator = ({ kind, text }: ConditionToken): boolean =>
  (kind === "name" || kind === "sign") && operators.has(text.toLowerCase());

function readPrefix<T extends Range, Whole extends T>(parser: EventParser, grammar: Grammar<T, Whole>): T {
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
  parser: EventParser,
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
]);

interface GrammarTerms {
  readonly subject: string;
  readonly joiningHint?: string | undefined;
}

const isNegation = ({ token, cursor }: EventParser): boolean =>
  (token.kind === "sign" && token.text === "!") ||
  (token.kind === "name" && token.text.toLowerCase() === "not" && cursor.text.charAt(token.to) !== ".");

function rejectOperator(parser: EventParser, { subject, joiningHint: joining }: GrammarTerms): never {
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
    kind === "name" ? (didYouMean(text, keywords) ?? joining) : undefined,
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
