import { isNegation, nextOperator, type Operator, powers, type Subject } from "./operators.ts";
import { accept, advance, expect, isSign, nested, type Parser, refuse, shown } from "./parser.ts";

/** A part of the text that has been read. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * What operands and operators mean: conditions and event expressions differ in nothing else. A `Whole` is a part that can be joined, be negated or
 * stand alone.
 */
export interface Grammar<T extends Part, Whole extends T> extends Subject {
  /** Reads what is neither negated nor in parentheses. */
  operand(parser: Parser): T;
  /** A part as a whole; signals a fault if it cannot be one. */
  whole(parser: Parser, part: T): Whole;
  /** What the same operator joins. */
  chain(name: "and" | "or", parts: readonly Whole[]): Whole;
  negation(part: Whole, from: number): Whole;
  /** A part in parentheses. */
  group(parser: Parser, part: T, from: number): T;
  /** Reads what follows any other operator, which the parser has passed. */
  infix(parser: Parser, left: T, operator: Exclude<Operator, { kind: "chain" }>, sign: Part): T;
}

/** Reads a text to its end. */
export function readAll<T extends Part, Whole extends T>(parser: Parser, grammar: Grammar<T, Whole>): Whole {
  const whole = grammar.whole(parser, readAt(parser, grammar, powers.choice));
  if (isSign(parser, ")")) refuse(parser, "syntax", "An operator, or the `(` that this closes, is missing before `)`.");
  if (parser.token.kind !== "end") refuse(parser, "syntax", `An operator is missing before ${shown(parser)}.`);
  return whole;
}

/** Reads operands and the operators between them that bind at least as tightly as `power`. */
export function readAt<T extends Part, Whole extends T>(parser: Parser, grammar: Grammar<T, Whole>, power: number): T {
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

/** Reads one operand, with what negates it. */
function readPrefix<T extends Part, Whole extends T>(parser: Parser, grammar: Grammar<T, Whole>): T {
  const opener = parser.token;
  const { from } = opener;
  if (isNegation(parser)) {
    advance(parser);
    const operand = nested(parser, opener, () => readAt(parser, grammar, powers.not));
    return grammar.negation(grammar.whole(parser, operand), from);
  }
  if (!accept(parser, "(")) return grammar.operand(parser);
  const inner = nested(parser, opener, () => readAt(parser, grammar, powers.choice));
  expect(parser, ")");
  return grammar.group(parser, inner, from);
}

/** However long a chain is, it is one part: nothing is nested in it. */
function readChain<T extends Part, Whole extends T>(
  parser: Parser,
  grammar: Grammar<T, Whole>,
  first: T,
  { name, power }: Extract<Operator, { kind: "chain" }>,
): T {
  const parts = [grammar.whole(parser, first)];
  for (;;) {
    const operator = nextOperator(parser, grammar);
    if (operator?.kind !== "chain" || operator.name !== name) return grammar.chain(name, parts);
    advance(parser);
    parts.push(grammar.whole(parser, readAt(parser, grammar, power + 1)));
  }
}
