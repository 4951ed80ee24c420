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
import type { VariablePrinter } from "../jsonata/index.ts";
import { isCurrent, liveVariables, type ScopeContext, stepAt } from "./context.ts";
import { skipDecided } from "./edges.ts";
import { failingResults } from "./evaluation.ts";
import { exactText, executionInput, text } from "./fields.ts";
import { assignSymbols, inputDocument, isVariable, type SymbolTable, valueOf, withValue } from "./symbols.ts";

/** A scope that begins with a step as it is reached later too, and needs no state that sets its variables. */
export interface ScopeEntry {
  readonly context: ScopeContext;
  readonly first: FlatStep;
  /** What variables are worth in its state. */
  readonly from: SymbolTable;
  /** The variables, by their names in the machine, that are read as what some state may have assigned. */
  readonly assigned: readonly string[];
}

/**
 * How a scope can begin without a state that sets variables, if it can: to Step Functions a variable that nothing has assigned is undefined, so that a
 * counter can be read as `($exists($n) ? $n : 0)`. Only where such a state would be needed for nothing else: in front of a step to which others lead again, in
 * a scope that has the document as it is given.
 *
 * @param unassigned The variables, by their names in the machine, that no state turns out to assign: what steps set them to is what they are worth already.
 */
export function scopeEntry(
  context: ScopeContext,
  given: SymbolTable,
  unassigned: ReadonlySet<string>,
): ScopeEntry | undefined {
  const reached = firstEffect(context, given);
  if (!reached?.isAgain) return undefined;
  const { machine, names, initialCode: begins } = context;
  const { first, passed, symbols } = reached;
  const document = valueOf(symbols, machine.workflow.input);
  if (!document || !(isVariable(document, intrinsics.input) || isInputObject(context, first, document)))
    return undefined;
  const missing = liveVariables(context, first).filter((name) => !isCurrent(context, symbols, name));
  const passedIds = new Set(Array.from(passed, ({ id }) => id));
  const later = [...createDataFlowGraph(context.scope, machine.implicitReads).values()].filter(
    ({ step }) => !passedIds.has(step.id),
  );
  const isSet = (name: string): boolean => !unassigned.has(names.get(name)!) && isReassigned(later, name, context);
  const assigned = missing.filter(isSet);
  const texts = missing.map((name) => {
    return [names.get(name)!, initialCodeOf(context, name, valueOf(symbols, name), assigned.includes(name))] as const;
  });
  const known = texts.filter((each): each is [string, ReturnType<VariablePrinter>] => each[1] !== undefined);
  return known.length < texts.length
    ? undefined
    : {
        first,
        from: withValue(context.canonical, machine.workflow.input, document),
        context: { ...context, initialCode: new Map([...begins, ...known]) },
        assigned: assigned.map((name) => names.get(name)!),
      };
}

/** The first step of a scope that does more than compute, behind work and decided choices that nothing else leads to. */
interface FirstEffect {
  readonly first: FlatStep;
  readonly passed: ReadonlySet<FlatStep>;
  /** What variables are worth there. */
  readonly symbols: SymbolTable;
  /** Whether other steps lead to it too. */
  readonly isAgain: boolean;
}

/** Passes over such work; undefined where some of it may fail. */
function firstEffect(context: ScopeContext, given: SymbolTable): FirstEffect | undefined {
  const entriesOf = ({ id }: FlatStep): number => context.predecessors.get(id) ?? 0;
  const passed = new Set<FlatStep>();
  let first = stepAt(context, context.scope.entry);
  let symbols = given;
  let ways = 0;
  for (;;) {
    const open = skipDecided(context, first, symbols);
    if (open !== first) [first, ways] = [open, 0];
    if (first.kind !== "assign" || passed.has(first) || entriesOf(first) > ways) break;
    passed.add(first);
    symbols = assignSymbols(symbols, first.values);
    if (failingResults(first, symbols, context).length > 0) return undefined;
    [first, ways] = [stepAt(context, first.next), 1];
  }
  return { first, passed, symbols, isAgain: entriesOf(first) > ways };
}

/** Whether a variable is set on a way to where it is read. */
const isReassigned = (later: readonly DataFlowNode[], name: string, { live }: ScopeContext): boolean =>
  later.some(({ edges }) => edges.some(({ to, sets }) => sets.includes(name) && live.get(to)?.has(name) === true));

/**
 * Whether the document is worth the same wherever a step is reached from: it is what was given where that is an object, which it is whenever steps lead back.
 *
 *   if type($data) == "object" then $data else { input: $data } end
 */
function isInputObject({ machine }: ScopeContext, step: FlatStep, document: Expression): boolean {
  const type = machine.typesBefore.get(step.id)?.get(machine.workflow.input);
  if (document.kind !== "if" || !type || typeNameOf(type) !== "object" || canFail(document)) return false;
  return isVariable(document.then, intrinsics.input) && equalExpressions(document.condition, isObject);
}

const isObject = binary("==", call("type", inputDocument), literal("object"));

/** How a variable is written that has a value only when a later step has assigned it; undefined where its first value cannot be told wherever it is read. */
function initialCodeOf(
  context: ScopeContext,
  name: string,
  first: Expression | undefined,
  isSet: boolean,
): ReturnType<VariablePrinter> | undefined {
  const { canonical, names, scope } = context;
  const known = names.get(name)!;
  const isOwn = scope.variables.some((variable) => variable.name === name);
  if (!first || !isOwn || !isVariable(valueOf(canonical, name), known)) return undefined;
  const orElse = (value: string) => ({ call: `($exists($${known}) ? $${known} : ${value})` });
  if (first.kind === "literal" && isSmall(first.value))
    return isSet ? orElse(text(first, context)) : { constant: first.value };
  const written = codeOverInput(context, first);
  if (written === undefined || written === executionInput) return written && isSet ? orElse(written) : written;
  return isSet ? undefined : { call: `(${written})` };
}

/** So many characters of an expression over the input of the execution are written wherever a variable is read. */
const maxInlineLength = 160;

/** An expression over nothing but the document that a run is given, over the input of the execution. */
function codeOverInput(context: ScopeContext, first: Expression): string | undefined {
  const value = withoutDecided(first);
  const isInput = [...effectsOf(value).free.keys()].every((name) => name === intrinsics.input);
  if (context.outer || !isInput || value.kind === "literal" || mayThrow(value, nothingKnown)) return undefined;
  const written = exactText(
    substitute(value, new Map([[intrinsics.input, variable(intrinsics.executionInput)]])),
    context,
  );
  return written !== undefined && written.length <= maxInlineLength ? written : undefined;
}

const nothingKnown: TypeEnvironment = { input: nullType, variables: new Map() };

/** What a choice comes to whose condition is decided by what its parts are. */
function withoutDecided(expression: Expression): Expression {
  if (expression.kind !== "if" || mayThrow(expression.condition, nothingKnown)) return expression;
  const truth = truthOf(inferTypeWithin(expression.condition, nothingKnown));
  if (truth === "maybe") return expression;
  return withoutDecided(truth === "always" ? expression.then : expression.otherwise);
}

/** Whether a constant can be written wherever a variable is read. */
function isSmall(value: Json): boolean {
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "string") return value.length <= 40;
  return typeof value === "number" ? Number.isSafeInteger(value) : Object.keys(value).length === 0;
}
