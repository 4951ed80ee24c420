import {
  type ArrayConstruction,
  type Binary,
  canFail,
  type Expression,
  foldBalanced,
  isBinary,
  isTotal,
  type JqTypeName,
  type ObjectConstruction,
  outputs,
} from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import { alternatives, plainTypeName, typeNameOf } from "../../../src/types/index.ts";
import {
  arrayLiteral,
  blockText,
  type Code,
  callCode,
  code,
  constantCode,
  emptyArray,
  equal,
  evaluateThen,
  infix,
  logical,
  objectCode,
  precedence,
  stringText,
  ternary,
} from "./code.ts";
import {
  bindName,
  callHelper,
  constantOf,
  inferredType,
  type JsonataPrinter,
  type Mode,
  mayBe,
  type OutputContinuation,
  reject,
  typeNameIn,
} from "./context.ts";
import { isPlainText } from "./functions/conditions.ts";
import { collect, search, unlessFailure } from "./outputs.ts";
import { caughtBoxes, eachOutput, operands } from "./printer.ts";

/** Prints `[E]`: `[.[]]` → `$unbox($itemsOf($states.input))`. */
export function arrayCode({ items }: ArrayConstruction, printer: JsonataPrinter): Code {
  const list = items?.kind === "comma" ? items.items : items ? [items] : [];
  if (!items || list.length === 0) return emptyArray;
  const arePlain = list.every((item) => outputs(item) === "one" && isPlain(item, printer));
  if (printer.catchesFailures && canFail(items)) return callHelper(printer, "unboxed", caughtBoxes(items, printer));
  if (!arePlain) return unboxed(eachOutput(items, printer, collect, collect.pass), printer);
  return operands(list, printer, search, (values) =>
    arrayLiteral(`[${values.map((item, i) => elementText(list[i]!, item, printer)).join(", ")}]`),
  );
}

/** A JSONata path over the boxes would flatten array values. */
const unboxed = (boxes: Code, printer: JsonataPrinter): Code =>
  boxes.holdsNoArrays && boxes.definitions.length === 0
    ? arrayLiteral(`[${boxes.text}.value]`)
    : callHelper(printer, "unbox", boxes);

const isPlain = (expression: Expression, printer: JsonataPrinter): boolean =>
  typeNameIn(expression, printer) !== undefined || !mayBe(inferredType(expression, printer), "array");

function elementText(expression: Expression, element: Code, printer: JsonataPrinter): string {
  const isSplit =
    typeNameIn(expression, printer) === "array" && !(element.isBracketed && element.definitions.length === 0);
  return isSplit ? `[${blockText(element)}]` : blockText(element);
}

/** Prints an object for each combination of outputs. */
export function eachObject(
  expression: ObjectConstruction,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  const keys = literalKeys(expression);
  if (!keys) return eachComputedObject(expression.entries, printer, mode, use);
  if (keys.includes("__proto__")) reject("an object with the key `__proto__`", expression);
  const values = expression.entries.map((entry) => entry.value);
  const counts = keys.map((key, i) => keys.lastIndexOf(key) === i);
  const used = keys.map((_, i) => i).filter((i) => counts[i] || !isTotal(values[i]!));
  const parts = used.map((i) => values[i]!);
  return operands(parts, printer, mode, (texts) => {
    const codeOf = (key: string) => texts[used.indexOf(keys.lastIndexOf(key))]!;
    const members = [...new Set(keys)].map((key) => [key, codeOf(key)] as const);
    const unwanted = texts.filter((_, at) => !counts[used[at]!]);
    return use(unwanted.reduceRight((piece, text) => evaluateThen(text, piece), objectCode(members)));
  });
}

/** A construction's keys if all are constant. */
export function literalKeys({ entries }: ObjectConstruction): readonly string[] | undefined {
  const keys = entries.flatMap(({ key }) =>
    key.kind === "literal" && typeof key.value === "string" ? [key.value] : [],
  );
  return keys.length === entries.length ? keys : undefined;
}

