import { balanced, literal } from "../../../src/expressions/index.ts";
import { noChoiceMatched } from "../../../src/ir/failures.ts";
import { handlersOf, retriesOf } from "../../../src/ir/walk.ts";
import type {
  Assign,
  Attempt,
  End,
  ErrorValue,
  Handler,
  Reference,
  Retry,
  Scope,
  Step,
} from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { always, dispatchSteps, errorVariable } from "./dispatch.ts";
import { loopSteps, loopVariables } from "./loop.ts";
import { errorsTaken, takesAll } from "./match.ts";
import { hasNativeHandlers, hasNativeRetries, takesDataErrors } from "./native.ts";
import { effective, restored } from "./restore.ts";

/** A step as Step Functions knows it: attempts are gone, and every choice has an `otherwise`. */
export type FlatStep = Exclude<Step, Attempt>;

/** A scope of such steps. */
export interface FlatScope extends Scope {
  readonly steps: readonly FlatStep[];
  /** What takes the errors of data of a step: the step itself, or the innermost attempt around it that does; absent where nothing does. */
  readonly guards: ReadonlyMap<string, string>;
}

/** What takes the errors of the steps of an attempt, and of all attempts around it. */
interface Surroundings {
  /** Handlers as a step can carry them, innermost first. */
  readonly handlers: readonly Handler[];
  /** Where a step that raises an error by itself leads, with the error in `errorVariable`; absent: out of the scope. */
  readonly raised: Reference | undefined;
  /** The innermost attempt that takes errors of data. */
  readonly guard: string | undefined;
}

/** What flattening makes. */
interface Result {
  readonly steps: FlatStep[];
  readonly guards: Map<string, string>;
  /** Declares variables that the scope gets. */
  readonly declare: Declare;
}

/**
 * Takes the attempts out of a scope: their bodies become part of it. Retries and handlers that `Retry` and `Catch` can say move to the
 * steps of the body; all others become steps that count, choose, wait and go back.
 */
export function flatten(scope: Scope): FlatScope {
  const variables = new Set(scope.variables.map(({ name }) => name));
  const steps: FlatStep[] = [];
  const declare = (names: readonly string[]) => {
    for (const name of names) variables.add(name);
  };
  const guards = new Map<string, string>();
  inline(scope.steps, { handlers: [], raised: undefined, guard: undefined }, { steps, declare, guards });
  const added = [...variables].slice(scope.variables.length).map((name) => ({ name }));
  return { ...scope, variables: [...scope.variables, ...added], steps, guards };
}

type Declare = (names: readonly string[]) => void;

function inline(source: readonly Step[], around: Surroundings, into: Result): void {
  for (const written of source) {
    const step = "retries" in written ? { ...written, retries: effective(written.retries) } : written;
    const guard = takesDataErrors({ retries: retriesOf(step), handlers: handlersOf(step) }) ? step.id : around.guard;
    if (guard !== undefined) into.guards.set(step.id, guard);
    if (step.kind === "attempt") inlineAttempt(step, around, into);
    else if (!hasNativeRetries(step, retriesOf(step))) inlineAttempt(attemptAt(step), around, into);
    else into.steps.push(...placed(step, around, into.declare));
  }
}

/** A step among the handlers that are around it. */
function placed(step: FlatStep, around: Surroundings, declare: Declare): readonly FlatStep[] {
  if (step.kind === "choose" && !step.otherwise) {
    const failing = raise(`${step.id}/no-match`, step, noChoiceMatched(step), around, declare);
    return [{ ...step, otherwise: { name: failing.id, span: step.span } }, failing];
  }
  if (step.kind === "end" && step.outcome === "fail" && around.raised) {
    declare([errorVariable]);
    return [{ ...assignOf(step, around.raised), values: [{ variable: errorVariable, value: step.value }] }];
  }
  if (!("handlers" in step)) return [step];
  const handlers = upToFirstCatchAll([...handlersOf(step), ...around.handlers]);
  if (hasNativeHandlers(step, handlers)) {
    declare(handlers.flatMap(({ bind }) => (bind === undefined ? [] : [bind])));
    return [{ ...step, handlers }];
  }
  declare([errorVariable]);
  const dispatch = dispatchSteps(`${step.id}/errors`, step, handlers, undefined);
  return [{ ...step, handlers: [always(dispatch[0]!.id, step.span)] }, ...dispatch];
}

