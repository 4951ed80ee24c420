import { type Expression, factsOf } from "../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { jsonataString, jsonataTemplate, printJsonata } from "../jsonata/index.ts";
import type { ScopeContext } from "./context.ts";
import { provided } from "./environment.ts";

/** The text of each thing that Step Functions provides. */
const texts: ReadonlyMap<string, string> = new Map([
  [provided.input, "$states.input"],
  [provided.result, "$states.result"],
  [provided.errorOrigin, "$failure.origin"],
  [provided.errorName, "$failure.name"],
  [provided.errorMessage, "$failure.message"],
  [provided.errorData, "$failure.data"],
  [provided.element, "$states.context.Map.Item.Value"],
  [provided.index, "$states.context.Map.Item.Index"],
  [provided.uuid, "$uuid()"],
  [provided.now, "$now()"],
  [provided.run, "$states.context.Execution.Name"],
  [provided.failed, "$exists($states.result.error)"],
  [provided.failureName, "$states.result.error.name"],
  [provided.failureMessage, "$states.result.error.message"],
  [provided.computed, "$states.result.value"],
]);

/** How variables of resolved expressions are written: what is provided by its text, everything else is a variable of the machine. */
export const environment = (name: string): string => texts.get(name) ?? branchText(name) ?? `$${name}`;

/** The text for what a branch has given. */
const branchText = (name: string): string | undefined =>
  name.startsWith(provided.result) ? `$states.result[${name.slice(provided.result.length)}]` : undefined;

/** An expression as the value of a field: JSON with expressions in it where that can be read, else one expression. */
export const field = (expression: Expression, { counts }: ScopeContext): Json =>
  jsonataTemplate(expression, environment, (name) => counts.has(name));

/** An expression as `Output` or `Arguments`: an object, or one expression. */
export function payload(expression: Expression, context: ScopeContext): Json {
  const written = field(expression, context);
  return isObject(written) || (typeof written === "string" && written.startsWith("{%"))
    ? written
    : single(expression, context);
}

/**
 * An expression as the value of a field that AWS takes as JSON text where it is a text, and for left out where it is null: these two are written as
 * JSON text.
 */
export function jsonField(expression: Expression, context: ScopeContext): Json {
  const { type } = factsOf(expression);
  if (type !== undefined && type !== "string" && type !== "null") return field(expression, context);
  const printed = printJsonata(expression, environment, (name) => context.counts.has(name));
  const [data, head] = /^\$[\w.]+$/.test(printed) ? [printed, ""] : ["$data", `$data := ${printed}; `];
  const text = `${head}$type(${data}) in ["string", "null"] ? $replace($string([${data}]), /^\\[|\\]$/, "") : ${data}`;
  return jsonataString(head === "" ? text : `(${text})`);
}

/** An expression as a single `{% … %}`. */
export const single = (expression: Expression, { counts }: ScopeContext): Json =>
  jsonataString(printJsonata(expression, environment, (name) => counts.has(name)));
