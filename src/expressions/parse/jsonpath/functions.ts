import { isLargeRegexp, readRegexp } from "../../builtins/iregexp.ts";
import { call } from "../../core/build.ts";
import { type Cursor, match, nested, shown, signal, skipSpace, take } from "../cursor.ts";
import { type Operand, readOperand } from "./operands.ts";
import type { Dialect } from "./segments.ts";

/** Whether a name and a parenthesis come next, as at the beginning of a function. */
export const isCalled = ({ text, offset }: Cursor): boolean => {
  const call = /[A-Za-z_][\w-]*\(/y;
  call.lastIndex = offset;
  return call.test(text);
};

/** Reads a function of RFC 9535 (2.4) that comes next, and checks that it is well typed. */
export function readCall(cursor: Cursor, dialect: Dialect): Pick<Operand, "expression" | "kind"> {
  const from = cursor.offset;
  const name = match(cursor, /[\w-]*/y)!;
  const declared = functions.get(name);
  if (!declared) {
    const message = `The function \`${name.slice(0, 40)}\` is not supported in paths.`;
    return signal(cursor, "unsupported", message, from, cursor.offset, `There are ${names}.`);
  }
  cursor.offset++;
  const args = nested(cursor, () => readArguments(cursor, dialect));
  const { takes, count } = declared;
  if (args.length !== count) {
    const given = args.length === 0 ? "none is" : args.length === 1 ? "one is" : `${args.length} are`;
    const message = `\`${name}\` takes ${count === 1 ? "one argument" : `${count} arguments`}, and ${given} given.`;
    signal(cursor, "syntax", message, from, cursor.offset);
  }
  for (const argument of args) checkArgument(cursor, name, takes, argument);
  if (declared.gives === "truth") checkPattern(cursor, dialect, args[1]!);
  return { expression: call(declared.builtin, ...args.map(({ expression }) => expression)), kind: declared.gives };
}

interface Declared {
  readonly builtin: string;
  readonly count: number;
  /** What all arguments are: RFC 9535's ValueType or NodesType. */
  readonly takes: "value" | "nodes";
  readonly gives: "value" | "truth";
}

const functions: ReadonlyMap<string, Declared> = new Map([
  ["length", { builtin: "nodeLength", count: 1, takes: "value", gives: "value" }],
  ["count", { builtin: "nodeCount", count: 1, takes: "nodes", gives: "value" }],
  ["match", { builtin: "nodeMatches", count: 2, takes: "value", gives: "truth" }],
  ["search", { builtin: "nodeSearches", count: 2, takes: "value", gives: "truth" }],
  ["value", { builtin: "nodeValue", count: 1, takes: "nodes", gives: "value" }],
]);

const names = "`length`, `count`, `match`, `search` and `value`";

function readArguments(cursor: Cursor, dialect: Dialect): readonly Operand[] {
  const args: Operand[] = [];
  skipSpace(cursor);
  if (take(cursor, ")")) return args;
  do {
    skipSpace(cursor);
    args.push(readOperand(cursor, dialect));
    skipSpace(cursor);
  } while (take(cursor, ","));
  const operator = match(cursor, /[=!<>]=|[<>]|&&|\|\|/y);
  if (operator !== undefined)
    signal(
      cursor,
      "syntax",
      `Arguments are paths or values, not conditions with \`${operator}\`.`,
      cursor.offset - operator.length,
      cursor.offset,
    );
  if (!take(cursor, ")")) signal(cursor, "syntax", `\`)\` is missing before ${shown(cursor)}.`);
  return args;
}

function checkArgument(cursor: Cursor, name: string, takes: Declared["takes"], { kind, from, to }: Operand): void {
  if (takes === "nodes") {
    if (kind !== "one" && kind !== "many") signal(cursor, "syntax", `\`${name}\` takes a path.`, from, to);
  } else if (kind === "many") {
    signal(
      cursor,
      "syntax",
      `\`${name}\` takes one value, and this path can select several.`,
      from,
      to,
      "`value(…)` is what a path selects alone.",
    );
  } else if (kind === "truth") {
    signal(cursor, "syntax", `\`${name}\` takes a value, and the result of this function is a condition.`, from, to);
  }
}

/** A pattern that is written out has to be one, though in RFC 9535 it matches nothing where it is none. */
function checkPattern(cursor: Cursor, dialect: Dialect, { expression, from, to }: Operand): void {
  if (expression.kind !== "literal" || typeof expression.value !== "string") return;
  if (isLargeRegexp(expression.value)) signal(cursor, "limit", "This pattern is too large.", from, to);
  if (!dialect.strict && !readRegexp(expression.value))
    signal(
      cursor,
      "unsupported",
      "This is not a pattern of RFC 9485.",
      from,
      to,
      "It has no look-around, no back-references, no lazy repetition, and `[0-9]` in place of a backslash and `d`.",
    );
}
