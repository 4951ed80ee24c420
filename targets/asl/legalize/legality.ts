import { type Expression, simplify, substitute } from "../../../src/expressions/index.ts";
import {
  handlersOf,
  innerScopes,
  ownExpressions,
  reachableSteps,
  retriesOf,
  stepsById,
  successors,
} from "../../../src/ir/walk.ts";
import type { Assign, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { assertNever, isObject } from "../../../src/json.ts";
import { matchedErrors } from "../../../src/passes/index.ts";
import type { Type } from "../../../src/types/index.ts";
import { noFacts, UnsupportedExpression } from "../jsonata/context.ts";
import { isPlainForm } from "../jsonata/plain-forms.ts";
import { printJsonata, templateOf } from "../jsonata/print.ts";
import { argumentsOf, type Services } from "../services.ts";

/**
 * Where an expression is printed: `value` is one JSONata expression, `field` is JSON with expressions at its leaves,
 * `payload` is a field if that is an object, or else a value.
 */
type ExpressionPosition = "value" | "field" | "payload";

/**
 * Whether an expression has an exact form in JSONata, without facts about its variables. Asks the printer, which alone
 * knows its limits of size and nesting, except for forms that it never rejects.
 */
export function isLegal(expression: Expression, position: ExpressionPosition): boolean {
  try {
    const simple = simplify(expression);
    if (isPlainForm(simple)) return true;
    const template = position === "value" ? undefined : templateOf(simple, printVariable, noFacts, requireLegal);
    if (position === "value" || (position === "payload" && !isObject(template!))) requireLegal(simple);
    return true;
  } catch (error) {
    if (error instanceof UnsupportedExpression) return false;
    throw error;
  }
}

/** Throws `UnsupportedExpression` unless an expression is legal; returns a leaf for the template. */
function requireLegal(expression: Expression): string {
  if (!legal.has(expression)) printJsonata(expression, printVariable);
  legal.add(expression);
  return "";
}

/** Values are checked in several positions and layouts. Without facts, the expression alone decides. */
const legal = new WeakSet<Expression>();

/** Whether an expression has an exact form that cannot fail. */
export function isLegalAndTotal(expression: Expression, types: ReadonlyMap<string, Type>): boolean {
  try {
    return !printJsonata(simplify(expression), printVariable, { ...noFacts, types }).includes("$error(");
  } catch (error) {
    if (error instanceof UnsupportedExpression) return false;
    throw error;
  }
}

const printVariable = (name: string): string => `$${name.replace(/\W/g, "_")}`;

interface PrintedExpression {
  readonly expression: Expression;
  readonly position: ExpressionPosition;
}

/**
 * Whether all reachable expressions are legal. Ignores folding during selection: an expression that becomes constant
 * or unreachable only then is outlined.
 */
export const hasOnlyLegalExpressions = ({ body }: Workflow, services: Services): boolean =>
  isLegalScope(body, undefined, services);

function isLegalScope(scope: Scope, owner: Step | undefined, services: Services): boolean {
  const reached = reachableSteps(scope);
  const steps = stepsById(scope);
  const predecessors = new Map<string, number>();
  for (const { name } of [scope.entry, ...scope.steps.flatMap(successors)])
    predecessors.set(name, (predecessors.get(name) ?? 0) + 1);
  const isLegalFolded = (assign: Assign): boolean =>
    assign.values.every(({ value }) => isLegal(value, "value")) ||
    isLegalThrough(assign, steps, predecessors, owner?.kind !== "attempt", services);
  const isLegalStep = (step: Step): boolean =>
    [...retriesOf(step), ...handlersOf(step)].every(({ when }) => matchedErrors(when) || isLegal(when, "value")) &&
    printedExpressions(step, services).every(({ expression, position }) => isLegal(expression, position)) &&
    (step.kind !== "assign" || isLegalFolded(step)) &&
    innerScopes(step).every((inner) => isLegalScope(inner, step, services));
  return (
    scope.variables.every(({ initial }) => !initial || isLegal(initial, "value")) &&
    scope.steps.every((step) => !reached.has(step.id) || isLegalStep(step))
  );
}

/**
 * However far selection folds it. Some values are legal as fields but not inside expressions, such as an object with
 * the key `__proto__`.
 */
function isLegalThrough(
  assign: Assign,
  steps: ReadonlyMap<string, Step>,
  predecessors: ReadonlyMap<string, number>,
  endsRun: boolean,
  services: Services,
): boolean {
  let values = new Map(assign.values.map(({ variable, value }) => [variable, value]));
  const visited = new Set<Step>([assign]);
  for (let step = steps.get(assign.next.name); step && !visited.has(step); step = steps.get(step.next.name)) {
    if (predecessors.get(step.id) !== 1) return true;
    visited.add(step);
    const isFolded = ({ expression, position }: PrintedExpression): boolean =>
      isLegal(substitute(expression, values), position);
    if (!printedExpressions(step, services).every(isFolded)) return false;
    if (step.kind !== "assign") return innerScopes(step).length === 0 && (step.kind !== "end" || endsRun);
    const folded = step.values.map(({ variable, value }) => [variable, substitute(value, values)] as const);
    values = new Map([...values, ...folded]);
  }
  return true;
}

/** As selection prints them. */
function printedExpressions(step: Step, services: Services): readonly PrintedExpression[] {
  const printed = (position: ExpressionPosition, ...expressions: readonly Expression[]): readonly PrintedExpression[] =>
    expressions.map((expression) => ({ expression, position }));
  switch (step.kind) {
    case "assign":
      return printed("field", ...step.values.map(({ value }) => value));
    case "choose":
      return printed("value", ...step.cases.map(({ when }) => when));
    case "call":
      return printed("payload", argumentsOf(services.serviceOf(step.function.name), step.argument));
    case "invoke":
      return printed("payload", step.input);
    case "emit":
      return printed("field", ...ownExpressions(step));
    case "end":
      return printed(step.outcome === "fail" ? "value" : "payload", step.value);
    case "foreach":
      return printed("value", step.items);
    case "delay":
      return printed("field", step.wait.kind === "for" ? step.wait.seconds : step.wait.instant);
    case "receive":
    case "fork":
    case "attempt":
      return [];
    default:
      return assertNever(step);
  }
}
