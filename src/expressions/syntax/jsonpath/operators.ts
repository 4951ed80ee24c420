import type { Json } from "../../../json.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import {
  and,
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  firstOr,
  literal,
  query,
  variable,
} from "../../core/build.ts";
import { type Cursor, consume, expect, fail, isParseError, match, peek, skipSpace } from "../cursor.ts";
import { translatePattern } from "../regex/translate.ts";
import { readValue } from "./literals.ts";

/** The name of a filter operator of json-path/JsonPath, in lowercase. */
export type FilterOperator = (typeof operators)[number];

/** Consumes a filter operator, if next. */
export function matchFilterOperator(cursor: Cursor): FilterOperator | undefined {
  const found = match(
    cursor,
    /=~|(?:nin|in|subsetof|anyof|noneof|all|contains|size|empty)(?=[\s[('"@$/])/iy,
  )?.toLowerCase();
  return operators.find((operator) => operator === found);
}

/** The right side of a filter operator: a list of values, or what one node yields. */
export type FilterList =
  | { readonly kind: "values"; readonly values: readonly Json[] }
  | { readonly kind: "node"; readonly expression: Expression };

/** Reads a list of values, if next. */
export function readList(cursor: Cursor): FilterList | undefined {
  const from = cursor.offset;
  if (!consume(cursor, "[")) return undefined;
  const values: Json[] = [];
  skipSpace(cursor);
  if (consume(cursor, "]")) return { kind: "values", values };
  do {
    skipSpace(cursor);
    const value = readValue(cursor);
    if (value === undefined)
      return fail(
        cursor,
        "syntax",
        `A string, number, \`true\`, \`false\` or \`null\` is missing before ${describeCharacter(cursor)}.`,
      );
    values.push(value);
    if (values.length > maxListLength)
      fail(cursor, "limit", `This list has more than ${maxListLength} values.`, from, cursor.offset);
    skipSpace(cursor);
  } while (consume(cursor, ","));
  expect(cursor, "]");
  return { kind: "values", values };
}

/** Reads a regular expression `/…/` with the flags `i` and `s`, which has to match a whole string. */
export function readPattern(cursor: Cursor): string {
  const from = cursor.offset;
  const written = match(cursor, /\/(?:[^/\\\n]|\\[^\n])*\/[a-zA-Z]*/y);
  if (written === undefined)
    return fail(cursor, "syntax", `A pattern such as \`/a.*/i\` is missing before ${describeCharacter(cursor)}.`);
  const end = written.lastIndexOf("/");
  const flags = written.slice(end + 1);
  if (!/^i?$/.test(flags))
    fail(
      cursor,
      "unsupported",
      `The flags \`${flags.slice(0, 10)}\` are not supported; \`i\` is.`,
      from + end + 1,
      cursor.offset,
    );
  const pattern = translatePattern(`${flags === "" ? "" : "(?i)"}${written.slice(1, end).replaceAll("\\/", "/")}`);
  if (isParseError(pattern)) return fail(cursor, pattern.category, pattern.message, from, cursor.offset, pattern.hint);
  return `^(?:${pattern.source})$`;
}

/** Whether a string, or a string in an array, matches a pattern. */
export const matchesWhole = (node: Expression, source: string): Expression =>
  call("switchCondition", collect(comma(node, elementsOf(node))), literal("matches"), literal(source));

/** Applies a filter operator. A missing value is never in a list; only arrays are subsets or disjoint. */
export function applyFilterOperator(
  operator: Exclude<FilterOperator, "=~">,
  left: Expression,
  right: FilterList,
): Expression {
  switch (operator) {
    case "in":
      return isAmong(left, right);
    case "nin":
      return call("not", isAmong(left, right));
    case "anyof":
      return someElement(left, (element) => isAmong(element, right));
    case "noneof":
      return and(isArray(left), call("not", applyFilterOperator("anyof", left, right)));
    case "subsetof":
      return and(
        isArray(left),
        call(
          "not",
          someElement(left, (element) => call("not", isAmong(element, right))),
        ),
      );
    case "all":
      return and(
        isArray(left),
        call(
          "not",
          someOf(right, (value) => call("not", isElement(value, left))),
        ),
      );
    case "contains":
      return right.kind === "values" ? isElement(literal(right.values), left) : contains(left, right.expression);
    case "size": {
      const length = call("nodeLength", left);
      return and(call("exists", length), equals(length, valueOfList(right)));
    }
    case "empty":
      return and(
        call("exists", call("nodeLength", left)),
        equals(binary("==", firstOr(call("nodeLength", left), literal(null)), literal(0)), valueOfList(right)),
      );
  }
}

const operators = ["=~", "in", "nin", "subsetof", "anyof", "noneof", "all", "contains", "size", "empty"] as const;

const maxListLength = 1_000;

const equals = (left: Expression, right: Expression): Expression => call("comparesNodes", left, literal("=="), right);

const valueOfList = (list: FilterList): Expression => (list.kind === "values" ? literal(list.values) : list.expression);

const arrayElements: Segment = { descend: false, selectors: [{ kind: "slice" }] };

const elementsOf = (node: Expression): Expression =>
  node.kind === "query" ? query(node.source, [...node.segments, arrayElements]) : query(node, [arrayElements]);

const typeOf = (node: Expression): Expression => call("type", firstOr(node, literal(null)));

const isArray = (node: Expression): Expression => binary("==", typeOf(node), literal("array"));

function isAmong(value: Expression, list: FilterList): Expression {
  return list.kind === "node"
    ? isElement(value, list.expression)
    : balanced(
        "or",
        list.values.map((item) => equals(value, literal(item))),
      );
}

const isElement = (value: Expression, list: Expression): Expression =>
  call("truthy", bind("item", elementsOf(list), equals(value, variable("item"))));

const someElement = (list: Expression, test: (element: Expression) => Expression): Expression =>
  call("truthy", bind("member", elementsOf(list), test(variable("member"))));

function someOf(list: FilterList, test: (value: Expression) => Expression): Expression {
  if (list.kind === "values")
    return balanced(
      "or",
      list.values.map((value) => test(literal(value))),
    );
  return call("truthy", bind("required", elementsOf(list.expression), test(variable("required"))));
}

const contains = (left: Expression, right: Expression): Expression =>
  conditional(
    and(binary("==", typeOf(left), literal("string")), binary("==", typeOf(right), literal("string"))),
    call("contains", firstOr(left, literal("")), firstOr(right, literal(""))),
    isElement(right, left),
  );

function describeCharacter(cursor: Cursor): string {
  const next = peek(cursor);
  return next === "" ? "the end of the expression" : `\`${next}\``;
}
