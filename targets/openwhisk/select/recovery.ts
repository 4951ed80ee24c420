import { binary, literal, variable } from "../../../src/expressions/index.ts";
import type { WorkflowNames } from "../../../src/ir/names.ts";
import { handlersOf, retriesOf } from "../../../src/ir/walk.ts";
import type { Attempt, Handler, Retry, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import {
  buildRetryLoop,
  catchAll,
  dispatchSteps,
  effectiveRetries,
  errorVariableOf,
  restoredVariables,
} from "../../../src/passes/index.ts";

/** Removes retries and conditions of handlers, which compositions do not have: they become steps. */
export function simplifyRecovery(workflow: Workflow, names: WorkflowNames): Workflow {
  const functions = [...workflow.functions];
  const random = (): string => {
    const existing = functions.find(({ protocol }) => protocol?.kind === "random");
    if (existing) return existing.name;
    const name = names.functions.fresh("random");
    functions.push({ name, protocol: { kind: "random" }, span: workflow.span });
    return name;
  };
  return { ...workflow, body: simplifyScope(workflow.body, names, random), functions };
}

interface RecoveryContext {
  readonly names: WorkflowNames;
  declare(variable: string): void;
  /** Declares the variable for caught errors on first use. */
  errorVariable(): string;
  /** Defines the function on first use. */
  random(): string;
}

function simplifyScope(scope: Scope, names: WorkflowNames, random: RecoveryContext["random"]): Scope {
  const declared = new Set(scope.variables.map(({ name }) => name));
  const declare = (variable: string): void => void declared.add(variable);
  let error: string | undefined;
  const errorVariable = (): string => {
    error ??= errorVariableOf(scope, names.variables);
    declare(error);
    return error;
  };
  const steps = simplifySteps(scope.steps, { names, declare, errorVariable, random });
  const added = [...declared].slice(scope.variables.length).map((name) => ({ name }));
  return { ...scope, variables: [...scope.variables, ...added], steps };
}

const simplifySteps = (steps: readonly Step[], context: RecoveryContext): readonly Step[] =>
  steps.flatMap((step) => simplifyStep(simplifyInside(step, context), context));

function simplifyInside(step: Step, context: RecoveryContext): Step {
  switch (step.kind) {
    case "attempt":
      return { ...step, body: { ...step.body, steps: simplifySteps(step.body.steps, context) } };
    case "foreach":
      return { ...step, scope: simplifyScope(step.scope, context.names, context.random) };
    case "fork":
      return {
        ...step,
        branches: step.branches.map((branch) => ({
          ...branch,
          scope: simplifyScope(branch.scope, context.names, context.random),
        })),
      };
    default:
      return step;
  }
}

function simplifyStep(step: Step, context: RecoveryContext): readonly Step[] {
  const { names, declare, errorVariable } = context;
  const retries = effectiveRetries(retriesOf(step));
  const handlers = reachableHandlers(handlersOf(step));
  const [only] = handlers;
  if (retries.length === 0 && (!only || isCatchAll(only)))
    return "handlers" in step ? [{ ...step, retries, handlers }] : [step];
  const { id, span } = step;
  const error = errorVariable();
  const errors = names.steps.fresh(`${id}/errors`);
  const dispatch = dispatchSteps(errors, step, handlers, undefined, error, names);
  if (retries.length === 0) return [{ ...step, handlers: [catchAll(error, errors, span)] } as Step, ...dispatch];
  const tried = names.steps.fresh(`${id}/try`);
  const failed = names.steps.fresh(`${id}/failed`);
  const loop = buildRetryLoop({ ...asAttempt(step, tried), retries }, { failed, errors, error }, names);
  for (const { variable } of loop.initial) declare(variable);
  const inner = { ...step, id: tried, retries: [], handlers: [catchAll(error, failed, span)] } as Step;
  return [
    {
      kind: "assign",
      id,
      origin: { ...step.origin, part: "retries" },
      span,
      values: loop.initial,
      next: { name: tried, span },
    },
    { ...inner, origin: { ...step.origin, entry: false, part: "try" } },
    ...loop.steps.flatMap((each) => addJitter(each, retries, context)),
    ...dispatch,
  ];
}

/**
 * Adds jitter to the delay of a retry loop:
 *
 *   wait for 10 s → call random → n; wait for 10 + (n * 6 - 3) s, but at least 0
 */
function addJitter(
  step: Step,
  retries: readonly Retry[],
  { names, declare, random }: RecoveryContext,
): readonly Step[] {
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
  const call = { function: { name: random(), span }, argument: literal(null), wait: true, bind: number } as const;
  return [
    { kind: "call", id, origin, span, ...call, retries: [], handlers: [], next },
    { ...step, id: waiting, origin: { ...origin, entry: false }, wait: { kind: "for", seconds } },
  ];
}

/** The form that `buildRetryLoop` expects. */
function asAttempt(step: Step, tried: string): Attempt {
  const { id, origin, span } = step;
  const restore = step.kind === "attempt" ? restoredVariables(step) : [];
  const body: Scope = { entry: { name: tried, span }, variables: [], steps: [], span };
  return { kind: "attempt", id, origin, span, body, restore, retries: [], handlers: [], next: { name: tried, span } };
}

function reachableHandlers(handlers: readonly Handler[]): readonly Handler[] {
  const index = handlers.findIndex(isCatchAll);
  return index < 0 ? handlers : handlers.slice(0, index + 1);
}

const isCatchAll = ({ when }: Handler): boolean => when.kind === "literal" && when.value === true;
