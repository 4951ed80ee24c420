import { binary, literal, variable } from "../../../src/expressions/index.ts";
import type { WorkflowNames } from "../../../src/ir/names.ts";
import { handlersOf, retriesOf } from "../../../src/ir/walk.ts";
import type { Attempt, Handler, Retry, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { always, dispatchSteps, effective, errorVariableOf, restored, retryLoop } from "../../../src/passes/index.ts";

/**
 * A workflow in which no step is tried again, and each has one handler at most, which takes all errors: what a composition has by itself. Retries and
 * conditions of handlers become steps that count, choose, wait and go back.
 */
export function withPlainRecovery(workflow: Workflow, names: WorkflowNames): Workflow {
  const functions = [...workflow.functions];
  const random = (): string => {
    const known = functions.find(({ protocol }) => protocol?.kind === "random");
    if (known) return known.name;
    const name = names.functions.fresh("random");
    functions.push({ name, protocol: { kind: "random" }, span: workflow.span });
    return name;
  };
  return { ...workflow, body: plainScope(workflow.body, names, random), functions };
}

/** What the steps of a scope, and of the attempts in it, share. */
interface Common {
  readonly names: WorkflowNames;
  declare(variable: string): void;
  /** The variable in which errors wait, declared when it is asked for. */
  errorVariable(): string;
  /** The function that gives random numbers, defined when it is asked for. */
  random(): string;
}

function plainScope(scope: Scope, names: WorkflowNames, random: Common["random"]): Scope {
  const declared = new Set(scope.variables.map(({ name }) => name));
  const declare = (variable: string): void => void declared.add(variable);
  let error: string | undefined;
  const errorVariable = (): string => {
    error ??= errorVariableOf(scope, names.variables);
    declare(error);
    return error;
  };
  const steps = plainSteps(scope.steps, { names, declare, errorVariable, random });
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
      return { ...step, scope: plainScope(step.scope, common.names, common.random) };
    case "fork":
      return {
        ...step,
        branches: step.branches.map((branch) => ({
          ...branch,
          scope: plainScope(branch.scope, common.names, common.random),
        })),
      };
    default:
      return step;
  }
}

function recovered(step: Step, common: Common): readonly Step[] {
  const { names, declare, errorVariable } = common;
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
    ...loop.steps.flatMap((each) => spreadOut(each, retries, common)),
    ...dispatch,
  ];
}

/**
 * A step of a loop, with a random number before it where it is a wait that differs by chance:
 *
 *   wait for 10 s → call random → n; wait for 10 + (n * 6 - 3) s, but not less than none
 */
function spreadOut(step: Step, retries: readonly Retry[], { names, declare, random }: Common): readonly Step[] {
  const retry = retries.find((_, i) => step.origin.part === `wait ${i + 1}`);
  const jitter = retry?.delay.jitter;
  if (step.kind !== "delay" || step.wait.kind !== "for" || !jitter || jitter.amount === 0) return [step];
  const { id, origin, span, wait } = step;
  const number = names.variables.fresh("random");
  declare(number);
  const share = binary("-", binary("*", variable(number), literal(2 * jitter.amount)), literal(jitter.amount));
  const more = jitter.kind === "spread" ? share : binary("*", wait.seconds, share);
  const seconds = binary("+", wait.seconds, more);
  const waiting = names.steps.fresh(`${id}/spread`);
  const next = { name: waiting, span };
  const told = { function: { name: random(), span }, argument: literal(null), wait: true, bind: number } as const;
  return [
    { kind: "call", id, origin, span, ...told, retries: [], handlers: [], next },
    { ...step, id: waiting, origin: { ...origin, entry: false }, wait: { kind: "for", seconds } },
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
