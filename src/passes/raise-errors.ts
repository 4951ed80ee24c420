import { binary, canFail, conditional, type Expression, literal, variable } from "../expressions/index.ts";
import { noChoiceMatchedError } from "../ir/errors.ts";
import { type WorkflowNames, workflowNames } from "../ir/names.ts";
import { standardErrorsOf } from "../ir/problems.ts";
import { builtInOf } from "../ir/protocols.ts";
import { handlersOf, mapOwnScopes, ownExpressions } from "../ir/walk.ts";
import type {
  Assign,
  Attempt,
  Choose,
  End,
  ErrorValue,
  Handler,
  Reference,
  Scope,
  Step,
  Workflow,
} from "../ir/workflow.ts";
import { type DeferredRaises, deferRaises } from "./defer-raises.ts";
import { derivedOrigin } from "./error-recovery.ts";
import { inheritPointers, observedSteps } from "./observed-errors.ts";
import { raisedValue } from "./raised-values.ts";

/** How errors become what they are outside of their steps. */
export interface Raising {
  /**
   * Which errors are raised again: `all`; those that the workflow observes, so that runs fail with the others as they
   * are; or `none`, because the runtime raises them.
   */
  readonly raised: "all" | "observed" | "none";
  /** Whether attempts compute what they read themselves, where they can. */
  readonly defers?: boolean;
}

/**
 * Replaces `Workflow.raisedError` by handlers: an error that leaves a step with a pointer is caught there and raised
 * again as what it becomes. What the others become, runners or the runtime derive from `Workflow.problems`.
 */
export function raiseErrors(workflow: Workflow, { raised, defers = false }: Raising = { raised: "all" }): Workflow {
  const { raisedError, ...rest } = workflow;
  if (!raisedError) return workflow;
  const standardErrors = standardErrorsOf(raisedError);
  const problems = raised === "all" ? undefined : standardErrors;
  const named = standardErrors === undefined ? rest : { ...rest, standardErrors };
  if (raised === "none" && problems) return { ...named, problems, detailedErrors: true };
  const given = problems ? { ...inheritPointers(named), problems } : named;
  const reading = defers ? deferRaises(given, raisedError) : { workflow: given, attempts: none, deferred: none };
  return raiseIn(reading, raisedError, problems === undefined ? undefined : observedSteps(workflow));
}

const none: ReadonlySet<string> = new Set();

/** `observed`: the steps whose errors are raised; default: all. */
function raiseIn(
  { workflow, attempts, deferred }: DeferredRaises,
  raisedError: Expression,
  observed: ReadonlySet<string> | undefined,
): Workflow {
  const names = workflowNames(workflow);
  const isBuiltIn = (name: string): boolean => {
    const builtIn = builtInOf(workflow.functions.find((each) => each.name === name)?.protocol);
    return builtIn !== undefined && builtIn.kind !== "secret";
  };
  const isObserved = (step: Step): boolean => observed?.has(step.id) ?? true;
  const isDeferred = ({ id }: Step): boolean => deferred.has(id);
  const raisesAll = ({ id }: Step): boolean => attempts.has(id);
  return mapOwnScopes({ ...workflow, detailedErrors: true as const }, (scope) => {
    const own = (wanted: string): string => names.variables.fresh(wanted);
    const variables = { error: own("raised error"), choice: own("choice"), result: own("result") };
    const raised = raiseInScope(scope, { raisedError, names, isBuiltIn, isObserved, isDeferred, raisesAll, variables });
    if (raised === scope) return scope;
    const added = Object.values(variables).map((name) => ({ name }));
    return { ...raised, variables: [...scope.variables, ...added] };
  });
}

interface RaisingContext {
  readonly raisedError: Expression;
  readonly names: WorkflowNames;
  readonly isBuiltIn: (name: string) => boolean;
  readonly isObserved: (step: Step) => boolean;
  /** Whether an attempt around the step reads its errors as they are. */
  readonly isDeferred: (step: Step) => boolean;
  /** Whether an attempt is such, so that it raises the errors of all its steps. */
  readonly raisesAll: (step: Step) => boolean;
  /** Variables of the scope: the error that a handler caught, the index of a case, and the value of an end. */
  readonly variables: { readonly error: string; readonly choice: string; readonly result: string };
}

/** The scope and the bodies of its attempts. */
function raiseInScope(scope: Scope, raising: RaisingContext): Scope {
  const steps = scope.steps.flatMap((step) => raiseInStep(withRaisingBody(step, raising), raising));
  const isSame = steps.length === scope.steps.length && steps.every((step, i) => step === scope.steps[i]);
  return isSame ? scope : { ...scope, steps };
}

function withRaisingBody(step: Step, raising: RaisingContext): Step {
  if (step.kind !== "attempt") return step;
  const body = raiseInScope(step.body, raising);
  return body === step.body ? step : { ...step, body };
}

function raiseInStep(step: Step, raising: RaisingContext): readonly Step[] {
  if (step.origin.pointer === undefined || raising.isDeferred(step)) return [step];
  if (!raising.isObserved(step)) return raiseUnobserved(step, raising);
  switch (step.kind) {
    case "call":
      return !canFail(step.argument) && (raising.isBuiltIn(step.function.name) || !step.wait)
        ? [step]
        : withHandler(step, raising);
    case "invoke":
      return canFail(step.input) || step.wait ? withHandler(step, raising) : [step];
    case "attempt":
      return step.timeout === undefined && !raising.raisesAll(step) ? [step] : withHandler(step, raising);
    case "foreach":
      return ownExpressions(step).some(canFail) ? withHandler(step, raising) : [step];
    case "fork":
      return [step];
    case "choose":
      return raiseInChoice(step, raising);
    case "end":
      return raiseInEnd(step, raising);
    default:
      return ownExpressions(step).some(canFail) ? attempted(step, raising) : [step];
  }
}

