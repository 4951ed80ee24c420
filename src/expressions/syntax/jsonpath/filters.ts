import type { Expression, Segment } from "../../core/ast.ts";
import { balanced, call, identity, literal, query } from "../../core/build.ts";
import { isLogic } from "../../core/views.ts";
import { isLargeRegexp, regexpSource } from "../../library/iregexp.ts";
import { type Cursor, consume, describeNext, expect, fail, match, nested, peek, skipSpace } from "../cursor.ts";
import { isDefinite } from "./jsonpath.ts";
import { constantOf, readValue } from "./literals.ts";
import {
  applyFilterOperator,
  type FilterList,
  matchesWhole,
  matchFilterOperator,
  readList,
  readPattern,
} from "./operators.ts";
import { type Dialect, readSegments } from "./segments.ts";

/** Parses a filter's condition (RFC 9535, 2.3.5.1); `.` is the element. */
export function readCondition(cursor: Cursor, dialect: Dialect): Expression {
  return readChain(cursor, "or", () => readChain(cursor, "and", () => readBasic(cursor, dialect)));
}

function readChain(cursor: Cursor, operator: "and" | "or", read: () => Expression): Expression {
  const items: Expression[] = [];
  do {
    skipSpace(cursor);
    addLinks(read(), operator, items);
    skipSpace(cursor);
  } while (consume(cursor, operator === "and" ? "&&" : "||"));
  return balanced(operator, items);
}

function addLinks(condition: Expression, operator: "and" | "or", items: Expression[]): void {
  const waiting: Expression[] = [condition];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (isLogic(next) && next.name === operator) waiting.push(...next.args.toReversed());
    else items.push(next);
  }
}

function readBasic(cursor: Cursor, dialect: Dialect): Expression {
  const from = cursor.offset;
  const negated = consume(cursor, "!");
  if (negated) skipSpace(cursor);
  if (consume(cursor, "(")) {
    const inner = nested(cursor, () => readCondition(cursor, dialect));
    expect(cursor, ")");
    return negated ? call("not", inner) : inner;
  }
  const left = readOperand(cursor, dialect);
  skipSpace(cursor);
  const operator = match(cursor, dialect.strict ? /==|!=|<=|>=|<|>/y : /===?|!==?|<=|>=|<(?!>)|>/y);
  const extended = operator === undefined && !dialect.strict ? matchFilterOperator(cursor) : undefined;
  if (operator === undefined && extended === undefined)
    return negated ? call("not", asTest(cursor, dialect, left)) : asTest(cursor, dialect, left);
  if (negated)
    fail(cursor, "syntax", "`!` before a comparison requires parentheses.", from, from + 1, "Write `!(… == …)`.");
  skipSpace(cursor);
  const first = singleValue(cursor, left);
  if (extended === "=~") return matchesWhole(first, readPattern(cursor));
  if (extended !== undefined) return applyFilterOperator(extended, first, readRight(cursor, dialect));
  return call(
    "comparesNodes",
    first,
    literal(operator!.slice(0, 2)),
    singleValue(cursor, readOperand(cursor, dialect)),
  );
}

function asTest(cursor: Cursor, dialect: Dialect, operand: FilterOperand): Expression {
  rejectOperator(cursor, dialect);
  switch (operand.kind) {
    case "truth":
      return operand.expression;
    case "literal":
      return fail(cursor, "syntax", "A value alone is not a condition.", operand.from, operand.to);
    case "value":
      return fail(
        cursor,
        "syntax",
        "This function returns a value, which is not a condition.",
        operand.from,
        operand.to,
      );
    default:
      return call(dialect.strict ? "exists" : "truthy", operand.expression);
  }
}

/** `value`: a function's value or nothing; `truth`: a function's boolean; `one`, `many`: a path. */
interface FilterOperand {
  readonly expression: Expression;
  readonly kind: "literal" | "value" | "truth" | "one" | "many";
  readonly from: number;
  readonly to: number;
}

function readOperand(cursor: Cursor, dialect: Dialect): FilterOperand {
  const from = cursor.offset;
  const read = readPath(cursor, dialect) ?? (isCalled(cursor) ? readCall(cursor, dialect) : readLiteral(cursor));
  return { ...read, from, to: cursor.offset };
}

