import {
  builtinOf,
  canFail,
  childrenOf,
  type Expression,
  equalExpressions,
  factsOf,
  variable,
} from "../../../src/expressions/index.ts";
import { mayFail } from "../../../src/flow/index.ts";
import type { Handler, Reference } from "../../../src/ir/workflow.ts";
import { assertNever, type Json } from "../../../src/json.ts";
import { type ErrorSet, errorsTaken, type FlatStep, timeouts } from "../../../src/lower/index.ts";
import { anyObject } from "../../../src/shapes/index.ts";
import { type ErrorSources, errorEquals, isPlain, takesDataErrors } from "../errors.ts";
import type { Edge, Exit } from "../machine.ts";
import { kept, withError } from "./caught.ts";
import { ask, isKept, isLarge, knowing, type MachineContext, type ScopeContext, target, wanted } from "./context.ts";
import { field, payload } from "./fields.ts";
import { isCarrying } from "./raised.ts";
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
  context: ScopeContext,
  when: readonly [string, Json],
  reference: Reference,
  symbols: Symbols,
): Edge {
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
    const inside = isJoined ? knowing(plain, [[provided.carried, anyObject]]) : plain;
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
  const passed = new Set<FlatStep>();
  for (;;) {
    step = pastDecided(context, step, symbols, passed);
    if (step.kind !== "assign" || context.entries.get(step.id) !== 1 || passed.has(step)) break;
    passed.add(step);
    const next = assign(symbols, step.values);
    const values = step.values.map((value) => worth(next, value.variable)!);
    const failures = failingValues(step, next, context.counters);
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

/** What comes after choices that are decided already; each is passed only once, so that loops are not unrolled. */
function pastDecided(context: ScopeContext, from: FlatStep, symbols: Symbols, passed: Set<FlatStep>): FlatStep {
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
  !mayFail(end.value, context.counters) || failsAlike(context, end, state, isChanged);

type Leaving = Extract<FlatStep, { kind: "end" }>;

/** Whether work that may fail can be done in a state: the same must take its errors, with the same data. */
function failsAlike({ machine }: ScopeContext, step: FlatStep, state: Guarded, isChanged: boolean): boolean {
  if (!state.catches) return !machine.guards.has(step.id);
  return state.guards(step) && !(state.taken && isChanged);
}

/** Whether everything that may have failed is still evaluated after variables have got new values. */
export function staysFailing(before: Symbols, after: Symbols, failing: readonly Expression[]): boolean {
  if (failing.length === 0) return true;
  const left = [...before.own.keys()].map((name) => worth(after, name)!);
  return evaluatesAll(left, failing);
}

/**
 * Whether it is the same which of several values of a state fails first, as nobody says in which order its fields are computed: their errors have one name,
 * but for those that are raised by theirs; or the later ones are computed from the earlier ones.
 */
export const failsInOrder = (earlier: readonly Expression[], later: readonly Expression[]): boolean =>
  earlier.length === 0 ||
  ![...earlier, ...later].some(raises) ||
  later.every((expression) => evaluatesAll([expression], earlier));

const raises = (expression: Expression): boolean =>
  (expression.kind === "call" && expression.name === "error") ||
  childrenOf(expression).some((child) => raises(child.expression));

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

/** The values that an assignment has given and that may fail: the state that they fold into has to fail as they do. */
export function failingValues(
  step: Extract<FlatStep, { kind: "assign" }>,
  after: Symbols,
  counters: ReadonlySet<string>,
): readonly Expression[] {
  return step.values.filter(({ value }) => mayFail(value, counters)).map((value) => worth(after, value.variable)!);
}

/**
 * Whether work that may fail can be done in the state of a step that follows it: that state must evaluate it before it does anything, and
 * must not take its error.
 */
export function failsWith(
  { disguised }: Pick<MachineContext, "disguised">,
  step: FlatStep,
  failing: readonly Expression[],
  symbols: Symbols,
  document: string,
): boolean {
  if (failing.length === 0 || step.kind === "assign") return true;
  if ("handlers" in step && takesDataErrors(step, disguised)) return false;
  const first = firstEvaluated(step, document);
  return first !== undefined && evaluatesAll([resolve(first, symbols)], failing);
}

/** Whether evaluating expressions surely evaluates all of others, so that what these fail with, those fail with too. */
export const evaluatesAll = (expressions: readonly Expression[], parts: readonly Expression[]): boolean =>
  parts.every((part) => expressions.some((expression) => evaluates(expression, part)));

/** What a state evaluates before it does anything else; undefined where there is no one such expression. */
function firstEvaluated(step: Exclude<FlatStep, { kind: "assign" }>, document: string): Expression | undefined {
  switch (step.kind) {
    case "call":
      return step.argument;
    case "invoke":
      return step.input;
    case "emit":
      return step.data;
    case "foreach":
      return step.items;
    case "delay":
      return step.wait.kind === "for" ? step.wait.seconds : step.wait.instant;
    case "fork":
      return step.branches.every(({ scope }) => readsOnly(scope.variables, document)) ? variable(document) : undefined;
    case "end":
      return step.outcome === "leave" ? step.value : undefined;
    case "choose":
    case "receive":
      return undefined;
    default:
      return assertNever(step);
  }
}

const readsOnly = (
  variables: readonly { readonly name: string; readonly initial?: Expression | undefined }[],
  document: string,
): boolean => {
  const initial = variables.find(({ name }) => name === document)?.initial;
  return initial === undefined || (initial.kind === "variable" && initial.name === document);
};

/**
 * Whether an assignment only merges something into a variable: where that fails, the variable is no object, so that nothing was merged into
 * it before either, and it still is what it was.
 */
export function onlyGrows({ values }: Extract<FlatStep, { kind: "assign" }>, name: string): boolean {
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

function evaluates(whole: Expression, part: Expression): boolean {
  if (equalExpressions(whole, part) || surePartsOf(whole).some((child) => evaluates(child, part))) return true;
  return whole.kind === "if" && evaluates(whole.then, part) && evaluates(whole.otherwise, part);
}

/** The parts of an expression that are evaluated whenever it is, with the same variables. */
function surePartsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") return sureArgumentsOf(expression);
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
      return [];
    case "query":
    case "reduce":
      return [expression.source];
    case "object":
      return expression.entries.map(({ value }) => value);
    case "array":
      return expression.items ? [expression.items] : [];
    case "comma":
      return expression.items.slice(0, 1);
    case "pipe":
    case "logic":
      return [expression.left];
    case "let":
      return [expression.value];
    case "if":
      return [expression.condition];
    case "binary":
      return [expression.left, expression.right];
    default:
      return [];
  }
}

/** Functions over values evaluate all their arguments; those over streams, surely the first. */
const sureArgumentsOf = ({ name, args }: Extract<Expression, { kind: "call" }>): readonly Expression[] =>
  builtinOf(name, args.length)?.kind === "value" ? args : args.slice(0, 1);
