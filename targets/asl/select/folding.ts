import type { Expression } from "../../../src/expressions/index.ts";
import type { Reference } from "../../../src/ir/workflow.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { isLarge, type ScopeContext, target } from "./context.ts";
import { type Assigning, failingValues, failsInOrder, failsWith, staysFailing } from "./evaluated.ts";
import { areAsked, canAsk, isAskedOnce } from "./query-time.ts";
import { assign, hasPassing, type Symbols, worth } from "./symbols.ts";

/** The work that is done in one state, when that is entered before a step. */
interface Work {
  /** The steps that only compute, in their order. */
  readonly passed: readonly Assigning[];
  readonly symbols: Symbols;
  /** What they have computed that may fail. */
  readonly failing: readonly Expression[];
}

/** The same, with the step that does more, or with how a state is left that does nothing else. */
export type Folded = Work &
  ({ readonly step: Exclude<FlatStep, Assigning>; readonly left?: never } | { readonly left: Reference });

/** Folds steps that only compute into the first step behind them that does more, where that can take them. */
export function folded(context: ScopeContext, first: FlatStep, from: Symbols): Folded {
  let step = first;
  let symbols = from;
  let failing: readonly Expression[] = [];
  const passed = new Set<Assigning>();
  while (step.kind === "assign") {
    passed.add(step);
    symbols = assign(symbols, step.values);
    failing = [...failing, ...failingValues(step, symbols, context)];
    const next = target(context, step.next);
    const isEnd = next.kind === "end" && next.outcome === "leave";
    const folds = isEnd || (!isIn(passed, next) && canFold(context, step, next, symbols, failing));
    const stays = next.kind !== "assign" || failsAsBefore(context, next, symbols, failing);
    if (!folds || !stays || !failsBefore(context, next, symbols, failing))
      return { passed: [...passed], symbols, failing, left: step.next };
    step = next;
  }
  return { passed: [...passed], symbols, failing, step };
}

const isIn = (passed: ReadonlySet<FlatStep>, step: FlatStep): boolean => passed.has(step);

/** Whether the state of a step fails with all that may have failed before it, before it does anything: it computes that first, or asks for it. */
const failsBefore = (
  { machine }: ScopeContext,
  next: FlatStep,
  symbols: Symbols,
  failing: readonly Expression[],
): boolean =>
  failsWith(machine, next, failing, symbols, machine.workflow.input) || (canAsk(machine, next) && areAsked(failing));

/** Whether what may have failed fails in the same way where more is computed behind it, in the same state. */
function failsAsBefore(
  context: ScopeContext,
  next: Assigning,
  symbols: Symbols,
  failing: readonly Expression[],
): boolean {
  const after = assign(symbols, next.values);
  return staysFailing(symbols, after, failing) && failsInOrder(failing, failingValues(next, after, context));
}

/**
 * Whether work can be done in the state behind it: nothing else leads there, what is computed is not too large to be written where it is used, and it is the
 * same wherever that is: a state that does something writes its fields at several times.
 */
const canFold = (
  context: ScopeContext,
  { values }: Assigning,
  next: FlatStep,
  symbols: Symbols,
  failing: readonly Expression[],
): boolean =>
  context.entries.get(next.id) === 1 &&
  !values.some(({ variable }) => isLarge(worth(symbols, variable)!, context)) &&
  (takesNoTime(next) || !hasPassing(symbols) || (canAsk(context.machine, next) && isAskedOnce(next, symbols, failing)));

const takesNoTime = ({ kind }: FlatStep): boolean => kind === "assign" || kind === "end" || kind === "choose";
