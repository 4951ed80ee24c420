import { balanced, canFail, type Expression, literal, variable } from "../expressions/index.ts";
import { noChoiceMatchedError } from "../ir/errors.ts";
import type { WorkflowNames } from "../ir/names.ts";
import { handlersOf, retriesOf } from "../ir/walk.ts";
import type {
  Assign,
  Attempt,
  Branch,
  End,
  ErrorValue,
  ForEach,
  Fork,
  Handler,
  Reference,
  Retry,
  Scope,
  Step,
  Workflow,
} from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import {
  buildRetryLoop,
  catchAll,
  derivedOrigin,
  dispatchSteps,
  effectiveRetries,
  errorVariableOf,
  isRepeatable,
  restoredVariables,
} from "./error-recovery.ts";
import { matchedErrors, matchesAll } from "./error-sets.ts";

/** A workflow without attempts. */
export interface FlatWorkflow extends Workflow {
  readonly body: FlatScope;
}

/** A scope without attempts, where every choice has an `otherwise`; the scopes inside are the same. */
export interface FlatScope extends Scope {
  readonly steps: readonly FlatStep[];
}

/** A step of a flat scope. */
export type FlatStep = Exclude<Step, Attempt | Fork | ForEach> | FlatFork | FlatForEach;

/** A fork of flat scopes. */
export interface FlatFork extends Fork {
  readonly branches: readonly (Branch & { readonly scope: FlatScope })[];
}

/** An iteration over a flat scope. */
export interface FlatForEach extends ForEach {
  readonly scope: FlatScope;
}

/** The handler of each step's data errors, by id: the step itself or the innermost attempt that handles them. */
export type Guards = ReadonlyMap<string, string>;

/** Error handling that a platform has natively. */
export interface RecoverySupport {
  /** Whether it retries a step, together with others that may only fail, exactly as in the IR. */
  supportsRetries(step: Step, retries: readonly Retry[], others?: readonly Step[]): boolean;
  /** Whether it handles errors exactly as in the IR. */
  supportsHandlers(step: Step, handlers: readonly Handler[]): boolean;
  /** Whether retries or handlers match errors of expressions. */
  catchesDataErrors(recovery: Recovery): boolean;
}

/** Retries and handlers. */
export interface Recovery {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}

/**
 * Inlines attempts into their scopes. Supported retries and handlers move to the steps of the body; others become
 * steps that count, choose, wait and jump.
 */
export function flattenExceptions(
  workflow: Workflow,
  support: RecoverySupport,
  names: WorkflowNames,
): { readonly workflow: FlatWorkflow; readonly guards: Guards } {
  const guards = new Map<string, string>();
  return { workflow: { ...workflow, body: flatScope(workflow.body, { support, names, guards }) }, guards };
}

function flatScope(scope: Scope, common: Pick<FlattenContext, "support" | "names" | "guards">): FlatScope {
  const { names } = common;
  const variables = new Set(scope.variables.map(({ name }) => name));
  const declare = (added: readonly string[]) => {
    for (const name of added) variables.add(name);
  };
  let error: string | undefined;
  const errorVariable = () => {
    error ??= errorVariableOf(scope, names.variables);
    declare([error]);
    return error;
  };
  const context: FlattenContext = { ...common, declare, errorVariable, steps: [] };
  inline(scope.steps, { handlers: [], raiseTarget: undefined, guard: undefined }, context);
  const added = [...variables].slice(scope.variables.length).map((name) => ({ name }));
  return {
    ...scope,
    variables: [...scope.variables, ...added],
    steps: context.steps.map((step) => flatStep(step, common)),
  };
}

/** Its inner scopes may contain attempts. */
type PlainStep = Exclude<Step, Attempt>;

function flatStep(step: PlainStep, common: Parameters<typeof flatScope>[1]): FlatStep {
  const flat = <T extends { readonly scope: Scope }>(each: T): T & { readonly scope: FlatScope } => ({
    ...each,
    scope: flatScope(each.scope, common),
  });
  if (step.kind === "foreach") return flat(step);
  return step.kind === "fork" ? { ...step, branches: step.branches.map(flat) } : step;
}

interface EnclosingRecovery {
  /** Innermost first. */
  readonly handlers: readonly Handler[];
  /** The target of a step that raises an error, with the error in the error variable; undefined: out of the scope. */
  readonly raiseTarget: Reference | undefined;
  /** The innermost attempt that handles data errors. */
  readonly guard: string | undefined;
}

interface FlattenContext {
  readonly support: RecoverySupport;
  readonly names: WorkflowNames;
  readonly declare: (names: readonly string[]) => void;
  /** Declared on first use. */
  readonly errorVariable: () => string;
  readonly steps: PlainStep[];
  readonly guards: Map<string, string>;
}

