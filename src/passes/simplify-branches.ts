import { liveness, pointsOf } from "../cfg/index.ts";
import {
  canFail,
  type Expression,
  equalExpressions,
  factsOf,
  inferType,
  printExpression,
  simplify,
  substitute,
  type VariableTypes,
} from "../expressions/index.ts";
import { mapOwnScopes, mapScopes, reachable, redirected, stepsById, successors } from "../ir/walk.ts";
import type { Assign, Choose, Reference, Retry, Scope, Step, Workflow } from "../ir/workflow.ts";
import { anyObject, truthOf, typeNameOf } from "../types/index.ts";

// Rewrites of workflows that save steps: what a workflow does is the same after each of them.

/**
 * What is decided before a run is left out: a case of a choice, a retry and a handler whose condition never holds, and whatever stands behind one that
 * always holds. A choice with nothing left to choose only passes on. Saves conditions, and the ways that nothing takes. `before`: what is known of variables
 * as steps begin, by their ids.
 */
export const withoutDecided = <W extends Workflow>(
  workflow: W,
  before: ReadonlyMap<string, VariableTypes> = new Map(),
): W =>
  mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.map((step) => undecided(step, before.get(step.id))),
  }));

function undecided(step: Step, known: VariableTypes | undefined): Step {
  if (step.kind === "choose") return undecidedChoice(step, known);
  if (!("handlers" in step)) return step;
  const retries = withoutIdle(deciding(step.retries, ofFailures).possible);
  return { ...step, retries, handlers: deciding(step.handlers, ofFailures).possible };
}

function undecidedChoice(step: Choose, known: VariableTypes | undefined): Step {
  const { possible, always } = deciding(step.cases, known);
  const cases = always ? possible.slice(0, -1) : possible;
  const otherwise = always?.next ?? step.otherwise;
  if (cases.length > 0 || !otherwise) return { ...step, cases, otherwise };
  const { id, origin, span } = step;
  return { kind: "assign", id, origin, span, values: [], next: otherwise };
}

/**
 * Of what is tried in order: what some run may take, each on the simplest condition, and the one that is taken whenever it is come to, which is then the
 * last. What never holds is not among them, nor what is asked again.
 */
function deciding<T extends { readonly when: Expression }>(
  tried: readonly T[],
  known: VariableTypes = new Map(),
): { readonly possible: readonly T[]; readonly always: T | undefined } {
  const possible: T[] = [];
  const asked = new Map<string, Expression[]>();
  for (const each of tried) {
    const when = simplify(each.when);
    if (isAlways(when)) return { possible: [...possible, { ...each, when }], always: each };
    const text = printExpression(when);
    const alike = asked.get(text) ?? [];
    if (isNever(when, known) || alike.some((before) => equalExpressions(before, when))) continue;
    asked.set(text, [...alike, when]);
    possible.push({ ...each, when });
  }
  return { possible, always: undefined };
}

/** Retries without those at the end that allow none: what they govern is not retried without them either. */
const withoutIdle = (retries: readonly Retry[]): readonly Retry[] =>
  retries.slice(0, retries.findLastIndex(({ when, limit }) => limit > 0 || canFail(when)) + 1);

/** What conditions of retries and handlers know of the error that they are asked for. */
const ofFailures: VariableTypes = new Map([["error", anyObject]]);

/** Whether a condition does not hold whatever the variables are, and does not fail: it is never true. */
function isNever(when: Expression, known: VariableTypes): boolean {
  if (when.kind === "literal" || canFail(when)) return when.kind === "literal";
  const valueType = inferType(when, known);
  const type = typeNameOf(valueType);
  return truthOf(valueType) === "never" || (type !== undefined && type !== "boolean");
}

/** Whether a condition holds whatever the variables are. Anything but true does not hold. */
const isAlways = (when: Expression): boolean => when.kind === "literal" && when.value === true;

/**
 * Ways that go past the steps which only pass on, to where these lead; and no steps that nothing leads to any more. Saves steps. A circle of such steps
 * stays as it is.
 */
export const withThreadedJumps = <W extends Workflow>(workflow: W): W => mapScopes(workflow, threaded);

