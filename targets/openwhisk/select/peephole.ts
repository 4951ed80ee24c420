import { joinFunctions } from "./join-functions.ts";
import { declareLocally, initializeInLets, removeUnreadAssignments, symbolsOf } from "./local-variables.ts";
import { restoreVariables } from "./restore-variables.ts";
import { type DraftState, resolveLabel, type StateBuilder } from "./state-builder.ts";
import { byLabelOf, countReferences, reachableStates, removeStates, sortStates } from "./state-graph.ts";
import { tidyFunction } from "./tidy-function.ts";

/** The states of a composition that remain after optimization. */
export interface OptimizedStates {
  readonly entry: string;
  readonly drafts: readonly DraftState[];
}

/**
 * Removes states that only move values. `isBalanced`: each `Let` and `Try` has its `End` and `Catch` even where the run
 * ends, as the combinators of Composer have.
 */
export function optimizeStates(
  { builder, entry, exit }: { readonly builder: StateBuilder; readonly entry: string; readonly exit: string },
  isBalanced: boolean,
): OptimizedStates {
  const first = resolveLabel(entry, builder);
  const entries = new Set([first, ...builder.fixedLabels]);
  const opened = initializeInLets(startBranches(reachableStates(builder, first), entries), first, entries);
  const joined = joinFunctions(removeUnreadAssignments(opened, entries), entries, symbolsOf(opened), isBalanced);
  const restored = restoreVariables(joined, first, entries, symbolsOf(opened));
  const local = declareLocally(removeUnreadAssignments(restored, entries), entries);
  const closed = isBalanced ? local : endWithoutClosing(local, entries);
  return { entry: first, drafts: sortStates(closed, first, exit).map(tidyState) };
}

const tidyState = (draft: DraftState): DraftState =>
  draft.operation.kind === "function"
    ? { ...draft, operation: { ...draft.operation, body: tidyFunction(draft.operation.body) } }
    : draft;

/** Gives the label of a branch to its first state that does something. */
function startBranches(drafts: readonly DraftState[], entries: ReadonlySet<string>): readonly DraftState[] {
  const counts = countReferences(drafts, entries);
  const isPlain = ({ operation, next }: DraftState): boolean =>
    operation.kind === "pass" && next !== undefined && counts.get(next) === 1;
  return removeStates(drafts, isPlain, entries);
}

/** Removes the `Catch` and `End` states before the end of the run, which ignores what is left on the stack. */
function endWithoutClosing(drafts: readonly DraftState[], entries: ReadonlySet<string>): readonly DraftState[] {
  const byLabel = byLabelOf(drafts);
  const isLast = new Map<string, boolean>();
  const leadsToEnd = (label: string): boolean => {
    const path: string[] = [];
    let at: string | undefined = label;
    let result: boolean | undefined;
    while (result === undefined) {
      const draft: DraftState | undefined = at === undefined ? undefined : byLabel.get(at);
      result = (at === undefined ? undefined : isLast.get(at)) ?? (draft && !closes(draft) ? isEnd(draft) : undefined);
      if (result === undefined && draft) path.push(draft.label);
      at = draft?.next;
    }
    for (const each of path) isLast.set(each, result);
    return result;
  };
  return removeStates(drafts, (draft) => closes(draft) && leadsToEnd(draft.label), entries);
}

const closes = ({ operation: { kind }, next }: DraftState): boolean =>
  (kind === "catch" || kind === "end") && next !== undefined;

const isEnd = ({ operation: { kind }, next }: DraftState): boolean => kind === "pass" && next === undefined;
