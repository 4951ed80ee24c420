import type { Expression } from "../../../src/expressions/index.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { UnsupportedExpression } from "../jsonata/context.ts";
import { type Machine, type MachineState, type StateExit, simplifyMachine } from "../machine.ts";
import {
  enterState,
  isCurrent,
  liveVariables,
  type MachineContext,
  requestState,
  type ScopeContext,
  stepAt,
} from "./context.ts";
import { exitTo, unguarded } from "./edges.ts";
import { effectState } from "./effects.ts";
import { type AssignStep, failsAt } from "./evaluation.ts";
import type { EventStart } from "./event-start.ts";
import { testFailures } from "./failure-tests.ts";
import { failState } from "./failures.ts";
import { payload } from "./fields.ts";
import { type FoldedState, foldAssignments } from "./folding.ts";
import { type ScopeEntry, scopeEntry } from "./scope-entry.ts";
import { isVariable, resolve, type SymbolTable, symbolValue } from "./symbols.ts";

/** A state before the first step of a scope, without its exit. */
export type LeadState = Omit<MachineState, "exit">;

interface ScopeLead {
  readonly lead?: LeadState | undefined;
  readonly started?: EventStart | undefined;
  /** Changes the selected states, in the context in which they were selected. */
  readonly complete?: ((machine: Machine, context: ScopeContext) => Machine) | undefined;
}

/** Selects the states of a scope that starts with `symbols`. */
export function selectScope(opened: ScopeContext, symbols: SymbolTable, before: ScopeLead = {}): Machine {
  const unassigned = new Set<string>();
  for (;;) {
    const problems: MachineContext["problems"] = [];
    const machine = { ...opened.machine, problems };
    const tried: ScopeContext = { ...opened, machine, states: [], pending: [], requested: new Set() };
    const begun = before.lead ? undefined : scopeEntry(tried, symbols, unassigned);
    const made = selectStates(begun?.context ?? tried, begun, symbols, before);
    const never = begun?.assigned.filter((name) => !made.states.some((state) => assigns(state, name))) ?? [];
    if (never.length === 0) {
      opened.machine.problems.push(...problems);
      return before.complete?.(made, begun?.context ?? tried) ?? made;
    }
    for (const name of never) unassigned.add(name);
  }
}

const assigns = ({ exit, choices = [], catch: catchers = [] }: MachineState, name: string): boolean =>
  [exit, ...choices, ...catchers].some((way) => way?.assign !== undefined && name in way.assign);

function selectStates(
  context: ScopeContext,
  begun: ScopeEntry | undefined,
  symbols: SymbolTable,
  { lead, started }: ScopeLead,
): Machine {
  const first = begun?.first ?? stepAt(context, context.scope.entry);
  const leads = lead
    ? collectUnsupported(context, first, () => [
        { ...lead, exit: exitTo(context, context.scope.entry, symbols, unguarded) },
      ])
    : [];
  const isCalled = !started?.isOnly;
  const start = lead ? lead.key : begun || !isCalled ? undefined : startState(context, first, symbols);
  if (!start && isCalled) requestState(context, first);
  if (started) {
    context.states.push(...started.states);
    for (const id of started.requested) requestState(context, context.steps.get(id)!);
  }
  for (let id = context.pending.pop(); id !== undefined; id = context.pending.pop()) {
    if (id !== start)
      context.states.push(
        ...collectUnsupported(context, context.steps.get(id)!, (step) =>
          stateAt(context, id, step, step === begun?.first ? begun.from : context.canonical),
        ),
      );
  }
  const { machine, scope } = context;
  const made = [...leads, ...sortStates(context)];
  const ended = machine.problems.length > 0 || made.some(endsScope) ? made : addUnreachableEnd(context, made);
  if (!ended) machine.problems.push({ span: scope.entry.span, construct: "states from which no path leads to an end" });
  return simplifyMachine(
    { start: started?.start ?? start ?? first.id, states: ended ?? made },
    ({ step }) => context.steps.get(step)?.origin.name ?? step,
  );
}

/** AWS requires an end, even if no state reaches it. */
function addUnreachableEnd(
  { machine, scope }: ScopeContext,
  states: readonly MachineState[],
): readonly MachineState[] | undefined {
  const first = states.find(({ type }) => ["Task", "Parallel", "Map"].includes(type)) ?? states.find(isChoice);
  if (!first) return undefined;
  const next = machine.names.steps.fresh(`${scope.entry.name}/never`);
  const never: MachineState = {
    key: next,
    type: "Fail",
    step: first.step,
    part: "never",
    fields: [["Error", machine.ownErrors.never]],
  };
  const leading: MachineState = isChoice(first)
    ? { ...first, choices: [...(first.choices ?? []), { when: ["Condition", "{% false %}"], next }] }
    : { ...first, catch: [{ when: ["ErrorEquals", [machine.ownErrors.never]], next }, ...(first.catch ?? [])] };
  return [...states.map((state) => (state === first ? leading : state)), never];
}

