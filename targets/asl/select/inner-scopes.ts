import { outerReads, stepReads } from "../../../src/cfg/index.ts";
import { type Expression, equalExpressions, freeVariables, object, variable } from "../../../src/expressions/index.ts";
import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { innerScopes, successors } from "../../../src/ir/walk.ts";
import type { ForEach, Scope } from "../../../src/ir/workflow.ts";
import { isObject, type Json } from "../../../src/json.ts";
import type { FlatForEach, FlatFork, FlatScope } from "../../../src/passes/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { expressionString, jsonataString } from "../jsonata/print.ts";
import type { Machine, MachineState } from "../machine.ts";
import { enterState, isCurrent, machineName, openScope, type ScopeContext } from "./context.ts";
import { exactText, field, payload, single, text } from "./fields.ts";
import { type LeadState, selectScope } from "./scope.ts";
import {
  inputDocument,
  inputMember,
  isVariable,
  resolve,
  type SymbolTable,
  symbolValue,
  unset,
  withValue,
  withValues,
} from "./symbols.ts";

/**
 * Provides the variables that inner scopes read. Those not yet in the machine pass with the document or, if a scope
 * re-enters its start, are assigned by a state before this one.
 */
export function provideVariables(
  context: ScopeContext,
  key: string,
  step: FlatFork | FlatForEach,
  symbols: SymbolTable,
  make: (context: ScopeContext, key: string, symbols: SymbolTable, handed: readonly string[]) => MachineState,
): readonly MachineState[] {
  const { names, machine, canonical } = context;
  const read = innerScopes(step).flatMap((scope) => [...outerReads(scope, machine.implicitReads)]);
  const missing = [...new Set(read)].filter(
    (name) => names.has(name) && name !== machine.workflow.input && !isCurrent(context, symbols, name),
  );
  if (missing.length === 0 || !innerScopes(step).some(reentersStart)) return [make(context, key, symbols, missing)];
  const assign = Object.fromEntries(
    missing.map((name) => [names.get(name)!, field(symbolValue(symbols, name) ?? unset, context)]),
  );
  const set = withValues(symbols, new Map(missing.map((name) => [name, symbolValue(canonical, name)!])));
  const inside = machine.names.steps.fresh(`${key}/work`);
  return [
    { key, type: "Pass", step: step.id, fields: [], exit: { next: inside, assign } },
    { ...make(enterState(context, step, set), inside, set, []), part: "work" },
  ];
}

/** Whether steps lead back to the start of a scope, or to the first step after its initial assignments. */
function reentersStart({ entry, steps }: Scope): boolean {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const led = new Map<string, number>();
  for (const step of steps) for (const { name } of successors(step)) led.set(name, (led.get(name) ?? 0) + 1);
  let at = byId.get(entry.name);
  for (let before = 0; at && (led.get(at.id) ?? 0) <= before; before = 1) {
    if (at.kind !== "assign") return false;
    at = byId.get(at.next.name);
  }
  return at !== undefined;
}

/**
 * Selects the branches of a Parallel, and the input that differs from the state's. `others`: variables that they
 * receive, too.
 */
export function selectBranches(
  context: ScopeContext,
  step: FlatFork,
  symbols: SymbolTable,
  others: readonly string[],
): { readonly argument: Json | undefined; readonly branches: readonly Machine[] } {
  const document = context.machine.workflow.input;
  const firsts = step.branches.map(({ scope }) => initialDocument(scope, document) ?? variable(document));
  const isCommon = step.branches.every(
    ({ scope }, i) => equalExpressions(firsts[i]!, firsts[0]!) && readsOnly(scope, firsts[0]!, document),
  );
  const common = isCommon ? firsts[0]! : variable(document);
  const argument = resolve(common, symbols);
  const given = (name: string): Expression => symbolValue(symbols, name) ?? unset;
  const apart = others.filter((name) => !equalExpressions(given(name), argument));
  const isCounted = step.branches.some(({ scope }) => joinVariable(scope) !== undefined);
  const isWhole = apart.length === 0 && !isCounted;
  const keys = createNames([inputKeys.document, inputKeys.join], identifierStyle);
  const under = new Map(apart.map((name) => [name, keys.fresh(machineName(name))]));
  const around = isWhole ? inputDocument : inputMember(inputKeys.document);
  const values = new Map(
    others.map((name) => [name, under.has(name) ? inputMember(under.get(name)!) : around] as const),
  );
  const branches = step.branches.map(({ scope }, i) =>
    selectBranch(context, scope, equalExpressions(firsts[i]!, common), around, values),
  );
  if (isWhole)
    return { argument: isVariable(argument, intrinsics.input) ? undefined : payload(argument, context), branches };
  const parts = object([
    [inputKeys.document, argument],
    ...(isCounted ? [[inputKeys.join, variable(intrinsics.uuid)] as const] : []),
    ...apart.map((name) => [under.get(name)!, given(name)] as const),
  ]);
  return { argument: payload(parts, context), branches };
}

