import type { Comparison } from "../../builtins/dialect/conditions.ts";
import type { Expression } from "../../core/ast.ts";
import { balanced, call, literal } from "../../core/build.ts";
import { longestText, type Parsed, parsing } from "../cursor.ts";
import type { SpanAt } from "../jsonpath/jsonpath.ts";
import { accept, expect, nested, refuse, type Stretch, shown } from "../words.ts";
import { asCondition, asValue, isBoolean, type Operand, readOperand, type Simple, type Warn } from "./operands.ts";
import { type Grammar, nextOperator, type Parser, parserOf, powers, readAll, readAt } from "./parser.ts";
import type { ConditionLanguage } from "./tokens.ts";

/** What the names in a condition stand for. A name that is given no meaning is a fault. */
export interface ConditionScope {
  /** What `$` stands for; absent: no paths. */
  readonly root?: Expression | undefined;
  /** What `$.name` stands for where it is not the root's member: `$.error` may be a variable of its own. Asked for the first name of each path. */
  readonly member?: ((name: string) => Expression | undefined) | undefined;
  /** The value that a bare name stands for; `a.b` is the member `b` of what `a` stands for. Alone it is true if it is neither false nor null. */
  readonly identifier?: ((name: string) => Expression | undefined) | undefined;
  /** The bare names to suggest for one that has no meaning. */
  readonly identifiers?: readonly string[] | undefined;
  /** What `stateData` and `stateOutputData` stand for in `#jsonPath(…)`; absent: there is no such function. */
  readonly data?: Expression | undefined;
  /** The place in the sources of a stretch of the condition's text; absent: paths do not know theirs. */
  readonly spanAt?: SpanAt | undefined;
}

/**
 * Parses a condition in the grammar that Waybill reads under the names `spel`, `jexl` and `cel` and without one: paths, names and their members, texts,
 * numbers, `true false null`; `eq ne lt le gt ge == != < <= > >=`; `and or not && || !`; `a ? b : c`; parentheses; `empty(x)`;
 * `#jsonPath(stateData, 'path')`. Words in any case. Gives exactly one boolean when evaluated, and never fails.
 *
 * What only one language has is read where that one is named: `x in [a, b]`, `has(x.y)` and `size(x)` in CEL, `x =~ [a, b]`, `x !~ [a, b]` and
 * `empty x` in JEXL, and a backslash in a text. `not a eq b` is refused without parentheses where no language is named: in these three `not` binds tighter, in
 * others looser.
 */
export function parseCondition(
  text: string,
  scope: ConditionScope,
  { language, warn }: BooleanOptions = {},
): Parsed<Expression> {
  return parsing(() => readAll(parserOf(text, language), conditionsIn(scope, warn ?? (() => {}))).expression);
}

/** How to read a condition. */
interface BooleanOptions {
  /** The language that it says it is in. */
  readonly language?: ConditionLanguage | undefined;
  /** Takes what is read, but not quite as it is written: the digits that a number loses. */
  readonly warn?: Warn | undefined;
}

/** The grammar of conditions. */
type Conditions = Grammar<Operand, Simple>;

/** The grammar of conditions whose names mean what a scope says. */
function conditionsIn(scope: ConditionScope, warn: Warn): Conditions {
  const grammar: Conditions = {
    subject: "conditions",
    operand: (parser) => readOperand(parser, scope, warn),
    whole: (parser, operand) => wholeOf(parser, operand),
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
    group: (parser, operand, from) => ({ ...ungrouped(operand), from, to: parser.end }),
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

/** What has been negated and is one condition keeps saying so, as only then a comparison beside it is in doubt. */
const wholeOf = (parser: Parser, operand: Operand): Simple =>
  operand.kind === "negated"
    ? operand
    : { kind: "condition", expression: asCondition(parser, operand), from: operand.from, to: operand.to };

const ungrouped = (operand: Operand): Operand =>
  operand.kind === "negated" ? { ...operand, kind: "condition" } : operand;

function readComparison(parser: Parser, grammar: Conditions, left: Operand, name: Comparison): Operand {
  if (parser.language === undefined) refuseNegated(parser, left);
  const right = readAt(parser, grammar, powers.comparison + 1);
  checkNegated(parser, left, right, name);
  refuseRow(parser, grammar);
  const expression = call("compareInCondition", asValue(left), literal(name), asValue(right));
  return { kind: "condition", expression, from: left.from, to: right.to };
}

function refuseRow(parser: Parser, grammar: Conditions): void {
  if (nextOperator(parser, grammar)?.power === powers.comparison)
    refuse(parser, "syntax", "Comparisons in a row need parentheses.");
}

function refuseNegated(parser: Parser, operand: Operand): void {
  if (operand.kind !== "negated") return;
  refuse(
    parser,
    "unsupported",
    "`not` beside a comparison means different things in different languages.",
    operand,
    parentheses,
  );
}

const parentheses = "Write `not (… eq …)`.";

/** In all languages that can be named `not` binds tighter than a comparison; then it has to make sense to compare true or false. */
function checkNegated(parser: Parser, left: Operand, right: Operand, name: Comparison): void {
  if (left.kind !== "negated" && right.kind !== "negated") return;
  if (parser.language === undefined) refuseNegated(parser, right);
  const negated = left.kind === "negated" ? left : right;
  const other = left.kind === "negated" ? right : left;
  const equality = name === "==" || name === "!=";
  if (!equality || (other.kind === "literal" && !isBoolean(other))) refuseTight(parser, negated);
}

function refuseTight(parser: Parser, operand: Operand): void {
  if (operand.kind !== "negated") return;
  refuse(
    parser,
    "unsupported",
    "`not` binds tighter than this comparison, in which true or false makes no sense.",
    operand,
    parentheses,
  );
}

function readMembership(parser: Parser, grammar: Conditions, left: Operand, negated: boolean, sign: Stretch): Operand {
  refuseTight(parser, left);
  const { from } = parser.token;
  if (!accept(parser, "[")) {
    const message = `A list in brackets, such as \`['a', 'b']\`, is missing before ${shown(parser)}.`;
    refuse(parser, parser.token.kind === "end" ? "syntax" : "unsupported", message);
  }
  const items: Operand[] = [];
  while (items.length === 0 ? !accept(parser, "]") : accept(parser, ","))
    items.push(readAt(parser, grammar, powers.comparison + 1));
  if (items.length > 0) expect(parser, "]");
  if ((left.to - left.from) * items.length > longestText)
    refuse(parser, "limit", "This list is too long.", { from, to: parser.end });
  for (const item of items) refuseTight(parser, item);
  refuseRow(parser, grammar);
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

function readChoice(parser: Parser, grammar: Conditions, left: Operand, sign: Stretch): Operand {
  const condition = asCondition(parser, left);
  const read = () => {
    const then = readAt(parser, grammar, powers.choice);
    expect(parser, ":");
    const otherwise = readAt(parser, grammar, powers.choice);
    return { kind: "choice", condition, then, otherwise, from: left.from, to: otherwise.to } as const;
  };
  return nested(parser, read, sign);
}
