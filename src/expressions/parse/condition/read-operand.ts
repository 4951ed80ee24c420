import type { Expression, Segment } from "../../core/ast.ts";
import { literal, query } from "../../core/build.ts";
import { lostDigits } from "../digits.ts";
import { nameOf, readJsonPath } from "../jsonpath/jsonpath.ts";
import { constantOf } from "../jsonpath/literals.ts";
import type { BooleanEnvironment } from "./boolean.ts";
import { isEmptyWord, readCall } from "./functions.ts";
import { readName } from "./names.ts";
import type { Operand } from "./operands.ts";
import { advance, isSign, moveOn, type Parser, refuse, shown } from "./parser.ts";

/** What is read, but not quite as it is written. */
export interface Loss {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Takes what is to be known of a text that is read. */
export type Warn = (loss: Loss) => void;

/** Reads a path, a name, a function or a literal. */
export function readOperand(parser: Parser, environment: BooleanEnvironment, warn: Warn): Operand {
  const { token } = parser;
  const { from } = token;
  const operandOf = (kind: "value" | "literal", expression: Expression): Operand => ({
    kind,
    expression,
    from,
    to: parser.end,
  });
  switch (token.kind) {
    case "text":
      advance(parser);
      return operandOf("literal", literal(token.text));
    case "number":
      return operandOf("literal", literal(readNumber(parser, "", warn)));
    case "path":
      return operandOf("value", readPath(parser, environment));
    case "name":
    case "variable":
      return readConstant(parser) ?? readNamed(parser, environment, warn);
    default:
      if (isNegativeNumber(parser)) {
        advance(parser);
        return operandOf("literal", literal(readNumber(parser, "-", warn)));
      }
      return refuse(parser, "syntax", `A path, a name or a value is missing before ${shown(parser)}.`);
  }
}

function readNamed(parser: Parser, environment: BooleanEnvironment, warn: Warn): Operand {
  const name = advance(parser);
  const called = isSign(parser, "(") || isEmptyWord(parser, name, environment);
  if (called) return readCall(parser, name, environment, warn);
  return { kind: "value", expression: readName(parser, name, environment), from: name.from, to: parser.end };
}

const isNegativeNumber = (parser: Parser): boolean =>
  isSign(parser, "-") && /\d/.test(parser.cursor.text.charAt(parser.token.to));

/** Reads a number. What no double can hold becomes the largest. */
function readNumber(parser: Parser, sign: "" | "-", warn: Warn): number {
  const { text, from, to } = advance(parser);
  const exact = Number(text);
  const value = Math.min(Number.MAX_VALUE, exact);
  const kept = exact === value ? lostDigits(text, value) : String(value);
  if (kept !== undefined)
    warn({ from: from - sign.length, to, message: `Numbers are kept with 53 bits: this becomes ${sign}${kept}.` });
  return sign === "-" && value !== 0 ? -value : value;
}

function readPath(parser: Parser, { root, member: own, placeOf }: BooleanEnvironment): Expression {
  if (!root) return refuse(parser, "unsupported", "Paths have no meaning here.");
  const rooted = (segments: readonly Segment[]) => {
    const [first] = segments;
    const name = first && !first.descend ? nameOf(first) : undefined;
    const source = name === undefined ? undefined : own?.(name);
    return source ? query(source, segments.slice(1)) : query(root, segments);
  };
  const { cursor, token } = parser;
  cursor.offset = token.from;
  const path = readJsonPath(cursor, rooted, { placeOf });
  moveOn(parser, cursor.offset);
  return path;
}

/** `true`, `false` and `null` in any case, unless they begin a longer name. */
function readConstant(parser: Parser): Operand | undefined {
  const { kind, text, from, to } = parser.token;
  const constant = kind === "name" ? constantOf(text.toLowerCase()) : undefined;
  if (constant === undefined || /[.[(]/.test(parser.cursor.text.charAt(to))) return undefined;
  advance(parser);
  return { kind: "literal", expression: literal(constant), from, to };
}
