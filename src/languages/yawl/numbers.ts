import {
  binary,
  bind,
  call,
  childrenOf,
  conditional,
  type Expression,
  effectsOf,
  inferTypeWithin,
  literal,
  variable,
  withChildren,
} from "../../expressions/index.ts";
import { alternatives, any, type Type } from "../../types/index.ts";

/** How a number is written in a string. */
export interface NumberSyntax {
  /** Its source matches the whole string. */
  readonly source: string;
  /** A unit that may follow the number. */
  readonly unit?: string | undefined;
}

/** A number of seconds: `10`, `10s` or `0.5s`. */
export const secondsSyntax: NumberSyntax = { source: "^-?(?:[0-9]+\\x2e?[0-9]*|\\x2e[0-9]+)s?$", unit: "s" };

/** A whole number: `10`. */
export const integerSyntax: NumberSyntax = { source: "^-?[0-9]+$" };

/**
 * The whole number that an interpolated string gives, as a number or in a string; anything else raises `failing`. The
 * check is omitted if the expression always gives a whole number.
 */
export function wholeNumberIn(text: Expression, syntax: NumberSyntax, failing: Expression): Expression {
  const value = numberIn(text, syntax, failing);
  if (isWhole(typeOf(value))) return value;
  const [number, whole] = [variable("number"), call("floor", variable("number"))];
  return bind("number", value, conditional(binary("==", number, whole), whole, failing));
}

/** Whether an expression computes a number that may have a fraction; false if its type is unknown. */
export function mayHaveFraction(text: Expression): boolean {
  const parts = alternatives(typeOf(withWholeLengths(soleValue(text) ?? text)));
  return parts.some((part) => part.kind === "number" && !part.integer);
}

/** Only the length of a number, its absolute value, may have a fraction. */
function withWholeLengths(expression: Expression): Expression {
  const inner = withChildren(
    expression,
    childrenOf(expression).map((child) => withWholeLengths(child.expression)),
  );
  return inner.kind === "call" && inner.name === "length" ? call("floor", inner) : inner;
}

const typeOf = (expression: Expression): Type => inferTypeWithin(expression, { input: any, variables: new Map() });

const isWhole = (type: Type): boolean =>
  alternatives(type).every((part) =>
    part.kind === "literal" ? Number.isInteger(part.value) : part.kind === "number" && part.integer,
  );

/** The value of an interpolation that is the whole string. */
const soleValue = (text: Expression): Expression | undefined =>
  text.kind === "call" && text.name === "tostring" ? text.args[0] : undefined;

function numberIn(text: Expression, syntax: NumberSyntax, failing: Expression): Expression {
  const only = soleValue(text);
  if (!only) return parseNumber(text, syntax, failing);
  if (effectsOf(only).type === "number") return only;
  const given = variable("given");
  const isNumber = binary("==", call("type", given), literal("number"));
  return bind("given", only, conditional(isNumber, given, parseNumber(call("tostring", given), syntax, failing)));
}

function parseNumber(text: Expression, { source, unit }: NumberSyntax, failing: Expression): Expression {
  const written = variable("written");
  const digits = unit === undefined ? written : call("rtrimstr", written, literal(unit));
  const pattern = { source, flags: "u", groups: [], ligatures: false, negated: false, words: false };
  return bind(
    "written",
    text,
    conditional(call("_test", written, literal(pattern)), call("tonumber", digits), failing),
  );
}
