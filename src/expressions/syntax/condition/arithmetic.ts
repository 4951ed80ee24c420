import { effectsOf } from "../../analysis/effects.ts";
import type { Expression } from "../../core/ast.ts";
import { and, binary, bind, call, concatenate, conditional, literal } from "../../core/build.ts";
import { failAt } from "../token-stream.ts";
import { isText, type Operand, toValue } from "./operand.ts";
import { type ConditionReader, freshVariable } from "./reader.ts";

/** Applies an arithmetic operator. Operands of other types fail when they are evaluated, as in jq. */
export function applyArithmetic(
  reader: ConditionReader,
  name: "+" | "-" | "*" | "/" | "%",
  left: Operand,
  right: Operand,
): Operand {
  const range = { from: left.from, to: right.to };
  const texts = isText(left) || isText(right);
  if (name === "+" && texts && reader.rules.concatenates)
    return { kind: "value", expression: concatenate([left, right].map(toText)), ...range };
  if (!(name === "+" && isText(left) && isText(right)))
    for (const operand of [left, right]) checkNumber(reader, name, operand);
  const [a, b] = [toValue(left), toValue(right)];
  const isFloat = isFloating(left) || isFloating(right);
  const expression = name === "/" && !isFloat ? quotient(reader, a, b) : binary(name, a, b);
  return { kind: "value", expression, ...(isFloat ? { isFloat } : {}), ...range };
}

/** `-x` */
export function negateNumber(reader: ConditionReader, operand: Operand): Operand {
  checkNumber(reader, "-", operand);
  const isFloat = isFloating(operand);
  const { from, to } = operand;
  return { kind: "value", expression: call("_negate", toValue(operand)), ...(isFloat ? { isFloat } : {}), from, to };
}

const isFloating = (operand: Operand): boolean => "isFloat" in operand && operand.isFloat === true;

const toText = (operand: Operand): Expression => {
  const value = toValue(operand);
  return isText(operand) ? value : call("tostring", value);
};

function checkNumber(reader: ConditionReader, name: string, operand: Operand): void {
  const type = operand.kind === "list" ? "array" : operand.kind === "choice" ? undefined : typeOf(operand.expression);
  if (type === undefined || type === "number") return;
  failAt(reader, "syntax", `\`${name}\` applies to numbers; this is ${typeNames[type]}.`, operand);
}

const typeOf = (expression: Expression) => effectsOf(expression).type;

const typeNames = {
  null: "null",
  boolean: "a boolean",
  string: "a string",
  array: "a list",
  object: "an object",
} as const;

/** The quotient of two integers is an integer, and truncated. */
function quotient(reader: ConditionReader, left: Expression, right: Expression): Expression {
  const [a, b] = [named(reader, "dividend", left), named(reader, "divisor", right)];
  const exact = binary("/", a.value, b.value);
  const whole = conditional(
    [a.value, b.value]
      .filter((value) => !isWhole(value))
      .map(isWholeNumber)
      .reduce(joinConditions, literal(true)),
    call("trunc", exact),
    exact,
  );
  return [b, a].reduce((body, { name, bound }) => (bound ? bind(name, bound, body) : body), whole as Expression);
}

const joinConditions = (all: Expression, next: Expression): Expression =>
  all.kind === "literal" && all.value === true ? next : and(all, next);

const isWhole = (value: Expression): boolean => value.kind === "literal" && Number.isInteger(value.value);

const isWholeNumber = (value: Expression): Expression => binary("==", call("trunc", value), value);

/** A literal, or a variable to bind. */
function named(
  reader: ConditionReader,
  wanted: string,
  value: Expression,
): { readonly name: string; readonly value: Expression; readonly bound?: Expression } {
  return value.kind === "literal" ? { name: wanted, value } : { ...freshVariable(reader, wanted), bound: value };
}
