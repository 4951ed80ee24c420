import { type Expression, equalExpressions, freeVariables, variable } from "../../../src/expressions/index.ts";
import { mayFail, outerReads, stepReads } from "../../../src/flow/index.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
import type { ForEach, Scope } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import type { FlatForEach, FlatFork, FlatScope, FlatStep } from "../../../src/lower/index.ts";
import { jsonataString, printItems, Refused } from "../jsonata/index.ts";
import { type Machine, type State, tidy } from "../machine.ts";
import {
  ask,
  assign,
  entered,
  environment,
  field,
  inputDocument,
  isKept,
  isLarge,
  isProvided,
  knowledgeOf,
  openScope,
  payload,
  provided,
  resolve,
  type ScopeContext,
  type Symbols,
  single,
  target,
  unset,
  wanted,
  withValue,
  withValues,
  worth,
} from "./context.ts";
import { exitTo, failingValues, failsWith, unguarded } from "./edges.ts";
import { effectState, failState, gapSeconds } from "./effects.ts";

/** Makes the states of a scope that begins with `symbols`. */
export function lowerScope(context: ScopeContext, symbols: Symbols): Machine {
  const first = target(context, context.scope.entry);
  const start = startState(context, first, symbols);
  if (!start) ask(context, first);
  for (let id = context.pending.pop(); id !== undefined; id = context.pending.pop()) {
    if (id !== start)
      context.states.push(
        ...exactly(context, context.steps.get(id)!, (step) => stateAt(context, id, step, context.canonical)),
      );
  }
  const { states, machine, scope } = context;
  const isRefused = machine.problems.length > 0;
  if (!isRefused && !states.some(ends))
    machine.problems.push({ span: scope.entry.span, construct: "states from which no path leads to an end" });
  return tidy(
    { start: start ?? first.id, states: inOrder(context) },
    ({ step }) => context.steps.get(step)!.origin.name,
  );
}

/** Whether a state can end its scope by itself: AWS wants one such in each. */
const ends = ({ type, exit }: State): boolean =>
  type === "Succeed" || type === "Fail" || (exit !== undefined && exit.next === undefined);

/** The states of a step; where an expression has no exact form, a note of that instead. */
function exactly(
  { machine }: ScopeContext,
  step: FlatStep,
  make: (step: FlatStep) => readonly State[],
): readonly State[] {
  try {
    return make(step);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    machine.problems.push({
      span: error.expression.span ?? step.span,
      construct: error.construct,
      remedy: { kind: "compute" },
    });
    return [];
  }
}

/** A first state that differs from what its step is when it is reached later: it sets the variables that are wanted. */
function startState(context: ScopeContext, first: FlatStep, symbols: Symbols): string | undefined {
  const { machine, entries } = context;
  const differs =
    !isProvided(worth(symbols, machine.workflow.input), provided.input) ||
    wanted(context, first).some((name) => !isKept(context, symbols, name));
  if (!differs) return undefined;
  if ((entries.get(first.id) ?? 0) === 0) {
    context.asked.add(first.id);
    context.states.push(...exactly(context, first, (step) => stateAt(context, step.id, step, symbols)));
    return first.id;
  }
  const key = machine.names.steps.fresh(`${first.id}/start`);
  const exit = (): State["exit"] => exitTo(context, { name: first.id, span: first.span }, symbols, unguarded);
  context.states.push(
    ...exactly(context, first, () => [{ key, type: "Pass", step: first.id, fields: [], exit: exit() }]),
  );
  return key;
}

/**
 * The state, or the few states, that a step begins: work that only computes is done in the first state after it that does more; in a circle of such work
 * there is none.
 */
