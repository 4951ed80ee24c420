import type { Expression } from "../../../src/expressions/index.ts";
import type { Reference } from "../../../src/ir/workflow.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { isLarge, type ScopeContext, stepAt } from "./context.ts";
import { type AssignStep, failingResults, failsInOrder, failsWith, stillEvaluates } from "./evaluation.ts";
import { areTestable, canTestFailures, isEvaluatedOnce } from "./failure-tests.ts";
import { assignSymbols, hasUnstable, type SymbolTable, symbolValue } from "./symbols.ts";

interface FoldedWork {
  readonly assignments: readonly AssignStep[];
  readonly symbols: SymbolTable;
  readonly failing: readonly Expression[];
  /** The pointer of the steps that may fail in the state. */
  readonly pointer: string | undefined;
}

/** Folded assignments with the step that the state performs, or the exit of a state that only assigns. */
export type FoldedState = FoldedWork &
  ({ readonly step: Exclude<FlatStep, AssignStep>; readonly left?: never } | { readonly left: Reference });

/** Folds assignments into the next other step's state, if possible. */
export function foldAssignments(context: ScopeContext, first: FlatStep, from: SymbolTable): FoldedState {
  let step = first;
  let symbols = from;
  let failing: readonly Expression[] = [];
  let pointer: string | undefined;
  const visited = new Set<AssignStep>();
  while (step.kind === "assign") {
    visited.add(step);
    symbols = assignSymbols(symbols, step.values);
    const failures = failingResults(step, symbols, context);
    if (failures.length > 0) pointer = step.origin.pointer;
    failing = [...failing, ...failures];
    const next = stepAt(context, step.next);
    const isEnd = next.kind === "end" && next.outcome === "leave";
    const folds = isEnd || (!isIn(visited, next) && canFold(context, step, next, symbols, failing));
    const stays =
      (next.kind !== "assign" || keepsFailures(context, next, symbols, failing)) &&
      (failing.length === 0 || keepsPointer(context, next, symbols, pointer));
    if (!folds || !stays || !failsBefore(context, next, symbols, failing))
      return {
        assignments: [...visited],
        symbols,
        failing,
        pointer: failing.length > 0 ? pointer : first.origin.pointer,
        left: step.next,
      };
    step = next;
  }
  return { assignments: [...visited], symbols, failing, pointer: step.origin.pointer, step };
}

const isIn = (visited: ReadonlySet<FlatStep>, step: FlatStep): boolean => visited.has(step);

/** It computes the values first, or tests them. */
const failsBefore = (
  { machine }: ScopeContext,
  next: FlatStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): boolean =>
  failsWith(machine, next, failing, symbols, machine.workflow.input) ||
  (canTestFailures(machine, next) && areTestable(failing));

/** Whether earlier failures stay the same if the state computes more after them. */
function keepsFailures(
  context: ScopeContext,
  next: AssignStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): boolean {
  const after = assignSymbols(symbols, next.values);
  return stillEvaluates(symbols, after, failing) && failsInOrder(failing, failingResults(next, after, context));
}

/** Whether what fails in the next step fails at the same place, if runners derive that from the state. */
const keepsPointer = (
  context: ScopeContext,
  next: FlatStep,
  symbols: SymbolTable,
  pointer: string | undefined,
): boolean =>
  context.machine.workflow.problems === undefined ||
  next.origin.pointer === pointer ||
  (next.kind === "assign" && failingResults(next, assignSymbols(symbols, next.values), context).length === 0);

/**
 * The step has no other predecessor, and the values are small and the same at each use: a state evaluates its fields
 * at several times.
 */
const canFold = (
  context: ScopeContext,
  { values }: AssignStep,
  next: FlatStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): boolean =>
  context.predecessors.get(next.id) === 1 &&
  !values.some(({ variable }) => isLarge(symbolValue(symbols, variable)!, context)) &&
  (takesNoTime(next) ||
    !hasUnstable(symbols) ||
    (canTestFailures(context.machine, next) && isEvaluatedOnce(next, symbols, failing)));

const takesNoTime = ({ kind }: FlatStep): boolean => kind === "assign" || kind === "end" || kind === "choose";
