import { canFail, childrenOf, type Expression, effectsOf } from "../../../src/expressions/index.ts";
import type { Handler, Reference } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { type ErrorSet, type FlatStep, matchedErrors, timeouts } from "../../../src/passes/index.ts";
import { anyObject } from "../../../src/types/index.ts";
import { type ErrorSources, hasOnlyFunctionErrors } from "../error-expression.ts";
import { errorEquals } from "../errors.ts";
import { intrinsics } from "../intrinsics.ts";
import type { StateExit, StateRule } from "../machine.ts";
import { carriesValue } from "../own-errors.ts";
import { bindCaughtError, storedValue } from "./caught-errors.ts";
import {
  isCurrent,
  isLarge,
  liveVariables,
  onExit,
  requestState,
  type ScopeContext,
  stepAt,
  withTypes,
} from "./context.ts";
import {
  type AssignStep,
  alwaysEvaluateAll,
  failingResults,
  failsAt,
  failsInOrder,
  stillEvaluates,
} from "./evaluation.ts";
import { field, payload } from "./fields.ts";
import { foldAssignments } from "./folding.ts";
import {
  assignSymbols,
  caughtError,
  caughtValue,
  isVariable,
  resolve,
  type SymbolTable,
  symbolValue,
  unset,
  withValue,
} from "./symbols.ts";

const maxDuplicatedSize = 16;
const maxDuplicatedLength = 100;

/**
 * The exit of a state to a step, with assignments folded in that only this edge reaches. `failed`: values in `symbols`
 * that may fail and must be evaluated.
 */
export function exitTo(
  context: ScopeContext,
  reference: Reference,
  symbols: SymbolTable,
  state: StateGuard,
  failed: readonly Expression[] = [],
): StateExit {
  const { step, symbols: reached, failing, isChanged } = followEdge(context, reference, symbols, state, failed);
  const isLeft = step.kind === "end" && step.outcome === "leave" && canEndIn(context, step, state, isChanged);
  const value = isLeft ? resolve(step.value, reached) : undefined;
  if (value && alwaysEvaluateAll([value], failing)) {
    return { next: undefined, output: isVariable(value, state.defaultOutput) ? undefined : payload(value, context) };
  }
  return { next: requestState(context, step), ...edgeData(context, step, reached, state.defaultOutput, failing) };
}

/** Like `exitTo`, without assignments of other steps: they may use a value several times that differs at each use. */
export function unfoldedExit(context: ScopeContext, reference: Reference, symbols: SymbolTable): StateExit {
  const step = stepAt(context, reference);
  return { next: requestState(context, step), ...edgeData(context, step, symbols, intrinsics.input, []) };
}

/** Like `exitTo`, for a Choice rule, which cannot end a scope. */
export function choiceRule(
  from: ScopeContext,
  when: readonly [string, Json],
  reference: Reference,
  symbols: SymbolTable,
): StateRule {
  const context = onExit(from);
  const { step, symbols: reached, failing } = followEdge(context, reference, symbols, unguarded);
  return { when, next: requestState(context, step), ...edgeData(context, step, reached, intrinsics.input, failing) };
}

/** Like `exitTo`, for a Catch by name that does not read the error. */
export function catchRule(
  context: ScopeContext,
  names: readonly string[],
  reference: Reference,
  symbols: SymbolTable,
): StateRule {
  const { step, symbols: reached, failing } = followEdge(context, reference, symbols, unguarded);
  return {
    when: ["ErrorEquals", [...names]],
    next: requestState(context, step),
    ...edgeData(context, step, reached, "", failing),
  };
}

/** The Catch rules of a state for natively supported handlers. */
export function catchRules(
  context: ScopeContext,
  handlers: readonly Handler[],
  symbols: SymbolTable,
  sources: ErrorSources,
): readonly StateRule[] {
  const { workflow, ownErrors } = context.machine;
  const names = workflow.errorNames;
  return handlers.flatMap(({ when, bind, next }) => {
    const errors = matchedErrors(when);
    if (!errors || (!errors.all && errors.names.size === 0)) return [];
    const here = errors.all ? sources : sourcesUnder(sources, errors);
    const plain = hasOnlyFunctionErrors(here, names) ? { ...context, isPlainError: true as const } : context;
    const isOurs = !errors.all && [...errors.names].every((name) => carriesValue(name, ownErrors));
    const isJoined = isOurs && [...errors.names].every((name) => name === ownErrors.joined);
    const inside = onExit(isJoined ? withTypes(plain, [[intrinsics.carried, anyObject]]) : plain);
    const caught = isOurs ? caughtValue : caughtError;
    const { step, symbols: reached, failing } = followEdge(inside, next, withValue(symbols, bind, caught), unguarded);
    const edge = {
      when: ["ErrorEquals", errorEquals(errors, names)] as const,
      next: requestState(context, step),
      ...edgeData(inside, step, reached, "", failing),
    };
    const isTold = here.heartbeat && errors.all && bind !== undefined && context.errorMembers.get(bind)?.has("origin");
    const missed = isTold ? [{ ...edge, when: ["ErrorEquals", [missedHeartbeat]] as const }] : [];
    return [
      ...missed.map((each) => bindCaughtError(each, missedHeartbeats(here), names)),
      bindCaughtError(edge, here, names),
    ];
  });
}