/** A key that is not a string fails before the next member is computed. */
function eachComputedObject(
  [entry, ...rest]: ObjectConstruction["entries"],
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
  before: readonly Code[] = [],
): Code {
  if (!entry) return use(code(`$merge([${before.map(blockText).join(", ")}])`));
  const next = (member: Code) => eachComputedObject(rest, printer, mode, use, [...before, member]);
  return operands([entry.key, entry.value], printer, mode, ([key, item]) => {
    const member = callHelper(printer, "entryOf", key!, item!);
    return unlessFailure(member, printer, mode, (entry) =>
      rest.length === 0 ? next(entry) : bindName(entry, printer, "member", next),
    );
  });
}

const maxChain = 16;

/** Prints a sum of strings: `"a" + tostring(.b)` → `"a" & $asText($x)`. */
export function eachText(
  parts: readonly Expression[],
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  return operands(parts.toReversed(), printer, mode, (values) => {
    const texts = values.toReversed();
    const join = (left: Code, right: Code) => infix("&", precedence.sum, left, right);
    return use(texts.length <= maxChain ? texts.slice(1).reduce(join, texts[0]!) : foldBalanced(texts, join)!);
  });
}

/**
 * Prints arithmetic and comparisons: `a + b` → `$add($a, $b)`, but `$finite($a + $b)` for numbers, `$a & $b` for
 * strings and `$a + $b` for small integers.
 */
export function binaryCode(expression: Binary, a: Code, b: Code, printer: JsonataPrinter): Code {
  const [left, right] = expression.args;
  switch (expression.name) {
    case "==":
      if (isSame(a, b)) return constantCode("true");
      if ([a, b].every(isConstantText)) return constantCode("false");
      if (isTrue(right) && typeNameIn(left, printer) === "boolean") return a;
      return infix("=", precedence.comparison, a, b);
    case "!=":
      if (isSame(a, b)) return constantCode("false");
      return infix("!=", precedence.comparison, a, b);
    case "+":
      return sum(expression, a, b, printer);
    case "-":
      return (
        numericCode(expression, precedence.sum, a, b, printer) ?? callArithmetic(expression, printer, "subtract", a, b)
      );
    case "*":
      return (
        numericCode(expression, precedence.product, a, b, printer) ??
        callArithmetic(expression, printer, "multiply", a, b)
      );
    case "/":
      return quotient(expression, a, b, printer);
    case "%":
      return callHelper(printer, "remainder", a, b);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return orderCode(expression, a, b, printer);
    default:
      return assertNever(expression.name);
  }
}

const isTrue = (expression: Expression): boolean => expression.kind === "literal" && expression.value === true;

const isConstantText = ({ definitions, atom, text }: Code): boolean =>
  definitions.length === 0 && atom === "constant" && text.startsWith('"');

const isSame = (a: Code, b: Code): boolean =>
  [a, b].every(({ definitions, atom }) => definitions.length === 0 && atom === "constant") && a.text === b.text;

/** Whether an expression surely gives an integer small enough for exact arithmetic. */
export function isSafeCount(expression: Expression, printer: JsonataPrinter): boolean {
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "number" && Math.abs(expression.value) < 1e12;
    case "variable":
      return !printer.bindings.has(expression.name) && printer.facts.isCount(expression.name);
    case "call":
      return (
        isBinary(expression) &&
        /^[-+*]$/.test(expression.name) &&
        expression.args.every((operand) => isSafeCount(operand, printer))
      );
    case "if":
      return isSafeCount(expression.then, printer) && isSafeCount(expression.otherwise, printer);
    default:
      return false;
  }
}

const operandType = (expression: Expression, printer: JsonataPrinter): JqTypeName | undefined =>
  isSafeCount(expression, printer) ? "number" : typeNameIn(expression, printer);

function commonType({ args: [left, right] }: Binary, printer: JsonataPrinter): JqTypeName | undefined {
  const type = operandType(left, printer);
  return type === operandType(right, printer) ? type : undefined;
}

function numericCode(expression: Binary, own: 4 | 5, a: Code, b: Code, printer: JsonataPrinter): Code | undefined {
  if (commonType(expression, printer) !== "number") return undefined;
  const text = infix(expression.name, own, a, b);
  if (isSafeCount(expression, printer)) return text;
  return printer.boundOperation === expression
    ? callHelper(printer, clampingForms[expression.name as "+" | "-" | "*" | "/"], a, b)
    : callHelper(printer, "finite", text);
}

