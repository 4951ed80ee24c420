import { proveDataFlow } from "../analysis/types/flow.ts";
import {
  binary,
  call,
  conditional,
  type Expression,
  inferType,
  isTotal,
  literal,
  type VariableTypes,
} from "../expressions/index.ts";
import { mapScopes, redirectStep, stepsOf } from "../ir/walk.ts";
import type { Choose, Invoke, Reference, Scope, Step, Workflow } from "../ir/workflow.ts";
import { typeNameOf } from "../types/index.ts";

/**
 * Checks the input of subflows that take objects where they are started, if its type does not prove it: anything else
 * fails with `InvalidInput`, as it does for a run. A subflow that nothing waits for is then not started. So every
 * executor and every analysis relies on the same check.
 */
export function checkSubflowInputs(workflows: readonly Workflow[]): readonly Workflow[] {
  const strict = new Set(workflows.flatMap(({ id, anyInput }) => (anyInput ? [] : [id])));
  const isChecked = (step: Step): step is Invoke => step.kind === "invoke" && strict.has(step.workflow.name);
  return workflows.map((workflow) => {
    if (!stepsOf(workflow).some(isChecked)) return workflow;
    const { before } = proveDataFlow(workflow, []);
    return mapScopes(workflow, (scope) => {
      const unproven = scope.steps.filter(isChecked).filter((step) => !isObject(step.input, before.get(step.id)));
      return unproven.reduce(checkInput, scope);
    });
  });
}

const isObject = (input: Expression, types: VariableTypes | undefined): boolean =>
  typeNameOf(inferType(input, types ?? new Map())) === "object";

const invalidInput = call(
  "error",
  literal({ name: "InvalidInput", message: "The input of a run has to be an object." }),
);

const isObjectTest = (input: Expression): Expression => binary("==", call("type", input), literal("object"));

function checkInput(scope: Scope, step: Invoke): Scope {
  const { input, wait } = step;
  if (!wait && isTotal(input)) return skipInvalid(scope, step);
  const checked = conditional(isObjectTest(input), input, invalidInput);
  const steps = scope.steps.map((each) => (each.id === step.id ? { ...each, input: checked } : each));
  return { ...scope, steps };
}

/** Puts a choice before a step that starts a subflow only with an object. */
function skipInvalid(scope: Scope, step: Invoke): Scope {
  const { span, origin, input, next } = step;
  const ids = new Set(scope.steps.map(({ id }) => id));
  let id = `${step.id}/input`;
  for (let i = 2; ids.has(id); i++) id = `${step.id}/input-${i}`;
  const choice: Choose = {
    kind: "choose",
    id,
    span,
    origin,
    cases: [{ when: isObjectTest(input), next: { name: step.id, span }, span }],
    otherwise: next,
  };
  const redirect = (reference: Reference): Reference =>
    reference.name === step.id ? { ...reference, name: id } : reference;
  return {
    ...scope,
    entry: redirect(scope.entry),
    steps: scope.steps.flatMap((each) =>
      each.id === step.id ? [choice, redirectStep(each, redirect)] : [redirectStep(each, redirect)],
    ),
  };
}
