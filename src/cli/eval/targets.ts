import { aslInexact } from "../../../targets/asl/diagnostics/kinds.ts";
import { printJsonata, refusals } from "../../../targets/asl/jsonata/index.ts";
import { unsupportedExpression } from "../../diagnostics/data.ts";
import {
  collect,
  compileJavaScript,
  type Expression,
  factsOf,
  isRefusal,
  outputs,
  pipe,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { Diagnostic } from "../../text/diagnostics.ts";
import type { Source, Span } from "../../text/source.ts";
import type { targetsOfExpressions } from "./names.ts";
import { printTypeScript } from "./typescript.ts";

/** The text that an expression becomes, or why it has no exact form. */
export function printExpressionAs(
  expression: Expression,
  target: (typeof targetsOfExpressions)[number],
  source: Source,
  variables: readonly string[] = [],
): string | Diagnostic {
  const whole: Span = { source, start: 0, end: source.text.length };
  switch (target) {
    case "js":
      return javascriptText(expression, whole);
    case "ts":
      return typescriptText(expression, variables, whole);
    case "jsonata":
      return jsonataText(expression, whole);
  }
}

/** A function of the document and the variables; where it would not read well, the JavaScript that computes it instead. */
function typescriptText(expression: Expression, variables: readonly string[], whole: Span): string | Diagnostic {
  const simple = simplify(expression);
  const own = factsOf(simple).free.has("now'") ? [...variables, "now'"] : variables;
  const program = printTypeScript(simple, own);
  if (program) return program.code.trimEnd();
  const computed = javascriptText(expression, whole);
  return typeof computed === "string"
    ? `// No TypeScript that reads well does exactly this. It is computed by JavaScript:\n${computed}`
    : computed;
}

/** A function of the document; where the expression need not give one value, it gives the array of its outputs. */
function javascriptText(expression: Expression, whole: Span): string | Diagnostic {
  const program = compileJavaScript(simplify(expression));
  return isRefusal(program)
    ? unsupportedExpression(program.span ?? whole, { message: program.refused })
    : program.code.trimEnd();
}

/** An expression over `$states.input`; where it need not give one value, it gives the list of its outputs. */
function jsonataText(expression: Expression, whole: Span): string | Diagnostic {
  const over = simplify(pipe(variable("input'"), outputs(expression) === "one" ? expression : collect(expression)));
  const [refusal] = refusals(over);
  if (refusal) return aslInexact(refusal.span ?? whole, { construct: refusal.construct });
  return printJsonata(over, (name) => (name === "input'" ? "$states.input" : `$${name.replace(/\W/g, "_")}`));
}
