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
import { type AssignStep, evaluateAll, failingResults, failsAt, failsInOrder, stillEvaluates } from "./evaluation.ts";
import { field, payload } from "./fields.ts";
import { foldAssignments } from "./folding.ts";
import {
  assignSymbols,
  caughtError,
  caughtValue,
  isVariable,
  resolve,
  type SymbolTable,
  unset,
  valueOf,
  withValue,
} from "./symbols.ts";

/** How much work is written on each of several ways that lead to it, and how many characters a constant in it has at most. */
const maxDuplicatedSize = 16;
const maxDuplicatedLength = 100;

/**
 * How a state is left for a reference. Pure work that only this way leads to is done on the way; an end of the scope ends the state. `failed`: what
 * `symbols` hold that may fail, and that has to be evaluated.
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
  if (value && evaluateAll([value], failing)) {
    return { next: undefined, output: isVariable(value, state.defaultOutput) ? undefined : payload(value, context) };
  }
  return { next: requestState(context, step), ...edgeData(context, step, reached, state.defaultOutput, failing) };
}

/** The same for a choice rule, which cannot end a scope: a state of its own does. */
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

/** The same for a catcher of errors by their names that does not look at the error. */
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

/** The catchers of a state for handlers that `Catch` can say. */
export function catchRules(
  context: ScopeContext,
  handlers: readonly Handler[],
  symbols: SymbolTable,
  sources: ErrorSources,
): readonly StateRule[] {
  const { workflow, ownErrors: raised } = context.machine;
  const names = workflow.errorNames;
  return handlers.flatMap(({ when, bind, next }) => {
    const errors = matchedErrors(when);
    if (!errors || (!errors.all && errors.names.size === 0)) return [];
    const here = errors.all ? sources : sourcesUnder(sources, errors);
    const plain = hasOnlyFunctionErrors(here, names) ? { ...context, isPlainError: true as const } : context;
    const isOurs = !errors.all && [...errors.names].every((name) => carriesValue(name, raised));
    const isJoined = isOurs && [...errors.names].every((name) => name === raised.joined);
    const inside = onExit(isJoined ? withTypes(plain, [[intrinsics.carried, anyObject]]) : plain);
    const caught = isOurs ? caughtValue : caughtError;
    const { step, symbols: reached, failing } = followEdge(inside, next, withValue(symbols, bind, caught), unguarded);
    const edge = {
      when: ["ErrorEquals", errorEquals(errors, names)] as const,
      next: requestState(context, step),
      ...edgeData(inside, step, reached, "", failing),
    };
    return [bindCaughtError(edge, here, names)];
  });
}

/** Under names, which stand for themselves, come what functions throw and time-outs only. */
const sourcesUnder = (sources: ErrorSources, { names }: ErrorSet): ErrorSources => ({
  timeout: sources.timeout && names.has(timeouts),
  function: sources.function && [...names].some((name) => name !== timeouts),
  expression: false,
  subflow: false,
});

/** What a state can take of the work that follows it. */
export interface StateGuard {
  /** What its output is when nothing is said. */
  readonly defaultOutput: string;
  /** Whether errors of work that is done in it would be taken by its Retry or Catch. */
  readonly catches: boolean;
  /** The steps whose errors these are meant to take. */
  readonly guards: (step: FlatStep) => boolean;
  /** Whether anything wants errors of data. */
  readonly isGuarded: boolean;
}

/** A state or rule whose work nothing catches. */
export const unguarded: StateGuard = {
  defaultOutput: intrinsics.input,
  catches: false,
  guards: () => true,
  isGuarded: false,
};