function inline(steps: readonly Step[], around: EnclosingRecovery, context: FlattenContext): void {
  const { support, guards } = context;
  for (const original of steps) {
    const step = "retries" in original ? { ...original, retries: effectiveRetries(original.retries) } : original;
    const isGuard = support.catchesDataErrors({ retries: retriesOf(step), handlers: handlersOf(step) });
    const guard = isGuard ? step.id : around.guard;
    if (guard !== undefined) guards.set(step.id, guard);
    if (step.kind === "attempt") inlineAttempt(step, around, context);
    else if (!support.supportsRetries(step, retriesOf(step)))
      inlineAttempt(wrapInAttempt(step, context.names), around, context);
    else
      for (const each of guard === undefined ? [step] : hoistOperand(step, context)) {
        if (guard !== undefined) guards.set(each.id, guard);
        context.steps.push(...attachHandlers(each, around, context));
      }
  }
}

/**
 * Computes the operand of a step without handlers in an assignment, so that the attempt handles its error.
 *
 *   emit event(.a + 1) → value := .a + 1; emit event($value)
 */
function hoistOperand(step: PlainStep, { names, declare }: FlattenContext): readonly PlainStep[] {
  const operand = operandOf(step);
  if (!operand || !canFail(operand.value)) return [step];
  const value = names.variables.fresh("value");
  declare([value]);
  const id = names.steps.fresh(`${step.id}/value`);
  const values = [{ variable: value, value: operand.value }];
  return [
    { ...emptyAssign(step, { name: id, span: step.span }), origin: { ...step.origin, part: "value" }, values },
    { ...operand.replaceWith(variable(value)), id, origin: { ...step.origin, entry: false } },
  ];
}

function operandOf(
  step: PlainStep,
): { readonly value: Expression; readonly replaceWith: (value: Expression) => PlainStep } | undefined {
  if (step.kind === "emit") return { value: step.data, replaceWith: (data) => ({ ...step, data }) };
  if (step.kind !== "delay") return undefined;
  const { wait } = step;
  return wait.kind === "for"
    ? { value: wait.seconds, replaceWith: (seconds) => ({ ...step, wait: { ...wait, seconds } }) }
    : { value: wait.instant, replaceWith: (instant) => ({ ...step, wait: { ...wait, instant } }) };
}

function attachHandlers(step: PlainStep, around: EnclosingRecovery, context: FlattenContext): readonly PlainStep[] {
  const { support, names, declare, errorVariable } = context;
  if (step.kind === "choose" && !step.otherwise) {
    const raised = raiseError(
      names.steps.fresh(`${step.id}/no-match`),
      step,
      noChoiceMatchedError(step),
      around,
      context,
    );
    return [{ ...step, otherwise: { name: raised.id, span: step.span } }, raised];
  }
  if (step.kind === "end" && step.outcome === "fail" && around.raiseTarget)
    return [{ ...emptyAssign(step, around.raiseTarget), values: [{ variable: errorVariable(), value: step.value }] }];
  if (!("handlers" in step)) return [step];
  const handlers = upToFirstCatchAll([...handlersOf(step), ...around.handlers]);
  if (support.supportsHandlers(step, handlers)) {
    declare(handlers.flatMap(({ bind }) => bind ?? []));
    return [{ ...step, handlers }];
  }
  const error = errorVariable();
  const dispatch = dispatchSteps(names.steps.fresh(`${step.id}/errors`), step, handlers, undefined, error, names);
  return [{ ...step, handlers: [catchAll(error, dispatch[0]!.id, step.span)] }, ...dispatch];
}

function inlineAttempt(attempt: Attempt, around: EnclosingRecovery, context: FlattenContext): void {
  const { support, names, declare } = context;
  const { id, span } = attempt;
  const raises = attempt.body.steps.some(raisesOwnError);
  const native = isNativeLoop(attempt, raises, support);
  const handlers = upToFirstCatchAll([...attempt.handlers, ...around.handlers]);
  const dispatches = !native || raises;
  const error = dispatches ? context.errorVariable() : "";
  const errors = dispatches ? names.steps.fresh(`${id}/errors`) : "";
  const failed = native ? errors : names.steps.fresh(`${id}/failed`);
  const separated =
    native || raises ? undefined : separateHandlers(attempt, handlers, catchAll(error, failed, span), support);
  // The handler already selects the errors of the only retry.
  const retries =
    separated && attempt.retries.length === 1 ? [{ ...attempt.retries[0]!, when: literal(true) }] : attempt.retries;
  const looping = { ...attempt, retries, restore: restoredVariables(attempt) };
  const loop = native ? { initial: [], steps: [] } : buildRetryLoop(looping, { failed, errors, error }, names);
  declare(loop.initial.map(({ variable }) => variable));
  context.steps.push({ ...emptyAssign(attempt, attempt.body.entry), values: loop.initial });
  const inner: EnclosingRecovery = {
    handlers: native ? handlers : (separated ?? [catchAll(error, failed, span)]),
    raiseTarget: dispatches ? { name: failed, span } : undefined,
    guard: support.catchesDataErrors(attempt) ? id : around.guard,
  };
  const body = attempt.body.steps.map((step) => lowerLeave(step, attempt));
  inline(body, inner, context);
  if (native && attempt.retries.length > 0) setRetries(context.steps, effectSteps(attempt)[0]!.id, attempt.retries);
  context.steps.push(...loop.steps);
  if (dispatches) context.steps.push(...dispatchSteps(errors, attempt, handlers, around.raiseTarget, error, names));
}

