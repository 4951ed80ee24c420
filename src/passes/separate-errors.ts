import { effectsOf, substitute, variable } from "../expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../ir/names.ts";
import { handlersOf, mapKeeping, mapOwnScopes, stepsById, successors, withSteps } from "../ir/walk.ts";
import type { Assign, Handler, Scope, Step, Workflow } from "../ir/workflow.ts";

/**
 * Gives the error that a handler keeps a variable of its own if the next step computes the variable's value from it:
 * `error := $error.data` becomes `error := $caught.data`.
 */
export const separateErrors = {
  name: "separate-errors",
  run: <W extends Workflow>(workflow: W): W => {
    const names = workflowNames(workflow);
    return mapOwnScopes(workflow, (scope) => separateInScope(scope, names));
  },
};

function separateInScope(scope: Scope, names: WorkflowNames): Scope {
  const added: string[] = [];
  const separated = separateIn(scope, names, added);
  if (added.length === 0) return scope;
  return { ...separated, variables: [...scope.variables, ...added.map((name) => ({ name }))] };
}

/** `added` collects the new variables. The bodies of attempts share the variables of the scope. */
function separateIn(scope: Scope, names: WorkflowNames, added: string[]): Scope {
  const steps = stepsById(scope);
  const targets = [scope.entry, ...scope.steps.flatMap(successors)].map(({ name }) => name);
  const replaced = new Map<string, Assign>();
  const separate = (handler: Handler): Handler => {
    const { bind, next } = handler;
    const step = steps.get(next.name);
    if (bind === undefined || step?.kind !== "assign" || targets.filter((name) => name === step.id).length > 1)
      return handler;
    const own = step.values.find((each) => each.variable === bind);
    if (!own || !effectsOf(own.value).free.has(bind)) return handler;
    const caught = names.variables.fresh("caught");
    added.push(caught);
    const values = new Map([[bind, variable(caught)]]);
    replaced.set(step.id, {
      ...step,
      values: step.values.map((each) => ({ ...each, value: substitute(each.value, values) })),
    });
    return { ...handler, bind: caught };
  };
  const handled = mapKeeping(scope.steps, (step): Step => {
    const inner = step.kind === "attempt" ? withBody(step, separateIn(step.body, names, added)) : step;
    if (!("handlers" in inner)) return inner;
    const handlers = mapKeeping(handlersOf(inner), separate);
    return handlers === inner.handlers ? inner : { ...inner, handlers };
  });
  return withSteps(
    scope,
    mapKeeping(handled, (step) => replaced.get(step.id) ?? step),
  );
}

const withBody = <S extends Extract<Step, { readonly kind: "attempt" }>>(step: S, body: Scope): S =>
  body === step.body ? step : { ...step, body };