/** The keys of the branches' input if that is more than the document; `join` identifies the visit. */
const inputKeys = { document: "document", join: "join" } as const;

const joinVariable = ({ variables }: Scope): string | undefined =>
  variables.find(({ initial }) => isVariable(initial, intrinsics.uuid))?.name;

/** Whether initial values read only one value of the outer document. */
const readsOnly = ({ variables }: Scope, value: Expression, document: string): boolean =>
  variables.every(
    ({ initial }) => !initial || equalExpressions(initial, value) || !freeVariables(initial).has(document),
  );

/**
 * `isGiven`: whether the document begins with the passed value; `around`: where the outer document is; `others`: the
 * outer variables that are passed.
 */
function selectBranch(
  context: ScopeContext,
  scope: FlatScope,
  isGiven: boolean,
  around: Expression,
  others: ReadonlyMap<string, Expression>,
): Machine {
  const document = context.machine.workflow.input;
  const own = new Set(scope.variables.map(({ name }) => name));
  const taken = [...others].filter(([name]) => !own.has(name));
  const begun = openScope(
    scope,
    context.machine,
    context,
    taken.map(([name]) => name),
  );
  const opened = taken
    .filter(([name]) => context.counterNames.has(context.names.get(name)!))
    .reduce((inside, [name, value]) => asCounter(inside, name, value), begun);
  const first = initialDocument(scope, document);
  const given = around === inputDocument ? context.canonical : withValue(context.canonical, document, around);
  const outside = withValues(given, others);
  const join = joinVariable(scope);
  const values = new Map([[document, around], ...taken]);
  for (const { name, initial } of opened.scope.variables) {
    const isInput = isGiven && initial !== undefined && first !== undefined && equalExpressions(initial, first);
    values.set(name, isInput ? around : initial ? resolve(initial, outside) : unset);
  }
  if (join !== undefined) values.set(join, inputMember(inputKeys.join));
  return selectScope(opened, withValues(opened.canonical, values));
}

/** The items of a Map, the input of iterations if it differs, and the iterations. */
export interface Iterations {
  readonly items: Json;
  readonly selector: Json | undefined;
  readonly processor: Machine;
}

/**
 * Selects the iterations of a loop. Initial values pass through `ItemSelector`, because a Map's context cannot be read
 * inside. `others`: variables that they receive, too.
 */
export function selectIterations(
  context: ScopeContext,
  step: FlatForEach,
  symbols: SymbolTable,
  others: readonly string[],
): Iterations {
  const { gap, scope, element, index } = step;
  const given = iterationInputs(context, step, others);
  const opened = openScope(scope, context.machine, context, [...given.keys()]);
  const counters = [...given.keys()].filter(
    (name) => name === index || context.counterNames.has(context.names.get(name)!),
  );
  const inside = counters.reduce((each, name) => asCounter(each, name), opened);
  const item = variable(gap === undefined ? intrinsics.element : intrinsics.turnElement);
  const around = withValue(withValue(symbols, element, item), index, variable(intrinsics.index));
  const names = createNames([], identifierStyle);
  const keys = new Map(Array.from(given.keys(), (name) => [name, names.fresh(machineName(name))]));
  const values = Array.from(given, ([name, value]) => [keys.get(name)!, resolve(value, around)] as const);
  if (context.machine.distributed.has(step.id) && values.some(([, value]) => !isSure(value, context)))
    context.machine.problems.push({ span: step.span, construct: "first values of an execution that may fail" });
  const resolved = resolve(step.items, symbols);
  const items = text(resolved, context);
  const whole = values.length === 1 && gap === undefined ? wholeSelector(values[0]![1], context) : undefined;
  if (whole) {
    const start = initialSymbols(inside, given, () => inputDocument);
    return { items: expressionString(resolved, items), ...whole, processor: selectScope(inside, start) };
  }
  const turn = gap === undefined ? undefined : names.fresh("turn");
  const turns = turn === undefined ? [] : [[turn, variable(intrinsics.turn)] as const];
  const start = initialSymbols(inside, given, (name) => inputMember(keys.get(name)!));
  return {
    items: gap === undefined ? expressionString(resolved, items) : spacedItems(items, gap),
    selector: payload(object([...values, ...turns]), context),
    processor: selectScope(inside, start, turn === undefined ? {} : { lead: turnState(inside, step, turn) }),
  };
}

