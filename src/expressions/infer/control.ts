import { assertNever } from "../../json.ts";
import { any, never, nullShape, type Shape, string } from "../../shapes/shape.ts";
import { trueOf, truthOf } from "../../shapes/truth.ts";
import { union } from "../../shapes/union.ts";
import type { Alternative, Expression, Foreach, Reduce, Try } from "../core/ast.ts";
import type { ControlKind } from "../core/walk/control.ts";
import { fixpoint } from "./fixpoint.ts";
import { infer } from "./infer.ts";
import { type Outcome, type Scope, several, withShape } from "./scope.ts";

type ControlExpression = Extract<Expression, { kind: ControlKind | "break" }>;

/** What expressions give that decide what is evaluated and how often. What functions give is not followed. */
export function inferControl(expression: ControlExpression, scope: Scope): Outcome {
  switch (expression.kind) {
    case "reduce":
      return reduced(expression, scope);
    case "foreach":
      return folded(expression, scope);
    case "alternative":
      return alternative(expression, scope);
    case "try":
      return attempted(expression, scope);
    case "label":
      return several(infer(expression.body, scope).shape);
    case "break":
      return several(never);
    case "define":
      return infer(expression.rest, scope);
    case "apply":
      return several(any);
    case "interpolation": {
      const parts = expression.parts.filter((part) => typeof part !== "string").map((part) => infer(part, scope));
      return { shape: string, some: parts.every(({ some }) => some) };
    }
    default:
      return assertNever(expression);
  }
}

/** The value so far, at any time: without an output of the update it is null. */
function stateOf({ source, name, initial, update }: Reduce | Foreach, scope: Scope) {
  const variables = withShape(scope.variables, name, infer(source, scope).shape);
  const start = infer(initial, scope);
  const next = (input: Shape, watch: Scope["watch"]): Outcome => infer(update, { ...scope, input, variables, watch });
  const state = fixpoint(start.shape, (shape) => {
    const { shape: after, some } = next(shape, undefined);
    return some ? after : union(after, nullShape);
  });
  return { start, state, variables, updated: next(state, scope.watch).shape };
}

function reduced(expression: Reduce, scope: Scope): Outcome {
  const { start, state } = stateOf(expression, scope);
  return { shape: state, some: start.some };
}

function folded(expression: Foreach, scope: Scope): Outcome {
  const { updated, variables } = stateOf(expression, scope);
  return several(infer(expression.extract, { ...scope, input: updated, variables }).shape);
}

function alternative({ left, right }: Alternative, scope: Scope): Outcome {
  const first = infer(left, scope);
  if (first.some && truthOf(first.shape) === "always") return first;
  const second = infer(right, scope);
  return { shape: union(trueOf(first.shape), second.shape), some: second.some };
}

/** What it fails with can be anything. */
function attempted({ body, handler }: Try, scope: Scope): Outcome {
  const tried = infer(body, scope);
  if (!handler) return several(tried.shape);
  const caught = infer(handler, { ...scope, input: any });
  return { shape: union(tried.shape, caught.shape), some: tried.some && caught.some };
}
