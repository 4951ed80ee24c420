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
import { type Doing, type Draft, type Drawing, leadsTo, type Program, resolved } from "./state-builder.ts";

/**
 * States without those that are not needed: functions that follow each other are one, and variables that no state has from another are constants of a
 * function. Only what can be reached is left, and what leads to a label leads to the state of it.
 */
export function tidied(drawing: Drawing, entry: string): { readonly entry: string; readonly drafts: readonly Draft[] } {
  const first = resolved(entry, drawing);
  const drafts = reached(drawing, first);
  const joined = withFunctionsJoined(drafts, [first, ...drawing.fixed]);
  return { entry: first, drafts: withoutLets(joined, symbolsOfOneState(joined), new Set([first, ...drawing.fixed])) };
}

/** The states that can be reached, in their order. */
function reached(drawing: Drawing, entry: string): readonly Draft[] {
  const byLabel = new Map(
    drawing.drafts.map((draft) => [draft.label, led(draft, (label) => resolved(label, drawing))]),
  );
  const found = new Set<string>([entry, ...drawing.fixed]);
  for (const label of found) for (const next of leadsTo(draftAt(byLabel, label))) found.add(next);
  return drawing.drafts.flatMap(({ label }) => (found.has(label) ? [draftAt(byLabel, label)] : []));
}

function draftAt(drafts: ReadonlyMap<string, Draft>, label: string): Draft {
  const draft = drafts.get(label);
  if (!draft) throw new Error(`There is no state ${label}.`);
  return draft;
}

/** A state that leads to other labels. */
function led({ does, next, ...rest }: Draft, to: (label: string) => string): Draft {
  const after = next === undefined ? undefined : to(next);
  switch (does.kind) {
    case "choice":
      return { ...rest, does: { ...does, whenTrue: to(does.whenTrue), otherwise: to(does.otherwise) }, next: after };
    case "try":
      return { ...rest, does: { ...does, handler: to(does.handler) }, next: after };
    default:
      return { ...rest, does, next: after };
  }
}

function withFunctionsJoined(drafts: readonly Draft[], entries: readonly string[]): readonly Draft[] {
  const byLabel = new Map(drafts.map((draft) => [draft.label, draft]));
  const guarded = guardedIn(byLabel, entries);
  const counts = new Map(entries.map((label) => [label, 1]));
  for (const label of drafts.flatMap(leadsTo)) counts.set(label, (counts.get(label) ?? 0) + 1);
  const only = (label: string | undefined): Draft | undefined =>
    label !== undefined && counts.get(label) === 1 ? byLabel.get(label) : undefined;
  for (const { label } of drafts) {
    for (let current = byLabel.get(label); current?.does.kind === "function"; current = byLabel.get(label)) {
      const next = only(current.next);
      if (!next) break;
      const isPushed = next.does.kind === "push";
      const behind = isPushed ? only(next.next) : next;
      const both = behind && joined(current.does.program, behind.does, guarded.has(behind.label));
      if (!behind || !both) break;
      byLabel.delete(behind.label);
      if (!isPushed) byLabel.set(label, { ...current, does: both, next: behind.next });
      else {
        byLabel.delete(next.label);
        byLabel.set(label, { ...next, label });
        byLabel.set(behind.label, { ...behind, does: both });
      }
    }
  }
  return drafts.flatMap(({ label }) => byLabel.get(label) ?? []);
}

/** The states where a failure leads to a handler that may look at variables: all within a `Try`, but for the outermost of the workflow. */
function guardedIn(drafts: ReadonlyMap<string, Draft>, entries: readonly string[]): ReadonlySet<string> {
  const depths = new Map<string, number>(entries.map((label) => [label, 0]));
  for (const [label, depth] of depths) {
    const { does, next } = draftAt(drafts, label);
    const change = does.kind === "try" && !does.isOutermost ? 1 : does.kind === "catch" ? -1 : 0;
    if (does.kind === "try" && !depths.has(does.handler)) depths.set(does.handler, depth);
    for (const other of next === undefined ? leadsTo(draftAt(drafts, label)) : [next])
      if (!depths.has(other)) depths.set(other, Math.max(0, depth + change));
  }
  return new Set([...depths].flatMap(([label, depth]) => (depth > 0 ? [label] : [])));
}

/** A function that does what one does, and then another state; undefined where that is not the same. */
function joined(first: Program, second: Doing, isGuarded: boolean): Doing | undefined {
  if (first.result) return undefined;
  if (second.kind === "value")
    return { kind: "function", program: { ...first, result: js.value(second.value as Json) } };
  if (second.kind !== "function" || (isGuarded && second.program.canFail)) return undefined;
  const { lines, result, helpers, canFail } = second.program;
  const declared = new Set(first.lines.flatMap(declaredNames));
  if (lines.flatMap(declaredNames).some((name) => declared.has(name))) return undefined;
  if (referencesName(statementsOf(second.program), "params")) return undefined;
  return {
    kind: "function",
    program: {
      lines: [...first.lines, ...lines],
      result,
      helpers: new Set([...first.helpers, ...helpers]),
      canFail: first.canFail || canFail,
    },
  };
}

const statementsOf = ({ lines, result }: Program): Block => [...lines, ...(result ? [js.returnStatement(result)] : [])];

/** Variables of which every function that mentions them first gives them a value: none has a value of them from another. */
function symbolsOfOneState(drafts: readonly Draft[]): ReadonlySet<string> {
  const symbols = new Set(drafts.flatMap(({ does }) => (does.kind === "let" ? [does.symbol] : [])));
  for (const { does } of drafts) {
    if (does.kind !== "function") continue;
    const statements = statementsOf(does.program);
    for (const name of freeNames(statements))
      if (symbols.has(name) && !isSetFirst(statements, name)) symbols.delete(name);
  }
  return symbols;
}

const isSetFirst = (statements: Block, symbol: string): boolean => {
  const first = statements.find((statement) => referencesName([statement], symbol));
  const value = first && valueSet(first, symbol);
  return value !== undefined && !referencesName([value], symbol);
};

/** What a statement gives a variable, if that is all it does. */
function valueSet(statement: Statement, symbol: string) {
  if (statement.kind !== "expression" || statement.expression.kind !== "assign") return undefined;
  const { operator, target, value } = statement.expression;
  return operator === "=" && target.kind === "identifier" && target.name === symbol ? value : undefined;
}

/** States without the `Let` and `End` of some variables, which functions declare instead. */
function withoutLets(
  drafts: readonly Draft[],
  symbols: ReadonlySet<string>,
  entries: ReadonlySet<string>,
): readonly Draft[] {
  const isGone = ({ does }: Draft): boolean => (does.kind === "let" || does.kind === "end") && symbols.has(does.symbol);
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
    return [withConstants({ ...led(draft, to), label, name }, symbols)];
  });
}

function withConstants(draft: Draft, symbols: ReadonlySet<string>): Draft {
  const { does } = draft;
  if (does.kind !== "function") return draft;
  const pending = new Set(symbols);
  const lines = does.program.lines.map((statement, i, all) => {
    for (const symbol of pending) {
      const value = valueSet(statement, symbol);
      if (!value) continue;
      pending.delete(symbol);
      return assignsName(all.slice(i + 1), symbol) ? js.variable(symbol, value) : js.constant(symbol, value);
    }
    return statement;
  });
  return { ...draft, does: { ...does, program: { ...does.program, lines } } };
}
