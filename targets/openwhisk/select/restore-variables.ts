import { type JsExpression as Code, equalNodes, freeNames, js, walkNodes } from "../../../src/js-ast/index.ts";
import type { DraftState, StateFunction } from "./state-builder.ts";
import { assignmentIn, namesOf } from "./state-functions.ts";
import { byLabelOf, draftAt } from "./state-graph.ts";

/**
 * Computes variables again where the params are still those that they were computed from, so that they need no `Let`:
 *
 *   Push, (params) => { error = errorOf(params.error); return … }, Choice, () => ({ error: toError(error) })
 *   → …, Choice, (params) => { error = errorOf(params.error); return { error: toError(error) }; }
 */
export function restoreVariables(
  drafts: readonly DraftState[],
  entry: string,
  entries: ReadonlySet<string>,
  symbols: ReadonlySet<string>,
): readonly DraftState[] {
  const candidates = candidatesIn(drafts, symbols);
  if (candidates.size === 0) return drafts;
  const known = knownValues(drafts, entry, entries, candidates);
  const valueIn = (draft: DraftState, name: string): Code | undefined => {
    const at = known.get(draft.label);
    const fact = at?.values.get(name);
    return fact && fact.source === at?.source ? fact.value : undefined;
  };
  const readersOf = drafts.flatMap((draft) =>
    draft.operation.kind === "function" ? [{ draft, body: draft.operation.body }] : [],
  );
  for (const { draft, body } of readersOf)
    for (const name of namesOf(body).reads)
      if (candidates.has(name) && valueIn(draft, name) === undefined) candidates.delete(name);
  if (candidates.size === 0) return drafts;
  return drafts.map((draft) => {
    const { operation } = draft;
    if (operation.kind !== "function") return draft;
    const restored = [...namesOf(operation.body).reads].filter((name) => candidates.has(name));
    if (restored.length === 0) return draft;
    const lines = restored.map((name) => js.assign(name, valueIn(draft, name)!));
    return { ...draft, operation: { ...operation, body: withLines(operation.body, lines) } };
  });
}

const withLines = (body: StateFunction, lines: StateFunction["lines"]): StateFunction => ({
  ...body,
  lines: [...lines, ...body.lines],
  helpers: new Set([...body.helpers, ...[...freeNames(lines)].filter((name) => pureHelpers.has(name))]),
});

/** The helpers whose result depends only on their arguments. */
const pureHelpers: ReadonlySet<string> = new Set([
  "unwrap",
  "byName",
  "inOrder",
  "errorOf",
  "actionErrorOf",
  "errorIn",
  "errorNames",
]);

/** The variables that functions compute from the params alone. */
function candidatesIn(drafts: readonly DraftState[], symbols: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const { operation } of drafts)
    if (operation.kind === "function") for (const name of valuesOfParams(operation.body).keys()) found.add(name);
  return new Set([...found].filter((name) => symbols.has(name)));
}

/** The values that a function computes from its params alone, by variable. */
function valuesOfParams(body: StateFunction): ReadonlyMap<string, Code> {
  const values = new Map<string, Code>();
  const { sets } = namesOf(body);
  for (const statement of body.lines) {
    const { target, value } = assignmentIn(statement) ?? {};
    if (target?.kind !== "identifier" || !sets.has(target.name)) continue;
    if (values.has(target.name) || !isOfParams(value!)) values.delete(target.name);
    else values.set(target.name, value!);
  }
  return values;
}

const isOfParams = (value: Code): boolean =>
  freeNames([value]).has("params") &&
  walkNodes([value]).every((node) => {
    switch (node.kind) {
      case "identifier":
        return node.name === "params" || pureHelpers.has(node.name);
      case "call":
        return node.callee.kind === "identifier";
      case "binary":
        return node.operator === "??";
      case "literal":
      case "member":
      case "element":
      case "array":
      case "object":
      case "property":
        return true;
      default:
        return false;
    }
  });

/** What is known where a state is entered. */
interface KnownValues {
  /** The state that the params come from; undefined if there are several. */
  readonly source: string | undefined;
  /** The sources of pushed params, topmost first. */
  readonly pushed: PushedSource | undefined;
  /** The variables that have the value of an expression of the params of a source. */
  readonly values: ReadonlyMap<string, SourceValue>;
}

