import type { Expression } from "../../core/ast.ts";
import { balanced, call, literal } from "../../core/build.ts";
import { type Cursor, expect, match, nested, signal, skipSpace, take } from "../cursor.ts";
import { type Operand, readOperand, single } from "./operands.ts";
import { isAmong, refuseOperator } from "./operators.ts";
import type { Dialect } from "./segments.ts";

/** Reads the condition of a filter (RFC 9535, 2.3.5.1), with the element as `.`; it gives true or false. */
export function readCondition(cursor: Cursor, dialect: Dialect): Expression {
  return readChain(cursor, "or", () => readChain(cursor, "and", () => readBasic(cursor, dialect)));
}

function readChain(cursor: Cursor, operator: "and" | "or", read: () => Expression): Expression {
  const items: Expression[] = [];
  do {
    skipSpace(cursor);
    addLinks(read(), operator, items);
    skipSpace(cursor);
  } while (take(cursor, operator === "and" ? "&&" : "||"));
  return balanced(operator, items);
}

/** What is linked by the same operator is one chain, with parentheses or without. */
function addLinks(condition: Expression, operator: "and" | "or", items: Expression[]): void {
  const waiting: Expression[] = [condition];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === "logic" && next.operator === operator) waiting.push(next.right, next.left);
    else items.push(next);
  }
}

function readBasic(cursor: Cursor, dialect: Dialect): Expression {
  const from = cursor.offset;
  const negated = take(cursor, "!");
  if (negated) skipSpace(cursor);
  if (take(cursor, "(")) {
    const inner = nested(cursor, () => readCondition(cursor, dialect));
    expect(cursor, ")");
    return negated ? call("not", inner) : inner;
  }
  const left = readOperand(cursor, dialect);
  skipSpace(cursor);
  const operator = match(cursor, dialect.strict ? /==|!=|<=|>=|<|>/y : /===?|!==?|<=|>=|<(?!>)|>/y);
  const listed = operator === undefined && !dialect.strict ? match(cursor, /n?in(?=[\s[])/iy) : undefined;
  if (operator === undefined && listed === undefined)
    return negated ? call("not", test(cursor, dialect, left)) : test(cursor, dialect, left);
  if (negated)
    signal(
      cursor,
      "syntax",
      "`!` stands before a comparison without parentheses.",
      from,
      from + 1,
      "Write `!(… == …)`.",
    );
  skipSpace(cursor);
  const first = single(cursor, left);
  if (listed !== undefined) return isAmong(cursor, first, listed.length > 2);
  return call("comparesNodes", first, literal(operator!.slice(0, 2)), single(cursor, readOperand(cursor, dialect)));
}

function test(cursor: Cursor, dialect: Dialect, operand: Operand): Expression {
  refuseOperator(cursor, dialect);
  switch (operand.kind) {
    case "truth":
      return operand.expression;
    case "literal":
      return signal(cursor, "syntax", "A value alone is not a condition.", operand.from, operand.to);
    case "value":
      return signal(
        cursor,
        "syntax",
        "The result of this function is a value, and a value alone is not a condition.",
        operand.from,
        operand.to,
      );
    default:
      return call(dialect.strict ? "exists" : "truthy", operand.expression);
  }
}
