import type { Call, Expression } from "../../../src/expressions/ast.ts";
import { factsOf } from "../../../src/expressions/facts.ts";
import { isObject, type Json, own } from "../../../src/json.ts";
import { errorCall } from "./errors.ts";
import { deeper, help, local, outputsOf, type Printer, refuse } from "./printer.ts";
import { satisfies } from "./satisfies.ts";
import { optional, stream } from "./stream.ts";
import { stringText, valueText } from "./text.ts";
import { bound, condition, value } from "./value.ts";

/** A function of the core with exactly one output. */
export function builtin(call: Call, printer: Printer): string {
  const { args, name } = call;
  const [a, b, c] = args as readonly [Expression, Expression, Expression];
  const text = (i: number) => value(args[i]!, printer);
  switch (name) {
    case "not":
      return `$not(${condition(a, printer)})`;
    case "type":
      return `$type(${text(0)})`;
    case "text":
      return factsOf(a).type === "string" ? text(0) : help(printer, "text", text(0));
    case "merge":
      return mergeText(a, b, printer);
    case "absorb":
      return factsOf(b).type === "object" ? mergeText(a, b, printer) : help(printer, "absorb", text(0), text(1), text(2));
    case "place":
      return place(a, b, c, printer);
    case "changes":
      return help(printer, "changes", text(0), text(1));
    case "satisfies":
      return satisfies(a, b, c, printer);
    case "error":
      return failure(a, printer);
    case "first":
      return firstText(a, printer);
    case "exists":
      return outputsOf(a) === "many"
        ? `($count(${stream(a, printer)}) > 0)`
        : outputsOf(a) === "one"
          ? "true"
          : `$exists(${optional(a, printer)})`;
    case "truthy":
      return outputsOf(a) === "many"
        ? any(a, printer, (item) => help(printer, "truthy", item))
        : help(printer, "truthy", optional(a, printer));
    case "isEmpty":
      return `($exists(${optional(a, printer)}) ? ${optional(a, printer)} in [null, ""] or ${optional(a, printer)} = [] or ${optional(a, printer)} = {} : true)`;
    case "relates":
      return relates(a, literalOf(b, call), c, printer);
    case "comparesNodes":
      return comparesNodes(a, literalOf(b, call), c, printer);
    default:
      return refuse(`function \`${name}\``, call);
  }
}

function mergeText(target: Expression, item: Expression, printer: Printer): string {
  const types = [factsOf(target).type, factsOf(item).type];
  return help(printer, types.every((type) => type === "object") ? "blend" : "merged", value(target, printer), value(item, printer));
}

/** The first output of several expressions that has one. */
export function firstText(items: Expression, printer: Printer): string {
  const [head, ...rest] = items.kind === "comma" ? items.items : [items];
  if (!head) return "$head([])";
  if (outputsOf(head) === "one" || rest.length === 0) return optional(head, printer);
  const others = firstText({ kind: "comma", items: rest }, printer);
  if (/^(null|true|false|-?\d+|"[^"]*"|\$[A-Za-z_0-9.]+|\[\]|\{\})$/.test(others))
    return help(printer, "default", optional(head, printer), others);
  const name = local(printer, "found");
  return `(${name} := ${optional(head, deeper(printer))}; $exists(${name}) ? ${name} : ${firstText({ kind: "comma", items: rest }, deeper(printer))})`;
}

/** Whether something holds for some output. */
export function any(items: Expression, printer: Printer, holds: (item: string) => string): string {
  const box = local(printer, "item");
  return `($count([$map(${stream(items, printer)}, function(${box}) { ${holds(`${box}.v`)} ? ${box} })]) > 0)`;
}

function place(target: Expression, path: Expression, item: Expression, printer: Printer): string {
  const names = path.kind === "literal" && Array.isArray(path.value) ? path.value.map(String) : refuse("a place that is computed", path);
  if (names.includes("__proto__")) refuse("a place named `__proto__`", path);
  if (names.length === 0) return value(item, printer);
  return bound(target, printer, (name) => {
    const inner = deeper(printer);
    const nest = (depth: number): string => {
      if (depth === names.length) return value(item, inner);
      const around = names.slice(0, depth).reduce((text, key) => help(printer, "member", text, stringText(key)), name);
      return `$merge([${help(printer, "object", around)}, {${stringText(names[depth]!)}: ${nest(depth + 1)}}])`;
    };
    return help(printer, "put", name, stringText(names[0]!), nest(1));
  });
}

function failure(error: Expression, printer: Printer): string {
  if (error.kind === "literal" && isObject(error.value))
    return errorCall(stringText(`${own(error.value, "name")}: ${own(error.value, "message")}`));
  if (error.kind !== "object") return refuse("an error that is computed", error);
  const part = (wanted: string) => error.entries.find(({ key }) => key.kind === "literal" && key.value === wanted)?.value;
  const [name, message] = [part("name"), part("message")];
  if (!name || !message) return refuse("an error without name and message", error);
  return errorCall(`${help(printer, "text", value(name, printer))} & ": " & ${help(printer, "text", value(message, printer))}`);
}

/** What an operand of a comparison is: its value, the list of several, or nothing. */
const operand = (expression: Expression, printer: Printer): string =>
  outputsOf(expression) === "many" ? help(printer, "only", usingList(stream(expression, printer), printer)) : optional(expression, printer);

function usingList(text: string, printer: Printer): string {
  printer.used.add("list");
  printer.used.add("head");
  return text;
}

function relates(left: Expression, operator: Json, right: Expression, printer: Printer): string {
  const [a, b] = [operand(left, printer), operand(right, printer)];
  if (operator === "==") return `(${a} = ${b})`;
  if (operator === "!=") return present(left) && present(right) ? `(${a} != ${b})` : help(printer, "differ", a, b);
  return `(${help(printer, "order", a, b)} in ${signs(operator)})`;
}

/** Surely there, and not null where that matters: a missing side differs from null only. */
const present = (expression: Expression): boolean => outputsOf(expression) === "one" || false;

/** The signs of an order that an operator asks for. */
export function signs(operator: Json): string {
  const known: { readonly [operator: string]: string } = { "<": "[-1]", "<=": "[-1, 0]", ">": "[1]", ">=": "[0, 1]" };
  return known[String(operator)]!;
}

function comparesNodes(left: Expression, operator: Json, right: Expression, printer: Printer): string {
  const [a, b] = [optional(left, printer), optional(right, printer)];
  const sure = outputsOf(left) === "one" || outputsOf(right) === "one";
  if (operator === "==") return sure ? `(${a} = ${b})` : help(printer, "same", a, b);
  if (operator === "!=") return sure ? `$not(${a} = ${b})` : `$not(${help(printer, "same", a, b)})`;
  const order = `(${help(printer, "nodeOrder", a, b)} in ${signs(operator)})`;
  return sure || operator === "<" || operator === ">" ? order : `($exists(${a}) or $exists(${b}) ? ${order} : true)`;
}

/** `attribute(event, name)`: a context attribute, whatever its case. */
export function attributeStream(call: Call, printer: Printer): string {
  const [event, wanted] = call.args as readonly [Expression, Expression];
  const name = valueText(String(literalOf(wanted, call)).toLowerCase());
  return `[$each(${help(printer, "object", optional(event, printer))}, function($x, $k) { $lowercase($k) = ${name} and $k != "data" ? {"v": $x} })]`;
}

/** The value of an argument that has to be written out. */
export const literalOf = (argument: Expression, call: Call): Json =>
  argument.kind === "literal" ? argument.value : refuse(`a computed operand of \`${call.name}\``, call);
