import {
  type DraftState,
  resolveLabel,
  type StateBuilder,
  type StateOperation,
  successorsOf,
} from "./state-builder.ts";

/** The states that can be reached, without aliases. */
export function reachableStates(builder: StateBuilder, entry: string): readonly DraftState[] {
  const byLabel = new Map(
    builder.drafts.map((draft) => [draft.label, relabel(draft, (label) => resolveLabel(label, builder))]),
  );
  const found = new Set<string>([entry, ...builder.fixedLabels]);
  for (const label of found) for (const next of successorsOf(draftAt(byLabel, label))) found.add(next);
  return builder.drafts.flatMap(({ label }) => (found.has(label) ? [draftAt(byLabel, label)] : []));
}

/** The state of a label. */
export function draftAt(drafts: ReadonlyMap<string, DraftState>, label: string): DraftState {
  const draft = drafts.get(label);
  if (!draft) throw new Error(`There is no state ${label}.`);
  return draft;
}

/** The states by label. */
export const byLabelOf = (drafts: readonly DraftState[]): Map<string, DraftState> =>
  new Map(drafts.map((draft) => [draft.label, draft]));

/** The number of references to each label. Entries have one from outside. */
export function countReferences(drafts: readonly DraftState[], entries: Iterable<string>): Map<string, number> {
  const counts = new Map(Array.from(entries, (label) => [label, 1]));
  for (const label of drafts.flatMap(successorsOf)) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** A state that refers to other labels. */
export function relabel({ operation, next, ...rest }: DraftState, to: (label: string) => string): DraftState {
  const after = next === undefined ? undefined : to(next);
  switch (operation.kind) {
    case "choice":
      return {
        ...rest,
        operation: { ...operation, whenTrue: to(operation.whenTrue), otherwise: to(operation.otherwise) },
        next: after,
      };
    case "try":
      return { ...rest, operation: { ...operation, handler: to(operation.handler) }, next: after };
    default:
      return { ...rest, operation, next: after };
  }
}

/** Removes states without effect: references to them lead to the next state. Entries keep their labels and names. */
export function removeStates(
  drafts: readonly DraftState[],
  isRemoved: (draft: DraftState) => boolean,
  entries: ReadonlySet<string>,
): readonly DraftState[] {
  const gone = new Map(drafts.flatMap((draft) => (isRemoved(draft) ? [[draft.label, draft.next!]] : [])));
  if (gone.size === 0) return drafts;
  const past = (label: string): string => {
    let current = label;
    for (let next = gone.get(current); next !== undefined; next = gone.get(current)) current = next;
    return current;
  };
  const heirs = new Map(
    drafts.flatMap((draft) =>
      gone.has(draft.label) && entries.has(draft.label) ? [[past(draft.label), draft] as const] : [],
    ),
  );
  const to = (label: string): string => heirs.get(past(label))?.label ?? past(label);
  return drafts.flatMap((draft) => {
    if (gone.has(draft.label)) return [];
    const { label = draft.label, name = draft.name } = heirs.get(draft.label) ?? {};
    return [{ ...relabel(draft, to), label, name }];
  });
}

/** The handlers around a state, innermost first. */
interface HandlerStack {
  readonly handler: string;
  readonly outer: HandlerStack | undefined;
}

/** The innermost handler of each state that is inside a `Try`. */
export function handlersOf(
  drafts: ReadonlyMap<string, DraftState>,
  entries: Iterable<string>,
): ReadonlyMap<string, string> {
  const stacks = new Map<string, HandlerStack | undefined>(Array.from(entries, (label) => [label, undefined]));
  for (const [label, stack] of stacks) {
    const { operation, next } = draftAt(drafts, label);
    const opened = operation.kind === "try" ? { handler: operation.handler, outer: stack } : undefined;
    const inside = opened ?? (operation.kind === "catch" ? stack?.outer : stack);
    if (opened && !stacks.has(opened.handler)) stacks.set(opened.handler, stack);
    for (const other of next === undefined ? successorsOf(draftAt(drafts, label)) : [next])
      if (!stacks.has(other)) stacks.set(other, inside);
  }
  return new Map([...stacks].flatMap(([label, stack]) => (stack ? [[label, stack.handler] as const] : [])));
}

/**
 * Sorts states for reading: each is followed by the branches that it starts and by its successors, a `Catch` by the
 * handler of its `Try`. `last` comes last.
 */
export function sortStates(drafts: readonly DraftState[], entry: string, last: string): readonly DraftState[] {
  const byLabel = byLabelOf(drafts);
  const handlers = handlersOf(byLabel, [entry, ...drafts.flatMap(({ operation }) => startedBy(operation))]);
  const found = new Set<string>();
  const waiting = [...drafts.map(({ label }) => label).reverse(), entry];
  for (let label = waiting.pop(); label !== undefined; label = waiting.pop()) {
    if (found.has(label) || label === last) continue;
    found.add(label);
    const { operation, next } = draftAt(byLabel, label);
    const closed = operation.kind === "catch" ? handlers.get(label) : undefined;
    const successors = next === undefined ? successorsOf(draftAt(byLabel, label)) : [next];
    const after = [...startedBy(operation), ...(closed === undefined ? [] : [closed]), ...successors];
    waiting.push(...after.reverse());
  }
  return [...found, last].flatMap((label) => byLabel.get(label) ?? []);
}

/** The branches that a state starts. They inherit the variables. */
export const startedBy = (operation: StateOperation): readonly string[] =>
  operation.kind === "action" ? (operation.starts ?? []) : [];
