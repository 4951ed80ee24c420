import { canFail, childrenOf, type Expression, factsOf } from "../../../src/expressions/index.ts";
import type { Handler, Reference } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { type ErrorSet, errorsTaken, type FlatStep, timeouts } from "../../../src/passes/index.ts";
import { anyObject } from "../../../src/types/index.ts";
import { type ErrorSources, isPlain } from "../error-expression.ts";
import { errorEquals } from "../errors.ts";
import type { Edge, Exit } from "../machine.ts";
import { kept, withError } from "./caught.ts";
import { ask, isKept, isLarge, knowing, leaving, type ScopeContext, target, wanted } from "./context.ts";
import { isCarrying } from "./error-names.ts";
import { type Assigning, evaluatesAll, failingValues, failsAt, failsInOrder, staysFailing } from "./evaluated.ts";
import { field, payload } from "./fields.ts";
import { folded } from "./folding.ts";
import {
  assign,
  caughtError,
  caughtValue,
  isProvided,
  provided,
  resolve,
  type Symbols,
  unset,
  withValue,
  worth,
} from "./symbols.ts";

/** How much work is written on each of several ways that lead to it, and how many characters a constant in it has at most. */
const mostCopied = 16;
const longestCopied = 100;

/**
 * How a state is left for a reference. Pure work that only this way leads to is done on the way; an end of the scope ends the state. `failed`: what
 * `symbols` hold that may fail, and that has to be evaluated.
 */
export function exitTo(
  context: ScopeContext,
  reference: Reference,
  symbols: Symbols,
  state: Guarded,
  failed: readonly Expression[] = [],
): Exit {
  const { step, symbols: reached, failing, isChanged } = follow(context, reference, symbols, state, failed);
  const isLeft = step.kind === "end" && step.outcome === "leave" && endsAlike(context, step, state, isChanged);
  const value = isLeft ? resolve(step.value, reached) : undefined;
  if (value && evaluatesAll([value], failing)) {
    return { next: undefined, output: isProvided(value, state.defaultOutput) ? undefined : payload(value, context) };
  }
  return { next: ask(context, step), ...carried(context, step, reached, state.defaultOutput, failing) };
}

/** The same for a choice rule, which cannot end a scope: a state of its own does. */
export function edgeTo(
  from: ScopeContext,
  when: readonly [string, Json],
  reference: Reference,
  symbols: Symbols,
): Edge {
  const context = leaving(from);
  const { step, symbols: reached, failing } = follow(context, reference, symbols, unguarded);
  return { when, next: ask(context, step), ...carried(context, step, reached, provided.input, failing) };
}

/** The same for a catcher of errors by their names that does not look at the error. */
export function catchTo(context: ScopeContext, names: readonly string[], reference: Reference, symbols: Symbols): Edge {
  const { step, symbols: reached, failing } = follow(context, reference, symbols, unguarded);
  return {
    when: ["ErrorEquals", [...names]],
    next: ask(context, step),
    ...carried(context, step, reached, "", failing),
  };
}

/** The catchers of a state for handlers that `Catch` can say. */
export function catchers(
  context: ScopeContext,
  handlers: readonly Handler[],
  symbols: Symbols,
  sources: ErrorSources,
): readonly Edge[] {
  const { workflow, raised } = context.machine;
  const names = workflow.errorNames;
  return handlers.flatMap(({ when, bind, next }) => {
    const errors = errorsTaken(when);
    if (!errors || (!errors.all && errors.names.size === 0)) return [];
    const here = errors.all ? sources : possible(sources, errors);
    const plain = isPlain(here, names) ? { ...context, isPlainError: true as const } : context;
    const isOurs = !errors.all && [...errors.names].every((name) => isCarrying(name, raised));
    const isJoined = isOurs && [...errors.names].every((name) => name === raised.joined);
    const inside = leaving(isJoined ? knowing(plain, [[provided.carried, anyObject]]) : plain);
    const caught = isOurs ? caughtValue : caughtError;
    const { step, symbols: reached, failing } = follow(inside, next, withValue(symbols, bind, caught), unguarded);
    const edge = {
      when: ["ErrorEquals", errorEquals(errors, names)] as const,
      next: ask(context, step),
      ...carried(inside, step, reached, "", failing),
    };
    return [withError(edge, here, names)];
  });
}