/** The name by which a Catch takes a missed heartbeat, which is reported as a timeout. */
const missedHeartbeat = "States.HeartbeatTimeout";

/** The sources of errors under that name. */
const missedHeartbeats = (sources: ErrorSources): ErrorSources => ({
  ...sources,
  timeoutOrigin: "heartbeat",
  expression: false,
  subflow: false,
});

/** Only errors of functions and timeouts have the names that a Catch lists. */
const sourcesUnder = (sources: ErrorSources, { names }: ErrorSet): ErrorSources => ({
  isUnnamed: sources.isUnnamed && [...names].includes(""),
  isPlain: sources.isPlain,
  timeout: sources.timeout && names.has(timeouts),
  function: sources.function && [...names].some((name) => name !== timeouts),
  expression: false,
  subflow: false,
});

/** What a state catches of folded work. */
export interface StateGuard {
  readonly defaultOutput: string;
  /** Whether its Retry or Catch matches errors of folded work. */
  readonly catches: boolean;
  readonly guards: (step: FlatStep) => boolean;
  readonly isGuarded: boolean;
}

export const unguarded: StateGuard = {
  defaultOutput: intrinsics.input,
  catches: false,
  guards: () => true,
  isGuarded: false,
};

/** Follows an edge over assignments that can be folded, each at most once. */
function followEdge(
  context: ScopeContext,
  reference: Reference,
  from: SymbolTable,
  state: StateGuard,
  failed: readonly Expression[] = [],
): EdgeTarget {
  let step = stepAt(context, reference);
  let symbols = from;
  let failing = failed;
  let onlyGrown = true;
  let isCopy = false;
  const visited = new Set<FlatStep>();
  for (;;) {
    step = skipDecided(context, step, symbols, visited);
    if (step.kind !== "assign" || visited.has(step)) break;
    visited.add(step);
    const next = assignSymbols(symbols, step.values);
    const values = step.values.map((value) => symbolValue(next, value.variable)!);
    isCopy ||= context.predecessors.get(step.id) !== 1;
    if (isCopy && !mayDuplicate(context, step, values)) break;
    const failures = failingResults(step, next, context);
    onlyGrown &&= onlyGrows(step, context.machine.workflow.input);
    if (
      values.some((value) => isLarge(value, context)) ||
      (failures.length > 0 && !canFailIn(context, step, state, symbols !== from && !onlyGrown))
    )
      break;
    if (!stillEvaluates(symbols, next, failing) || !failsInOrder(failing, failures)) break;
    failing = [...failing, ...failures];
    symbols = next;
    step = stepAt(context, step.next);
  }
  return { step, symbols, failing, isChanged: symbols !== from && !onlyGrown };
}

/** It is small, and would need a Pass state. */
const mayDuplicate = (context: ScopeContext, step: AssignStep, values: readonly Expression[]): boolean =>
  values.every((value) => longestLiteral(value) <= maxDuplicatedLength) &&
  values.reduce((size, value) => size + effectsOf(value).weight.size, 0) <= maxDuplicatedSize &&
  foldAssignments(context, step, context.canonical).left !== undefined;

const longestLiteral = (expression: Expression): number =>
  expression.kind === "literal"
    ? JSON.stringify(expression.value).length
    : Math.max(0, ...childrenOf(expression).map((child) => longestLiteral(child.expression)));

/** Skips choices that symbols decide, each at most once, so that loops are not unrolled. */
export function skipDecided(
  context: ScopeContext,
  from: FlatStep,
  symbols: SymbolTable,
  visited: Set<FlatStep> = new Set(),
): FlatStep {
  let step = from;
  while (step.kind === "choose" && !visited.has(step)) {
    visited.add(step);
    const conditions = step.cases.map(({ when }) => resolve(when, symbols));
    const first = conditions.findIndex((condition) => condition.kind !== "literal" || condition.value === true);
    if (first >= 0 && conditions[first]!.kind !== "literal") break;
    step = stepAt(context, first < 0 ? step.otherwise! : step.cases[first]!.next);
  }
  return step;
}

