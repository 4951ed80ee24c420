import { collect, type Expression, outputs, pipe, simplify, variable } from "../../src/expressions/index.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import { aslInexact } from "./diagnostics/kinds.ts";
import { noFacts } from "./jsonata/context.ts";
import { printJsonata, unsupportedParts } from "./jsonata/print.ts";

/**
 * Prints an expression over `$states.input`. If it does not have exactly one output, it becomes the array of its
 * outputs.
 */
export function printExpression(expression: Expression, span: Span): string | Diagnostic {
  const isOne = outputs(expression) === "one";
  const overInput = simplify(pipe(variable("input'"), isOne ? expression : collect(expression)));
  const [unsupported] = unsupportedParts(overInput);
  if (unsupported) return aslInexact(unsupported.span ?? span, { construct: unsupported.construct });
  const printVariable = (name: string): string =>
    name === "input'" ? "$states.input" : `$${name.replace(/\W/g, "_")}`;
  return printJsonata(overInput, printVariable, { ...noFacts, exposesMessages: false });
}