/** Under names, which stand for themselves, come what functions throw and time-outs only. */
const possible = (sources: ErrorSources, { names }: ErrorSet): ErrorSources => ({
  timeout: sources.timeout && names.has(timeouts),
  function: sources.function && [...names].some((name) => name !== timeouts),
  expression: false,
  subflow: false,
});

/** What a state can take of the work that follows it. */
export interface Guarded {
  /** What its output is when nothing is said. */
  readonly defaultOutput: string;
  /** Whether errors of work that is done in it would be taken by its Retry or Catch. */
  readonly catches: boolean;
  /** The steps whose errors these are meant to take. */
  readonly guards: (step: FlatStep) => boolean;
  /** Whether anything wants errors of data. */
  readonly taken: boolean;
}

/** A state or rule whose work nothing catches. */
export const unguarded: Guarded = { defaultOutput: provided.input, catches: false, guards: () => true, taken: false };

/** Goes on over steps that only compute, as long as nothing else leads to them; each only once, so that a circle of them ends. */
function follow(
  context: ScopeContext,
  reference: Reference,
  from: Symbols,
  state: Guarded,
  failed: readonly Expression[] = [],
): Followed {
  let step = target(context, reference);
  let symbols = from;
  let failing = failed;
  let onlyGrown = true;
  let isCopy = false;
  const passed = new Set<FlatStep>();
  for (;;) {
    step = pastDecided(context, step, symbols, passed);
    if (step.kind !== "assign" || passed.has(step)) break;
    passed.add(step);
    const next = assign(symbols, step.values);
    const values = step.values.map((value) => worth(next, value.variable)!);
    isCopy ||= context.entries.get(step.id) !== 1;
    if (isCopy && !isWorthACopy(context, step, values)) break;
    const failures = failingValues(step, next, context);
    onlyGrown &&= onlyGrows(step, context.machine.workflow.input);
    if (
      values.some((value) => isLarge(value, context)) ||
      (failures.length > 0 && !failsAlike(context, step, state, symbols !== from && !onlyGrown))
    )
      break;
    if (!staysFailing(symbols, next, failing) || !failsInOrder(failing, failures)) break;
    failing = [...failing, ...failures];
    symbols = next;
    step = target(context, step.next);
  }
  return { step, symbols, failing, isChanged: symbols !== from && !onlyGrown };
}

/** Whether work is written on each of several ways that lead to it: it is small, and would be a state that does nothing else. */
const isWorthACopy = (context: ScopeContext, step: Assigning, values: readonly Expression[]): boolean =>
  values.every((value) => longestText(value) <= longestCopied) &&
  values.reduce((size, value) => size + factsOf(value).weight.size, 0) <= mostCopied &&
  folded(context, step, context.canonical).left !== undefined;

/** The characters of the longest constant in an expression. */
const longestText = (expression: Expression): number =>
  expression.kind === "literal"
    ? JSON.stringify(expression.value).length
    : Math.max(0, ...childrenOf(expression).map((child) => longestText(child.expression)));

/** What comes after choices that are decided already; each is passed only once, so that loops are not unrolled. */
export function pastDecided(
  context: ScopeContext,
  from: FlatStep,
  symbols: Symbols,
  passed: Set<FlatStep> = new Set(),
): FlatStep {
  let step = from;
  while (step.kind === "choose" && !passed.has(step)) {
    passed.add(step);
    const conditions = step.cases.map(({ when }) => resolve(when, symbols));
    const first = conditions.findIndex((condition) => condition.kind !== "literal" || condition.value === true);
    if (first >= 0 && conditions[first]!.kind !== "literal") break;
    step = target(context, first < 0 ? step.otherwise! : step.cases[first]!.next);
  }
  return step;
}

/** Where a way leads, with what its variables are worth there, and which of that may fail on the way. */
interface Followed {
  readonly step: FlatStep;
  readonly symbols: Symbols;
  readonly failing: readonly Expression[];
  /** Whether variables have been given new values on the way that are not just the old ones with something merged in. */
  readonly isChanged: boolean;
}

