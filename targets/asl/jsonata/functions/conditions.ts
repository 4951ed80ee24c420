import {
  type Call,
  canFail,
  type Expression,
  isTotal,
  numberOf,
  outputs,
  type Query,
  timeOf,
} from "../../../../src/expressions/index.ts";
import type { Json } from "../../../../src/json.ts";
import { isIndefinite, nodesOf } from "../access.ts";
import {
  type Code,
  callCode,
  code,
  comparison,
  constantCode,
  equal,
  evaluateThen,
  infix,
  logical,
  operandText,
  precedence,
  ternary,
  typeTest,
  withDefinitions,
} from "../code.ts";
import { bindName, callHelper, constantOf, type JsonataPrinter, reject, typeNameIn } from "../context.ts";
import { numeral } from "../numerals.ts";
import { collect, existsCode, presentAnd, search } from "../outputs.ts";
import { eachOutput, firstOutput, truthCode, truthTest } from "../printer.ts";
import { condition, type FunctionPrinters } from "./descriptor.ts";

/** Functions that test what their argument expressions yield. */
export const conditions: FunctionPrinters = {
  "exists/1": condition(({ args }, printer) => exists(args[0]!, printer)),
  "truthy/1": condition(({ args }, printer) => truthy(args[0]!, printer)),
  "isEmpty/1": condition(({ args }, printer) => bindName(firstOutput(args[0]!, printer), printer, "value", isEmpty)),
  "compareInCondition/3": condition(compareInCondition),
  "comparesNodes/3": condition(comparesNodes),
};

const isEmpty = ({ text }: Code): Code =>
  code(`$count(${text}) = 0 or ${text} in [null, ""] or ${text} = {}`, precedence.or);

/** Whether boxes are not empty. */
export const isNonEmpty = (boxes: Code): Code =>
  infix(">", precedence.comparison, callCode("count", boxes), constantCode("0"));

const isNodes = (expression: Expression): expression is Query =>
  expression.kind === "query" && isIndefinite(expression);

function exists(expression: Expression, printer: JsonataPrinter): Code {
  if (isTotal(expression)) return constantCode("true");
  if (isNodes(expression)) return isNonEmpty(nodesOf(expression, printer));
  if (outputs(expression) !== "many") return existsCode(firstOutput(expression, printer));
  return callCode(
    "exists",
    eachOutput(expression, printer, search, (output) =>
      canFail(expression) ? evaluateThen(output, constantCode("true")) : constantCode("true"),
    ),
  );
}

function truthy(expression: Expression, printer: JsonataPrinter): Code {
  if (outputs(expression) === "one") return truthCode(expression, firstOutput(expression, printer), printer);
  if (outputs(expression) !== "many") {
    const found = firstOutput(expression, printer);
    if (typeNameIn(expression, printer) === "boolean") return equal(found, constantCode("true"));
    return presentAnd(found, printer, (item) =>
      logical("and", [callCode("exists", item), code(`$not(${item.text} in [null, false])`)]),
    );
  }
  if (isNodes(expression))
    return isNonEmpty(filtered(nodesOf(expression, printer), code("$not(value in [null, false])")));
  const found = eachOutput(expression, printer, search, (output) => {
    const { holds, negated } = truthTest(expression, output, printer);
    return negated
      ? code(`${operandText(holds, precedence.or)} ? () : true`, precedence.choice)
      : code(`${operandText(holds, precedence.or)} ? true`, precedence.choice);
  });
  return callCode("exists", found);
}

/** The boxes whose value satisfies a condition. */
export const filtered = (boxes: Code, condition: Code): Code =>
  code(`${operandText(boxes, precedence.primary)}[${operandText(condition, precedence.choice)}]`);

/** Nothing, one output, or the array of several. */
function side(expression: Expression, printer: JsonataPrinter): Code {
  if (outputs(expression) !== "many") return firstOutput(expression, printer);
  return callHelper(printer, "sideOf", eachOutput(expression, printer, collect, collect.pass));
}

type Compare = (left: Code, right: Code) => Code;

