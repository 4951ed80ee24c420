import type {
  ArrayConstruction,
  Binary,
  Conditional,
  Expression,
  Let,
  Logic,
  ObjectConstruction,
  Reduce,
} from "../../../src/expressions/ast.ts";
import { factsOf } from "../../../src/expressions/facts.ts";
import { assertNever } from "../../../src/json.ts";
import { builtin } from "./builtins.ts";
import { deeper, help, local, outputsOf, type Printer, refuse } from "./printer.ts";
import { optional, stream } from "./stream.ts";
import { stringText, valueText } from "./text.ts";

/** An expression with exactly one output, as text that gives it; text of several parts is in parentheses. */
export function value(expression: Expression, printer: Printer): string {
  if (outputsOf(expression) !== "one") return optional(expression, printer);
  switch (expression.kind) {
    case "literal":
      return valueText(expression.value);
    case "identity":
      return printer.dot;
    case "variable":
      return printer.bound.get(expression.name) ?? printer.environment(expression.name);
    case "query":
      return optional(expression, printer);
    case "object":
      return objectText(expression, printer);
    case "array":
      return arrayText(expression, printer);
    case "comma":
      return value(expression.items.find((item) => outputsOf(item) === "one")!, printer);
    case "pipe":
      return bound(expression.left, printer, (name) => value(expression.right, deeper(printer, { dot: name })));
    case "let":
      return letText(expression, printer, value);
    case "if":
      return conditionalText(expression, printer, value);
    case "logic":
      return logicText(expression, printer);
    case "binary":
      return binaryText(expression, printer);
    case "reduce":
      return reduceText(expression, printer);
    case "call":
      return builtin(expression, printer);
    default:
      return assertNever(expression);
  }
}

/** An expression as a condition: true or false, as jq takes its value. */
export function condition(expression: Expression, printer: Printer): string {
  return factsOf(expression).type === "boolean" ? value(expression, printer) : help(printer, "truthy", value(expression, printer));
}

/** `value as $x | body`, for a value with one output. */
export function letText(expression: Let, printer: Printer, print: (body: Expression, printer: Printer) => string): string {
  return bound(
    expression.value,
    printer,
    (name) => print(expression.body, deeper(printer, { bind: [expression.name, name] })),
    expression.name,
  );
}

/** A choice between two expressions, printed alike. */
export function conditionalText(
  { condition: when, then, otherwise }: Conditional,
  printer: Printer,
  print: (body: Expression, printer: Printer) => string,
): string {
  return `(${condition(when, printer)} ? ${print(then, printer)} : ${print(otherwise, printer)})`;
}

/** Text over a value that is computed once: under a name, unless it is one already. */
export function bound(expression: Expression, printer: Printer, body: (name: string) => string, wanted = "v"): string {
  if (outputsOf(expression) !== "one") refuse("a name for a stream of values", expression);
  const text = value(expression, printer);
  if (/^\$[A-Za-z_0-9.]+$/.test(text)) return body(text);
  const name = local(printer, wanted);
  return `(${name} := ${text}; ${body(name)})`;
}

function objectText(expression: ObjectConstruction, printer: Printer): string {
  const keys = expression.entries.map(({ key }) => (key.kind === "literal" && typeof key.value === "string" ? key.value : undefined));
  const parts = expression.entries.map(({ key, value: item }, i) => {
    const name = keys[i] === undefined ? value(key, printer) : stringText(keys[i]!);
    return `${name}: ${value(item, printer)}`;
  });
  if (keys.includes("__proto__")) refuse("an object with the key `__proto__`", expression);
  const distinct = keys.every((key) => key !== undefined) && new Set(keys).size === keys.length;
  return distinct ? `{${parts.join(", ")}}` : `$merge([${parts.map((part) => `{${part}}`).join(", ")}])`;
}

function arrayText({ items }: ArrayConstruction, printer: Printer): string {
  if (!items) return "[]";
  const list = items.kind === "comma" ? items.items : [items];
  const plain = list.every((item) => outputsOf(item) === "one" && (item.kind === "literal" || isNoArray(item)));
  return plain ? `[${list.map((item) => value(item, printer)).join(", ")}]` : help(printer, "list", stream(items, printer));
}

const isNoArray = (expression: Expression): boolean => {
  const { type } = factsOf(expression);
  return type !== undefined && type !== "array";
};

function logicText(expression: Logic, printer: Printer): string {
  const parts: string[] = [];
  const collect = (part: Expression): void => {
    if (part.kind === "logic" && part.operator === expression.operator) {
      collect(part.left);
      collect(part.right);
    } else parts.push(condition(part, printer));
  };
  collect(expression);
  return balanced(parts, ` ${expression.operator} `);
}

/** A long chain as a tree, so that it does not nest as deep as it is long. */
function balanced(parts: readonly string[], separator: string): string {
  if (parts.length <= 8) return `(${parts.join(separator)})`;
  const half = parts.length >> 1;
  return `(${balanced(parts.slice(0, half), separator)}${separator}${balanced(parts.slice(half), separator)})`;
}

function binaryText({ operator, left, right, ...rest }: Binary, printer: Printer): string {
  const [a, b] = [value(left, printer), value(right, printer)];
  const types = [factsOf(left).type, factsOf(right).type];
  if (operator === "==" || operator === "!=") return `(${a} ${operator === "==" ? "=" : "!="} ${b})`;
  if (operator === "+" && types.every((type) => type === "string")) return `(${a} & ${b})`;
  if ([left, right].every(isNumber)) {
    if (operator === "%" || operator === "/") refuse(`\`${operator}\``, { ...rest, operator, left, right });
    return `(${a} ${operator} ${b})`;
  }
  if (operator === "+") return help(printer, "add", a, b);
  return refuse(`\`${operator}\` between values of unknown types`, { ...rest, operator, left, right });
}

/** Surely a number, made of such, or a variable of the machine: in arithmetic only its counters are used. */
const isNumber = (expression: Expression): boolean => {
  if (factsOf(expression).type === "number") return true;
  if (expression.kind === "binary") return /^[-+*]$/.test(expression.operator) && isNumber(expression.left) && isNumber(expression.right);
  return expression.kind === "variable" && (!expression.name.includes("'") || expression.name === "index'");
};

function reduceText({ source, name, initial, update }: Reduce, printer: Printer): string {
  const [sum, box, item] = [local(printer, "sum"), local(printer, "box"), local(printer, name)];
  const inner = deeper(printer, { dot: sum, bind: [name, item] });
  if (outputsOf(update) !== "one") refuse("a fold with several values", update);
  return `$reduce(${stream(source, printer)}, function(${sum}, ${box}) { (${item} := ${box}.v; ${value(update, inner)}) }, ${value(initial, printer)})`;
}
