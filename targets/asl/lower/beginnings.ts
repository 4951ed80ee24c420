import type { Expression } from "../../../src/expressions/index.ts";
import { type Point, pointsOf } from "../../../src/flow/index.ts";
import type { FlatStep } from "../../../src/lower/index.ts";
import type { VariableText } from "../jsonata/index.ts";
import { isKept, type ScopeContext, target, wanted } from "./context.ts";
import { failingValues } from "./evaluated.ts";
import { executionInput } from "./fields.ts";
import { assign, isProvided, provided, type Symbols, worth } from "./symbols.ts";

/** A scope that begins with a step as it is reached later too, and needs no state that sets its variables. */
export interface Beginning {
  readonly context: ScopeContext;
  readonly first: FlatStep;
}

/**
 * How a scope can begin without a state that sets variables, if it can: to Step Functions a variable that nothing has assigned is undefined, so that a
 * counter can be read as `($exists($n) ? $n : 0)`. Only where such a state would be needed for nothing else: in front of a step to which others lead again, in
 * a scope that has the document as it is given.
 */
export function beginning(context: ScopeContext, given: Symbols): Beginning | undefined {
  const { entries, machine, names, begins } = context;
  const passed = new Set<FlatStep>();
  let first = target(context, context.scope.entry);
  let symbols = given;
  while (first.kind === "assign" && (entries.get(first.id) ?? 0) === (passed.size === 0 ? 0 : 1)) {
    passed.add(first);
    symbols = assign(symbols, first.values);
    if (failingValues(first, symbols, context.counters).length > 0) return undefined;
    first = target(context, first.next);
  }
  const isAgain = (entries.get(first.id) ?? 0) > (passed.size === 0 ? 0 : 1);
  if (!isAgain || !isProvided(worth(symbols, machine.workflow.input), provided.input)) return undefined;
  const missing = wanted(context, first).filter((name) => !isKept(context, symbols, name));
  const passedIds = new Set(Array.from(passed, ({ id }) => id));
  const later = [...pointsOf(context.scope, machine.hidden).values()].filter(({ step }) => !passedIds.has(step.id));
  const texts = missing.map(
    (name) => [names.get(name)!, writtenFrom(context, name, worth(symbols, name), later)] as const,
  );
  const known = texts.filter((each): each is [string, ReturnType<VariableText>] => each[1] !== undefined);
  return known.length < texts.length
    ? undefined
    : { first, context: { ...context, begins: new Map([...begins, ...known]) } };
}

/** How a variable is written that has a value only when a later step has assigned it; undefined where its first value cannot be told wherever it is read. */
function writtenFrom(
  { canonical, live, names, outer, scope }: ScopeContext,
  name: string,
  first: Expression | undefined,
  later: readonly Point[],
): ReturnType<VariableText> | undefined {
  const known = names.get(name)!;
  const isOwn = scope.variables.some((variable) => variable.name === name);
  if (!first || !isOwn || !isProvided(worth(canonical, name), known)) return undefined;
  const text = outer === undefined && isProvided(first, provided.input) ? executionInput : constantText(first);
  if (text === undefined) return undefined;
  const isChanged = later.some(({ ways }) =>
    ways.some(({ to, sets }) => sets.includes(name) && live.get(to)?.has(name) === true),
  );
  return isChanged ? { call: `($exists($${known}) ? $${known} : ${text})` } : text;
}

/** A constant that can be written wherever a variable is read. */
function constantText(first: Expression): string | undefined {
  if (first.kind !== "literal") return undefined;
  const { value } = first;
  const isShort = value === null || typeof value === "boolean" || Number.isSafeInteger(value);
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isShort || isEmpty ? JSON.stringify(value) : undefined;
}
