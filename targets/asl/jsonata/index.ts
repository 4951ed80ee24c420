import type { Expression } from "../../../src/expressions/ast.ts";
import { factsOf, freeVariables } from "../../../src/expressions/facts.ts";
import type { Json } from "../../../src/json.ts";
import { setOwn } from "../../../src/json.ts";
import { definitions } from "./helpers.ts";
import { deeper, type Environment, local, outputsOf, type Printer, Refused } from "./printer.ts";
import { unwrapped } from "./text.ts";
import { value } from "./value.ts";

export { functionNames } from "./helpers.ts";
export { type Environment, Refused } from "./printer.ts";

/** An expression with one output as JSONata that gives exactly that value, or fails exactly when it fails. Throws for what `refusals` names. */
export function printJsonata(expression: Expression, environment: Environment): string {
  const printer: Printer = { environment, used: new Set(), bound: new Map(), dot: "null", depth: 0 };
  const text = value(expression, printer);
  const head = definitions(printer.used);
  return head === "" ? unwrapped(text) : `(${head}${unwrapped(text)})`;
}

/** What a Map goes over: for each element of `items`, which is an array, what `selected` makes of it; the element and its index are variables there. */
export function printItems(
  items: Expression,
  variables: { readonly element: string; readonly index: string },
  selected: Expression,
  environment: Environment,
): string {
  const used = new Set<string>();
  const printer: Printer = { environment, used, bound: new Map(), dot: "null", depth: 0 };
  const [element, index] = [local(printer, "element"), local(printer, "index")];
  const inner = deeper(deeper(printer, { bind: [variables.element, element] }), { bind: [variables.index, index] });
  const made = value(selected, inner);
  const parameters = freeVariables(selected).has(variables.index) ? `${element}, ${index}` : element;
  const text = `$map(${value(items, printer)}, function(${parameters}) { ${isObject(selected) ? made : `{"v": ${made}}`} })`;
  if (!isObject(selected)) used.add("list");
  const list = isObject(selected) ? `[${text}]` : `$list([${text}])`;
  const head = definitions(used);
  return head === "" ? list : `(${head}${list})`;
}

/** Surely an object: a list of such stays as it is. */
const isObject = (expression: Expression): boolean =>
  factsOf(expression).type === "object" ||
  (expression.kind === "call" &&
    expression.name === "place" &&
    expression.args[1]?.kind === "literal" &&
    String(expression.args[1].value) !== "");

/** JSONata as the text of a field. */
export const jsonataString = (text: string): string => `{% ${text} %}`;

/** An expression as the value of a field: objects and arrays as JSON with expressions at their leaves, where that is exact. */
export function jsonataTemplate(expression: Expression, environment: Environment): Json {
  if (expression.kind === "literal" && !holdsMark(expression.value)) return expression.value;
  const keys = expression.kind === "object" ? expression.entries.map(({ key }) => (key.kind === "literal" ? key.value : undefined)) : [];
  if (
    expression.kind === "object" &&
    keys.every((key) => typeof key === "string" && key !== "__proto__") &&
    new Set(keys).size === keys.length
  ) {
    const result: { [key: string]: Json } = {};
    for (const [i, { value: item }] of expression.entries.entries()) setOwn(result, keys[i] as string, jsonataTemplate(item, environment));
    return result;
  }
  if (expression.kind === "array") {
    const items = expression.items?.kind === "comma" ? expression.items.items : expression.items ? [expression.items] : [];
    if (items.every((item) => outputsOf(item) === "one")) return items.map((item) => jsonataTemplate(item, environment));
  }
  return jsonataString(printJsonata(expression, environment));
}

/** Text that Step Functions would take for an expression. */
const holdsMark = (value: Json): boolean => JSON.stringify(value).includes("{%");

/** What of an expression has no exact form in JSONata; nothing when `printJsonata` can print it. */
export function refusals(expression: Expression): readonly { readonly construct: string; readonly expression: Expression }[] {
  try {
    printJsonata(expression, (name) => `$${name}`);
    return [];
  } catch (error) {
    if (error instanceof Refused) return [{ construct: error.construct, expression: error.expression }];
    throw error;
  }
}