export function stateAt(outside: ScopeContext, key: string, first: FlatStep, from: Symbols): readonly State[] {
  const context = entered(outside, first, from);
  let step = first;
  let symbols = from;
  let failing: readonly Expression[] = [];
  const passed = new Set<FlatStep>();
  while (step.kind === "assign") {
    passed.add(step);
    noteUncaught(context, step);
    symbols = assign(symbols, step.values);
    failing = [...failing, ...failingValues(step, symbols, context.counters)];
    const next = target(context, step.next);
    const folds =
      context.entries.get(next.id) === 1 &&
      !passed.has(next) &&
      !step.values.some(({ variable }) => isLarge(worth(symbols, variable)!, context));
    const isEnd = next.kind === "end" && next.outcome === "leave";
    if (!(folds || isEnd) || !failsWith(next, failing, symbols, context.machine.workflow.input)) {
      return [
        {
          key,
          type: "Pass",
          step: first.id,
          fields: [],
          exit: exitTo(context, step.next, symbols, unguarded, failing),
        },
      ];
    }
    step = next;
  }
  if (step.kind !== "end") return effectState(context, key, step, symbols);
  if (step.outcome === "fail") return [failState(context, key, step, symbols)];
  const value: Expression = resolve(step.value, symbols);
  return [
    {
      key,
      type: "Succeed",
      step: step.id,
      fields: isProvided(value, provided.input) ? [] : [["Output", payload(value, context)]],
    },
  ];
}

/** Work that may fail, in a state that cannot catch, is exact only where nothing wants to catch it. */
function noteUncaught({ machine, counters }: ScopeContext, step: Extract<FlatStep, { kind: "assign" }>): void {
  if (machine.guards.has(step.id) && step.values.some(({ value }) => mayFail(value, counters))) {
    const construct = "handling an error of data that no function call comes before";
    machine.problems.push({ span: step.span, construct, remedy: { kind: "catch", step: step.id } });
  }
}

/** States in the order of the steps in the source. */
function inOrder({ states, scope }: ScopeContext): readonly State[] {
  const order = new Map(scope.steps.map(({ id }, i) => [id, i]));
  const place = (state: State) => order.get(state.key) ?? order.get(state.step) ?? order.size;
  return [...states].sort((a, b) => place(a) - place(b));
}

/** Variables that inner scopes read have to be there before they begin: where they are not yet, a state before this one sets them. */
export function materialised(
  context: ScopeContext,
  key: string,
  step: FlatFork | FlatForEach,
  symbols: Symbols,
  make: (context: ScopeContext, key: string, symbols: Symbols) => State,
): readonly State[] {
  const { names, machine, canonical } = context;
  const read = innerScopes(step).flatMap((scope) => [...outerReads(scope, machine.hidden)]);
  const missing = [...new Set(read)].filter(
    (name) => names.has(name) && name !== machine.workflow.input && !isKept(context, symbols, name),
  );
  if (missing.length === 0) return [make(context, key, symbols)];
  const assign = Object.fromEntries(
    missing.map((name) => [names.get(name)!, field(worth(symbols, name) ?? unset, context)]),
  );
  const set = withValues(symbols, new Map(missing.map((name) => [name, worth(canonical, name)!])));
  const inside = machine.names.steps.fresh(`${key}/work`);
  return [
    { key, type: "Pass", step: step.id, fields: [], exit: { next: inside, assign } },
    make(entered(context, step, set), inside, set),
  ];
}

const initialReads = ({ variables }: Scope): readonly string[] =>
  variables.flatMap(({ initial }) => (initial ? [...freeVariables(initial)] : []));

/** The branches of a Parallel, and what they get as input when that is not the input of the state. */
export function branchesOf(
  context: ScopeContext,
  step: FlatFork,
  symbols: Symbols,
): { readonly argument: Json | undefined; readonly branches: readonly Machine[] } {
  const document = context.machine.workflow.input;
  const firsts = step.branches.map(({ scope }) => initialOf(scope, document) ?? variable(document));
  const common = firsts.every((first) => equalExpressions(first, firsts[0]!)) ? firsts[0]! : variable(document);
  const argument = resolve(common, symbols);
  const branches = step.branches.map(({ scope }, i) => {
    const given = equalExpressions(firsts[i]!, common);
    return inner(context, scope, given ? common : undefined, new Map([[document, inputDocument]]));
  });
  return { argument: isProvided(argument, provided.input) ? undefined : payload(argument, context), branches };
}

