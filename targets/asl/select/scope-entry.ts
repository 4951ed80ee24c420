import { createDataFlowGraph, type DataFlowNode } from "../../../src/cfg/index.ts";
import {
  binary,
  call,
  canFail,
  type Expression,
  effectsOf,
  equalExpressions,
  inferTypeWithin,
  literal,
  mayThrow,
  substitute,
  type TypeEnvironment,
  variable,
} from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { nullType, truthOf, typeNameOf } from "../../../src/types/index.ts";
import { intrinsics } from "../intrinsics.ts";
import type { VariablePrinter } from "../jsonata/context.ts";
import { isCurrent, liveVariables, type ScopeContext, stepAt } from "./context.ts";
import { skipDecided } from "./edges.ts";
import { failingResults } from "./evaluation.ts";
import { exactText, executionInput, text } from "./fields.ts";
import { assignSymbols, inputDocument, isVariable, type SymbolTable, symbolValue, withValue } from "./symbols.ts";

/** The start of a scope at a step that is also reached later, without a state that assigns variables. */
export interface ScopeEntry {
  readonly context: ScopeContext;
  readonly first: FlatStep;
  readonly from: SymbolTable;
  /** Machine variables read as if a state may have assigned them. */
  readonly assigned: readonly string[];
}

/**
 * Finds a start without a state that assigns variables: unassigned variables are undefined, so a counter can be read
 * as `($exists($n) ? $n : 0)`. Applies only if the step is reached again and the scope has the document that it
 * received.
 *
 * @param unassigned The machine's variables that no state assigns after all: their steps assign the current values.
 */
export function scopeEntry(
  context: ScopeContext,
  given: SymbolTable,
  unassigned: ReadonlySet<string>,
): ScopeEntry | undefined {
  const reached = firstEffect(context, given);
  if (!reached?.isAgain) return undefined;
  const { machine, names, initialCode: begins } = context;
  const { first, passed: visited, symbols } = reached;
  const document = symbolValue(symbols, machine.workflow.input);
  if (!document || !(isVariable(document, intrinsics.input) || isInputObject(context, first, document)))
    return undefined;
  const missing = liveVariables(context, first).filter((name) => !isCurrent(context, symbols, name));
  const passedIds = new Set(Array.from(visited, ({ id }) => id));
  const later = [...createDataFlowGraph(context.scope, machine.implicitReads).values()].filter(
    ({ step }) => !passedIds.has(step.id),
  );
  const isSet = (name: string): boolean => !unassigned.has(names.get(name)!) && isReassigned(later, name, context);
  const assigned = missing.filter(isSet);
  const codes = missing.map((name) => {
    return [
      names.get(name)!,
      initialCodeOf(context, name, symbolValue(symbols, name), assigned.includes(name)),
    ] as const;
  });
  const known = codes.filter((each): each is [string, ReturnType<VariablePrinter>] => each[1] !== undefined);
  return known.length < codes.length
    ? undefined
    : {
        first,
        from: withValue(context.canonical, machine.workflow.input, document),
        context: { ...context, initialCode: new Map([...begins, ...known]) },
        assigned: assigned.map((name) => names.get(name)!),
      };
}

/** The first step of a scope that is not an assignment or a decided choice with one predecessor. */
interface FirstEffect {
  readonly first: FlatStep;
  readonly passed: ReadonlySet<FlatStep>;
  readonly symbols: SymbolTable;
  readonly isAgain: boolean;
}

/** Undefined if an assignment before it may fail. */
function firstEffect(context: ScopeContext, given: SymbolTable): FirstEffect | undefined {
  const entriesOf = ({ id }: FlatStep): number => context.predecessors.get(id) ?? 0;
  const visited = new Set<FlatStep>();
  let first = stepAt(context, context.scope.entry);
  let symbols = given;
  let maxEdges = 0;
  for (;;) {
    const open = skipDecided(context, first, symbols);
    if (open !== first) [first, maxEdges] = [open, 0];
    if (first.kind !== "assign" || visited.has(first) || entriesOf(first) > maxEdges) break;
    visited.add(first);
    symbols = assignSymbols(symbols, first.values);
    if (failingResults(first, symbols, context).length > 0) return undefined;
    [first, maxEdges] = [stepAt(context, first.next), 1];
  }
  return { first, passed: visited, symbols, isAgain: entriesOf(first) > maxEdges };
}

/** On a path to a read. */
const isReassigned = (later: readonly DataFlowNode[], name: string, { live }: ScopeContext): boolean =>
  later.some(({ edges }) => edges.some(({ to, sets }) => sets.includes(name) && live.get(to)?.has(name) === true));

/**
 * The document is the input, if that is an object, as it always is when the step is reached again.
 *
 *   if type($data) == "object" then $data else { input: $data } end
 */
function isInputObject({ machine }: ScopeContext, step: FlatStep, document: Expression): boolean {
  const type = machine.typesBefore.get(step.id)?.get(machine.workflow.input);
  if (document.kind !== "if" || !type || typeNameOf(type) !== "object" || canFail(document)) return false;
  return isVariable(document.then, intrinsics.input) && equalExpressions(document.condition, isObject);
}

const isObject = binary("==", call("type", inputDocument), literal("object"));

/** Undefined if its initial value is not the same at every read. */
function initialCodeOf(
  context: ScopeContext,
  name: string,
  first: Expression | undefined,
  isSet: boolean,
): ReturnType<VariablePrinter> | undefined {
  const { canonical, names, scope } = context;
  const known = names.get(name)!;
  const isOwn = scope.variables.some((variable) => variable.name === name);
  if (!first || !isOwn || !isVariable(symbolValue(canonical, name), known)) return undefined;
  const orElse = (value: string) => ({ call: `($exists($${known}) ? $${known} : ${value})` });
  if (first.kind === "literal" && isSmall(first.value))
    return isSet ? orElse(text(first, context)) : { constant: first.value };
  const written = codeOverInput(context, first);
  if (written === undefined || written === executionInput) return written && isSet ? orElse(written) : written;
  return isSet ? undefined : { call: `(${written})` };
}

/** For code that is inlined for a variable. */
const maxInlineLength = 160;

function codeOverInput(context: ScopeContext, first: Expression): string | undefined {
  const value = withoutDecided(first);
  const isInput = [...effectsOf(value).free.keys()].every((name) => name === intrinsics.input);
  if (
    context.outer ||
    context.machine.continuation ||
    !isInput ||
    value.kind === "literal" ||
    mayThrow(value, nothingKnown)
  )
    return undefined;
  const written = exactText(
    substitute(value, new Map([[intrinsics.input, variable(intrinsics.executionInput)]])),
    context,
  );
  return written !== undefined && written.length <= maxInlineLength ? written : undefined;
}

const nothingKnown: TypeEnvironment = { input: nullType, variables: new Map() };

/** That types decide. */
function withoutDecided(expression: Expression): Expression {
  if (expression.kind !== "if" || mayThrow(expression.condition, nothingKnown)) return expression;
  const truth = truthOf(inferTypeWithin(expression.condition, nothingKnown));
  if (truth === "maybe") return expression;
  return withoutDecided(truth === "always" ? expression.then : expression.otherwise);
}

function isSmall(value: Json): boolean {
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "string") return value.length <= 40;
  return typeof value === "number" ? Number.isSafeInteger(value) : Object.keys(value).length === 0;
}