function threaded(scope: Scope): Scope {
  const steps = stepsById(scope);
  const to = (reference: Reference): Reference => beyond(reference, steps);
  const jumping = { ...scope, entry: to(scope.entry), steps: scope.steps.map((step) => redirected(step, to)) };
  const reached = reachable(jumping);
  return { ...jumping, steps: jumping.steps.filter(({ id }) => reached.has(id)) };
}

function beyond(reference: Reference, steps: ReadonlyMap<string, Step>): Reference {
  const passed = new Set<string>();
  let current = reference;
  for (let step = steps.get(current.name); step && passesOn(step); step = steps.get(current.name)) {
    if (passed.has(step.id)) return reference;
    passed.add(step.id);
    current = step.next;
  }
  return current;
}

const passesOn = (step: Step): step is Extract<Step, { kind: "assign" }> =>
  step.kind === "assign" && step.values.length === 0;

/**
 * Assignments without the values that nothing reads, nor what is only read for such: a printer of variables would declare these. Only what cannot fail. The bodies of
 * attempts share variables with what is around them.
 */
export const withoutUnread = <W extends Workflow>(workflow: W): W => mapOwnScopes(workflow, read);

function read(scope: Scope): Scope {
  const live = liveness(pointsOf(scope));
  let isLess = false;
  const stepRead = (step: Step): Step => {
    if (step.kind === "attempt") return { ...step, body: bodyRead(step.body) };
    if (step.kind !== "assign") return step;
    const after = live.get(step.next.name);
    const values = step.values.filter(({ variable, value }) => after?.has(variable) || canFail(value));
    isLess ||= values.length < step.values.length;
    return { ...step, values };
  };
  const bodyRead = (body: Scope): Scope => ({ ...body, steps: body.steps.map(stepRead) });
  const less = bodyRead(scope);
  return isLess ? read(less) : scope;
}

/**
 * Assignments that follow each other and nothing else as one: what the second computes is over what the first has computed. Only what cannot fail, since
 * a handler sees the variables as they are; and only where nothing is then computed twice. Saves steps.
 */
export const withFusedAssignments = <W extends Workflow>(workflow: W): W => mapScopes(workflow, fused);

function fused(scope: Scope): Scope {
  const entries = entriesOf(scope);
  const steps = new Map(stepsById(scope));
  for (const { id } of scope.steps) {
    for (let both = fusedWithNext(id, steps, entries); both; both = fusedWithNext(id, steps, entries)) {
      steps.delete(both.gone);
      steps.set(id, both.step);
    }
  }
  return { ...scope, steps: scope.steps.flatMap(({ id }) => steps.get(id) ?? []) };
}

/** From how many places each step is reached. */
function entriesOf({ entry, steps }: Scope): ReadonlyMap<string, number> {
  const counts = new Map([[entry.name, 1]]);
  for (const { name } of steps.flatMap(successors)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function fusedWithNext(
  id: string,
  steps: ReadonlyMap<string, Step>,
  entries: ReadonlyMap<string, number>,
): { readonly step: Assign; readonly gone: string } | undefined {
  const first = steps.get(id);
  const second = first?.kind === "assign" ? steps.get(first.next.name) : undefined;
  if (first?.kind !== "assign" || second?.kind !== "assign" || second.id === id || entries.get(second.id) !== 1)
    return undefined;
  if ([...first.values, ...second.values].some(({ value }) => canFail(simplify(value)))) return undefined;
  const given = new Map(first.values.map(({ variable, value }) => [variable, value]));
  if (!first.values.every(({ variable, value }) => isSmall(value) || readsOf(variable, second) <= 1)) return undefined;
  const later = second.values.map((each) => ({ ...each, value: substitute(each.value, given) }));
  const set = new Set(later.map(({ variable }) => variable));
  const kept = first.values.filter(({ variable }) => !set.has(variable));
  const isOnce = kept.every(({ variable, value }) => isSmall(value) || readsOf(variable, second) === 0);
  return isOnce ? { step: { ...first, values: [...kept, ...later], next: second.next }, gone: second.id } : undefined;
}

/** How often an assignment reads a variable. */
const readsOf = (variable: string, { values }: Assign): number =>
  values.reduce((sum, { value }) => sum + (factsOf(value).free.get(variable) ?? 0), 0);

/** Whether an expression may as well be computed twice. */
const isSmall = ({ kind }: Expression): boolean => kind === "literal" || kind === "variable";