/** Calls an arithmetic helper, in its clamping form if the result is bound. */
function callArithmetic(
  expression: Binary,
  printer: JsonataPrinter,
  name: "add" | "subtract" | "multiply" | "divide",
  ...args: readonly Code[]
): Code {
  return callHelper(printer, printer.boundOperation === expression ? clampingForms[name] : name, ...args);
}

const clampingForms = {
  add: "addClamped",
  subtract: "subtractClamped",
  multiply: "multiplyClamped",
  divide: "divideClamped",
  "+": "clampedSum",
  "-": "clampedDifference",
  "*": "clampedProduct",
  "/": "clampedQuotient",
} as const;

function sum(expression: Binary, a: Code, b: Code, printer: JsonataPrinter): Code {
  switch (commonType(expression, printer)) {
    case "number":
      return numericCode(expression, precedence.sum, a, b, printer)!;
    case "string":
      return infix("&", precedence.sum, a, b);
    case "array":
      return callCode("append", a, b);
    case "object":
      return code(`$merge([${blockText(a)}, ${blockText(b)}])`);
    default:
      return sumWithKnownType(expression, a, b, printer) ?? callArithmetic(expression, printer, "add", a, b);
  }
}

/**
 * For example `.log + ["a"]` → `$value = null ? ["a"] : $type($value) = "array" ? $append($value, ["a"]) :
 * $failTwo($value, ["a"], "be added")`.
 */
function sumWithKnownType(
  { args: [left, right] }: Binary,
  a: Code,
  b: Code,
  printer: JsonataPrinter,
): Code | undefined {
  const types = [left, right].map((side) => operandType(side, printer));
  const type = types[0] ?? types[1];
  if (type !== "string" && type !== "array") return undefined;
  const [open, other] = types[0] === undefined ? [left, right] : [right, left];
  const valueType = inferredType(open, printer);
  const join = (x: Code, y: Code) => (type === "string" ? infix("&", precedence.sum, x, y) : callCode("append", x, y));
  return bindName(a, printer, "value", (x) =>
    bindName(b, printer, "value", (y) => {
      const [tested, known] = other === right ? [x, y] : [y, x];
      const failure = () => callHelper(printer, "failTwo", x, y, code('"be added"'));
      const isOther = alternatives(valueType).some((part) => !["null", type].includes(plainTypeName(part)));
      const joined = join(x, y);
      const typed = isOther
        ? ternary(equal(callCode("type", tested), code(stringText(type))), joined, failure())
        : joined;
      return mayBe(valueType, "null") ? ternary(equal(tested, constantCode("null")), known, typed) : typed;
    }),
  );
}

function quotient(expression: Binary, a: Code, b: Code, printer: JsonataPrinter): Code {
  const [, right] = expression.args;
  const divides = right.kind === "literal" && right.value !== 0;
  return (
    (divides ? numericCode(expression, precedence.product, a, b, printer) : undefined) ??
    callArithmetic(expression, printer, "divide", a, b)
  );
}

function orderCode(expression: Binary, a: Code, b: Code, printer: JsonataPrinter): Code {
  const type = commonType(expression, printer);
  const { name: operator, args } = expression;
  if (type === "number" || (type === "string" && args.some((side) => isPlainText(constantOf(side)))))
    return infix(operator, precedence.comparison, a, b);
  if (typeof constantOf(args[1]) === "number" && isNullableNumber(args[0], printer))
    return bindName(a, printer, "value", (value) => {
      const compared = infix(operator, precedence.comparison, value, b);
      const none = constantCode("null");
      return operator === "<" || operator === "<="
        ? logical("or", [equal(value, none), compared])
        : logical("and", [infix("!=", precedence.comparison, value, none), compared]);
    });
  return infix(operator, precedence.comparison, callHelper(printer, "compare", a, b), constantCode("0"));
}

/** Whether all values are numbers or null, which is less than any number. */
const isNullableNumber = (expression: Expression, printer: JsonataPrinter): boolean =>
  alternatives(inferredType(expression, printer)).every((type) => ["null", "number"].includes(typeNameOf(type) ?? ""));
