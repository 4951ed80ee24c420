import {
  binary,
  call,
  canFail,
  childrenOf,
  type Expression,
  effectsOf,
  equalExpressions,
  firstOr,
  isBinary,
  literal,
  member,
  object,
  simplify,
  substitute,
  variable,
  withChildren,
} from "../expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../ir/names.ts";
import { type StandardErrors, standardErrorsOf } from "../ir/problems.ts";
import {
  expressionsOf,
  innerScopes,
  mapKeeping,
  mapOwnScopes,
  mapScopes,
  ownExpressions,
  stepsOf,
  withSteps,
} from "../ir/walk.ts";
import type { Assign, Attempt, Handler, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { readConstructed } from "./constructed-members.ts";
import { derivedOrigin } from "./error-recovery.ts";
import { raisedValue } from "./raised-values.ts";

// Most attempts read little of an error: a status or a type. Then its steps raise errors as they are, and the attempt
// computes what it reads, once.

/** A workflow with attempts that read errors as they are. */
export interface DeferredRaises {
  readonly workflow: Workflow;
  /** The ids of the outermost such attempts, which errors leave as they are. */
  readonly attempts: ReadonlySet<string>;
  /** The ids of the steps inside. */
  readonly deferred: ReadonlySet<string>;
}

/** Lets attempts read errors as their steps raise them, where they read no more than that gives. */
export function deferRaises(workflow: Workflow, raisedError: Expression): DeferredRaises {
  const standard = standardErrorsOf(raisedError) as unknown as StandardErrors | undefined;
  if (!standard) return { workflow, attempts: new Set(), deferred: new Set() };
  const attempts = new Set<string>();
  const deferred = new Set<string>();
  const unread = new Set<string>();
  const context: Deferring = {
    raisedError,
    standard,
    names: workflowNames(workflow),
    expressions: stepsOf(workflow).flatMap(expressionsOf),
    attempts,
    deferred,
    unread,
  };
  const reading = mapOwnScopes(workflow, (scope) => deferInScope(scope, context));
  const read = unread.size === 0 ? reading : mapScopes(reading, (scope) => withoutAssignments(scope, unread));
  return { workflow: read, attempts, deferred };
}

interface Deferring {
  readonly raisedError: Expression;
  readonly standard: StandardErrors;
  readonly names: WorkflowNames;
  /** All expressions of the workflow. */
  readonly expressions: readonly Expression[];
  readonly attempts: Set<string>;
  readonly deferred: Set<string>;
  /** Variables for errors that nothing reads, except to compute their own next values. */
  readonly unread: Set<string>;
}

const withoutAssignments = (scope: Scope, unread: ReadonlySet<string>): Scope =>
  withSteps(
    scope,
    mapKeeping(scope.steps, (step) =>
      step.kind === "assign" && step.values.some((each) => unread.has(each.variable))
        ? { ...step, values: step.values.filter((each) => !unread.has(each.variable)) }
        : step,
    ),
  );

function deferInScope(scope: Scope, context: Deferring): Scope {
  const steps = scope.steps.flatMap((step) => (step.kind === "attempt" ? deferInAttempt(step, context) : [step]));
  const isSame = steps.length === scope.steps.length && steps.every((step, i) => step === scope.steps[i]);
  return isSame ? scope : { ...scope, steps };
}

function deferInAttempt(attempt: Attempt, context: Deferring): readonly Step[] {
  const { handlers, retries, timeout } = attempt;
  const recovers = timeout === undefined && handlers.length + retries.length > 0;
  const sources = recovers && stepsWithin(attempt.body).some(calls) ? errorSources(attempt.body) : undefined;
  const plan = sources && sources.size > 0 ? planned(attempt, sources, context) : undefined;
  if (plan) {
    context.attempts.add(attempt.id);
    for (const each of stepsWithin(attempt.body)) context.deferred.add(each.id);
    return plan;
  }
  const body = deferInScope(attempt.body, context);
  return [body === attempt.body ? attempt : { ...attempt, body }];
}

/** Other errors are of expressions, whose problem details are constants. */
const calls = ({ kind }: Step): boolean => kind === "call" || kind === "invoke";

const stepsWithin = ({ steps }: Scope): readonly Step[] =>
  steps.flatMap((step) => [step, ...innerScopes(step).flatMap(stepsWithin)]);

/** The pointers of the steps whose errors leave a scope as they are; undefined if some become others before. */
function errorSources({ steps }: Scope): ReadonlySet<string> | undefined {
  const pointers = new Set<string>();
  for (const step of steps) {
    const inside = step.kind === "attempt" ? attemptSources(step) : stepSources(step);
    if (!inside) return undefined;
    for (const pointer of inside) pointers.add(pointer);
  }
  return pointers;
}

const attemptSources = (attempt: Attempt): Iterable<string> | undefined =>
  attempt.timeout !== undefined || [...attempt.retries, ...attempt.handlers].some(({ when }) => canFail(when))
    ? undefined
    : errorSources(attempt.body);

/**
 * Only calls: errors that steps raise themselves are constants, and those of expressions outside of calls are caught where
 * their details are constants.
 */
function stepSources(step: Step): readonly string[] | undefined {
  switch (step.kind) {
    case "call":
    case "invoke":
      return step.origin.pointer === undefined ? undefined : [step.origin.pointer];
    case "fork":
    case "foreach":
    case "receive":
      return undefined;
    case "end":
      return (step.outcome === "fail" && step.extent === "scope") || canFail(step.value) ? undefined : [];
    case "choose":
      return !step.otherwise || ownExpressions(step).some(canFail) ? undefined : [];
    default:
      return ownExpressions(step).some(canFail) ? undefined : [];
  }
}

/** The attempt with what it reads, and the steps that compute what its handlers keep. */
function planned(attempt: Attempt, sources: ReadonlySet<string>, context: Deferring): readonly Step[] | undefined {
  const [pointer] = sources.size === 1 ? sources : [];
  const isOpen = !attempt.handlers.some(({ when }) => when.kind === "literal" && when.value === true);
  if (isOpen && pointer === undefined) return undefined;
  const reading: Reading = { ...context, pointer };
  const retries = mapDefined(attempt.retries, (retry) => {
    const when = conditionOn(retry.when, reading);
    return when && { ...retry, when };
  });
  const handlers = mapDefined(attempt.handlers, (handler) => handlerOn(handler, attempt, reading));
  const inner = retries && handlers && deferInside(attempt.body, context);
  if (!inner) return undefined;
  return [
    {
      ...attempt,
      origin: pointer === undefined ? attempt.origin : { ...attempt.origin, pointer },
      body: inner,
      retries,
      handlers: handlers.map(({ handler }) => handler),
    },
    ...handlers.flatMap(({ steps }) => steps),
  ];
}

/** Attempts inside also read errors as they are. */
function deferInside(scope: Scope, context: Deferring): Scope | undefined {
  const steps = mapDefined(scope.steps, (step) =>
    step.kind === "attempt" ? deferredInside(step, context) : ([step] as const),
  );
  return steps && { ...scope, steps: steps.flat() };
}

function deferredInside(attempt: Attempt, context: Deferring): readonly Step[] | undefined {
  if (attempt.handlers.length + attempt.retries.length === 0) {
    const body = deferInside(attempt.body, context);
    return body && [{ ...attempt, body }];
  }
  const sources = errorSources(attempt.body);
  return sources && planned(attempt, sources, context);
}

interface Reading extends Deferring {
  /** Of all errors, if they have one. */
  readonly pointer: string | undefined;
}

function mapDefined<T, U>(list: readonly T[], change: (element: T) => U | undefined): readonly U[] | undefined {
  const changed: U[] = [];
  for (const each of list) {
    const one = change(each);
    if (one === undefined) return undefined;
    changed.push(one);
  }
  return changed;
}

/** A condition over problem details as one over the error as it was raised. */
function conditionOn(when: Expression, { standard, pointer, raisedError }: Reading): Expression | undefined {
  if (!effectsOf(when).free.has("error")) return when;
  const parts = withOwnStatus(
    readConstructed(simplify(substitute(when, new Map([["error", problemParts]])))),
    standard,
  );
  if (readsOnlyParts(parts)) return simplify(substitute(parts, partsOf(variable("error"), standard)));
  return pointer === undefined
    ? undefined
    : simplify(substitute(when, new Map([["error", raisedValue(variable("error"), pointer, raisedError)]])));
}

/** Stand for the parts of problem details. */
const part = {
  name: "'name",
  type: "'type",
  status: "'status",
  title: "'title",
  detail: "'detail",
  ownStatus: "'own status",
} as const;

/** Not the parts of an error as it was raised; whether there are details shows only in the whole. */
const otherParts = ["origin", "message", "whole", "instance"] as const;

const dataParts = ["type", "status", "title", "detail"] as const;

const others = otherParts.map((name) => [name, variable(`'${name}`)] as const);

const problemParts = object([
  ["origin", variable("'origin")],
  ["name", variable(part.name)],
  ["message", variable("'message")],
  ["data", object([...dataParts.map((name) => [name, variable(part[name])] as const), ...others])],
]);

/** No standard error has the status, so that the error itself has it: `first($error.data.status, null) == 503`. */
function withOwnStatus(expression: Expression, standard: StandardErrors): Expression {
  const within = (each: Expression): Expression => withOwnStatus(each, standard);
  const changed = withChildren(
    expression,
    childrenOf(expression).map((child) => within(child.expression)),
  );
  if (!isBinary(changed) || (changed.name !== "==" && changed.name !== "!=")) return changed;
  const sides = changed.args;
  const isOther = sides.some((side) => side.kind === "literal" && !isStandardStatus(side.value, standard));
  const own = sides.map((side) => (isPart(side, part.status) ? variable(part.ownStatus) : side));
  return isOther ? binary(changed.name, own[0]!, own[1]!) : changed;
}

const isStandardStatus = (value: Json, { errors }: StandardErrors): boolean =>
  value === null || Object.values(errors).some(({ status }) => status === value);

const isPart = (expression: Expression, name: string): boolean =>
  expression.kind === "variable" && expression.name === name;

const readsOnlyParts = (expression: Expression): boolean => {
  const { free } = effectsOf(expression);
  return otherParts.every((name) => !free.has(`'${name}`));
};

/** The parts of the problem details of an error as it was raised. */
function partsOf(error: Expression, standard: StandardErrors): ReadonlyMap<string, Expression> {
  const given = literal(standard as unknown as Json);
  return new Map([
    [part.name, call("problemName", error, given)],
    [part.type, call("problemType", error, given)],
    [part.status, call("problemStatus", error, given)],
    [part.title, call("problemTitle", error, given)],
    [part.detail, call("problemDetail", error, given)],
    [part.ownStatus, firstOr(member(error, "data", "status"), literal(null))],
  ]);
}

interface KeptHandler {
  readonly handler: Handler;
  readonly steps: readonly Assign[];
}

/** The handler, and the step that computes what is read of the error that it keeps. */
function handlerOn(handler: Handler, attempt: Attempt, reading: Reading): KeptHandler | undefined {
  const when = conditionOn(handler.when, reading);
  if (!when) return undefined;
  const { bind, next, span } = handler;
  const members = bind === undefined ? [] : membersRead(bind, reading.expressions);
  if (bind === undefined || members?.length === 0) return unkept({ ...handler, when }, reading);
  const value = keptValue(variable(bind), members, reading);
  if (!value) return undefined;
  const id = reading.names.steps.fresh(`${attempt.id}/problem`);
  const values = [{ variable: bind, value }];
  const origin = derivedOrigin(attempt, "problem");
  const keep: Assign = { kind: "assign", id, origin, span, values, next };
  return { handler: { ...handler, when, next: { name: id, span } }, steps: [keep] };
}

/** The handler without a variable that nothing reads. */
function unkept(handler: Handler, { unread }: Reading): KeptHandler {
  if (handler.bind !== undefined) unread.add(handler.bind);
  return { handler: { ...handler, bind: undefined }, steps: [] };
}

function keptValue(
  error: Expression,
  members: readonly string[] | undefined,
  { raisedError, standard, pointer }: Reading,
): Expression | undefined {
  const parts = partsOf(error, standard);
  const known = new Map<string, Expression>(dataParts.map((name) => [name, parts.get(part[name])!]));
  if (members?.every((name) => known.has(name)))
    return object([["data", object(members.map((name) => [name, known.get(name)!] as const))]]);
  return pointer === undefined ? undefined : raisedValue(error, pointer, raisedError);
}

/** The members read of the data of an error in a variable; undefined if it is read in another way. */
function membersRead(name: string, expressions: readonly Expression[]): readonly string[] | undefined {
  const members = new Set<string>();
  return expressions.every((each) => addMembers(each, name, members)) ? [...members] : undefined;
}

/** Whether an expression reads nothing else. */
function addMembers(expression: Expression, name: string, members: Set<string>): boolean {
  if (!effectsOf(expression).free.has(name)) return true;
  if (equalExpressions(expression, problemIn(variable(name)))) return true;
  if (expression.kind === "variable") return false;
  if (expression.kind === "access" && isPart(expression.source, name)) {
    const { key } = expression;
    if (key.kind !== "literal" || typeof key.value !== "string") return false;
    members.add(key.value);
    return true;
  }
  if (expression.kind === "query" && isPart(expression.source, name)) {
    const [first] = expression.segments;
    const [selector] = first?.selectors ?? [];
    if (first?.descend !== false || first.selectors.length !== 1 || selector?.kind !== "name") return false;
    members.add(selector.name);
    return true;
  }
  return childrenOf(expression).every((child) => addMembers(child.expression, name, members));
}

/** What front ends put in place of an error. */
const problemIn = (error: Expression): Expression => firstOr(member(error, "data"), literal(null));