/** Whether a scope can be left in a state: what it is left with may not fail there, or as it would by itself. */
const endsAlike = (context: ScopeContext, end: Leaving, state: Guarded, isChanged: boolean): boolean =>
  !failsAt(end, end.value, context) || failsAlike(context, end, state, isChanged);

type Leaving = Extract<FlatStep, { kind: "end" }>;

/** Whether work that may fail can be done in a state: the same must take its errors, with the same data. */
function failsAlike({ machine }: ScopeContext, step: FlatStep, state: Guarded, isChanged: boolean): boolean {
  if (!state.catches) return !machine.guards.has(step.id);
  return state.guards(step) && !(state.taken && isChanged);
}

/** The document and the variables that are wanted where a way leads, and those that nobody reads but that may fail to get their values. */
function carried(
  context: ScopeContext,
  step: FlatStep,
  symbols: Symbols,
  defaultOutput: string,
  failing: readonly Expression[],
): { output?: Json; assign?: { [name: string]: Json } } {
  const document = worth(symbols, context.machine.workflow.input) ?? unset;
  const changed = [...changedAmong(context, step, symbols), ...failingUnread(context, step, symbols, failing)];
  const assigned = changed.map(
    (name) => [context.names.get(name)!, field(kept(context, name, worth(symbols, name) ?? unset), context)] as const,
  );
  return {
    ...(isProvided(document, defaultOutput) ? {} : { output: payload(document, context) }),
    ...(assigned.length === 0 ? {} : { assign: Object.fromEntries(assigned) }),
  };
}

/** The variables that are wanted where a way leads and are not worth there what Step Functions has under their names. */
function changedAmong(context: ScopeContext, step: FlatStep, symbols: Symbols): readonly string[] {
  const { canonical, names, live, machine } = context;
  if (symbols === canonical) return [];
  const own = symbols.changing && symbols.outer === canonical ? symbols.own : undefined;
  if (own && own.size < 2)
    return [...own.keys()].filter(
      (name) =>
        name !== machine.workflow.input &&
        names.has(name) &&
        live.get(step.id)?.has(name) &&
        !isKept(context, symbols, name),
    );
  return wanted(context, step).filter((name) => !isKept(context, symbols, name));
}

/** The variables that nobody reads where a way leads, but whose values may fail as nothing else does that is evaluated there. */
function failingUnread(
  context: ScopeContext,
  step: FlatStep,
  symbols: Symbols,
  failing: readonly Expression[],
): readonly string[] {
  if (failing.length === 0) return [];
  const read = wanted(context, step);
  const document = worth(symbols, context.machine.workflow.input) ?? unset;
  const evaluated = [document, ...read.map((name) => worth(symbols, name) ?? unset)];
  const lost = failing.filter((expression) => !evaluatesAll(evaluated, [expression]));
  if (lost.length === 0) return [];
  const known = new Set(read);
  const isWanted = (value: Expression): boolean => lost.some((expression) => evaluatesAll([value], [expression]));
  return [...context.names.keys()].filter(
    (name) => !known.has(name) && isWanted(worth(symbols, name) ?? unset) && !isKept(context, symbols, name),
  );
}

/**
 * Whether an assignment only merges something into a variable: where that fails, the variable is no object, so that nothing was merged into
 * it before either, and it still is what it was.
 */
export function onlyGrows({ values }: Assigning, name: string): boolean {
  return values.every((each) => each.variable === name && grows(each.value, name));
}

function grows(value: Expression, name: string): boolean {
  if (value.kind === "variable") return value.name === name;
  if (value.kind === "if") return !canFail(value.condition) && grows(value.then, name) && grows(value.otherwise, name);
  if (value.kind !== "call") return false;
  const [into, ...rest] = value.args;
  if (!into || !grows(into, name) || rest.some(canFail)) return false;
  const [first] = rest;
  if (value.name === "merge") return factsOf(first!).type === "object";
  if (value.name === "place")
    return first!.kind === "literal" && Array.isArray(first!.value) && first!.value.length > 0;
  return value.name === "mergeResult" || value.name === "mergeEvent";
}
