import { fuelOf, spend } from "../../shapes/fuel.ts";
import { shapeOfValue } from "../../shapes/literal.ts";
import { settled } from "../../shapes/settle.ts";
import { any, arrayOf, isNever, type Member, never, nullShape, objectOf, type Shape } from "../../shapes/shape.ts";
import { truthOf, truthShape } from "../../shapes/truth.ts";
import { union } from "../../shapes/union.ts";
import type { Conditional, Expression, ObjectConstruction } from "../core/ast.ts";
import type { ControlKind } from "../core/walk/control.ts";
import type { PathKind } from "../core/walk/paths.ts";
import { calculatedShape } from "./arithmetic.ts";
import { inferCall } from "./calls.ts";
import { inferControl } from "./control.ts";
import { inferPath } from "./paths.ts";
import { inferQuery } from "./query.ts";
import { type Outcome, one, type Scope, type Shapes, several, type Watch, withShape } from "./scope.ts";

export type { Outcome, Scope, Shapes, Sighting, Watch } from "./scope.ts";
export { withShape } from "./scope.ts";

/** How many parts of one expression are looked at, those in folds several times; the rest can be anything. */
const mostParts = 20_000;

/**
 * The shape of all values that an expression gives, given those of the variables; `.` is null. Sound: whatever values of these shapes the variables
 * have, every output of the evaluator is of this shape. `watch` hears of the steps of all paths in it.
 */
export const shapeOf = (expression: Expression, variables: Shapes, watch?: Watch): Shape =>
  settled(infer(expression, { input: nullShape, variables, watch, fuel: fuelOf(mostParts) }).shape);

/** What is known of the outputs of an expression. */
export function infer(expression: Expression, scope: Scope): Outcome {
  if (!spend(scope.fuel)) return several(any);
  switch (expression.kind) {
    case "literal":
      return one(shapeOfValue(expression.value));
    case "identity":
      return one(scope.input);
    case "variable":
      return one(scope.variables.get(expression.name) ?? any);
    case "query":
      return inferQuery(expression, scope);
    case "object":
      return constructed(expression, scope);
    case "array":
      return one(arrayOf(expression.items ? infer(expression.items, scope).shape : never));
    case "comma":
      return either(expression.items.map((item) => infer(item, scope)));
    case "if":
      return conditional(expression, scope);
    case "call":
      return inferCall(expression, scope);
    default:
      return inferFurther(expression, scope);
  }
}

type Further = Extract<Expression, { kind: "pipe" | "let" | "logic" | "binary" | "break" | PathKind | ControlKind }>;

function inferFurther(expression: Further, scope: Scope): Outcome {
  switch (expression.kind) {
    case "pipe": {
      const left = infer(expression.left, scope);
      return after(left, infer(expression.right, { ...scope, input: left.shape }));
    }
    case "let": {
      const value = infer(expression.value, scope);
      const variables = withShape(scope.variables, expression.name, value.shape);
      return after(value, infer(expression.body, { ...scope, variables }));
    }
    case "logic":
      return logic(infer(expression.left, scope), infer(expression.right, scope), expression.operator === "or");
    case "binary": {
      const [left, right] = [infer(expression.left, scope), infer(expression.right, scope)];
      return { shape: calculatedShape(expression.operator, left.shape, right.shape), some: left.some && right.some };
    }
    case "access":
    case "slice":
    case "iterate":
    case "recurse":
    case "path":
    case "update":
      return inferPath(expression, scope);
    default:
      return inferControl(expression, scope);
  }
}

/** What the one gives for each output of the other: where the other has none, nothing. */
function after(before: Outcome, { shape, some }: Outcome): Outcome {
  return isNever(before.shape) ? { shape: never, some: before.some } : { shape, some: before.some && some };
}

const either = (outcomes: readonly Outcome[]): Outcome => ({
  shape: union(...outcomes.map(({ shape }) => shape)),
  some: outcomes.some(({ some }) => some),
});

function conditional({ condition, then, otherwise }: Conditional, scope: Scope): Outcome {
  const decided = infer(condition, scope);
  const truth = truthOf(decided.shape);
  if (isNever(decided.shape)) return { shape: never, some: decided.some };
  const [yes, no] = [
    truth === "never" ? undefined : infer(then, scope),
    truth === "always" ? undefined : infer(otherwise, scope),
  ];
  const some = decided.some && (yes?.some ?? true) && (no?.some ?? true);
  return { shape: union(yes?.shape ?? never, no?.shape ?? never), some };
}

function logic(left: Outcome, right: Outcome, decisive: boolean): Outcome {
  const truth = truthOf(left.shape);
  const some = left.some && right.some;
  if (isNever(left.shape)) return { shape: never, some };
  if (truth === (decisive ? "always" : "never")) return { shape: truthShape(truth), some: left.some };
  const last = isNever(right.shape) ? "maybe" : truthOf(right.shape);
  const isKnown = truth !== "maybe" || last === (decisive ? "always" : "never");
  return { shape: truthShape(isKnown ? last : "maybe"), some };
}

/** Of equal keys the last wins; a key that is not known may be any of those before it. */
function constructed({ entries }: ObjectConstruction, scope: Scope): Outcome {
  const members = new Map<string, Member>();
  let rest: Shape = never;
  let some = true;
  for (const entry of entries) {
    const [key, value] = [infer(entry.key, scope), infer(entry.value, scope)];
    some &&= key.some && value.some;
    if (isNever(key.shape) || isNever(value.shape)) return { shape: never, some };
    if (key.shape.kind === "literal" && typeof key.shape.value === "string") {
      members.set(key.shape.value, { shape: value.shape, required: true });
      continue;
    }
    for (const [name, member] of members) members.set(name, { ...member, shape: union(member.shape, value.shape) });
    rest = union(rest, value.shape);
  }
  return { shape: objectOf(members, rest), some };
}