interface PushedSource {
  readonly source: string | undefined;
  readonly below: PushedSource | undefined;
}

interface SourceValue {
  readonly source: string;
  readonly value: Code;
}

const nothingKnown: KnownValues = { source: undefined, pushed: undefined, values: new Map() };

function knownValues(
  drafts: readonly DraftState[],
  entry: string,
  entries: ReadonlySet<string>,
  candidates: ReadonlySet<string>,
): ReadonlyMap<string, KnownValues> {
  const byLabel = byLabelOf(drafts);
  const known = new Map<string, KnownValues>();
  const waiting = new Set<string>();
  const reach = (label: string, values: KnownValues): void => {
    const before = known.get(label);
    const merged = before ? merge(before, values) : values;
    if (before && isEqual(before, merged)) return;
    known.set(label, merged);
    waiting.add(label);
  };
  for (const label of new Set([entry, ...entries])) reach(label, nothingKnown);
  for (const label of waiting) {
    waiting.delete(label);
    propagate(draftAt(byLabel, label), known.get(label)!, candidates, reach);
  }
  return known;
}

function propagate(
  { label, operation, next }: DraftState,
  at: KnownValues,
  candidates: ReadonlySet<string>,
  reach: (label: string, values: KnownValues) => void,
): void {
  const onward = (values: KnownValues): void => {
    if (next !== undefined) reach(next, values);
  };
  switch (operation.kind) {
    case "function":
      onward({ ...at, source: undefined, values: withValues(at, operation.body, candidates) });
      return;
    case "action":
      onward({ ...at, source: label, values: without(at.values, (fact) => fact.source === label) });
      return;
    case "value":
      onward({ ...at, source: undefined });
      return;
    case "push":
      onward({ ...at, pushed: { source: at.source, below: at.pushed } });
      return;
    case "choice": {
      const restored = { ...at, source: at.pushed?.source, pushed: at.pushed?.below };
      reach(operation.whenTrue, restored);
      reach(operation.otherwise, restored);
      return;
    }
    case "try":
      // An error may come from any state of the body: the handler starts with new params and knows no values.
      reach(operation.handler, { source: operation.handler, pushed: at.pushed, values: new Map() });
      onward(at);
      return;
    case "let":
    case "end":
      onward({ ...at, values: without(at.values, (_, name) => name === operation.symbol) });
      return;
    default:
      onward(at);
      return;
  }
}

function without(
  values: KnownValues["values"],
  isGone: (fact: SourceValue, name: string) => boolean,
): KnownValues["values"] {
  if (values.size === 0) return values;
  return new Map([...values].filter(([name, fact]) => !isGone(fact, name)));
}

function withValues(
  { source, values }: KnownValues,
  body: StateFunction,
  candidates: ReadonlySet<string>,
): KnownValues["values"] {
  const { writes } = namesOf(body);
  const left = without(values, (_, name) => writes.has(name));
  if (source === undefined) return left;
  const computed = [...valuesOfParams(body)].filter(([name]) => candidates.has(name));
  return computed.length === 0
    ? left
    : new Map([...left, ...computed.map(([name, value]) => [name, { source, value }] as const)]);
}

function merge(a: KnownValues, b: KnownValues): KnownValues {
  const values = without(a.values, (fact, name) => {
    const other = b.values.get(name);
    return other?.source !== fact.source || !equalNodes(other.value, fact.value);
  });
  return { source: a.source === b.source ? a.source : undefined, pushed: mergePushed(a.pushed, b.pushed), values };
}

function mergePushed(a: PushedSource | undefined, b: PushedSource | undefined): PushedSource | undefined {
  if (a === b || !a || !b) return a === b ? a : undefined;
  const [source, below] = [a.source === b.source ? a.source : undefined, mergePushed(a.below, b.below)];
  return source === a.source && below === a.below ? a : { source, below };
}

const isEqual = (a: KnownValues, b: KnownValues): boolean =>
  a.source === b.source && a.values.size === b.values.size && isEqualPushed(a.pushed, b.pushed);

function isEqualPushed(a: PushedSource | undefined, b: PushedSource | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && a.source === b.source && isEqualPushed(a.below, b.below);
}
