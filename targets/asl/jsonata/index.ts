import type { Expression } from "../../../src/expressions/ast.ts";
import { factsOf, freeVariables } from "../../../src/expressions/facts.ts";
import type { Span } from "../../../src/source.ts";
import { after, type Code, code, lambda, whole } from "./code.ts";
import { value } from "./each.ts";
import { definitions } from "./helpers.ts";
import { type Environment, fresh, help, type Printer, Refused, withBound } from "./printer.ts";
import { bindCalls } from "./provided.ts";

export { functionNames } from "./helpers.ts";
export { type Environment, Refused } from "./printer.ts";
export { jsonataString, jsonataTemplate } from "./template.ts";

/** What is known of variables. */
export type Counts = (variable: string) => boolean;

const noCounts: Counts = () => false;

/**
 * An expression with one output as JSONata, on one line, that gives exactly that value, or fails exactly when it fails and carries the same name and message (`parseErrorMarker`).
 * Throws `Refused` for what `refusals` names. `isCount` knows variables that surely hold small whole numbers, for which arithmetic is written as it is.
 */
export const printJsonata = (expression: Expression, environment: Environment, isCount: Counts = noCounts): string =>
  shortest(environment, isCount, [expression], (printer) => bindCalls(expression, printer, (inner) => value(expression, inner)));

/** What a Map goes over: for each element of `items`, which is an array, what `selected` makes of it; the element and its index are variables there. */
export function printItems(
  items: Expression,
  variables: { readonly element: string; readonly index: string },
  selected: Expression,
  environment: Environment,
): string {
  return shortest(
    environment,
    (name) => name === variables.index,
    [items, selected],
    (printer) => {
      const [element, index] = [fresh(printer, "element"), fresh(printer, "index")];
      const inner = withBound(withBound(printer, variables.element, code(element)), variables.index, code(index));
      const parameters = freeVariables(selected).has(variables.index) ? [element, index] : [element];
      const isObject = factsOf(selected).type === "object";
      const made = value(selected, inner);
      const each = lambda(parameters, isObject ? made : code(`{"value": ${whole(made)}}`));
      const list = code(`$map(${whole(value(items, printer))}, ${each})`);
      return isObject ? code(`[${list.text}]`) : help(printer, "unbox", list);
    },
  );
}

/** What of an expression has no exact form in JSONata: nothing when `printJsonata` can print it. */
export function refusals(
  expression: Expression,
): readonly { readonly span: Span | undefined; readonly construct: string; readonly expression: Expression }[] {
  try {
    printJsonata(expression, (name) => `$${name.replace(/\W/g, "_")}`);
    return [];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [{ span: error.expression.span, construct: error.construct, expression: error.expression }];
  }
}

/** A text that defines a function for paths is longer. */
const shortestWithFunction = 150;

/** The shorter of two texts: with short paths written out, or with all paths followed by a function. */
function shortest(
  environment: Environment,
  isCount: Counts,
  expressions: readonly Expression[],
  print: (printer: Printer) => Code,
): string {
  const written = complete(environment, isCount, true, expressions, print);
  if (written.length <= shortestWithFunction) return written;
  const called = complete(environment, isCount, false, expressions, print);
  return written.length <= called.length ? written : called;
}

function complete(
  environment: Environment,
  isCount: Counts,
  inlines: boolean,
  expressions: readonly Expression[],
  print: (printer: Printer) => Code,
): string {
  const taken = new Set<string>();
  for (const expression of expressions) {
    for (const name of freeVariables(expression)) for (const [, used] of environment(name).matchAll(/\$([A-Za-z_]\w*)/g)) taken.add(used!);
  }
  const used = new Set<string>();
  const text = print({ environment, isCount, inlines, used, taken, bound: new Map(), dot: "null" });
  return whole(after(definitions(used), text));
}
