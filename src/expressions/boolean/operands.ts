import type { Expression, Segment } from "../ast.ts";
import type { BooleanEnvironment } from "../boolean.ts";
import { call, literal, member, query } from "../build.ts";
import { type Cursor, expect, match, peek, shown, signal, skipSpace } from "../cursor.ts";
import { isFault } from "../fault.ts";
import { constantOf, readNumber } from "../jsonpath/literals.ts";
import { nameOf, parseJsonPath, readJsonPath } from "../jsonpath.ts";

/** A part of a condition that stands on one side of an operator. `negated` is a condition that begins with `not`. */
export interface Operand {
  readonly kind: "value" | "literal" | "condition" | "negated";
  readonly expression: Expression;
  readonly from: number;
  readonly to: number;
}

/** Reads a path, a name, a function or a literal. */
export function readOperand(cursor: Cursor, environment: BooleanEnvironment): Operand {
  skipSpace(cursor);
  const from = cursor.offset;
  const read = readLiteral(cursor) ?? readPath(cursor, environment) ?? readFunction(cursor, environment) ?? readName(cursor, environment);
  if (!read) signal(cursor, "syntax", `A path, a name or a value is missing before ${shown(cursor)}.`);
  return { ...read, from, to: cursor.offset };
}

type Read = Pick<Operand, "kind" | "expression"> | undefined;

function readLiteral(cursor: Cursor): Read {
  const text = readText(cursor);
  if (text !== undefined) return { kind: "literal", expression: literal(text) };
  const number = readNumber(cursor);
  return number === undefined ? undefined : { kind: "literal", expression: literal(number) };
}

/** A text in quotes; a quote in it is doubled. */
function readText(cursor: Cursor): string | undefined {
  const quote = peek(cursor);
  if (quote !== "'" && quote !== '"') return undefined;
  const start = cursor.offset;
  const found = match(cursor, quote === "'" ? /'(?:[^'\\]|'')*'/y : /"(?:[^"\\]|"")*"/y);
  if (found !== undefined) return found.slice(1, -1).replaceAll(quote + quote, quote);
  const backslash = match(cursor, quote === "'" ? /'(?:[^'\\]|'')*(?=\\)/y : /"(?:[^"\\]|"")*(?=\\)/y);
  if (backslash === undefined) return signal(cursor, "syntax", "The text that begins here is not closed.", start, cursor.text.length);
  return signal(
    cursor,
    "unsupported",
    "A backslash in a text means different things in different languages.",
    undefined,
    undefined,
    "A quote in a text is doubled.",
  );
}

function readPath(cursor: Cursor, environment: BooleanEnvironment): Read {
  if (peek(cursor) !== "$") return undefined;
  const { root, member: own } = environment;
  if (!root) return signal(cursor, "unsupported", "Paths have no meaning here.");
  const rooted = (segments: readonly Segment[]) => {
    const [first] = segments;
    const name = first && !first.descend ? nameOf(first) : undefined;
    const source = name === undefined ? undefined : own?.(name);
    return source ? query(source, segments.slice(1)) : query(root, segments);
  };
  return { kind: "value", expression: readJsonPath(cursor, rooted) };
}

function readFunction(cursor: Cursor, environment: BooleanEnvironment): Read {
  const from = cursor.offset;
  if (match(cursor, /empty\s*\(/iy) !== undefined) {
    const { expression } = readOperand(cursor, environment);
    skipSpace(cursor);
    expect(cursor, ")");
    return { kind: "condition", expression: call("isEmpty", expression) };
  }
  const name = match(cursor, /#?[A-Za-z_][\w.-]*\s*(?=\()|#[\w.-]*/y)?.trim();
  if (name === undefined) return undefined;
  if (name.toLowerCase() === "#jsonpath" && environment.data)
    return { kind: "value", expression: readJsonPathCall(cursor, environment.data) };
  return signal(cursor, "unsupported", `\`${name.slice(0, 40)}\` is not supported in conditions.`, from, from + name.length);
}

function readJsonPathCall(cursor: Cursor, data: Expression): Expression {
  expect(cursor, "(");
  skipSpace(cursor);
  const from = cursor.offset;
  const subject = match(cursor, /[\w#.-]+/y) ?? "";
  if (!/^state(?:output)?data$/i.test(subject)) {
    signal(cursor, "unsupported", "`#jsonPath` looks only into `stateData` or `stateOutputData`.", from, Math.max(cursor.offset, from + 1));
  }
  skipSpace(cursor);
  expect(cursor, ",");
  skipSpace(cursor);
  const start = cursor.offset;
  const text = readText(cursor);
  if (text === undefined) return signal(cursor, "syntax", `A path in quotes is missing before ${shown(cursor)}.`);
  const path = parseJsonPath(text, data);
  if (isFault(path)) {
    const exact = cursor.offset - start === text.length + 2;
    const [begin, end] = exact ? [start + 1 + path.from, start + 1 + path.to] : [start, cursor.offset];
    return signal(cursor, path.fault, path.message, begin, end, path.hint);
  }
  skipSpace(cursor);
  expect(cursor, ")");
  return path.query;
}

function readName(cursor: Cursor, environment: BooleanEnvironment): Read {
  const from = cursor.offset;
  const text = match(cursor, /[A-Za-z_\u0080-\uD7FF\uE000-\u{10FFFF}][\w.\-\u0080-\uD7FF\uE000-\u{10FFFF}]*/uy);
  if (text === undefined) return undefined;
  const constant = constantOf(text.toLowerCase());
  if (constant !== undefined) return { kind: "literal", expression: literal(constant) };
  const condition = environment.condition?.(text);
  if (condition) return { kind: "condition", expression: condition };
  const [name = "", ...members] = text.split(".");
  const value = environment.identifier?.(name);
  if (!value) signal(cursor, "unsupported", `\`${name.slice(0, 60)}\` is no name that has a meaning here.`, from, from + name.length);
  if (members.includes("")) signal(cursor, "syntax", "A name is missing beside `.`.", from, cursor.offset);
  return { kind: "value", expression: member(value, ...members) };
}
