import type { Expression } from "../../core/ast.ts";
import { call, identity, literal, query } from "../../core/build.ts";
import { type Cursor, match, peek, shown, signal, take } from "../cursor.ts";
import { isCalled, readCall } from "./functions.ts";
import { isDefinite } from "./jsonpath.ts";
import { constantOf, readValue } from "./literals.ts";
import { type Dialect, readSegments } from "./segments.ts";

/**
 * One side of a comparison, an argument, or what stands alone in a condition. `literal`: a value that is written; `value`: a function's value or
 * nothing; `truth`: a function's true or false; `one`, `many`: a path to one place, or to any number of them.
 */
export interface Operand {
  readonly expression: Expression;
  readonly kind: "literal" | "value" | "truth" | "one" | "many";
  readonly from: number;
  readonly to: number;
}

/** Reads a path, a function or a value. */
export function readOperand(cursor: Cursor, dialect: Dialect): Operand {
  const from = cursor.offset;
  const read = readPath(cursor, dialect) ?? (isCalled(cursor) ? readCall(cursor, dialect) : readLiteral(cursor));
  return { ...read, from, to: cursor.offset };
}

/** What can be compared, as it has one value at most; anything else is a fault. */
export function single(cursor: Cursor, { kind, expression, from, to }: Operand): Expression {
  if (kind === "truth")
    signal(cursor, "syntax", "The result of this function is a condition, so it cannot be compared.", from, to);
  if (kind === "many")
    signal(cursor, "syntax", "This path can select several values, so it cannot be compared.", from, to);
  return expression;
}

type Read = Pick<Operand, "expression" | "kind">;

function readPath(cursor: Cursor, dialect: Dialect): Read | undefined {
  const current = take(cursor, "@");
  if (!current && !take(cursor, "$")) return undefined;
  const { segments, measuredAt } = readSegments(cursor, dialect);
  if (peek(cursor) === "(") signal(cursor, "syntax", "A function takes its path as an argument: `length(@.name)`.");
  const path = current ? query(identity, segments) : dialect.root(segments);
  if (measuredAt !== undefined) return { expression: call("nodeLength", path), kind: "value" };
  return { expression: path, kind: isDefinite(segments) ? "one" : "many" };
}

function readLiteral(cursor: Cursor): Read {
  const value = readValue(cursor);
  if (value !== undefined) return { expression: literal(value), kind: "literal" };
  const from = cursor.offset;
  const word = match(cursor, /[A-Za-z_][\w-]*/y);
  if (word === undefined)
    return signal(
      cursor,
      "syntax",
      `A path beginning with \`@\` or \`$\`, or a value, is missing before ${shown(cursor)}.`,
    );
  const shortened = `\`${word.slice(0, 40)}\``;
  const end = cursor.offset;
  if (match(cursor, /\s+\(/y))
    signal(cursor, "syntax", `No space can stand between ${shortened} and \`(\`.`, end, cursor.offset - 1);
  const constant = constantOf(word.toLowerCase());
  const hint =
    constant === undefined ? "Paths begin with `@` or `$`; texts are quoted." : `It is written \`${constant}\`.`;
  return signal(cursor, "syntax", `${shortened} is neither a path nor a value.`, from, end, hint);
}
