import {
  assignsName,
  type Block,
  declaredNames,
  freeNames,
  js,
  referencesName,
  type Statement,
} from "../../../src/js-ast/index.ts";
import type { Json } from "../../../src/json.ts";
import {
  type DraftState,
  resolveLabel,
  type StateBuilder,
  type StateFunction,
  type StateOperation,
  successorsOf,
} from "./state-builder.ts";

/** Removes unreachable states, joins consecutive functions, and declares variables of one function in it. */
export function optimizeStates(
  builder: StateBuilder,
  entry: string,
): { readonly entry: string; readonly drafts: readonly DraftState[] } {
  const first = resolveLabel(entry, builder);
  const drafts = reachableStates(builder, first);
  const joinOperations = joinFunctions(drafts, [first, ...builder.fixedLabels]);
  return {
    entry: first,
    drafts: removeLets(joinOperations, localSymbols(joinOperations), new Set([first, ...builder.fixedLabels])),
  };
}

function reachableStates(builder: StateBuilder, entry: string): readonly DraftState[] {
  const byLabel = new Map(
    builder.drafts.map((draft) => [draft.label, relabel(draft, (label) => resolveLabel(label, builder))]),
  );
  const found = new Set<string>([entry, ...builder.fixedLabels]);
  for (const label of found) for (const next of successorsOf(draftAt(byLabel, label))) found.add(next);
  return builder.drafts.flatMap(({ label }) => (found.has(label) ? [draftAt(byLabel, label)] : []));
}

function draftAt(drafts: ReadonlyMap<string, DraftState>, label: string): DraftState {
  const draft = drafts.get(label);
  if (!draft) throw new Error(`There is no state ${label}.`);
  return draft;
}

function relabel({ operation, next, ...rest }: DraftState, to: (label: string) => string): DraftState {
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

function joinFunctions(drafts: readonly DraftState[], entries: readonly string[]): readonly DraftState[] {
  const byLabel = new Map(drafts.map((draft) => [draft.label, draft]));
  const guarded = guardedStates(byLabel, entries);
  const counts = new Map(entries.map((label) => [label, 1]));
  for (const label of drafts.flatMap(successorsOf)) counts.set(label, (counts.get(label) ?? 0) + 1);
  const only = (label: string | undefined): DraftState | undefined =>
    label !== undefined && counts.get(label) === 1 ? byLabel.get(label) : undefined;
  for (const { label } of drafts) {
    for (let current = byLabel.get(label); current?.operation.kind === "function"; current = byLabel.get(label)) {
      const next = only(current.next);
      if (!next) break;
      const isPushed = next.operation.kind === "push";
      const successor = isPushed ? only(next.next) : next;
      const joint =
        successor && joinOperations(current.operation.body, successor.operation, guarded.has(successor.label));
      if (!successor || !joint) break;
      byLabel.delete(successor.label);
      if (!isPushed) byLabel.set(label, { ...current, operation: joint, next: successor.next });
      else {
        byLabel.delete(next.label);
        byLabel.set(label, { ...next, label });
        byLabel.set(successor.label, { ...successor, operation: joint });
      }
    }
  }
  return drafts.flatMap(({ label }) => byLabel.get(label) ?? []);
}

/** The states inside a `Try` other than the outermost one. Their handlers may read variables. */
function guardedStates(drafts: ReadonlyMap<string, DraftState>, entries: readonly string[]): ReadonlySet<string> {
  const depths = new Map<string, number>(entries.map((label) => [label, 0]));
  for (const [label, depth] of depths) {
    const { operation, next } = draftAt(drafts, label);
    const change = operation.kind === "try" && !operation.isOutermost ? 1 : operation.kind === "catch" ? -1 : 0;
    if (operation.kind === "try" && !depths.has(operation.handler)) depths.set(operation.handler, depth);
    for (const other of next === undefined ? successorsOf(draftAt(drafts, label)) : [next])
      if (!depths.has(other)) depths.set(other, Math.max(0, depth + change));
  }
  return new Set([...depths].flatMap(([label, depth]) => (depth > 0 ? [label] : [])));
}

function joinOperations(first: StateFunction, second: StateOperation, isGuarded: boolean): StateOperation | undefined {
  if (first.result) return undefined;
  if (second.kind === "value") return { kind: "function", body: { ...first, result: js.value(second.value as Json) } };
  if (second.kind !== "function" || (isGuarded && second.body.canFail)) return undefined;
  const { lines, result, helpers, canFail } = second.body;
  const declared = new Set(first.lines.flatMap(declaredNames));
  if (lines.flatMap(declaredNames).some((name) => declared.has(name))) return undefined;
  if (referencesName(statementsOf(second.body), "params")) return undefined;
  return {
    kind: "function",
    body: {
      lines: [...first.lines, ...lines],
      result,
      helpers: new Set([...first.helpers, ...helpers]),
      canFail: first.canFail || canFail,
    },
  };
}

const statementsOf = ({ lines, result }: StateFunction): Block => [
  ...lines,
  ...(result ? [js.returnStatement(result)] : []),
];

/** The variables that every function assigns before reading. */
function localSymbols(drafts: readonly DraftState[]): ReadonlySet<string> {
  const symbols = new Set(drafts.flatMap(({ operation }) => (operation.kind === "let" ? [operation.symbol] : [])));
  for (const { operation } of drafts) {
    if (operation.kind !== "function") continue;
    const statements = statementsOf(operation.body);
    for (const name of freeNames(statements))
      if (symbols.has(name) && !isSetFirst(statements, name)) symbols.delete(name);
  }
  return symbols;
}

const isSetFirst = (statements: Block, symbol: string): boolean => {
  const first = statements.find((statement) => referencesName([statement], symbol));
  const value = first && assignedValue(first, symbol);
  return value !== undefined && !referencesName([value], symbol);
};

function assignedValue(statement: Statement, symbol: string) {
  if (statement.kind !== "expression" || statement.expression.kind !== "assign") return undefined;
  const { operator, target, value } = statement.expression;
  return operator === "=" && target.kind === "identifier" && target.name === symbol ? value : undefined;
}

function removeLets(
  drafts: readonly DraftState[],
  symbols: ReadonlySet<string>,
  entries: ReadonlySet<string>,
): readonly DraftState[] {
  const isGone = ({ operation }: DraftState): boolean =>
    (operation.kind === "let" || operation.kind === "end") && symbols.has(operation.symbol);
  const gone = new Map(drafts.flatMap((draft) => (isGone(draft) ? [[draft.label, draft.next!]] : [])));
  const past = (label: string): string => {
    let current = label;
    for (let next = gone.get(current); next !== undefined; next = gone.get(current)) current = next;
    return current;
  };
  const heirs = new Map(
    drafts.flatMap((draft) => (isGone(draft) && entries.has(draft.label) ? [[past(draft.label), draft]] : [])),
  );
  const to = (label: string): string => heirs.get(past(label))?.label ?? past(label);
  return drafts.flatMap((draft) => {
    if (isGone(draft)) return [];
    const { label = draft.label, name = draft.name } = heirs.get(draft.label) ?? {};
    return [declareConstants({ ...relabel(draft, to), label, name }, symbols)];
  });
}

function declareConstants(draft: DraftState, symbols: ReadonlySet<string>): DraftState {
  const { operation } = draft;
  if (operation.kind !== "function") return draft;
  const pending = new Set(symbols);
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
