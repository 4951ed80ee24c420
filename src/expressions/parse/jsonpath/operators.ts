import type { Expression } from "../../core/ast.ts";
import { balanced, call, literal } from "../../core/build.ts";
import { type Cursor, expect, match, shown, signal, skipSpace, take } from "../cursor.ts";
import { readValue } from "./literals.ts";
import type { Dialect } from "./segments.ts";

/** The values in a list, after `in` or `nin`, are compared with `==`. */
export function isAmong(cursor: Cursor, item: Expression, negated: boolean): Expression {
  const values: Expression[] = [];
  const from = cursor.offset;
  expect(cursor, "[");
  do {
    skipSpace(cursor);
    const value = readValue(cursor);
    if (value === undefined)
      signal(cursor, "syntax", `A text, a number, \`true\`, \`false\` or \`null\` is missing before ${shown(cursor)}.`);
    values.push(call("comparesNodes", item, literal("=="), literal(value)));
    if (values.length > longestList)
      signal(cursor, "limit", `This list has more than ${longestList} values.`, from, cursor.offset);
    skipSpace(cursor);
  } while (take(cursor, ","));
  expect(cursor, "]");
  return negated ? call("not", balanced("or", values)) : balanced("or", values);
}

/** Signals a fault if an operator follows that filters do not have. */
export function refuseOperator(cursor: Cursor, dialect: Dialect): void {
  const from = cursor.offset;
  const word = match(cursor, /=~|===?|!==?|<>|=|[A-Za-z]+|[-+*/%~]/y);
  if (word === undefined) return;
  const message = `The operator \`${word.slice(0, 40)}\` is not supported in filters.`;
  const hint = hints.get(word.toLowerCase()) ?? (dialect.strict ? strictHints.get(word) : undefined);
  signal(cursor, dialect.strict ? "syntax" : "unsupported", message, from, cursor.offset, hint);
}

const longestList = 1_000;

/** What to write instead of operators of other dialects. */
const hints: ReadonlyMap<string, string> = new Map([
  ["=", "Equality is `==`."],
  ["<>", "The opposite of `==` is `!=`."],
  ["=~", "Write `match(@.name, '…')` for the whole of a text, `search(@.name, '…')` for a part of it."],
  ["and", "Write `&&`."],
  ["or", "Write `||`."],
  ["contains", "An element is found by `@.list[?@ == …]`, a part of a text by `search(@.name, '…')`."],
  ["size", "Write `length(@.list) == …`."],
  ["empty", "Write `length(@.list) == 0`."],
]);

const strictHints: ReadonlyMap<string, string> = new Map([
  ["===", "Equality is `==`."],
  ["!==", "The opposite of `==` is `!=`."],
  ["in", "Write one comparison with `==` for each value, and `||` between them."],
]);
