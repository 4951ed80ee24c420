import { computeLiveness, createDataFlowGraph } from "../cfg/index.ts";
import { and, binary, conditional, type Expression, literal, substitute, variable } from "../expressions/index.ts";
import type { NameSpace, WorkflowNames } from "../ir/names.ts";
import { maxRetries } from "../ir/recovery.ts";
import { constantSeconds, secondsExpression } from "../ir/seconds.ts";
import { assignedVariables, handlersOf, innerScopes, retriesOf, successors } from "../ir/walk.ts";
import type {
  Assign,
  Attempt,
  Backoff,
  Choose,
  ChooseCase,
  Delay,
  End,
  Handler,
  Reference,
  Retry,
  Scope,
  Step,
  StepOrigin,
} from "../ir/workflow.ts";
import type { Span } from "../text/source.ts";
import { matchedErrors, matchesAll } from "./error-sets.ts";

/**
 * The variable for a scope's error while steps dispatch it: one that a handler binds anyway, if its old value is not
 * needed after an error, or a new one.
 */
export function errorVariableOf(scope: Scope, names: NameSpace): string {
  const points = createDataFlowGraph(scope);
  const live = computeLiveness(points);
  const steps = [...points.values()].map(({ step }) => step);
  const bound = new Set(steps.flatMap((step) => handlersOf(step).flatMap(({ bind }) => bind ?? [])));
  const canRecover = (step: Step): boolean =>
    step.kind === "attempt" || handlersOf(step).length + retriesOf(step).length > 0;
  const isFree = (name: string): boolean =>
    steps.every((step) => !assignsVariable(step, name) && !(canRecover(step) && live.get(step.id)!.has(name)));
  return [...bound].find(isFree) ?? names.fresh("error");
}

/** Other than by its handlers. */
const assignsVariable = (step: Step, name: string): boolean =>
  step.kind === "assign" ? assignedVariables(step).includes(name) : "bind" in step && step.bind === name;

/** A step that replaces handlers or retries. */
export type RecoveryStep = Assign | Choose | Delay | End;

/** A handler that takes every error to a step. */
export const catchAll = (error: string, next: string, span: Span): Handler => ({
  when: literal(true),
  bind: error,
  next: { name: next, span },
  span,
});

/** Makes a condition read the error from a variable. */
export const withErrorVariable = <T extends Retry | Handler>(one: T, error: string): T =>
  error === "error" ? one : { ...one, when: substitute(one.when, new Map([["error", variable(error)]])) };

/**
 * Steps, the first with the given id, that take an error to the first handler whose condition holds, else to `outward`
 * or, unchanged, out of the scope.
 */
export function dispatchSteps(
  id: string,
  owner: Step,
  handlers: readonly Handler[],
  outward: Reference | undefined,
  error: string,
  { steps: names }: Pick<WorkflowNames, "steps">,
): readonly RecoveryStep[] {
  const common = { origin: derivedOrigin(owner, "errors"), span: owner.span };
  const tail: readonly RecoveryStep[] = outward
    ? []
    : [
        {
          kind: "end",
          id: names.fresh(`${id}/unhandled`),
          ...common,
          origin: derivedOrigin(owner, "unhandled"),
          outcome: "fail",
          extent: "scope",
          value: variable(error),
        },
      ];
  const last: Reference = outward ?? { name: tail[0]!.id, span: owner.span };
  if (handlers.length === 0) return [{ kind: "assign", id, ...common, values: [], next: last }, ...tail];
  const rebound = handlers.map((handler, i) =>
    rebindError(withErrorVariable(handler, error), `${id}/${i}`, common, error, names),
  );
  const cases = rebound.map(({ handler }) => ({ when: handler.when, next: handler.next, span: handler.span }));
  return [{ kind: "choose", id, ...common, cases, otherwise: last }, ...rebound.flatMap(({ steps }) => steps), ...tail];
}

/** A derived step's origin; `part` says what for. */
export const derivedOrigin = ({ origin }: Step, part: string): StepOrigin => ({ ...origin, entry: false, part });

