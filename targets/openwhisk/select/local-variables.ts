import { assignsName, type JsExpression as Code, freeNames, js, referencesName } from "../../../src/js-ast/index.ts";
import { type DraftState, type StateFunction, successorsOf } from "./state-builder.ts";
import { assignedValue, assignmentIn, mayReturn, namesOf, statementsOf } from "./state-functions.ts";
import { byLabelOf, countReferences, removeStates } from "./state-graph.ts";
import { computeStateLiveness } from "./state-liveness.ts";

/** The variables that `Let` states declare. */
export const symbolsOf = (drafts: readonly DraftState[]): ReadonlySet<string> =>
  new Set(drafts.flatMap(({ operation }) => (operation.kind === "let" ? [operation.symbol] : [])));

/**
 * Lets `Let` states give variables the constants that are assigned to them first:
 *
 *   Let attempts = null, () => { attempts = 0; } → Let attempts = 0
 */
export function initializeInLets(
  drafts: readonly DraftState[],
  entry: string,
  entries: ReadonlySet<string>,
): readonly DraftState[] {
  const initial = new Map<string, unknown>();
  const changed = new Map<string, DraftState>();
  const declared = new Set<string>();
  const mentioned = new Set<string>();
  for (const draft of runOnce(drafts, entry, entries)) {
    const { operation } = draft;
    if (operation.kind === "let") declared.add(operation.symbol);
    if (operation.kind !== "function") continue;
    const isInitial = (name: string): boolean => declared.has(name) && !mentioned.has(name);
    const lines = takeConstants(operation.body, isInitial, initial);
    for (const name of freeNames(statementsOf(operation.body))) mentioned.add(name);
    if (lines.length === operation.body.lines.length) continue;
    changed.set(draft.label, { ...draft, operation: { ...operation, body: { ...operation.body, lines } } });
  }
  if (changed.size === 0) return drafts;
  return drafts.map((draft) => {
    const { operation } = draft;
    if (operation.kind !== "let" || !initial.has(operation.symbol)) return changed.get(draft.label) ?? draft;
    return { ...draft, operation: { ...operation, value: initial.get(operation.symbol) } };
  });
}

/** The states that every run enters once, in order, up to a choice or the first branches. */
function runOnce(drafts: readonly DraftState[], entry: string, entries: ReadonlySet<string>): readonly DraftState[] {
  const byLabel = byLabelOf(drafts);
  const counts = countReferences(drafts, entries);
  const found: DraftState[] = [];
  for (let label: string | undefined = entry; label !== undefined && counts.get(label) === 1; ) {
    const draft: DraftState | undefined = byLabel.get(label);
    if (!draft || (draft.operation.kind === "action" && draft.operation.starts)) break;
    found.push(draft);
    label = draft.next;
  }
  return found;
}

/** Moves the constants that a function first assigns to variables, and returns its other statements. */
function takeConstants(
  { lines }: StateFunction,
  isInitial: (name: string) => boolean,
  initial: Map<string, unknown>,
): StateFunction["lines"] {
  const returns = lines.findIndex(mayReturn);
  return lines.filter((statement, i) => {
    const { target, value } = assignmentIn(statement) ?? {};
    if (target?.kind !== "identifier" || value?.kind !== "literal") return true;
    if (!isInitial(target.name) || initial.has(target.name) || (returns >= 0 && i > returns)) return true;
    const others = statementsOf({ lines: lines.slice(0, i), result: undefined });
    if (referencesName(others, target.name)) return true;
    initial.set(target.name, value.value);
    return false;
  });
}

/** Removes assignments that no later state reads, and functions that do nothing. */
export function removeUnreadAssignments(
  drafts: readonly DraftState[],
  entries: ReadonlySet<string>,
): readonly DraftState[] {
  const symbols = symbolsOf(drafts);
  const liveness = computeStateLiveness(drafts, entries, symbols);
  const isRead = (draft: DraftState, name: string): boolean =>
    liveness.inHandler(draft.label).has(name) || successorsOf(draft).some((label) => liveness.before(label).has(name));
  const pruned = drafts.map((draft): DraftState => {
    const { operation } = draft;
    if (operation.kind !== "function") return draft;
    const { lines, result } = operation.body;
    const kept = lines.filter((statement, i) => {
      const { target, value } = assignmentIn(statement) ?? {};
      if (target?.kind !== "identifier" || !symbols.has(target.name) || !isRepeatable(value!)) return true;
      const rest = statementsOf({ lines: lines.slice(i + 1), result });
      return referencesName(rest, target.name) || isRead(draft, target.name);
    });
    return kept.length === lines.length
      ? draft
      : { ...draft, operation: { ...operation, body: { ...operation.body, lines: kept } } };
  });
  const isEmpty = ({ operation, next }: DraftState): boolean =>
    operation.kind === "function" &&
    operation.body.lines.length === 0 &&
    !operation.body.result &&
    next !== undefined &&
    !liveness.before(next).has("params");
  return removeStates(pruned, isEmpty, entries);
}

/** Whether the evaluation of an expression has no effect and cannot fail. */
function isRepeatable(value: Code): boolean {
  switch (value.kind) {
    case "identifier":
    case "literal":
      return true;
    case "member":
      return (value.optional === true || isParams(value.object)) && isRepeatable(value.object);
    case "binary":
      return value.operator === "??" && isRepeatable(value.left) && isRepeatable(value.right);
    case "array":
      return value.elements.every(isRepeatable);
    default:
      return false;
  }
}

const isParams = (value: Code): boolean => value.kind === "identifier" && value.name === "params";

/** Declares variables in functions if every function assigns them before it reads them. */
export function declareLocally(drafts: readonly DraftState[], entries: ReadonlySet<string>): readonly DraftState[] {
  const symbols = new Set(symbolsOf(drafts));
  for (const { operation } of drafts) {
    if (operation.kind !== "function") continue;
    const { reads, writes } = namesOf(operation.body);
    for (const name of reads) symbols.delete(name);
    for (const name of writes) if (symbols.has(name) && !isSetFirst(operation.body, name)) symbols.delete(name);
  }
  if (symbols.size === 0) return drafts;
  const isGone = ({ operation }: DraftState): boolean =>
    (operation.kind === "let" || operation.kind === "end") && symbols.has(operation.symbol);
  return removeStates(drafts, isGone, entries).map((draft) => declareConstants(draft, symbols));
}

/** Whether the first statement that mentions a variable assigns it. */
function isSetFirst(body: StateFunction, symbol: string): boolean {
  const first = statementsOf(body).find((statement) => referencesName([statement], symbol));
  const value = first && assignedValue(first, symbol);
  return value !== undefined && !referencesName([value], symbol);
}

function declareConstants(draft: DraftState, symbols: ReadonlySet<string>): DraftState {
  const { operation } = draft;
  if (operation.kind !== "function") return draft;
  const pending = new Set([...namesOf(operation.body).writes].filter((name) => symbols.has(name)));
  if (pending.size === 0) return draft;
  const lines = operation.body.lines.map((statement, i, all) => {
    for (const symbol of pending) {
      const value = assignedValue(statement, symbol);
      if (!value) continue;
      pending.delete(symbol);
      return assignsName(all.slice(i + 1), symbol) ? js.variable(symbol, value) : js.constant(symbol, value);
    }
    return statement;
  });
  return { ...draft, operation: { ...operation, body: { ...operation.body, lines } } };
}