function sides(
  [left, , right]: readonly Expression[],
  printer: JsonataPrinter,
  read: typeof side,
  compare: Compare,
): Code {
  const [a, b] = [read(left!, printer), read(right!, printer)];
  if (!canFail(right!)) return compare(a, b);
  if (canFail(left!)) return bindName(a, printer, "left", (known) => compare(known, b));
  return a.path ? bindName(b, printer, "right", (known) => compare(a, known)) : compare(a, b);
}

function operatorOf(call: Call): string {
  const { kind } = call.args[1]!;
  const operator = call.args[1]!;
  return operator.kind === "literal" && kind === "literal"
    ? String(operator.value)
    : reject("a comparison with a computed operator", call);
}

function compareInCondition(call: Call, printer: JsonataPrinter): Code {
  const operator = operatorOf(call);
  const [left, , right] = call.args as readonly [Expression, Expression, Expression];
  return sides(call.args, printer, side, (a, b) => {
    if (operator === "==") return equalInCondition(left, right, a, b, printer);
    if (operator === "!=") return comparison(a, "!=", b);
    if ([left, right].every((side) => isNumber(side, printer))) return infix(operator, precedence.comparison, a, b);
    const before = constantOf(left);
    const known = orderedNumbers(left, operator, right, a, b, printer);
    if (known) return known;
    return before === undefined || constantOf(right) !== undefined
      ? ordered(a, operator, constantOf(right), b, printer)
      : ordered(b, mirrored[operator]!, before, a, printer);
  });
}

/** Orders a number that may be missing and a constant number. */
function orderedNumbers(
  left: Expression,
  operator: string,
  right: Expression,
  a: Code,
  b: Code,
  printer: JsonataPrinter,
): Code | undefined {
  const isMirrored = left.kind === "literal";
  const [subject, constant] = isMirrored ? [right, left] : [left, right];
  if (typeof constantOf(constant) !== "number" || !mayBeNumberOnly(subject, printer)) return undefined;
  return isMirrored ? numberTest(b, mirrored[operator]!, a, printer) : numberTest(a, operator, b, printer);
}

/** Whether an expression has at most one output, which is a number. */
export const mayBeNumberOnly = (expression: Expression, printer: JsonataPrinter): boolean =>
  outputs(expression) !== "many" && typeNameIn(expression, printer) === "number";

/** `x > 100` for a number that may be missing. */
export const numberTest = (item: Code, operator: string, constant: Code, printer: JsonataPrinter): Code =>
  item.path?.isPresent
    ? presentAnd(item, printer, (value) => compares(operator, value, constant))
    : comparesAs("number", item, operator, constant, printer);

/** A missing operand equals null: JSONata's `!=` and `=` are both false for it. */
function equalInCondition(left: Expression, right: Expression, a: Code, b: Code, printer: JsonataPrinter): Code {
  if ([left, right].every((each) => outputs(each) === "one")) return equal(a, b);
  const constants = [constantOf(left), constantOf(right)];
  if (constants.includes(null))
    return callCode("not", constants[0] === null ? comparison(b, "!=", a) : comparison(a, "!=", b));
  return constants.some((value) => value !== undefined) ? equal(a, b) : callHelper(printer, "isSameOrNull", a, b);
}

const isNumber = (expression: Expression, printer: JsonataPrinter): boolean =>
  outputs(expression) === "one" && typeNameIn(expression, printer) === "number";
const isScalar = (expression: Expression, printer: JsonataPrinter): boolean =>
  outputs(expression) === "one" && ["number", "string"].includes(typeNameIn(expression, printer) ?? "");

function comparesNodes(call: Call, printer: JsonataPrinter): Code {
  const operator = operatorOf(call);
  const [left, , right] = call.args as readonly [Expression, Expression, Expression];
  const sure = [left, right].some((each) => outputs(each) === "one");
  const same: Compare = (a, b) => (sure ? equal(a, b) : callHelper(printer, "isSame", a, b));
  return sides(call.args, printer, firstOutput, (a, b) => {
    if (operator === "==") return same(a, b);
    if (operator === "!=") return callCode("not", same(a, b));
    if ([left, right].every((side) => isNumber(side, printer))) return infix(operator, precedence.comparison, a, b);
    const simple =
      orderedNode(a, operator, constantOf(right), b, printer) ??
      orderedNode(b, mirrored[operator]!, constantOf(left), a, printer);
    if (simple) return simple;
    const strict = operator === "<" || operator === ">" || [left, right].some((side) => isScalar(side, printer));
    if (strict) return hasSign(callHelper(printer, "nodeOrder", a, b), operator);
    return bindName(a, printer, "left", (x) =>
      bindName(b, printer, "right", (y) =>
        infix("or", precedence.or, hasSign(callHelper(printer, "nodeOrder", x, y), operator), same(x, y)),
      ),
    );
  });
}

