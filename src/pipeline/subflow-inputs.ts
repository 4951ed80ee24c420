import { proveDataFlow } from "../analysis/types/flow.ts";
import { type Expression, inferType, isTotal, type VariableTypes } from "../expressions/index.ts";
import { acceptedInput, acceptsInput } from "../ir/inputs.ts";
import { mapScopes, redirectStep, stepsOf } from "../ir/walk.ts";
import type { Choose, Invoke, Reference, Scope, Step, Workflow } from "../ir/workflow.ts";
import { typeNameOf } from "../types/index.ts";

/**
 * Checks the input of subflows where they are started, unless its type proves it: what is not an object or does not fit
 * the subflow's schema fails with `InvalidInput`, as it does for a run. A subflow that nothing waits for is then not
 * started. So every executor and every analysis relies on the same check.
 */
export function checkSubflowInputs(workflows: readonly Workflow[]): readonly Workflow[] {
  const strict = new Map(
    workflows.filter(({ anyInput, inputRules }) => !anyInput || inputRules).map((each) => [each.id, each]),
  );
  const isChecked = (step: Step): step is Invoke => step.kind === "invoke" && strict.has(step.workflow.name);
  return workflows.map((workflow) => {
    if (!stepsOf(workflow).some(isChecked)) return workflow;
    const { before } = proveDataFlow(workflow, []);
    return mapScopes(workflow, (scope) =>
      scope.steps.filter(isChecked).reduce((checked, step) => {
        const subflow = strict.get(step.workflow.name)!;
        const isProven = isObject(step.input, before.get(step.id));
        return isProven && !subflow.inputRules ? checked : checkInput(checked, step, subflow, isProven);
      }, scope),
    );
  });
}

const isObject = (input: Expression, types: VariableTypes | undefined): boolean =>
  typeNameOf(inferType(input, types ?? new Map())) === "object";

function checkInput(scope: Scope, step: Invoke, subflow: Workflow, isProven: boolean): Scope {
  const { input, wait } = step;
  if (!wait && isTotal(input)) return skipInvalid(scope, step, acceptsInput(subflow, input, isProven));
  const checked = acceptedInput(subflow, input, isProven);
  const steps = scope.steps.map((each) => (each.id === step.id ? { ...each, input: checked } : each));
  return { ...scope, steps };
}

/** Puts a choice before a step that starts a subflow, which skips it if its input is not accepted. */
function skipInvalid(scope: Scope, step: Invoke, when: Expression): Scope {
  const { span, origin, next } = step;
  const ids = new Set(scope.steps.map(({ id }) => id));
  let id = `${step.id}/input`;
  for (let i = 2; ids.has(id); i++) id = `${step.id}/input-${i}`;
  const choice: Choose = {
    kind: "choose",
    id,
    span,
    origin,
    cases: [{ when, next: { name: step.id, span }, span }],
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
