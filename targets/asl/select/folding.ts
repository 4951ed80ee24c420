import type { Expression } from "../../../src/expressions/index.ts";
import type { Reference } from "../../../src/ir/workflow.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { isLarge, type ScopeContext, stepAt } from "./context.ts";
import { type AssignStep, failingResults, failsInOrder, failsWith, stillEvaluates } from "./evaluation.ts";
import { areTestable, canTestFailures, isEvaluatedOnce } from "./failure-tests.ts";
import { assignSymbols, hasUnstable, type SymbolTable, valueOf } from "./symbols.ts";

/** The work that is done in one state, when that is entered before a step. */
interface FoldedWork {
  /** The steps that only compute, in their order. */
  readonly assignments: readonly AssignStep[];
  readonly symbols: SymbolTable;
  /** What they have computed that may fail. */
  readonly failing: readonly Expression[];
}

/** The same, with the step that does more, or with how a state is left that does nothing else. */
export type FoldedState = FoldedWork &
  ({ readonly step: Exclude<FlatStep, AssignStep>; readonly left?: never } | { readonly left: Reference });

/** Folds steps that only compute into the first step behind them that does more, where that can take them. */
export function foldAssignments(context: ScopeContext, first: FlatStep, from: SymbolTable): FoldedState {
  let step = first;
  let symbols = from;
  let failing: readonly Expression[] = [];
  const passed = new Set<AssignStep>();
  while (step.kind === "assign") {
    passed.add(step);
    symbols = assignSymbols(symbols, step.values);
    failing = [...failing, ...failingResults(step, symbols, context)];
    const next = stepAt(context, step.next);
    const isEnd = next.kind === "end" && next.outcome === "leave";
    const folds = isEnd || (!isIn(passed, next) && canFold(context, step, next, symbols, failing));
    const stays = next.kind !== "assign" || keepsFailures(context, next, symbols, failing);
    if (!folds || !stays || !failsBefore(context, next, symbols, failing))
      return { assignments: [...passed], symbols, failing, left: step.next };
    step = next;
  }
  return { assignments: [...passed], symbols, failing, step };
}

const isIn = (passed: ReadonlySet<FlatStep>, step: FlatStep): boolean => passed.has(step);

/** Whether the state of a step fails with all that may have failed before it, before it does anything: it computes that first, or asks for it. */
const failsBefore = (
  { machine }: ScopeContext,
  next: FlatStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): boolean =>
  failsWith(machine, next, failing, symbols, machine.workflow.input) ||
  (canTestFailures(machine, next) && areTestable(failing));

/** Whether what may have failed fails in the same way where more is computed behind it, in the same state. */
function keepsFailures(
  context: ScopeContext,
  next: AssignStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): boolean {
  const after = assignSymbols(symbols, next.values);
  return stillEvaluates(symbols, after, failing) && failsInOrder(failing, failingResults(next, after, context));
}

/**
 * Whether work can be done in the state behind it: nothing else leads there, what is computed is not too large to be written where it is used, and it is the
 * same wherever that is: a state that does something writes its fields at several times.
 */
const canFold = (
  context: ScopeContext,
  { values }: AssignStep,
  next: FlatStep,
  symbols: SymbolTable,
  failing: readonly Expression[],
): boolean =>
  context.predecessors.get(next.id) === 1 &&
  !values.some(({ variable }) => isLarge(valueOf(symbols, variable)!, context)) &&
  (takesNoTime(next) ||
    !hasUnstable(symbols) ||
    (canTestFailures(context.machine, next) && isEvaluatedOnce(next, symbols, failing)));

const takesNoTime = ({ kind }: FlatStep): boolean => kind === "assign" || kind === "end" || kind === "choose";
