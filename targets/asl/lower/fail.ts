import type { Expression } from "../../../src/expressions/ast.ts";
import { firstOr, literal, member } from "../../../src/expressions/build.ts";
import type { Json } from "../../../src/json.ts";
import type { FlatStep } from "../legalize/flatten.ts";
import type { State } from "../machine.ts";
import type { ScopeContext } from "./context.ts";
import { resolve, type Symbols } from "./environment.ts";
import { field } from "./fields.ts";

/** A step that ends its scope with an error: `Error` is its name, `Cause` its message. */
export function failState(context: ScopeContext, key: string, step: Extract<FlatStep, { kind: "end" }>, symbols: Symbols): State {
  const part = (name: string, fallback: string): Json =>
    field(text(resolve(firstOr(member(step.value, name), literal(fallback)), symbols)), context);
  return {
    key,
    type: "Fail",
    step: step.id,
    fields: [
      ["Error", part("name", "Error")],
      ["Cause", part("message", "")],
    ],
  };
}

/** Both fields have to be strings; errors of the IR have no other names and messages. */
const text = (expression: Expression): Expression => expression;
