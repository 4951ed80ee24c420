import type { Expression } from "../../../src/expressions/ast.ts";
import type { Json } from "../../../src/json.ts";
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
]);

/** How variables of resolved expressions are written: what is provided by its text, everything else is a variable of the machine. */
export const environment = (name: string): string => texts.get(name) ?? branchText(name) ?? `$${name}`;

/** The text for what a branch has given. */
const branchText = (name: string): string | undefined =>
  name.startsWith(provided.result) ? `$states.result[${name.slice(provided.result.length)}]` : undefined;

/** An expression as the value of a field: JSON with expressions in it where that can be read, else one expression. */
export const field = (expression: Expression, { counts }: ScopeContext): Json =>
  jsonataTemplate(expression, environment, (name) => counts.has(name));

/** An expression as a single `{% … %}`. */
export const single = (expression: Expression, { counts }: ScopeContext): Json =>
  jsonataString(printJsonata(expression, environment, (name) => counts.has(name)));
