import type { Expression } from "../ast.ts";
import type { BooleanEnvironment } from "../boolean.ts";
import { balanced, call, literal } from "../build.ts";
import type { Comparison } from "../builtins/relate.ts";
import { type Cursor, expect, match, nested, signal, skipSpace, take } from "../cursor.ts";
import { type Operand, readOperand } from "./operands.ts";

/** Reads a condition: `and` binds tighter than `or`. */
export const readCondition = (cursor: Cursor, environment: BooleanEnvironment): Expression =>
  conditionOf(cursor, readOr(cursor, environment));

function readOr(cursor: Cursor, environment: BooleanEnvironment): Operand {
  return readChain(cursor, "or", /or\b(?![-.])|\|\|/iy, () =>
    readChain(cursor, "and", /and\b(?![-.])|&&/iy, () => readComparison(cursor, environment)),
  );
}

/** A single operand stays what it is, so that `(a) eq 1` can be read. */
function readChain(cursor: Cursor, operator: "and" | "or", sign: RegExp, read: () => Operand): Operand {
  const first = read();
  skipSpace(cursor);
  if (match(cursor, sign) === undefined) return first;
  const items = [conditionOf(cursor, first)];
  do {
    items.push(conditionOf(cursor, read()));
    skipSpace(cursor);
  } while (match(cursor, sign) !== undefined);
  return { kind: "condition", expression: balanced(operator, items), from: first.from, to: cursor.offset };
}

function readComparison(cursor: Cursor, environment: BooleanEnvironment): Operand {
  const left = readUnary(cursor, environment);
  const operator = readOperator(cursor);
  if (operator === undefined) return left;
  refuseNegated(cursor, left);
  const right = readUnary(cursor, environment);
  refuseNegated(cursor, right);
  skipSpace(cursor);
  const from = cursor.offset;
  if (readOperator(cursor) !== undefined) signal(cursor, "syntax", "Comparisons in a row need parentheses.", from, cursor.offset);
  return {
    kind: "condition",
    expression: call("relates", left.expression, literal(operator), right.expression),
    from: left.from,
    to: right.to,
  };
}

function readUnary(cursor: Cursor, environment: BooleanEnvironment): Operand {
  skipSpace(cursor);
  const from = cursor.offset;
  if (match(cursor, /not\b(?![-.])|!(?!=)/iy) !== undefined) {
    const inner = nested(cursor, () => readUnary(cursor, environment));
    return { kind: "negated", expression: call("not", conditionOf(cursor, inner)), from, to: cursor.offset };
  }
  if (!take(cursor, "(")) return readOperand(cursor, environment);
  const inner = nested(cursor, () => readOr(cursor, environment));
  skipSpace(cursor);
  expect(cursor, ")");
  return { ...inner, kind: inner.kind === "negated" ? "condition" : inner.kind, from, to: cursor.offset };
}

/** An operand in the place of a condition. */
function conditionOf(cursor: Cursor, operand: Operand): Expression {
  switch (operand.kind) {
    case "condition":
    case "negated":
      return operand.expression;
    case "value":
      return call("truthy", operand.expression);
    case "literal":
      if (operand.expression.kind === "literal" && typeof operand.expression.value === "boolean") return operand.expression;
      return signal(cursor, "syntax", "A value alone is not a condition.", operand.from, operand.to);
  }
}

function refuseNegated(cursor: Cursor, operand: Operand): void {
  if (operand.kind !== "negated") return;
  signal(
    cursor,
    "unsupported",
    "`not` beside a comparison means different things in different languages.",
    operand.from,
    operand.to,
    "Write `not (… eq …)`.",
  );
}

const words: ReadonlyMap<string, Comparison> = new Map([
  ["eq", "=="],
  ["ne", "!="],
  ["lt", "<"],
  ["le", "<="],
  ["gt", ">"],
  ["ge", ">="],
]);

function readOperator(cursor: Cursor): Comparison | undefined {
  skipSpace(cursor);
  const from = cursor.offset;
  const found = match(cursor, /(?:eq|ne|lt|le|gt|ge)\b(?!-)|[=!<>]=?=?|[-+*/%^?:~]+|[A-Za-z_][\w-]*/iy)?.toLowerCase();
  if (found === undefined) return undefined;
  const operator = words.get(found) ?? found;
  switch (operator) {
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return operator;
    case "and":
    case "or":
      cursor.offset = from;
      return undefined;
    default:
      return refuseOperator(cursor, operator, from);
  }
}

function refuseOperator(cursor: Cursor, operator: string, from: number): never {
  const mistaken = operator === "=" || operator === "===";
  const message = `The operator \`${operator.slice(0, 40)}\` is not supported in conditions.`;
  return signal(cursor, mistaken ? "syntax" : "unsupported", message, from, cursor.offset, mistaken ? "Write `==`." : undefined);
}
