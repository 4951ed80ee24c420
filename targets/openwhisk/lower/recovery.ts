import type { WorkflowNames } from "../../../src/ir/names.ts";
import { handlersOf, retriesOf } from "../../../src/ir/walk.ts";
import type { Attempt, Handler, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { always, dispatchSteps, effective, errorVariableOf, restored, retryLoop } from "../../../src/lower/index.ts";

/**
 * A workflow in which no step is tried again, and each has one handler at most, which takes all errors: what a composition has by itself. Retries and
 * conditions of handlers become steps that count, choose, wait and go back.
 */
export const withPlainRecovery = (workflow: Workflow, names: WorkflowNames): Workflow => ({
  ...workflow,
  body: plainScope(workflow.body, names),
});

/** What the steps of a scope, and of the attempts in it, share. */
interface Common {
  readonly names: WorkflowNames;
  declare(variable: string): void;
  /** The variable in which errors wait, declared when it is asked for. */
  errorVariable(): string;
}

function plainScope(scope: Scope, names: WorkflowNames): Scope {
  const declared = new Set(scope.variables.map(({ name }) => name));
  const declare = (variable: string): void => void declared.add(variable);
  let error: string | undefined;
  const errorVariable = (): string => {
    error ??= errorVariableOf(scope, names.variables);
    declare(error);
    return error;
  };
  const steps = plainSteps(scope.steps, { names, declare, errorVariable });
  const added = [...declared].slice(scope.variables.length).map((name) => ({ name }));
  return { ...scope, variables: [...scope.variables, ...added], steps };
}

const plainSteps = (steps: readonly Step[], common: Common): readonly Step[] =>
  steps.flatMap((step) => recovered(plainInside(step, common), common));

/** The scopes in a step. */
function plainInside(step: Step, common: Common): Step {
  switch (step.kind) {
    case "attempt":
      return { ...step, body: { ...step.body, steps: plainSteps(step.body.steps, common) } };
    case "foreach":
      return { ...step, scope: plainScope(step.scope, common.names) };
    case "fork":
      return {
        ...step,
        branches: step.branches.map((branch) => ({ ...branch, scope: plainScope(branch.scope, common.names) })),
      };
    default:
      return step;
  }
}

function recovered(step: Step, { names, declare, errorVariable }: Common): readonly Step[] {
  const retries = effective(retriesOf(step));
  const handlers = upToFirstCatchAll(handlersOf(step));
  const [only] = handlers;
  if (retries.length === 0 && (!only || isCatchAll(only)))
    return "handlers" in step ? [{ ...step, retries, handlers }] : [step];
  const { id, span } = step;
  const error = errorVariable();
  const errors = names.steps.fresh(`${id}/errors`);
  const dispatch = dispatchSteps(errors, step, handlers, undefined, error, names);
  if (retries.length === 0) return [{ ...step, handlers: [always(error, errors, span)] } as Step, ...dispatch];
  const tried = names.steps.fresh(`${id}/try`);
  const failed = names.steps.fresh(`${id}/failed`);
  const loop = retryLoop({ ...loopAround(step, tried), retries }, { failed, errors, error }, names);
  for (const { variable } of loop.begin) declare(variable);
  const inner = { ...step, id: tried, retries: [], handlers: [always(error, failed, span)] } as Step;
  return [
    { kind: "assign", id, origin: step.origin, span, values: loop.begin, next: { name: tried, span } },
    { ...inner, origin: { ...step.origin, entry: false, part: "try" } },
    ...loop.steps,
    ...dispatch,
  ];
}

/** A step that is tried again, as what makes the loop knows it. */
function loopAround(step: Step, tried: string): Attempt {
  const { id, origin, span } = step;
  const restore = step.kind === "attempt" ? restored(step) : [];
  const body: Scope = { entry: { name: tried, span }, variables: [], steps: [], span };
  return { kind: "attempt", id, origin, span, body, restore, retries: [], handlers: [], next: { name: tried, span } };
}

/** Handlers that can ever have their turn. */
function upToFirstCatchAll(handlers: readonly Handler[]): readonly Handler[] {
  const index = handlers.findIndex(isCatchAll);
  return index < 0 ? handlers : handlers.slice(0, index + 1);
}

const isCatchAll = ({ when }: Handler): boolean => when.kind === "literal" && when.value === true;
