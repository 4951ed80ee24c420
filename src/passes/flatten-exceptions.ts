import { balanced, canFail, type Expression, literal, variable } from "../expressions/index.ts";
import { noChoiceMatched } from "../ir/failures.ts";
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
import { always, dispatchSteps, effective, errorVariableOf, partOf, restored, retryLoop } from "./error-recovery.ts";
import { errorsTaken, takesAll } from "./error-sets.ts";

/** A workflow as a platform without attempts knows it. */
export interface FlatWorkflow extends Workflow {
  readonly body: FlatScope;
}

/** A scope of steps among which are no attempts, and every choice has an `otherwise`; so in all scopes within it. */
export interface FlatScope extends Scope {
  readonly steps: readonly FlatStep[];
}

/** Such a step. */
export type FlatStep = Exclude<Step, Attempt | Fork | ForEach> | FlatFork | FlatForEach;

/** A fork of such scopes. */
export interface FlatFork extends Fork {
  readonly branches: readonly (Branch & { readonly scope: FlatScope })[];
}

/** An iteration of such a scope. */
export interface FlatForEach extends ForEach {
  readonly scope: FlatScope;
}

/** What takes the errors of data of a step: the step itself, or the innermost attempt around it that does; absent where nothing does. */
export type Guards = ReadonlyMap<string, string>;

/** What a platform does by itself, so that no steps have to. */
export interface Abilities {
  /** Whether it tries a step again exactly as retries say. */
  retries(step: Step, retries: readonly Retry[]): boolean;
  /** Whether it takes the errors of a step exactly as handlers do. */
  handlers(step: Step, handlers: readonly Handler[]): boolean;
  /** Whether retries and handlers take any error with which an expression fails. */
  takesDataErrors(recovery: Recovery): boolean;
}

/** What becomes of errors. */
export interface Recovery {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}

/**
 * Takes the attempts out of the scopes of a workflow: their bodies become part of these. Retries and handlers that the platform has move to the steps of
 * the body; all others become steps that count, choose, wait and go back.
 */
export function withoutAttempts(
  workflow: Workflow,
  can: Abilities,
  names: WorkflowNames,
): { readonly workflow: FlatWorkflow; readonly guards: Guards } {
  const guards = new Map<string, string>();
  return { workflow: { ...workflow, body: flatScope(workflow.body, { can, names, guards }) }, guards };
}

function flatScope(scope: Scope, common: Pick<Flattening, "can" | "names" | "guards">): FlatScope {
  const { names } = common;
  const variables = new Set(scope.variables.map(({ name }) => name));
  const declare = (wanted: readonly string[]) => {
    for (const name of wanted) variables.add(name);
  };
  let error: string | undefined;
  const errorVariable = () => {
    error ??= errorVariableOf(scope, names.variables);
    declare([error]);
    return error;
  };
  const into: Flattening = { ...common, declare, errorVariable, steps: [] };
  inline(scope.steps, { handlers: [], raised: undefined, guard: undefined }, into);
  const added = [...variables].slice(scope.variables.length).map((name) => ({ name }));
  const steps = into.steps.map((step) => flatStep(step, common));
  return { ...scope, variables: [...scope.variables, ...added], steps };
}

/** A step that is no attempt, while attempts may be in the scopes in it. */
type Placed = Exclude<Step, Attempt>;

function flatStep(step: Placed, common: Parameters<typeof flatScope>[1]): FlatStep {
  const flat = <T extends { readonly scope: Scope }>(each: T): T & { readonly scope: FlatScope } => ({
    ...each,
    scope: flatScope(each.scope, common),
  });
  if (step.kind === "foreach") return flat(step);
  return step.kind === "fork" ? { ...step, branches: step.branches.map(flat) } : step;
}

/** What takes the errors of the steps of an attempt, and of all attempts around it. */
interface Surroundings {
  /** Handlers as a step can carry them, innermost first. */
  readonly handlers: readonly Handler[];
  /** Where a step that raises an error by itself leads, with the error in the variable for that; absent: out of the scope. */
  readonly raised: Reference | undefined;
  /** The innermost attempt that takes errors of data. */
  readonly guard: string | undefined;
}

/** What flattening a scope goes by, and what it makes. */
interface Flattening {
  readonly can: Abilities;
  readonly names: WorkflowNames;
  /** Declares variables that the scope gets. */
  readonly declare: (names: readonly string[]) => void;
  /** The variable in which errors wait, declared when it is asked for. */
  readonly errorVariable: () => string;
  /** Grows, as do the guards. */
  readonly steps: Placed[];
  readonly guards: Map<string, string>;
}

