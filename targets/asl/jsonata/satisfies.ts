import type { Expression } from "../../../src/expressions/ast.ts";
import type { Json } from "../../../src/json.ts";
import { any, signs } from "./builtins.ts";
import { deeper, help, local, outputsOf, type Printer, refuse } from "./printer.ts";
import { optional, stream } from "./stream.ts";
import { patternText, valueText } from "./text.ts";

/** `satisfies(values, operator, operand)` with operator and operand written out, as short as the path allows. */
export function satisfies(values: Expression, operator: Expression, operand: Expression, printer: Printer): string {
  if (values.kind !== "array" || !values.items || operator.kind !== "literal" || operand.kind !== "literal")
    return refuse("a switch condition that is computed", values);
  const items = values.items;
  const word = String(operator.value);
  const test = (item: string): string => holds(item, word, operand.value, printer);
  if (outputsOf(items) !== "many") {
    const item = optional(items, printer);
    if (word === "exists" || word === "notexists") return word === "exists" ? `$exists(${item})` : `$not($exists(${item}))`;
    return once(item, printer, (name) => (positive(word) ? test(name) : `(${name} != null and $not(${test(name)}))`), word);
  }
  if (word === "exists" || word === "notexists") return `($count(${stream(items, printer)}) ${word === "exists" ? "> 0" : "= 0"})`;
  if (positive(word)) return any(items, deeper(printer), test);
  const fails = any(items, deeper(printer), (item) => `${item} = null or ${test(item)}`);
  return `($count(${stream(items, printer)}) > 0 and $not${fails})`;
}

const positive = (word: string): boolean => word !== "notnull" && word !== "notequals" && word !== "notmatches";

/** Text over a value that may be missing, computed once. */
function once(text: string, printer: Printer, body: (name: string) => string, word: string): string {
  const uses = positive(word) && word !== "matches" ? 1 : 2;
  if (uses === 1 || /^\$[A-Za-z_0-9.]+$/.test(text)) return body(text);
  const name = local(printer, "v");
  return `(${name} := ${text}; ${body(name)})`;
}

/** Whether one value satisfies an operator; of a negative one, what must not hold. */
function holds(item: string, word: string, operand: Json, printer: Printer): string {
  switch (word) {
    case "null":
    case "notnull":
      return `${item} = null`;
    case "equals":
    case "notequals":
      return equals(item, operand);
    case "matches":
      return `($type(${item}) = "string" ? $contains(${item}, ${pattern(operand)}) : false)`;
    case "notmatches":
      return `($type(${item}) = "string" ? $contains(${item}, ${pattern(operand)}) : true)`;
    case "lessthan":
      return compared(item, "<", operand, printer);
    case "lessthanorequals":
      return compared(item, "<=", operand, printer);
    case "greaterthan":
      return compared(item, ">", operand, printer);
    case "greaterthanorequals":
      return compared(item, ">=", operand, printer);
    default:
      return refuse(`switch operator \`${word}\``, { kind: "literal", value: word });
  }
}

/** Scalars written like a text equal it; any other operand equals what is deeply equal. */
function equals(item: string, operand: Json): string {
  if (typeof operand !== "string") return operand === null ? "false" : `${item} = ${valueText(operand)}`;
  const like =
    operand === "true" ||
    operand === "false" ||
    (operand !== "" && String(Number(operand)) === operand && Number.isFinite(Number(operand)));
  return like ? `${item} in [${valueText(operand)}, ${operand}]` : `${item} = ${valueText(operand)}`;
}

function compared(item: string, operator: string, operand: Json, printer: Printer): string {
  return `(${help(printer, "order", item, valueText(operand))} in ${signs(operator)})`;
}

const pattern = (operand: Json): string => patternText(String(operand));