/** Goes on over steps that only compute, as long as nothing else leads to them; each only once, so that a circle of them ends. */
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
  const passed = new Set<FlatStep>();
  for (;;) {
    step = skipDecided(context, step, symbols, passed);
    if (step.kind !== "assign" || passed.has(step)) break;
    passed.add(step);
    const next = assignSymbols(symbols, step.values);
    const values = step.values.map((value) => valueOf(next, value.variable)!);
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

/** Whether work is written on each of several ways that lead to it: it is small, and would be a state that does nothing else. */
const mayDuplicate = (context: ScopeContext, step: AssignStep, values: readonly Expression[]): boolean =>
  values.every((value) => longestLiteral(value) <= maxDuplicatedLength) &&
  values.reduce((size, value) => size + effectsOf(value).weight.size, 0) <= maxDuplicatedSize &&
  foldAssignments(context, step, context.canonical).left !== undefined;

/** The characters of the longest constant in an expression. */
const longestLiteral = (expression: Expression): number =>
  expression.kind === "literal"
    ? JSON.stringify(expression.value).length
    : Math.max(0, ...childrenOf(expression).map((child) => longestLiteral(child.expression)));

/** What comes after choices that are decided already; each is passed only once, so that loops are not unrolled. */
export function skipDecided(
  context: ScopeContext,
  from: FlatStep,
  symbols: SymbolTable,
  passed: Set<FlatStep> = new Set(),
): FlatStep {
  let step = from;
  while (step.kind === "choose" && !passed.has(step)) {
    passed.add(step);
    const conditions = step.cases.map(({ when }) => resolve(when, symbols));
    const first = conditions.findIndex((condition) => condition.kind !== "literal" || condition.value === true);
    if (first >= 0 && conditions[first]!.kind !== "literal") break;
    step = stepAt(context, first < 0 ? step.otherwise! : step.cases[first]!.next);
  }
  return step;
}

/** Where a way leads, with what its variables are worth there, and which of that may fail on the way. */
interface EdgeTarget {
  readonly step: FlatStep;
  readonly symbols: SymbolTable;
  readonly failing: readonly Expression[];
  /** Whether variables have been given new values on the way that are not just the old ones with something merged in. */
  readonly isChanged: boolean;
}

/** Whether a scope can be left in a state: what it is left with may not fail there, or as it would by itself. */
const canEndIn = (context: ScopeContext, end: ScopeEnd, state: StateGuard, isChanged: boolean): boolean =>
  !failsAt(end, end.value, context) || canFailIn(context, end, state, isChanged);

type ScopeEnd = Extract<FlatStep, { kind: "end" }>;

/** Whether work that may fail can be done in a state: the same must take its errors, with the same data. */
function canFailIn({ machine }: ScopeContext, step: FlatStep, state: StateGuard, isChanged: boolean): boolean {
  if (!state.catches) return !machine.guards.has(step.id);
  return state.guards(step) && !(state.isGuarded && isChanged);
}

/** The document and the variables that are wanted where a way leads, and those that nobody reads but that may fail to get their values. */
function edgeData(
  context: ScopeContext,
  step: FlatStep,
  symbols: SymbolTable,
  defaultOutput: string,
  failing: readonly Expression[],
): { output?: Json; assign?: { [name: string]: Json } } {
  const document = valueOf(symbols, context.machine.workflow.input) ?? unset;
  const changed = [...changedVariables(context, step, symbols), ...unreadFailures(context, step, symbols, failing)];
  const assigned = changed.map(
    (name) =>
      [context.names.get(name)!, field(storedValue(context, name, valueOf(symbols, name) ?? unset), context)] as const,
  );
  return {
    ...(isVariable(document, defaultOutput) ? {} : { output: payload(document, context) }),
    ...(assigned.length === 0 ? {} : { assign: Object.fromEntries(assigned) }),
  };
}

/** The variables that are wanted where a way leads and are not worth there what Step Functions has under their names. */
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

/** The variables that nobody reads where a way leads, but whose values may fail as nothing else does that is evaluated there. */
function unreadFailures(
  context: ScopeContext,
  step: FlatStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): readonly string[] {
  if (failing.length === 0) return [];
  const read = liveVariables(context, step);
  const document = valueOf(symbols, context.machine.workflow.input) ?? unset;
  const evaluated = [document, ...read.map((name) => valueOf(symbols, name) ?? unset)];
  const lost = failing.filter((expression) => !evaluateAll(evaluated, [expression]));
  if (lost.length === 0) return [];
  const known = new Set(read);
  const isWanted = (value: Expression): boolean => lost.some((expression) => evaluateAll([value], [expression]));
  return [...context.names.keys()].filter(
    (name) => !known.has(name) && isWanted(valueOf(symbols, name) ?? unset) && !isCurrent(context, symbols, name),
  );
}

/**
 * Whether an assignment only merges something into a variable: where that fails, the variable is no object, so that nothing was merged into
 * it before either, and it still is what it was.
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
  if (value.name === "merge") return effectsOf(first!).type === "object";
  if (value.name === "place")
    return first!.kind === "literal" && Array.isArray(first!.value) && first!.value.length > 0;
  return value.name === "mergeResult" || value.name === "mergeEvent";
}
