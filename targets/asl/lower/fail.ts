import { type Expression, firstOr, literal, member, simplify } from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import { jsonataString, printJsonata } from "../jsonata/index.ts";
import type { FlatStep } from "../legalize/flatten.ts";
import type { State } from "../machine.ts";
import type { ScopeContext } from "./context.ts";
import { keptError, resolve, type Symbols } from "./environment.ts";
import { environment, field } from "./fields.ts";

/** A step that ends its scope with an error, as errors travel: `Error` is its name; `Cause` its message, or what a Lambda function's would be. */
export function failState(
  context: ScopeContext,
  key: string,
  step: Extract<FlatStep, { kind: "end" }>,
  symbols: Symbols,
): State {
  const value = resolve(step.value, symbols);
  const error = value.kind === "variable" && context.usedNames.has(value.name) ? keptError(value.name) : value;
  const name = simplify(firstOr(member(error, "name"), literal("Error")));
  const message = simplify(firstOr(member(error, "message"), literal("")));
  const cause =
    message.kind === "literal"
      ? field(message, context)
      : detailed(name, message, simplify(member(error, "data")), context);
  return {
    key,
    type: "Fail",
    step: step.id,
    fields: [
      ["Error", field(name, context)],
      ["Cause", cause],
    ],
  };
}

/** The Cause of an error that came from elsewhere: JSON with its message and, where it has one, its trace. */
function detailed(name: Expression, message: Expression, data: Expression, { counts }: ScopeContext): Json {
  const printed = (expression: Expression): string =>
    printJsonata(expression, environment, (known) => counts.has(known));
  const trace = data.kind === "variable" ? `${printed(data)}.trace` : printed(member(data, "trace"));
  return jsonataString(
    `$string({"errorMessage": ${printed(message)}, "errorType": ${printed(name)}, "stackTrace": ${trace}})`,
  );
}