function inline(source: readonly Step[], around: Surroundings, into: Flattening): void {
  const { can } = into;
  for (const written of source) {
    const step = "retries" in written ? { ...written, retries: effective(written.retries) } : written;
    const takesData = can.takesDataErrors({ retries: retriesOf(step), handlers: handlersOf(step) });
    const guard = takesData ? step.id : around.guard;
    if (guard !== undefined) into.guards.set(step.id, guard);
    if (step.kind === "attempt") inlineAttempt(step, around, into);
    else if (!can.retries(step, retriesOf(step))) inlineAttempt(attemptAt(step, into.names), around, into);
    else for (const each of guard === undefined ? [step] : computedBefore(step, into)) place(each, guard, around, into);
  }
}

function place(step: Placed, guard: string | undefined, around: Surroundings, into: Flattening): void {
  if (guard !== undefined) into.guards.set(step.id, guard);
  into.steps.push(...placed(step, around, into));
}

/**
 * A step that has no handlers, behind one that computes what it needs: where that can fail, the attempt takes it.
 *
 *   emit told(.a + 1) → value := .a + 1; emit told($value)
 */
function computedBefore(step: Placed, { names, declare }: Flattening): readonly Placed[] {
  const needed = neededBy(step);
  if (!needed || !canFail(needed.value)) return [step];
  const value = names.variables.fresh("value");
  declare([value]);
  const id = names.steps.fresh(`${step.id}/value`);
  const values = [{ variable: value, value: needed.value }];
  return [
    { ...assignOf(step, { name: id, span: step.span }), origin: { ...step.origin, part: "value" }, values },
    { ...needed.given(variable(value)), id, origin: { ...step.origin, entry: false } },
  ];
}

/** What a step without handlers computes, and the step with something in its place. */
function neededBy(
  step: Placed,
): { readonly value: Expression; readonly given: (value: Expression) => Placed } | undefined {
  if (step.kind === "emit") return { value: step.data, given: (data) => ({ ...step, data }) };
  if (step.kind !== "delay") return undefined;
  const { wait } = step;
  return wait.kind === "for"
    ? { value: wait.seconds, given: (seconds) => ({ ...step, wait: { ...wait, seconds } }) }
    : { value: wait.instant, given: (instant) => ({ ...step, wait: { ...wait, instant } }) };
}

/** A step among the handlers that are around it. */
function placed(step: Placed, around: Surroundings, into: Flattening): readonly Placed[] {
  const { can, names, declare, errorVariable } = into;
  if (step.kind === "choose" && !step.otherwise) {
    const failing = raise(names.steps.fresh(`${step.id}/no-match`), step, noChoiceMatched(step), around, into);
    return [{ ...step, otherwise: { name: failing.id, span: step.span } }, failing];
  }
  if (step.kind === "end" && step.outcome === "fail" && around.raised)
    return [{ ...assignOf(step, around.raised), values: [{ variable: errorVariable(), value: step.value }] }];
  if (!("handlers" in step)) return [step];
  const handlers = upToFirstCatchAll([...handlersOf(step), ...around.handlers]);
  if (can.handlers(step, handlers)) {
    declare(handlers.flatMap(({ bind }) => bind ?? []));
    return [{ ...step, handlers }];
  }
  const error = errorVariable();
  const dispatch = dispatchSteps(names.steps.fresh(`${step.id}/errors`), step, handlers, undefined, error, names);
  return [{ ...step, handlers: [always(error, dispatch[0]!.id, step.span)] }, ...dispatch];
}

function inlineAttempt(attempt: Attempt, around: Surroundings, into: Flattening): void {
  const { can, names, declare } = into;
  const { id, span } = attempt;
  const raises = attempt.body.steps.some(raisesAlone);
  const native = isNativeLoop(attempt, raises, can);
  const handlers = upToFirstCatchAll([...attempt.handlers, ...around.handlers]);
  const dispatches = !native || raises;
  const error = dispatches ? into.errorVariable() : "";
  const errors = dispatches ? names.steps.fresh(`${id}/errors`) : "";
  const failed = native ? errors : names.steps.fresh(`${id}/failed`);
  const told = native || raises ? undefined : toldApart(attempt, handlers, always(error, failed, span), can);
  const again = told && attempt.retries.length === 1 ? [{ ...attempt.retries[0]!, when: literal(true) }] : undefined;
  const looping = { ...attempt, retries: again ?? attempt.retries, restore: restored(attempt) };
  const loop = native ? { begin: [], steps: [] } : retryLoop(looping, { failed, errors, error }, names);
  declare(loop.begin.map(({ variable }) => variable));
  into.steps.push({ ...assignOf(attempt, attempt.body.entry), values: loop.begin });
  const inner: Surroundings = {
    handlers: native ? handlers : (told ?? [always(error, failed, span)]),
    raised: dispatches ? { name: failed, span } : undefined,
    guard: can.takesDataErrors(attempt) ? id : around.guard,
  };
  const body = attempt.body.steps.map((step) => left(step, attempt));
  inline(body, inner, into);
  if (native && attempt.retries.length > 0) retry(into.steps, effectsOf(attempt)[0]!.id, attempt.retries);
  into.steps.push(...loop.steps);
  if (dispatches) into.steps.push(...dispatchSteps(errors, attempt, handlers, around.raised, error, names));
}