function singleValue(cursor: Cursor, { kind, expression, from, to }: FilterOperand): Expression {
  if (kind === "truth")
    fail(cursor, "syntax", "This function returns a condition, which cannot be compared.", from, to);
  if (kind === "many")
    fail(cursor, "syntax", "This path can select several values, so it cannot be compared.", from, to);
  return expression;
}

type UnplacedOperand = Pick<FilterOperand, "expression" | "kind">;

function readPath(cursor: Cursor, dialect: Dialect): UnplacedOperand | undefined {
  const current = consume(cursor, "@");
  if (!current && !consume(cursor, "$")) return undefined;
  const { segments, applied } = readSegments(cursor, dialect);
  if (peek(cursor) === "(") fail(cursor, "syntax", "Functions take paths as arguments: `length(@.name)`.");
  const path = (selected: readonly Segment[]) => (current ? query(identity, selected) : dialect.root(selected));
  if (applied) return { expression: applied.apply({ path, segments }), kind: "value" };
  return { expression: path(segments), kind: isDefinite(segments) ? "one" : "many" };
}

function readLiteral(cursor: Cursor): UnplacedOperand {
  const value = readValue(cursor);
  if (value !== undefined) return { expression: literal(value), kind: "literal" };
  const from = cursor.offset;
  const word = match(cursor, /[A-Za-z_][\w-]*/y);
  if (word === undefined)
    return fail(
      cursor,
      "syntax",
      `A path beginning with \`@\` or \`$\`, or a value, is missing before ${describeNext(cursor)}.`,
    );
  const shortened = `\`${word.slice(0, 40)}\``;
  const end = cursor.offset;
  if (match(cursor, /\s+\(/y))
    fail(cursor, "syntax", `A space is not allowed between ${shortened} and \`(\`.`, end, cursor.offset - 1);
  const constant = constantOf(word.toLowerCase());
  const hint = constant === undefined ? "Start paths with `@` or `$`, and quote strings." : `Write \`${constant}\`.`;
  return fail(cursor, "syntax", `${shortened} is neither a path nor a value.`, from, end, hint);
}

function readRight(cursor: Cursor, dialect: Dialect): FilterList {
  return readList(cursor) ?? { kind: "node", expression: singleValue(cursor, readOperand(cursor, dialect)) };
}

function rejectOperator(cursor: Cursor, dialect: Dialect): void {
  const from = cursor.offset;
  const word = match(cursor, /=~|===?|!==?|<>|=|[A-Za-z]+|[-+*/%~]/y);
  if (word === undefined) return;
  const message = `The operator \`${word.slice(0, 40)}\` is not supported in filters.`;
  const hint = hints.get(word.toLowerCase()) ?? (dialect.strict ? strictHints.get(word) : undefined);
  fail(cursor, dialect.strict ? "syntax" : "unsupported", message, from, cursor.offset, hint);
}

const hints: ReadonlyMap<string, string> = new Map([
  ["=", "Write `==`."],
  ["<>", "Write `!=`."],
  ["and", "Write `&&`."],
  ["or", "Write `||`."],
]);

const strictHints: ReadonlyMap<string, string> = new Map([
  ["=~", "Write `match(@.name, '…')` to match a whole string, `search(@.name, '…')` to match a part of it."],
  ["contains", "Write `@.list[?@ == …]` to find an element, `search(@.name, '…')` to find a substring."],
  ["size", "Write `length(@.list) == …`."],
  ["empty", "Write `length(@.list) == 0`."],
  ["===", "Write `==`."],
  ["!==", "Write `!=`."],
  ["in", "Write one comparison with `==` for each value, and `||` between them."],
]);

const isCalled = ({ text, offset }: Cursor): boolean => {
  const call = /[A-Za-z_][\w-]*\(/y;
  call.lastIndex = offset;
  return call.test(text);
};

function readCall(cursor: Cursor, dialect: Dialect): Pick<FilterOperand, "expression" | "kind"> {
  const from = cursor.offset;
  const name = match(cursor, /[\w-]*/y)!;
  const declared = functions.get(name);
  if (!declared) {
    const message = `The function \`${name.slice(0, 40)}\` is not supported in paths.`;
    return fail(cursor, "unsupported", message, from, cursor.offset, `Supported functions are ${functionNames}.`);
  }
  cursor.offset++;
  const args = nested(cursor, () => readArguments(cursor, dialect));
  const { parameterType: takes, arity: count } = declared;
  if (args.length !== count) {
    const given = args.length === 0 ? "none is" : args.length === 1 ? "one is" : `${args.length} are`;
    const message = `\`${name}\` takes ${count === 1 ? "one argument" : `${count} arguments`}, and ${given} given.`;
    fail(cursor, "syntax", message, from, cursor.offset);
  }
  for (const argument of args) checkArgument(cursor, name, takes, argument);
  if (declared.resultKind === "truth") checkPattern(cursor, dialect, args[1]!);
  return { expression: call(declared.builtin, ...args.map(({ expression }) => expression)), kind: declared.resultKind };
}

interface FunctionSignature {
  readonly builtin: string;
  readonly arity: number;
  /** RFC 9535's ValueType or NodesType. */
  readonly parameterType: "value" | "nodes";
  readonly resultKind: "value" | "truth";
}

const functions: ReadonlyMap<string, FunctionSignature> = new Map([
  ["length", { builtin: "nodeLength", arity: 1, parameterType: "value", resultKind: "value" }],
  ["count", { builtin: "nodeCount", arity: 1, parameterType: "nodes", resultKind: "value" }],
  ["match", { builtin: "nodeMatches", arity: 2, parameterType: "value", resultKind: "truth" }],
  ["search", { builtin: "nodeSearches", arity: 2, parameterType: "value", resultKind: "truth" }],
  ["value", { builtin: "nodeValue", arity: 1, parameterType: "nodes", resultKind: "value" }],
]);

const functionNames = "`length`, `count`, `match`, `search` and `value`";

function readArguments(cursor: Cursor, dialect: Dialect): readonly FilterOperand[] {
  const args: FilterOperand[] = [];
  skipSpace(cursor);
  if (consume(cursor, ")")) return args;
  do {
    skipSpace(cursor);
    args.push(readOperand(cursor, dialect));
    skipSpace(cursor);
  } while (consume(cursor, ","));
  const operator = match(cursor, /[=!<>]=|[<>]|&&|\|\|/y);
  if (operator !== undefined)
    fail(
      cursor,
      "syntax",
      `Arguments are paths or values, not conditions with \`${operator}\`.`,
      cursor.offset - operator.length,
      cursor.offset,
    );
  if (!consume(cursor, ")")) fail(cursor, "syntax", `\`)\` is missing before ${describeNext(cursor)}.`);
  return args;
}

function checkArgument(
  cursor: Cursor,
  name: string,
  takes: FunctionSignature["parameterType"],
  { kind, from, to }: FilterOperand,
): void {
  if (takes === "nodes") {
    if (kind !== "one" && kind !== "many") fail(cursor, "syntax", `\`${name}\` takes a path.`, from, to);
  } else if (kind === "many") {
    fail(
      cursor,
      "syntax",
      `\`${name}\` takes one value, and this path can select several.`,
      from,
      to,
      "Use `value(…)` for the only selected value.",
    );
  } else if (kind === "truth") {
    fail(cursor, "syntax", `\`${name}\` takes a value, and this function returns a condition.`, from, to);
  }
}

/** In RFC 9535, an invalid pattern just matches nothing; here it is a fault. */
function checkPattern(cursor: Cursor, dialect: Dialect, { expression, from, to }: FilterOperand): void {
  if (expression.kind !== "literal" || typeof expression.value !== "string") return;
  if (isLargeRegexp(expression.value)) fail(cursor, "limit", "This pattern is too large.", from, to);
  if (!dialect.strict && regexpSource(expression.value, true) === undefined)
    fail(
      cursor,
      "unsupported",
      "This is not a valid I-Regexp (RFC 9485).",
      from,
      to,
      "I-Regexp has no look-around, back-references or lazy quantifiers; write `[0-9]` instead of a backslash and `d`.",
    );
}
