import type { Expression } from "../../../src/expressions/ast.ts";
import { call, conditional, firstOr, literal, member, object } from "../../../src/expressions/build.ts";
import type { FlatStep } from "../legalize/flatten.ts";
import type { State } from "../machine.ts";
import type { ScopeContext } from "./context.ts";
import { resolve, type Symbols } from "./environment.ts";
import { field } from "./fields.ts";

/** A step that ends its scope with an error, as errors travel: `Error` is its name, `Cause` its message, or JSON where the error tells its place. */
export function failState(context: ScopeContext, key: string, step: Extract<FlatStep, { kind: "end" }>, symbols: Symbols): State {
  const written = (expression: Expression) => field(resolve(expression, symbols), context);
  const name = firstOr(member(step.value, "name"), literal("Error"));
  const message = firstOr(member(step.value, "message"), literal(""));
  const trace = member(step.value, "data", "trace");
  const detail = object([
    ["errorMessage", message],
    ["errorType", name],
    ["stackTrace", firstOr(trace, literal(null))],
  ]);
  const cause = conditional(call("exists", trace), call("text", detail), message);
  return {
    key,
    type: "Fail",
    step: step.id,
    fields: [
      ["Error", written(name)],
      ["Cause", written(cause)],
    ],
  };
}
