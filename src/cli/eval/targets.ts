import { printJsonata, refusals } from "../../../targets/asl/jsonata/index.ts";
import type { Diagnostic } from "../../diagnostics.ts";
import type { Expression } from "../../expressions/ast.ts";
import { collect, pipe, variable } from "../../expressions/build.ts";
import { outputs } from "../../expressions/facts.ts";
import { compileJavaScript, isRefusal } from "../../expressions/javascript/compile.ts";
import { simplify } from "../../expressions/simplify.ts";
import { aslInexact } from "../../messages/asl.ts";
import { unsupportedExpression } from "../../messages/expressions.ts";
import type { Source, Span } from "../../source.ts";
import type { targetsOfExpressions } from "./names.ts";

/** The text that an expression becomes, or why it has no exact form. */
export function printExpressionAs(
  expression: Expression,
  target: (typeof targetsOfExpressions)[number],
  source: Source,
): string | Diagnostic {
  const whole: Span = { source, start: 0, end: source.text.length };
  return target === "js" ? javascriptText(expression, whole) : jsonataText(expression, whole);
}

/** A function of the document; where the expression need not give one value, it gives the array of its outputs. */
function javascriptText(expression: Expression, whole: Span): string | Diagnostic {
  const program = compileJavaScript(simplify(expression));
  return isRefusal(program) ? unsupportedExpression(program.span ?? whole, { message: program.refused }) : program.code.trimEnd();
}

/** An expression over `$states.input`; where it need not give one value, it gives the list of its outputs. */
function jsonataText(expression: Expression, whole: Span): string | Diagnostic {
  const over = simplify(pipe(variable("input'"), outputs(expression) === "one" ? expression : collect(expression)));
  const [refusal] = refusals(over);
  if (refusal) return aslInexact(refusal.span ?? whole, { construct: refusal.construct });
  return printJsonata(over, (name) => (name === "input'" ? "$states.input" : `$${name.replace(/\W/g, "_")}`));
}