/** Copies the error if a handler binds another variable. */
function rebindError(
  handler: Handler,
  preferredId: string,
  common: Pick<Step, "origin" | "span">,
  error: string,
  names: NameSpace,
): { readonly handler: Handler; readonly steps: readonly RecoveryStep[] } {
  const { bind, next, span } = handler;
  if (bind === undefined || bind === error) return { handler, steps: [] };
  const id = names.fresh(preferredId);
  const step: RecoveryStep = {
    kind: "assign",
    id,
    ...common,
    values: [{ variable: bind, value: variable(error) }],
    next,
  };
  return { handler: { ...handler, next: { name: id, span } }, steps: [step] };
}

/** A loop that replaces an attempt's retries. */
export interface RetryLoop {
  /** Values before the first round: copies of restored variables, and the retry counters. */
  readonly initial: Assign["values"];
  /** The steps after a failed round. */
  readonly steps: readonly RecoveryStep[];
}

/** The ids of the loop's first step and of the step after the last retry, and the error variable at both. */
export interface RetryTargets {
  readonly failed: string;
  readonly errors: string;
  readonly error: string;
}

/**
 * Builds the retry loop of an attempt. The first entry whose condition holds decides: while it allows a retry, the
 * loop counts, restores variables, waits and starts again.
 */
export function buildRetryLoop(attempt: Attempt, targets: RetryTargets, names: WorkflowNames): RetryLoop {
  const { id, retries, restore, span } = attempt;
  const entries = retries.map((retry, i) => nameRetry(retry, id, i + 1, names));
  const saved = restore.map((name) => ({ name, copy: names.variables.fresh(`${id} ${name}`) }));
  const errors = { name: targets.errors, span };
  const cases = entries.flatMap(({ retry, counter, countStep }, i): readonly ChooseCase[] => {
    const { when, span } = withErrorVariable(retry, targets.error);
    const exhausted = { when, next: errors, span };
    if (countStep === undefined) return [exhausted];
    const isLeft = retry.limit !== undefined && binary("<", variable(counter), literal(retry.limit));
    const again = { when: isLeft ? and(when, isLeft) : when, next: { name: countStep, span: attempt.span }, span };
    return i === entries.length - 1 || !isLeft ? [again] : [again, exhausted];
  });
  const restoring = saved.map(({ name, copy }) => ({ variable: name, value: variable(copy) }));
  return {
    initial: [
      ...saved.map(({ name, copy }) => ({ variable: copy, value: variable(name) })),
      ...entries.flatMap(({ initial }) => initial),
    ],
    steps: [
      { kind: "choose", id: targets.failed, origin: derivedOrigin(attempt, "failed"), span, cases, otherwise: errors },
      ...entries.flatMap((entry) => retrySteps(attempt, entry, restoring)),
    ],
  };
}

interface RetryEntry {
  readonly retry: Retry;
  /** From 1. */
  readonly number: number;
  readonly counter: string;
  /** The variable with the interval in seconds, if that is multiplied. */
  readonly interval: string;
  readonly initial: Assign["values"];
  /** Undefined if no retry is allowed, or without a delay. */
  readonly countStep: string | undefined;
  readonly waitStep: string | undefined;
}

function nameRetry(retry: Retry, id: string, number: number, { steps, variables }: WorkflowNames): RetryEntry {
  const { delay } = retry;
  const isAllowed = maxRetries(retry) > 0;
  const counter = isAllowed ? variables.fresh(`${id} retries ${number}`) : "";
  const interval = isAllowed && delay.factor !== 1 ? variables.fresh(`${id} wait ${number}`) : "";
  const countStep = isAllowed ? steps.fresh(`${id}/again ${number}`) : undefined;
  const waits = constantSeconds(delay.base) !== 0 || delay.step > 0 || delay.jitter?.kind === "range";
  const waitStep = countStep && waits ? steps.fresh(`${id}/wait ${number}`) : undefined;
  const initial = [
    ...(counter === "" ? [] : [{ variable: counter, value: literal(0) }]),
    ...(interval === "" ? [] : [{ variable: interval, value: secondsExpression(delay.base) }]),
  ];
  return { retry, number, counter, interval, initial, countStep, waitStep };
}

