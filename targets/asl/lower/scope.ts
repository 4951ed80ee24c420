import type { Expression } from "../../../src/expressions/index.ts";
import { Refused } from "../jsonata/index.ts";
import type { FlatStep } from "../legalize/flatten.ts";
import type { Machine, State } from "../machine.ts";
import { ask, isKept, type ScopeContext, target, wanted } from "./context.ts";
import { mayFail } from "./counters.ts";
import { exitTo, unguarded } from "./edges.ts";
import { effectState } from "./effects.ts";
import { assign, isLarge, isProvided, provided, resolve, type Symbols, worth } from "./environment.ts";
import { failState } from "./fail.ts";
import { failingValues, failsWith } from "./failing.ts";
import { payload } from "./fields.ts";
import { tidy } from "./tidy.ts";

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
  const key = `${first.id}/start`;
  const exit = (): State["exit"] => exitTo(context, { name: first.id, span: first.span }, symbols, unguarded);
  context.states.push(
    ...exactly(context, first, () => [{ key, type: "Pass", step: first.id, fields: [], exit: exit() }]),
  );
  return key;
}

/** The state, or the few states, that a step begins: work that only computes is done in the first state after it that does more. */
export function stateAt(context: ScopeContext, key: string, first: FlatStep, from: Symbols): readonly State[] {
  let step = first;
  let symbols = from;
  let failing: readonly Expression[] = [];
  while (step.kind === "assign") {
    noteUncaught(context, step);
    symbols = assign(symbols, step.values);
    failing = [...failing, ...failingValues(step, symbols, context.counters)];
    const next = target(context, step.next);
    const folds =
      context.entries.get(next.id) === 1 && !step.values.some(({ variable }) => isLarge(worth(symbols, variable)!));
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
function noteUncaught({ machine, scope, counters }: ScopeContext, step: Extract<FlatStep, { kind: "assign" }>): void {
  if (scope.guards.has(step.id) && step.values.some(({ value }) => mayFail(value, counters))) {
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