const isChoice = ({ type }: MachineState): boolean => type === "Choice";

const endsScope = ({ type, exit }: MachineState): boolean =>
  type === "Succeed" || type === "Fail" || (exit !== undefined && exit.next === undefined);

/** An expression without an exact form is recorded as a problem instead. */
function collectUnsupported(
  { machine }: ScopeContext,
  step: FlatStep,
  make: (step: FlatStep) => readonly MachineState[],
): readonly MachineState[] {
  try {
    return make(step);
  } catch (error) {
    if (!(error instanceof UnsupportedExpression)) throw error;
    machine.problems.push({ span: error.expression.span ?? step.span, construct: error.construct });
    return [];
  }
}

/** Assigns live variables, if it differs from the state when the step is reached later. */
function startState(context: ScopeContext, first: FlatStep, symbols: SymbolTable): string | undefined {
  const { machine, predecessors: entries } = context;
  const differs =
    !isVariable(symbolValue(symbols, machine.workflow.input), intrinsics.input) ||
    liveVariables(context, first).some((name) => !isCurrent(context, symbols, name));
  if (!differs) return undefined;
  if ((entries.get(first.id) ?? 0) === 0) {
    context.requested.add(first.id);
    context.states.push(...collectUnsupported(context, first, (step) => stateAt(context, step.id, step, symbols)));
    return first.id;
  }
  const key = machine.names.steps.fresh(`${first.id}/start`);
  const inside = { ...context, pointer: first.origin.pointer };
  const exit = (): MachineState["exit"] => exitTo(inside, { name: first.id, span: first.span }, symbols, unguarded);
  context.states.push(
    ...collectUnsupported(context, first, () => [
      { key, type: "Pass", step: first.id, part: "start", fields: [], exit: exit() },
    ]),
  );
  return key;
}

/**
 * Selects the state of a step, or the few states. Assignments are folded into the next other step; a cycle of them is
 * left at an exit.
 */
export function stateAt(
  outside: ScopeContext,
  key: string,
  first: FlatStep,
  from: SymbolTable,
): readonly MachineState[] {
  const entered = enterState(outside, first, from);
  const work = foldAssignments(entered, first, from);
  const states = statesOf({ ...entered, pointer: work.pointer }, key, first, work);
  if (outside.machine.workflow.problems === undefined) return states;
  return states.map((state) => ({ ...state, pointer: work.pointer }));
}

function statesOf(context: ScopeContext, key: string, first: FlatStep, work: FoldedState): readonly MachineState[] {
  for (const each of work.assignments) noteUncaught(context, each);
  const { symbols } = work;
  if (work.left) {
    return [exitState(key, first, exitTo(context, work.left, symbols, unguarded, work.failing))];
  }
  const { step } = work;
  if (step.kind !== "end") {
    const first = testFailures(step, symbols, work.failing);
    return effectState(context, key, first.step, first.symbols);
  }
  if (step.outcome === "fail") return [failState(context, key, step, symbols)];
  const value: Expression = resolve(step.value, symbols);
  const fields: MachineState["fields"] = isVariable(value, intrinsics.input)
    ? []
    : [["Output", payload(value, context)]];
  return [{ key, type: "Succeed", step: step.id, fields }];
}

/** A state that only has an exit. */
export const exitState = (key: string, { id }: FlatStep, exit: StateExit): MachineState =>
  exit.next === undefined
    ? { key, type: "Succeed", step: id, fields: exit.output === undefined ? [] : [["Output", exit.output]] }
    : { key, type: "Pass", step: id, fields: [], exit };

/** Records work that may fail, that a handler covers, and that is folded into a state without Catch. */
function noteUncaught(context: ScopeContext, step: AssignStep): void {
  const { machine } = context;
  if (machine.guards.has(step.id) && step.values.some(({ value }) => failsAt(step, value, context))) {
    const construct = "handling an error of data that no function call comes before";
    machine.problems.push({ span: step.span, construct, uncaught: { kind: "work", step: step.id } });
  }
}

/** By the order of steps in the source. */
function sortStates({ states, scope }: ScopeContext): readonly MachineState[] {
  const order = new Map(scope.steps.map(({ id }, i) => [id, i]));
  const place = (state: MachineState) => order.get(state.key) ?? order.get(state.step) ?? order.size;
  return [...states].sort((a, b) => place(a) - place(b));
}