function retrySteps(attempt: Attempt, entry: RetryEntry, restoring: Assign["values"]): readonly RecoveryStep[] {
  const { retry, number, counter, interval, countStep, waitStep } = entry;
  if (countStep === undefined) return [];
  const { delay, span } = retry;
  const [count, current] = [variable(counter), variable(interval)];
  const values = [
    { variable: counter, value: binary("+", count, literal(1)) },
    ...(interval === "" ? [] : [{ variable: interval, value: nextInterval(delay, count, current) }]),
    ...restoring,
  ];
  const { entry: body } = attempt.body;
  const counting: RecoveryStep = {
    kind: "assign",
    id: countStep,
    origin: derivedOrigin(attempt, `again ${number}`),
    span,
    values,
    next: waitStep === undefined ? body : { name: waitStep, span },
  };
  if (waitStep === undefined) return [counting];
  const seconds = retryDelay(delay, count, current);
  const spans = { wait: retry.spans?.base };
  const origin = derivedOrigin(attempt, `wait ${number}`);
  return [counting, { kind: "delay", id: waitStep, origin, span, wait: { kind: "for", seconds }, spans, next: body }];
}

/** After `n` retries. */
const nextInterval = ({ base, factor }: Backoff, n: Expression, interval: Expression): Expression =>
  conditional(binary("==", n, literal(0)), secondsExpression(base), binary("*", interval, literal(factor)));

/** In seconds; `n` is already counted. */
function retryDelay({ base, factor, step, cap }: Backoff, n: Expression, interval: Expression): Expression {
  const multiplied = factor === 1 ? secondsExpression(base) : interval;
  const added = binary("*", binary("-", n, literal(1)), literal(step));
  const seconds = step === 0 ? multiplied : factor === 1 && base === 0 ? added : binary("+", multiplied, added);
  if (cap === undefined) return seconds;
  const most = secondsExpression(cap);
  return conditional(binary(">", seconds, most), most, seconds);
}

/** The restored variables that may have changed when the body fails. */
export const restoredVariables = ({ body, restore }: Attempt): readonly string[] =>
  restore.filter((name) => mayChange(name, body));

/** Whether each round of an attempt begins with the same values of what it reads, although nothing restores them. */
export function isRepeatable({ body, restore }: Attempt): boolean {
  const changed = body.steps
    .flatMap(assignedVariables)
    .filter((name) => !restore.includes(name) && mayChange(name, body));
  if (changed.length === 0) return true;
  const read = computeLiveness(createDataFlowGraph(body)).get(body.entry.name);
  return !changed.some((name) => read?.has(name));
}

/** Whether a variable may have changed when a scope fails. */
function mayChange(name: string, scope: Scope): boolean {
  const after = reachedFrom(
    scope,
    scope.steps.filter((step) => setsVariable(step, name)),
  );
  return scope.steps.some(
    (step) => canRaise(step) && (after.has(step.id) || (step.kind === "attempt" && setsVariable(step, name))),
  );
}

/** Drops retries after one that matches every error, and trailing ones that allow none. */
export function effectiveRetries(retries: readonly Retry[]): readonly Retry[] {
  const all = retries.findIndex(({ when }) => matchesAll(matchedErrors(when)));
  const reached = all < 0 ? retries : retries.slice(0, all + 1);
  return reached.slice(0, reached.findLastIndex((retry) => maxRetries(retry) > 0) + 1);
}

function reachedFrom(body: Scope, sources: readonly Step[]): ReadonlySet<string> {
  const steps = new Map(body.steps.map((step) => [step.id, step]));
  const reached = new Set<string>();
  const pending = sources.flatMap(successors);
  for (let reference = pending.pop(); reference; reference = pending.pop()) {
    const step = steps.get(reference.name);
    if (!step || reached.has(step.id)) continue;
    reached.add(step.id);
    pending.push(...successors(step));
  }
  return reached;
}

function setsVariable(step: Step, name: string): boolean {
  return (
    assignedVariables(step).includes(name) ||
    (step.kind === "attempt" &&
      innerScopes(step).some(({ steps }) => steps.some((inside) => setsVariable(inside, name))))
  );
}

/** For another reason than its data. */
const canRaise = (step: Step): boolean =>
  "handlers" in step || (step.kind === "end" && step.outcome === "fail") || (step.kind === "choose" && !step.otherwise);
