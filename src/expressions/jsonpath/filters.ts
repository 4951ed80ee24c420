import type { Expression } from "../ast.ts";
import { balanced, call, identity, literal, query } from "../build.ts";
import { type Cursor, expect, match, nested, peek, shown, signal, skipSpace, take } from "../cursor.ts";
import { isDefinite } from "../jsonpath.ts";
import { constantOf, readNumber, readString } from "./literals.ts";
import { type Dialect, readSegments } from "./segments.ts";

/** Reads the condition of a filter (RFC 9535, 2.3.5.1), with the element as `.`; it gives true or false. */
export function readCondition(cursor: Cursor, dialect: Dialect): Expression {
  return readChain(cursor, "or", () => readChain(cursor, "and", () => readBasic(cursor, dialect)));
}

/** One side of a comparison, or a path alone. */
interface Operand {
  readonly expression: Expression;
  readonly kind: "value" | "one" | "many";
  readonly from: number;
  readonly to: number;
}

function readChain(cursor: Cursor, operator: "and" | "or", read: () => Expression): Expression {
  const items: Expression[] = [];
  do {
    skipSpace(cursor);
    items.push(read());
    skipSpace(cursor);
  } while (take(cursor, operator === "and" ? "&&" : "||"));
  return balanced(operator, items);
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
  const operator = match(cursor, /==|!=|<=|>=|<|>/y);
  if (operator === undefined) return negated ? call("not", test(cursor, dialect, left)) : test(cursor, dialect, left);
  if (negated) signal(cursor, "syntax", "`!` stands before a comparison without parentheses.", from, from + 1, "Write `!(… == …)`.");
  skipSpace(cursor);
  const right = readOperand(cursor, dialect);
  return call("comparesNodes", single(cursor, left), literal(operator), single(cursor, right));
}

function test(cursor: Cursor, dialect: Dialect, operand: Operand): Expression {
  const rest = match(cursor, /=~|===?|=|[A-Za-z]+|[-+*/%]/y);
  if (rest !== undefined)
    signal(
      cursor,
      "unsupported",
      `The operator \`${rest.slice(0, 40)}\` is not supported in filters.`,
      cursor.offset - rest.length,
      cursor.offset,
    );
  if (operand.kind === "value") signal(cursor, "syntax", "A value alone is not a condition.", operand.from, operand.to);
  return call(dialect.strict ? "exists" : "truthy", operand.expression);
}

function single(cursor: Cursor, operand: Operand): Expression {
  if (operand.kind !== "many") return operand.expression;
  return signal(cursor, "syntax", "This path can select several values, so it cannot be compared.", operand.from, operand.to);
}

function readOperand(cursor: Cursor, dialect: Dialect): Operand {
  const from = cursor.offset;
  const path = readPath(cursor, dialect);
  if (path) return { ...path, from, to: cursor.offset };
  const value = readString(cursor) ?? readNumber(cursor) ?? readWord(cursor);
  if (value === undefined)
    signal(cursor, "syntax", `A path beginning with \`@\` or \`$\`, or a value, is missing before ${shown(cursor)}.`);
  return { expression: literal(value), kind: "value", from, to: cursor.offset };
}

function readPath(cursor: Cursor, dialect: Dialect): Pick<Operand, "expression" | "kind"> | undefined {
  const current = take(cursor, "@");
  if (!current && !take(cursor, "$")) return undefined;
  const segments = readSegments(cursor, dialect);
  if (peek(cursor) === "(") signal(cursor, "unsupported", "Functions in paths are not supported.");
  return { expression: current ? query(identity, segments) : dialect.root(segments), kind: isDefinite(segments) ? "one" : "many" };
}

function readWord(cursor: Cursor): ReturnType<typeof constantOf> {
  const from = cursor.offset;
  const word = match(cursor, /[A-Za-z_][\w-]*/y);
  if (word === undefined) return undefined;
  const value = constantOf(word);
  if (value !== undefined) return value;
  const called = peek(cursor) === "(";
  const message = called
    ? `The function \`${word.slice(0, 40)}\` is not supported in paths.`
    : `\`${word.slice(0, 40)}\` is neither a path nor a value.`;
  return signal(
    cursor,
    called ? "unsupported" : "syntax",
    message,
    from,
    cursor.offset,
    called ? undefined : "Paths begin with `@` or `$`; texts are quoted.",
  );
}
