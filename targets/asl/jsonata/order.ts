import { type Expression, numberOf, timeOf } from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import { apply, type Code, choice, code, infix, level, linked } from "./code.ts";
import { compared, equal } from "./equal.ts";
import { tested } from "./modes.ts";
import { help, named, type Printer } from "./printer.ts";

/** The value of an expression that is written out. */
export const constantOf = (expression: Expression): Json | undefined =>
  expression.kind === "literal" ? expression.value : undefined;

/** The comparison of the same two values the other way round. */
export const turned: { readonly [operator: string]: string } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** Whether a sign of an order, or nothing where there is no order, is what an operator asks for. */
export function hasSign(sign: Code, operator: string): Code {
  const wanted: { readonly [operator: string]: readonly ["=" | "in", string] } = {
    "<": ["=", "-1"],
    "<=": ["in", "[-1, 0]"],
    ">": ["=", "1"],
    ">=": ["in", "[0, 1]"],
  };
  const [word, signs] = wanted[operator]!;
  return compared(sign, word, code(signs));
}

const isOf = (type: string, value: Code): Code => equal(apply("type", value), code(`"${type}"`));

const compares = (operator: string, left: Code, right: Code): Code => infix(operator, level.comparison, left, right);

/** Whether a value is of a type, and JSONata's own comparison with a constant of that type holds. */
const comparesAs = (type: string, item: Code, operator: string, constant: Code, printer: Printer): Code =>
  tested(item, printer, (value) => linked("and", [isOf(type, value), compares(operator, value, constant)]));

/** Whether a value is before or after a constant, as conditions order values; false where it is missing. */
export function ordered(item: Code, operator: string, constant: Json | undefined, text: Code, printer: Printer): Code {
  if (typeof constant === "number") {
    const holds = (number: Code) => linked("and", [apply("exists", number), compares(operator, number, text)]);
    return named(help(printer, "numberOf", item), printer, "numeral", holds);
  }
  const number = numberOf(constant ?? null);
  const isExact = number === undefined || (Number.isFinite(number) && !Object.is(number, -0));
  if (typeof constant !== "string" || !isExact) return hasSign(help(printer, "orderOf", item, text), operator);
  if (number !== undefined)
    return orderedBy("numberOf", "numeral", item, operator, code(String(number)), text, printer);
  if (timeOf(constant) !== undefined)
    return orderedBy("instantOf", "time", item, operator, apply("toMillis", text), text, printer);
  return comparesAs("string", item, operator, text, printer);
}

/** Whether what a function reads in a value is before or after something; where it reads nothing in a text, whether the text is. */
function orderedBy(
  read: string,
  name: string,
  item: Code,
  operator: string,
  other: Code,
  text: Code,
  printer: Printer,
): Code {
  return tested(item, printer, (value) =>
    named(help(printer, read, value), printer, name, (found) =>
      choice(
        apply("exists", found),
        compares(operator, found, other),
        linked("and", [isOf("string", value), compares(operator, value, text)]),
      ),
    ),
  );
}

/** Whether a value is before or after a constant, as paths order values; undefined where that cannot be written so. */
export function orderedNode(
  item: Code,
  operator: string,
  constant: Json | undefined,
  text: Code,
  printer: Printer,
): Code | undefined {
  if (typeof constant === "number") return comparesAs("number", item, operator, text, printer);
  return isPlainText(constant) ? comparesAs("string", item, operator, text, printer) : undefined;
}

/** A text that is before or after any other by UTF-16 units exactly when it is by code points. */
export const isPlainText = (value: Json | undefined): boolean =>
  typeof value === "string" && /^[^\ud800-\uffff]*$/.test(value);