/** The item processor of a Map, and what it goes over: the inputs of its iterations. */
export function processorOf(
  context: ScopeContext,
  step: FlatForEach,
  symbols: Symbols,
): { readonly items: Json; readonly processor: Machine } {
  const element = variable(provided.element);
  const index = variable(provided.index);
  const first = initialOf(step.scope, context.machine.workflow.input) ?? variable(context.machine.workflow.input);
  const selected = resolve(first, withValue(withValue(symbols, step.element, element), step.index, index));
  const extra = new Map<string, Expression>([
    [step.element, element],
    ...(step.index === undefined ? [] : ([[step.index, index]] as const)),
  ]);
  if (!isProvided(selected, provided.element) && readsBeside(step.scope, step.element, context))
    context.machine.problems.push({
      span: step.span,
      construct: `variable ${step.element} of ${beyond}`,
      remedy: { kind: "compute" },
    });
  const processor = inner(context, step.scope, first, extra);
  const items = resolve(step.items, symbols);
  return {
    items: isProvided(selected, provided.element)
      ? single(items, context)
      : jsonataString(printItems(items, provided, selected, environment, knowledgeOf(context))),
    processor: step.gap === undefined ? processor : spaced(processor, step, step.gap, context),
  };
}

const beyond = "an iteration, which begins with more than the iteration gets";

/** Whether a scope reads a variable around it otherwise than for first values that are that of its document. */
function readsBeside(scope: Scope, name: string, { machine }: ScopeContext): boolean {
  const first = initialOf(scope, machine.workflow.input);
  const others = scope.variables.filter(({ initial }) => initial && !(first && equalExpressions(initial, first)));
  return stepReads(scope, machine.hidden).has(name) || initialReads({ ...scope, variables: others }).includes(name);
}

/** Iterations all begin at once; each waits for its turn. */
function spaced({ start, states }: Machine, step: ForEach, gap: number, context: ScopeContext): Machine {
  const key = context.machine.names.steps.fresh(`${step.id}/turn`);
  return {
    start: key,
    states: [
      { key, type: "Wait", step: step.id, fields: [["Seconds", gapSeconds(gap, context)]], exit: { next: start } },
      ...states,
    ],
  };
}

/** A scope within: its document is the input when `given` is what it begins with, other variables begin as they say. */
function inner(
  context: ScopeContext,
  scope: FlatScope,
  given: Expression | undefined,
  extra: ReadonlyMap<string, Expression>,
): Machine {
  const document = context.machine.workflow.input;
  const opened = openScope(scope, context.machine, context, []);
  const around = withValues(context.canonical, extra);
  const values = new Map<string, Expression>();
  for (const { name, initial } of opened.scope.variables) {
    const same = given !== undefined && initial !== undefined && equalExpressions(initial, given);
    if (initial && !same && given !== undefined && !extra.has(document) && freeVariables(initial).has(document)) {
      context.machine.problems.push({
        span: scope.span,
        construct: `variable ${name} of ${beyond}`,
        remedy: { kind: "compute" },
      });
    }
    values.set(name, same ? inputDocument : initial ? resolve(initial, around) : unset);
  }
  values.set(document, given === undefined ? (values.get(document) ?? inputDocument) : inputDocument);
  const within = withExtra(opened, extra);
  return lowerScope(within, withValues(within.canonical, values));
}

/** The element and the index of an iteration can be read in every state of it. */
const withExtra = (opened: ScopeContext, extra: ReadonlyMap<string, Expression>): ScopeContext => ({
  ...opened,
  canonical: { ...opened.canonical, own: new Map([...extra, ...opened.canonical.own]) },
});

const initialOf = ({ variables }: Scope, document: string): Expression | undefined =>
  variables.find(({ name }) => name === document)?.initial;