interface EdgeTarget {
  readonly step: FlatStep;
  readonly symbols: SymbolTable;
  readonly failing: readonly Expression[];
  /** By more than merging into the document. */
  readonly isChanged: boolean;
}

/** The end's value cannot fail, or fails as in its own state. */
const canEndIn = (context: ScopeContext, end: ScopeEnd, state: StateGuard, isChanged: boolean): boolean =>
  !failsAt(end, end.value, context) || canFailIn(context, end, state, isChanged);

type ScopeEnd = Extract<FlatStep, { kind: "end" }>;

/** The same handlers must cover it, with the same variables. If runners derive it, its pointer is the state's. */
function canFailIn({ machine, pointer }: ScopeContext, step: FlatStep, state: StateGuard, isChanged: boolean): boolean {
  if (machine.workflow.problems !== undefined && step.origin.pointer !== pointer) return false;
  if (!state.catches) return !machine.guards.has(step.id);
  return state.guards(step) && !(state.isGuarded && isChanged);
}

/** Live variables, and dead ones whose computation may fail. */
function edgeData(
  context: ScopeContext,
  step: FlatStep,
  symbols: SymbolTable,
  defaultOutput: string,
  failing: readonly Expression[],
): { output?: Json; assign?: { [name: string]: Json } } {
  const document = symbolValue(symbols, context.machine.workflow.input) ?? unset;
  const changed = [...changedVariables(context, step, symbols), ...unreadFailures(context, step, symbols, failing)];
  const assigned = changed.map(
    (name) =>
      [
        context.names.get(name)!,
        field(storedValue(context, name, symbolValue(symbols, name) ?? unset), context),
      ] as const,
  );
  return {
    ...(isVariable(document, defaultOutput) ? {} : { output: payload(document, context) }),
    ...(assigned.length === 0 ? {} : { assign: Object.fromEntries(assigned) }),
  };
}

function changedVariables(context: ScopeContext, step: FlatStep, symbols: SymbolTable): readonly string[] {
  const { canonical, names, live, machine } = context;
  if (symbols === canonical) return [];
  const own = symbols.changing && symbols.outer === canonical ? symbols.own : undefined;
  if (own && own.size < 2)
    return [...own.keys()].filter(
      (name) =>
        name !== machine.workflow.input &&
        names.has(name) &&
        live.get(step.id)?.has(name) &&
        !isCurrent(context, symbols, name),
    );
  return liveVariables(context, step).filter((name) => !isCurrent(context, symbols, name));
}

/** The dead variables whose values may fail where nothing else evaluates the same. */
function unreadFailures(
  context: ScopeContext,
  step: FlatStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): readonly string[] {
  if (failing.length === 0) return [];
  const read = liveVariables(context, step);
  const document = symbolValue(symbols, context.machine.workflow.input) ?? unset;
  const evaluated = [document, ...read.map((name) => symbolValue(symbols, name) ?? unset)];
  const lost = failing.filter((expression) => !alwaysEvaluateAll(evaluated, [expression]));
  if (lost.length === 0) return [];
  const known = new Set(read);
  const isWanted = (value: Expression): boolean => lost.some((expression) => alwaysEvaluateAll([value], [expression]));
  return [...context.names.keys()].filter(
    (name) => !known.has(name) && isWanted(symbolValue(symbols, name) ?? unset) && !isCurrent(context, symbols, name),
  );
}

/**
 * Whether an assignment only merges into a variable. A merge fails only if that is not an object, and so unchanged: a
 * Catch needs no saved copy.
 */
export function onlyGrows({ values }: AssignStep, name: string): boolean {
  return values.every((each) => each.variable === name && isGrownFrom(each.value, name));
}

function isGrownFrom(value: Expression, name: string): boolean {
  if (value.kind === "variable") return value.name === name;
  if (value.kind === "if")
    return !canFail(value.condition) && isGrownFrom(value.then, name) && isGrownFrom(value.otherwise, name);
  if (value.kind !== "call") return false;
  const [into, ...rest] = value.args;
  if (!into || !isGrownFrom(into, name) || rest.some(canFail)) return false;
  const [first] = rest;
  if (value.name === "merge" || value.name === "assign") return effectsOf(first!).type === "object";
  if (value.name === "place")
    return first!.kind === "literal" && Array.isArray(first!.value) && first!.value.length > 0;
  return ["mergeResult", "mergeEvent", "assignResult", "assignEvent"].includes(value.name);
}