/** The steps of a body that others than the run hear of, and those that take time. */
const effectsOf = ({ body }: Attempt): readonly Step[] =>
  body.steps.filter((step) => "handlers" in step || ["emit", "delay", "receive"].includes(step.kind));

/** Whether a step raises an error that is its own. */
const raisesAlone = (step: Step): boolean =>
  (step.kind === "end" && step.outcome === "fail") || (step.kind === "choose" && !step.otherwise);

/** Whether the retries of an attempt are those of the one step that its body has. */
function isNativeLoop(attempt: Attempt, raises: boolean, can: Abilities): boolean {
  if (attempt.retries.length === 0) return true;
  const [effect, ...more] = effectsOf(attempt);
  if (!effect || more.length > 0 || raises || effect.kind === "attempt" || !("handlers" in effect)) return false;
  return handlersOf(effect).length === 0 && can.retries(effect, attempt.retries);
}

/** What takes the errors of a body that steps try again, where handlers can tell the errors for which they do from all others. */
function toldApart(
  { body, retries }: Attempt,
  handlers: readonly Handler[],
  failing: Handler,
  can: Abilities,
): readonly Handler[] | undefined {
  const conditions = retries.map(({ when }) => when);
  const apart = upToFirstCatchAll([{ ...failing, when: balanced("or", conditions) }, ...handlers]);
  const telling = body.steps.every(
    (step) => step.kind !== "attempt" && can.handlers(step, [...handlersOf(step), ...apart]),
  );
  return telling && !apart.some(({ when }) => takesAll(errorsTaken(when))) ? apart : undefined;
}

/** Gives retries to a step that was placed already. */
function retry(steps: Placed[], id: string, retries: readonly Retry[]): void {
  const index = steps.findLastIndex((step) => step.id === id);
  steps[index] = { ...steps[index]!, retries } as Placed;
}

/** In a body, an end leaves the attempt: it leads on, with the value where that is wanted. */
function left(step: Step, { bind, next }: Attempt): Step {
  if (step.kind !== "end" || step.outcome !== "leave" || step.extent !== "scope") return step;
  return { ...assignOf(step, next), values: bind === undefined ? [] : [{ variable: bind, value: step.value }] };
}

/** A step with retries that the platform has not, as an attempt of its own. */
function attemptAt(step: Placed, { steps: names }: WorkflowNames): Attempt {
  const { id, origin, span } = step;
  const done: End = {
    kind: "end",
    id: names.fresh(`${id}/done`),
    origin: partOf(step, "done"),
    span,
    outcome: "leave",
    extent: "scope",
    value: literal(null),
  };
  const tried = {
    ...step,
    origin: partOf(step, "try"),
    id: names.fresh(`${id}/try`),
    retries: [],
    handlers: [],
    next: { name: done.id, span },
  } as Placed;
  const body: Scope = { entry: { name: tried.id, span }, variables: [], steps: [tried, done], span };
  const next = "next" in step ? step.next : { name: done.id, span };
  const recovery = { retries: retriesOf(step), handlers: handlersOf(step) };
  return { kind: "attempt", id, origin, span, body, restore: [], ...recovery, next };
}

function raise(id: string, step: Step, error: ErrorValue, around: Surroundings, into: Flattening): Placed {
  const origin = partOf(step, "no-match");
  const value = literal(error as unknown as Json);
  const end: End = { kind: "end", id, origin, span: step.span, outcome: "fail", extent: "scope", value };
  return placed(end, around, into)[0]!;
}

const assignOf = ({ id, origin, span }: Step, next: Reference): Assign => ({
  kind: "assign",
  id,
  origin,
  span,
  values: [],
  next,
});

/** Handlers that can ever have their turn. */
function upToFirstCatchAll(handlers: readonly Handler[]): readonly Handler[] {
  const index = handlers.findIndex(({ when }) => when.kind === "literal" && when.value === true);
  return index < 0 ? handlers : handlers.slice(0, index + 1);
}
