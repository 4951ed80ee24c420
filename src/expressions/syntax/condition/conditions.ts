import type { ComparisonOperator } from "../../builtins/dialect/conditions.ts";
import type { Expression } from "../../core/ast.ts";
import { balanced, call, literal } from "../../core/build.ts";
import { maxExpressionLength, type ParseResult, runParser } from "../cursor.ts";
import type { SpanAt } from "../jsonpath/jsonpath.ts";
import { accept, describeNext, expect, failAt, nested, type Range } from "../token-stream.ts";
import {
  asCondition,
  asValue,
  isBoolean,
  type Operand,
  readOperand,
  type SimpleOperand,
  type Warn,
} from "./operands.ts";
import { type ConditionParser, type Grammar, nextOperator, parserOf, precedences, readAll, readAt } from "./parser.ts";
import type { ConditionLanguage } from "./tokens.ts";

/** The names that a condition may use. */
export interface ConditionScope {
  /** The value of `$`; without it, paths are errors. */
  readonly root?: Expression | undefined;
  /** `$.error` may be a variable, for instance. */
  readonly member?: ((name: string) => Expression | undefined) | undefined;
  /** Resolves a bare name. */
  readonly identifier?: ((name: string) => Expression | undefined) | undefined;
  readonly identifiers?: readonly string[] | undefined;
  /** The value of `stateData` in `#jsonPath(…)`, if supported. */
  readonly data?: Expression | undefined;
  readonly spanAt?: SpanAt | undefined;
}

/**
 * Parses a condition in the common grammar of `spel`, `jexl` and `cel`: paths, names and their members, strings,
 * numbers, `true false null`; `eq ne lt le gt ge == != < <= > >=`; `and or not && || !`; `a ? b : c`; parentheses;
 * `empty(x)`; `#jsonPath(stateData, 'path')`. Keywords are case-insensitive. The result yields one boolean and never
 * fails.
 *
 * Some constructs require a declared language: `x in [a, b]`, `has(x.y)` and `size(x)` in CEL; `x =~ [a, b]`, `x !~ [a,
 * b]` and `empty x` in JEXL; backslashes in strings. Otherwise `not a eq b` requires parentheses, because the
 * precedence of `not` differs.
 */
export function parseCondition(
  text: string,
  scope: ConditionScope,
  { language, warn }: ConditionOptions = {},
): ParseResult<Expression> {
  return runParser(() => readAll(parserOf(text, language), createGrammar(scope, warn ?? (() => {}))).expression);
}

interface ConditionOptions {
  readonly language?: ConditionLanguage | undefined;
  readonly warn?: Warn | undefined;
}

type ConditionGrammar = Grammar<Operand, SimpleOperand>;

function createGrammar(scope: ConditionScope, warn: Warn): ConditionGrammar {
  const grammar: ConditionGrammar = {
    subject: "conditions",
    operand: (parser) => readOperand(parser, scope, warn),
    whole: (parser, operand) => toWhole(parser, operand),
    chain: (name, parts) => ({
      kind: "condition",
      expression: balanced(
        name,
        parts.map(({ expression }) => expression),
      ),
      from: parts[0]!.from,
      to: parts.at(-1)!.to,
    }),
    negation: (operand, from) => ({
      kind: "negated",
      expression: call("not", operand.expression),
      from,
      to: operand.to,
    }),
    group: (parser, operand, from) => ({ ...withoutNegation(operand), from, to: parser.end }),
    infix: (parser, left, operator, sign) => {
      switch (operator.kind) {
        case "comparison":
          return readComparison(parser, grammar, left, operator.name);
        case "membership":
          return readMembership(parser, grammar, left, operator.negated, sign);
        case "choice":
          return readChoice(parser, grammar, left, sign);
      }
    },
  };
  return grammar;
}

/** Comparing a negation without parentheses is ambiguous. */
const toWhole = (parser: ConditionParser, operand: Operand): SimpleOperand =>
  operand.kind === "negated"
    ? operand
    : { kind: "condition", expression: asCondition(parser, operand), from: operand.from, to: operand.to };