/** Raises only what the platform cannot report with the step: errors that the step itself is or detects. */
function raiseUnobserved(step: Step, raising: RaisingContext): readonly Step[] {
  switch (step.kind) {
    case "attempt":
      return step.timeout === undefined ? [step] : withHandler(step, raising);
    case "choose": {
      const [otherwise, added] = unmatchedCase(step, raising);
      return [{ ...step, otherwise }, ...added];
    }
    case "receive":
      return ownExpressions(step).some(canFail) ? attempted(step, raising) : [step];
    case "end":
      return isRaising(step)
        ? [{ ...step, value: raisedValue(step.value, step.origin.pointer!, raising.raisedError) }]
        : [step];
    default:
      return [step];
  }
}

/** The step with a last handler for what it does not handle itself. */
function withHandler(
  step: Extract<Step, { readonly handlers: readonly Handler[] }>,
  raising: RaisingContext,
): readonly Step[] {
  if (handlersOf(step).some(({ when }) => when.kind === "literal" && when.value === true)) return [step];
  const { span } = step;
  const raise = raisingEnd(step, variable(raising.variables.error), raising);
  const next = { name: raise.id, span };
  const handler: Handler = { when: literal(true), bind: raising.variables.error, next, span };
  return [{ ...step, handlers: [...step.handlers, handler] }, raise];
}

/** An end that raises what an error becomes. */
function raisingEnd(step: Step, error: Expression, { names, raisedError }: RaisingContext): End {
  return {
    kind: "end",
    id: names.steps.fresh(`${step.id}/raise`),
    origin: derivedOrigin(step, "raise"),
    span: step.span,
    outcome: "fail",
    extent: "scope",
    value: raisedValue(error, step.origin.pointer!, raisedError),
  };
}

/** The step in an attempt of its own. */
function attempted(
  step: Extract<Step, { readonly next: unknown }>,
  raising: RaisingContext,
  id = raising.names.steps.fresh(`${step.id}/inner`),
): readonly Step[] {
  const { span } = step;
  const end: End = {
    kind: "end",
    id: raising.names.steps.fresh(`${step.id}/end`),
    origin: derivedOrigin(step, "end"),
    span,
    outcome: "leave",
    extent: "scope",
    value: literal(null),
  };
  const inner = { ...step, id, origin: derivedOrigin(step, "inner"), next: { name: end.id, span } };
  const attempt: Attempt = {
    kind: "attempt",
    id: step.id,
    origin: step.origin,
    span,
    body: { entry: { name: id, span }, variables: [], steps: [inner, end], span },
    restore: [],
    retries: [],
    handlers: [],
    next: step.next,
  };
  return withHandler(attempt, raising);
}

/** Conditions that may fail are evaluated in an attempt. */
function raiseInChoice(step: Choose, raising: RaisingContext): readonly Step[] {
  const isSure = !step.cases.some(({ when }) => canFail(when));
  const [otherwise, unmatched] = unmatchedCase(step, raising);
  if (isSure) return step.otherwise ? [step] : [{ ...step, otherwise }, ...unmatched];
  const { choice } = raising.variables;
  const chosen = step.cases.reduceRight<Expression>(
    (rest, { when }, i) => conditional(binary("==", when, literal(true)), literal(i), rest),
    literal(null),
  );
  const id = raising.names.steps.fresh(`${step.id}/choice`);
  const cases = step.cases.map((each, i) => ({ ...each, when: binary("==", variable(choice), literal(i)) }));
  const { span } = step;
  const compute: Assign = {
    kind: "assign",
    id: step.id,
    origin: step.origin,
    span,
    values: [{ variable: choice, value: chosen }],
    next: { name: id, span },
  };
  const choose: Choose = { ...step, id, origin: derivedOrigin(step, "choice"), cases, otherwise };
  return [...attempted(compute, raising), choose, ...unmatched];
}

/** Where a choice continues without a match, and the end that raises the error of that. */
function unmatchedCase(step: Choose, raising: RaisingContext): readonly [Reference, readonly End[]] {
  if (step.otherwise) return [step.otherwise, []];
  const end = raisingEnd(step, errorLiteral(noChoiceMatchedError(step)), raising);
  return [{ name: end.id, span: step.span }, [end]];
}

const errorLiteral = ({ origin, name, message }: ErrorValue): Expression => literal({ origin, name, message });

const isRaising = ({ outcome, extent }: End): boolean => outcome === "fail" && extent === "scope";

/** A value that may fail is evaluated in an attempt; an error is raised as what it becomes. */
function raiseInEnd(step: End, raising: RaisingContext): readonly Step[] {
  const fails = isRaising(step);
  const value = (given: Expression): Expression =>
    fails ? raisedValue(given, step.origin.pointer!, raising.raisedError, step.value) : given;
  if (!canFail(step.value)) return fails ? [{ ...step, value: value(step.value) }] : [step];
  const { result } = raising.variables;
  const id = raising.names.steps.fresh(`${step.id}/value`);
  const { span } = step;
  const compute: Assign = {
    kind: "assign",
    id: step.id,
    origin: step.origin,
    span,
    values: [{ variable: result, value: step.value }],
    next: { name: id, span },
  };
  return [
    ...attempted(compute, raising),
    { ...step, id, origin: derivedOrigin(step, "value"), value: value(variable(result)) },
  ];
}