/** Observable effects, and steps that take time. */
const effectSteps = ({ body }: Attempt): readonly Step[] =>
  body.steps.filter((step) => "handlers" in step || ["emit", "delay", "receive"].includes(step.kind));

const raisesOwnError = (step: Step): boolean =>
  (step.kind === "end" && step.outcome === "fail") || (step.kind === "choose" && !step.otherwise);

/** Whether the retries of a step stay those of the platform, and do not become steps. */
export function retriesNatively(step: Step, support: RecoverySupport): boolean {
  const retries = effectiveRetries(retriesOf(step));
  if (step.kind !== "attempt") return support.supportsRetries(step, retries);
  return isNativeLoop({ ...step, retries }, step.body.steps.some(raisesOwnError), support);
}

function isNativeLoop(attempt: Attempt, raises: boolean, support: RecoverySupport): boolean {
  if (attempt.retries.length === 0) return true;
  const [effect, ...more] = effectSteps(attempt);
  if (!effect || more.length > 0 || raises || effect.kind === "attempt" || !("handlers" in effect)) return false;
  const hasOwnRecovery = handlersOf(effect).length > 0 || effectiveRetries(retriesOf(effect)).length > 0;
  const others = attempt.body.steps.filter((step) => step !== effect);
  return !hasOwnRecovery && support.supportsRetries(effect, attempt.retries, others) && isRepeatable(attempt);
}

/** Undefined if the platform lacks handlers that separate retried errors from all others. */
function separateHandlers(
  { body, retries }: Attempt,
  handlers: readonly Handler[],
  retrying: Handler,
  support: RecoverySupport,
): readonly Handler[] | undefined {
  const conditions = retries.map(({ when }) => when);
  const separated = upToFirstCatchAll([{ ...retrying, when: balanced("or", conditions) }, ...handlers]);
  const isSupported = body.steps.every(
    (step) => step.kind !== "attempt" && support.supportsHandlers(step, [...handlersOf(step), ...separated]),
  );
  return isSupported && !separated.some(({ when }) => matchesAll(matchedErrors(when))) ? separated : undefined;
}

function setRetries(steps: PlainStep[], id: string, retries: readonly Retry[]): void {
  const index = steps.findLastIndex((step) => step.id === id);
  steps[index] = { ...steps[index]!, retries } as PlainStep;
}

/** An end that leaves the body becomes an assignment of the attempt's result. */
function lowerLeave(step: Step, { bind, next }: Attempt): Step {
  if (step.kind !== "end" || step.outcome !== "leave" || step.extent !== "scope") return step;
  return { ...emptyAssign(step, next), values: bind === undefined ? [] : [{ variable: bind, value: step.value }] };
}

/** For retries that the platform does not support. */
function wrapInAttempt(step: PlainStep, { steps: names }: WorkflowNames): Attempt {
  const { id, origin, span } = step;
  const done: End = {
    kind: "end",
    id: names.fresh(`${id}/done`),
    origin: derivedOrigin(step, "done"),
    span,
    outcome: "leave",
    extent: "scope",
    value: literal(null),
  };
  const inner = {
    ...step,
    origin: derivedOrigin(step, "try"),
    id: names.fresh(`${id}/try`),
    retries: [],
    handlers: [],
    next: { name: done.id, span },
  } as PlainStep;
  const body: Scope = { entry: { name: inner.id, span }, variables: [], steps: [inner, done], span };
  const next = "next" in step ? step.next : { name: done.id, span };
  const recovery = { retries: retriesOf(step), handlers: handlersOf(step) };
  return { kind: "attempt", id, origin, span, body, restore: [], ...recovery, next };
}

function raiseError(
  id: string,
  step: Step,
  error: ErrorValue,
  around: EnclosingRecovery,
  context: FlattenContext,
): PlainStep {
  const origin = derivedOrigin(step, "no-match");
  const value = literal(error as unknown as Json);
  const end: End = { kind: "end", id, origin, span: step.span, outcome: "fail", extent: "scope", value };
  return attachHandlers(end, around, context)[0]!;
}

const emptyAssign = ({ id, origin, span }: Step, next: Reference): Assign => ({
  kind: "assign",
  id,
  origin,
  span,
  values: [],
  next,
});

function upToFirstCatchAll(handlers: readonly Handler[]): readonly Handler[] {
  const index = handlers.findIndex(({ when }) => when.kind === "literal" && when.value === true);
  return index < 0 ? handlers : handlers.slice(0, index + 1);
}
