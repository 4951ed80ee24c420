import { isObject, type Json, own } from "../../../src/json.ts";
import { nativeComposition } from "../composition.ts";
import { calledFunctions } from "../print.ts";
import { type Deployment, isAction } from "./deployment.ts";
import type { PlannedWorkflow } from "./plan.ts";

/** For actions that several functions are bound to: the function that each state of a composition calls. */
export function statesByFunction(
  workflows: readonly PlannedWorkflow[],
  deployment: Deployment,
): { readonly [action: string]: { readonly states: Json } } {
  const names = new Map<string, Set<string>>();
  for (const { workflow } of workflows)
    for (const definition of workflow.functions.filter(isAction)) {
      const action = deployment.action(workflow, definition);
      names.set(action, (names.get(action) ?? new Set()).add(definition.name));
    }
  const shared = [...names].filter(([, functions]) => functions.size > 1);
  if (shared.length === 0) return {};
  const called = workflows.map(
    (flow) => [deployment.workflow(flow.workflow.id), functionsByState(flow, deployment)] as const,
  );
  return Object.fromEntries(
    shared.map(([action, functions]) => {
      const states = called.map(([conductor, all]) => {
        const some = [...all].filter(([, name]) => functions.has(name));
        return [conductor, Object.fromEntries(some)] as const;
      });
      return [action, { states: Object.fromEntries(states) }] as const;
    }),
  );
}

/** The functions that the states of a composition call. States of native ones name functions as actions. */
function functionsByState(
  { workflow, selected }: PlannedWorkflow,
  deployment: Deployment,
): ReadonlyMap<string, string> {
  if (selected) return calledFunctions(selected, deployment.helperPlacement);
  const states = own(nativeComposition(workflow)?.definition ?? {}, "States");
  return new Map(
    Object.entries(isObject(states) ? states : {}).flatMap(([name, state]) => {
      const action = isObject(state) ? own(state, "Action") : undefined;
      return typeof action === "string" ? [[name, action] as const] : [];
    }),
  );
}