function inlineAttempt(attempt: Attempt, around: Surroundings, into: Result): void {
  const { declare } = into;
  const raises = attempt.body.steps.some(raisesAlone);
  const native = isNativeLoop(attempt, raises);
  const handlers = upToFirstCatchAll([...attempt.handlers, ...around.handlers]);
  const failed = `${attempt.id}/failed`;
  const errors = `${attempt.id}/errors`;
  const needsDispatch = !native || raises;
  const told = native || raises ? undefined : toldApart(attempt, handlers, failed);
  if (needsDispatch) declare([errorVariable]);
  into.steps.push(...entry(attempt, native, declare));
  const inner: Surroundings = {
    handlers: native ? handlers : (told ?? [always(failed, attempt.span)]),
    raised: needsDispatch ? { name: native ? errors : failed, span: attempt.span } : undefined,
    guard: takesDataErrors(attempt) ? attempt.id : around.guard,
  };
  inline(
    attempt.body.steps.map((step) => left(step, attempt)),
    inner,
    into,
  );
  if (native && attempt.retries.length > 0) retry(into.steps, effectsOf(attempt)[0]!.id, attempt.retries);
  const retries =
    told && attempt.retries.length === 1 ? [{ ...attempt.retries[0]!, when: literal(true) }] : attempt.retries;
  if (!native) into.steps.push(...loopSteps({ ...attempt, retries, restore: restored(attempt) }, failed, errors));
  if (needsDispatch) into.steps.push(...dispatchSteps(errors, attempt, handlers, around.raised));
}

/** The steps of a body that others than the run hear of. */
const effectsOf = ({ body }: Attempt): readonly Step[] =>
  body.steps.filter((step) => "handlers" in step || step.kind === "emit");

/** Whether a step raises an error that is its own. */
const raisesAlone = (step: Step): boolean =>
  (step.kind === "end" && step.outcome === "fail") || (step.kind === "choose" && !step.otherwise);

/** Whether the retries of an attempt are those of the one state that its body has. */
function isNativeLoop(attempt: Attempt, raises: boolean): boolean {
  if (attempt.retries.length === 0) return true;
  const [effect, ...more] = effectsOf(attempt);
  if (!effect || more.length > 0 || raises || effect.kind === "attempt") return false;
  return handlersOf(effect).length === 0 && hasNativeRetries(effect, attempt.retries);
}

/** What takes the errors of a body that steps try again, where `Catch` can tell the errors for which they do from all others. */
function toldApart(
  { body, retries, span }: Attempt,
  handlers: readonly Handler[],
  failed: string,
): readonly Handler[] | undefined {
  const again: Handler = {
    ...always(failed, span),
    when: balanced(
      "or",
      retries.map(({ when }) => when),
    ),
  };
  const apart = upToFirstCatchAll([again, ...handlers]);
  const telling = body.steps.every(
    (step) => step.kind !== "attempt" && hasNativeHandlers(step, [...handlersOf(step), ...apart]),
  );
  return telling && !apart.some(({ when }) => takesAll(errorsTaken(when))) ? apart : undefined;
}

/** The step with which an attempt begins: in a loop it saves and counts, else it is only a name to go to. */
function entry(attempt: Attempt, native: boolean, declare: Declare): readonly FlatStep[] {
  const values = native ? [] : loopVariables({ ...attempt, restore: restored(attempt) });
  declare(values.map(({ variable }) => variable));
  return [{ ...assignOf(attempt, attempt.body.entry), id: attempt.id, values }];
}

/** Gives retries to a step that was placed already. */
function retry(steps: FlatStep[], id: string, retries: readonly Retry[]): void {
  const index = steps.findLastIndex((step) => step.id === id);
  steps[index] = { ...steps[index]!, retries } as FlatStep;
}

/** In a body, an end leaves the attempt: it leads on, with the value where that is wanted. */
function left(step: Step, { bind, next }: Attempt): Step {
  if (step.kind !== "end" || step.outcome !== "leave" || step.extent !== "scope") return step;
  return { ...assignOf(step, next), values: bind === undefined ? [] : [{ variable: bind, value: step.value }] };
}

/** A step with retries that `Retry` cannot say, as an attempt of its own. */
function attemptAt(step: FlatStep): Attempt {
  const { id, origin, span } = step;
  const inside = { origin: { ...origin, entry: false }, span };
  const done: End = {
    kind: "end",
    id: `${id}/done`,
    outcome: "leave",
    extent: "scope",
    value: literal(null),
    ...inside,
  };
  const tried = {
    ...step,
    ...inside,
    id: `${id}/try`,
    retries: [],
    handlers: [],
    next: { name: done.id, span },
  } as FlatStep;
  const body: Scope = { entry: { name: tried.id, span }, variables: [], steps: [tried, done], span };
  const next = "next" in step ? step.next : { name: done.id, span };
  return {
    kind: "attempt",
    id,
    origin,
    span,
    body,
    restore: [],
    retries: retriesOf(step),
    handlers: handlersOf(step),
    next,
  };
}

function raise(id: string, step: Step, error: ErrorValue, around: Surroundings, declare: Declare): FlatStep {
  const origin = { ...step.origin, entry: false };
  const end: End = {
    kind: "end",
    id,
    origin,
    span: step.span,
    outcome: "fail",
    extent: "scope",
    value: literal(error as unknown as Json),
  };
  return placed(end, around, declare)[0]!;
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
