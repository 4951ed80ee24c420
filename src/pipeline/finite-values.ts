import { proveDataFlow } from "../analysis/types/flow.ts";
import { type Expression, mayBeInfinite, toFiniteValues, type VariableTypes } from "../expressions/index.ts";
import { mapScopes, scopesOf, workExpressions } from "../ir/walk.ts";
import type { Emit, Scope, Step, Workflow } from "../ir/workflow.ts";
import { assertNever } from "../json.ts";

/**
 * Converts what a workflow binds to values that JSON carries: variables, arguments, outputs, elements and the data of
 * events. The conversion is part of the IR, so that no executor keeps NaN or an infinity in its data. Conditions bind
 * nothing.
 */
export function bindFiniteValues(workflow: Workflow): Workflow {
  if (!bindsInfinite(workflow)) return workflow;
  const { before } = proveDataFlow({ ...workflow, anyInput: true }, []);
  const { correlation } = workflow;
  const bound = mapScopes(workflow, (scope) => ({
    ...bindInitialValues(scope),
    steps: scope.steps.map((step) => bindStep(step, before.get(step.id))),
  }));
  return correlation ? { ...bound, correlation: toFiniteValues(correlation) } : bound;
}

const bindsInfinite = (workflow: Workflow): boolean =>
  [
    ...(workflow.correlation ? [workflow.correlation] : []),
    ...scopesOf(workflow).flatMap(({ scope }) => [
      ...scope.variables.flatMap(({ initial }) => initial ?? []),
      ...scope.steps.flatMap(workExpressions),
    ]),
  ].some(mayBeInfinite);

const bindInitialValues = (scope: Scope): Scope => ({
  ...scope,
  variables: scope.variables.map((variable) =>
    variable.initial ? { ...variable, initial: toFiniteValues(variable.initial) } : variable,
  ),
});

const withFiniteValues = (
  attributes: NonNullable<Emit["attributes"]>,
  toFinite: (expression: Expression) => Expression,
): Emit["attributes"] =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, toFinite(value)] as const));

function bindStep(step: Step, types: VariableTypes | undefined): Step {
  const toFinite = (expression: Expression): Expression => toFiniteValues(expression, types);
  switch (step.kind) {
    case "assign":
      return { ...step, values: step.values.map((each) => ({ ...each, value: toFinite(each.value) })) };
    case "call":
      return { ...step, argument: toFinite(step.argument) };
    case "delay":
      return {
        ...step,
        wait:
          step.wait.kind === "for"
            ? { ...step.wait, seconds: toFinite(step.wait.seconds) }
            : { ...step.wait, instant: toFinite(step.wait.instant) },
      };
    case "receive":
      return step.correlation
        ? { ...step, correlation: step.correlation.map((each) => ({ ...each, value: toFinite(each.value) })) }
        : step;
    case "emit":
      return {
        ...step,
        data: toFinite(step.data),
        correlation: step.correlation && toFinite(step.correlation),
        attributes: step.attributes && withFiniteValues(step.attributes, toFinite),
      };
    case "foreach":
      return { ...step, items: toFinite(step.items) };
    case "invoke":
      return { ...step, input: toFinite(step.input) };
    case "end":
      return { ...step, value: toFinite(step.value) };
    case "attempt":
    case "choose":
    case "fork":
      return step;
    default:
      return assertNever(step);
  }
}