const withoutNegation = (operand: Operand): Operand =>
  operand.kind === "negated" ? { ...operand, kind: "condition" } : operand;

function readComparison(
  parser: ConditionParser,
  grammar: ConditionGrammar,
  left: Operand,
  name: ComparisonOperator,
): Operand {
  if (parser.language === undefined) rejectNegation(parser, left);
  const right = readAt(parser, grammar, precedences.comparison + 1);
  checkNegation(parser, left, right, name);
  rejectChain(parser, grammar);
  const expression = call("compareInCondition", asValue(left), literal(name), asValue(right));
  return { kind: "condition", expression, from: left.from, to: right.to };
}

function rejectChain(parser: ConditionParser, grammar: ConditionGrammar): void {
  if (nextOperator(parser, grammar)?.power === precedences.comparison)
    failAt(parser, "syntax", "Chained comparisons need parentheses.");
}

function rejectNegation(parser: ConditionParser, operand: Operand): void {
  if (operand.kind !== "negated") return;
  failAt(
    parser,
    "unsupported",
    "The precedence of `not` next to a comparison differs between languages.",
    operand,
    parenthesesHint,
  );
}

const parenthesesHint = "Write `not (… eq …)`.";

/** `not` binds tighter than a comparison, so the other operand must be boolean. */
function checkNegation(parser: ConditionParser, left: Operand, right: Operand, name: ComparisonOperator): void {
  if (left.kind !== "negated" && right.kind !== "negated") return;
  if (parser.language === undefined) rejectNegation(parser, right);
  const negated = left.kind === "negated" ? left : right;
  const other = left.kind === "negated" ? right : left;
  const equality = name === "==" || name === "!=";
  if (!equality || (other.kind === "literal" && !isBoolean(other))) rejectTightNegation(parser, negated);
}

function rejectTightNegation(parser: ConditionParser, operand: Operand): void {
  if (operand.kind !== "negated") return;
  failAt(
    parser,
    "unsupported",
    "`not` binds tighter than this comparison, which does not apply to booleans.",
    operand,
    parenthesesHint,
  );
}

function readMembership(
  parser: ConditionParser,
  grammar: ConditionGrammar,
  left: Operand,
  negated: boolean,
  sign: Range,
): Operand {
  rejectTightNegation(parser, left);
  const { from } = parser.token;
  if (!accept(parser, "[")) {
    const message = `A list in brackets, such as \`['a', 'b']\`, is missing before ${describeNext(parser)}.`;
    failAt(parser, parser.token.kind === "end" ? "syntax" : "unsupported", message);
  }
  const items: Operand[] = [];
  while (items.length === 0 ? !accept(parser, "]") : accept(parser, ","))
    items.push(readAt(parser, grammar, precedences.comparison + 1));
  if (items.length > 0) expect(parser, "]");
  if ((left.to - left.from) * items.length > maxExpressionLength)
    failAt(parser, "limit", "This list is too long.", { from, to: parser.end });
  for (const item of items) rejectTightNegation(parser, item);
  rejectChain(parser, grammar);
  const found = balanced(
    "or",
    items.map((item) => call("compareInCondition", asValue(left), literal("=="), asValue(item))),
  );
  return {
    kind: "condition",
    expression: negated ? call("not", found) : found,
    from: Math.min(left.from, sign.from),
    to: parser.end,
  };
}

function readChoice(parser: ConditionParser, grammar: ConditionGrammar, left: Operand, sign: Range): Operand {
  const condition = asCondition(parser, left);
  const read = () => {
    const then = readAt(parser, grammar, precedences.choice);
    expect(parser, ":");
    const otherwise = readAt(parser, grammar, precedences.choice);
    return { kind: "choice", condition, then, otherwise, from: left.from, to: otherwise.to } as const;
  };
  return nested(parser, read, sign);
}