/** The selector of a value that is an iteration's whole input, unless that needs an expression: it must be an object. */
function wholeSelector(value: Expression, context: ScopeContext): Pick<Iterations, "selector"> | undefined {
  if (isVariable(value, intrinsics.element)) return { selector: undefined };
  const selector = payload(value, context);
  return isObject(selector) ? { selector } : undefined;
}

/** Whether a value is exact and cannot fail. */
const isSure = (value: Expression, context: ScopeContext): boolean =>
  exactText(value, context)?.includes("$error(") === false;

/**
 * The document first, then variables that the iteration cannot compute inside. An execution computes none, and
 * receives all outer variables that it reads.
 */
function iterationInputs(
  context: ScopeContext,
  { id, scope, element, index }: FlatForEach,
  others: readonly string[],
): ReadonlyMap<string, Expression> {
  const { machine, canonical } = context;
  const document = machine.workflow.input;
  const isApart = machine.distributed.has(id);
  const first = initialDocument(scope, document) ?? variable(document);
  const own = index === undefined ? [element] : [element, index];
  const given = new Map([[document, first]]);
  for (const { name, initial } of scope.variables) {
    const free = initial ? freeVariables(initial) : new Set();
    const isOpen = initial && (isApart ? free.size > 0 : [document, ...own, ...others].some((each) => free.has(each)));
    if (isOpen && !equalExpressions(initial, first)) given.set(name, initial);
  }
  const read = stepReads(scope, machine.implicitReads);
  for (const name of own) if (read.has(name)) given.set(name, variable(name));
  const handed = others.filter((name) => read.has(name));
  const around = isApart ? [...read].filter((name) => name !== document && symbolValue(canonical, name)) : handed;
  for (const name of around) if (!own.includes(name)) given.set(name, variable(name));
  return given;
}

function initialSymbols(
  opened: ScopeContext,
  given: ReadonlyMap<string, Expression>,
  worthOf: (name: string) => Expression,
): SymbolTable {
  const { machine, scope, outer, canonical } = opened;
  const document = machine.workflow.input;
  const first = given.get(document)!;
  const values = new Map<string, Expression>();
  for (const { name, initial } of scope.variables) {
    const isSame = initial !== undefined && equalExpressions(initial, first);
    values.set(name, isSame ? worthOf(document) : initial ? resolve(initial, outer!.canonical) : unset);
  }
  for (const name of given.keys()) values.set(name, worthOf(name));
  return withValues(canonical, values);
}

const asCounter = (opened: ScopeContext, name: string, value?: Expression): ScopeContext => ({
  ...opened,
  counterNames: new Set([
    ...opened.counterNames,
    opened.names.get(name)!,
    ...(value?.kind === "variable" ? [value.name] : []),
  ]),
});

/**
 * Start times are `gap` seconds apart from the Map's start: iterations do not all start at once, so none can measure
 * from its own start.
 */
const spacedItems = (items: string, gap: number): Json =>
  jsonataString(
    `[$map(${items}, function($item, $i) { {"item": $item, "turn": $fromMillis($millis() + $i * ${gap * 1000})} })]`,
  );

/** Waits for an iteration's start time. */
const turnState = (context: ScopeContext, { id }: ForEach, turn: string): LeadState => ({
  key: context.machine.names.steps.fresh(`${id}/turn`),
  type: "Wait",
  step: id,
  part: "turn",
  fields: [["Timestamp", single(inputMember(turn), context)]],
});

const initialDocument = ({ variables }: Scope, document: string): Expression | undefined =>
  variables.find(({ name }) => name === document)?.initial;