const mirrored: { readonly [operator: string]: string } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function hasSign(sign: Code, operator: string): Code {
  const wanted: { readonly [operator: string]: readonly ["=" | "in", string] } = {
    "<": ["=", "-1"],
    "<=": ["in", "[-1, 0]"],
    ">": ["=", "1"],
    ">=": ["in", "[0, 1]"],
  };
  const [word, signs] = wanted[operator]!;
  return comparison(sign, word, code(signs));
}

const hasType = (type: string, value: Code): Code =>
  withDefinitions(value.definitions, typeTest({ subject: value.text, type }));

const compares = (operator: string, left: Code, right: Code): Code =>
  infix(operator, precedence.comparison, left, right);

const comparesAs = (type: string, item: Code, operator: string, constant: Code, printer: JsonataPrinter): Code =>
  presentAnd(item, printer, (value) => logical("and", [hasType(type, value), compares(operator, value, constant)]));

/** Orders a value and a constant as conditions do; false if it is missing. */
export function ordered(
  item: Code,
  operator: string,
  constant: Json | undefined,
  text: Code,
  printer: JsonataPrinter,
): Code {
  if (typeof constant === "number") {
    const holds = (number: Code) => logical("and", [callCode("exists", number), compares(operator, number, text)]);
    return bindName(callHelper(printer, "numberOf", item), printer, "numeral", holds);
  }
  const number = numberOf(constant ?? null);
  const isExact = number === undefined || (Number.isFinite(number) && !Object.is(number, -0));
  if (typeof constant !== "string" || !isExact) return hasSign(callHelper(printer, "orderOf", item, text), operator);
  if (number !== undefined) return orderedAsNumber(item, operator, constantCode(String(number)), text, printer);
  if (timeOf(constant) !== undefined)
    return orderedBy("instantOf", "time", item, operator, callCode("toMillis", text), text, printer);
  return comparesAs("string", item, operator, text, printer);
}

/** Compares numbers, and strings that are numerals, with a number; other strings with its string. */
function orderedAsNumber(item: Code, operator: string, number: Code, text: Code, printer: JsonataPrinter): Code {
  return presentAnd(item, printer, (value) => {
    const asString = ternary(
      callCode("contains", value, code(numeral)),
      compares(operator, callCode("parse", value), number),
      compares(operator, value, text),
    );
    const string = logical("and", [hasType("string", value), asString]);
    return ternary(hasType("number", value), compares(operator, value, number), string);
  });
}

/** Compares what a helper parses from a value, or else the string itself. */
function orderedBy(
  read: string,
  name: string,
  item: Code,
  operator: string,
  other: Code,
  text: Code,
  printer: JsonataPrinter,
): Code {
  return presentAnd(item, printer, (value) =>
    bindName(callHelper(printer, read, value), printer, name, (found) =>
      ternary(
        callCode("exists", found),
        compares(operator, found, other),
        logical("and", [hasType("string", value), compares(operator, value, text)]),
      ),
    ),
  );
}

/** Orders a value and a constant as JSONPath does; undefined without a simple form. */
function orderedNode(
  item: Code,
  operator: string,
  constant: Json | undefined,
  text: Code,
  printer: JsonataPrinter,
): Code | undefined {
  if (typeof constant === "number") return comparesAs("number", item, operator, text, printer);
  return isPlainText(constant) ? comparesAs("string", item, operator, text, printer) : undefined;
}

/** Whether a string orders by UTF-16 units as by code points. */
export const isPlainText = (value: Json | undefined): boolean =>
  typeof value === "string" && /^[^\ud800-\uffff]*$/.test(value);
