import { computeLiveness, createDataFlowGraph } from "../../../src/cfg/index.ts";
import { type Expression, variable } from "../../../src/expressions/index.ts";
import { handlersOf } from "../../../src/ir/walk.ts";
import { mostOf } from "../../../src/ir/width.ts";
import type { ForEach, Fork, Scope, Step } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { mayOutlast } from "./bounds.ts";
import type { ScopeContext, SelectionContext } from "./context.ts";
import { remainingTime } from "./effects.ts";
import {
  assignVariables,
  beginFunction,
  callHelper,
  codeOf,
  constantOf,
  type FunctionBuilder,
  functionOperation,
  noteFailure,
  params,
  resultOperation,
  wrapValue,
} from "./function-builder.ts";
import { lowerSteps, testWindow } from "./scope.ts";
import {
  addFixedLabel,
  addSequence,
  partName,
  type StateOperation,
  stateName,
  type UnlinkedState,
} from "./state-builder.ts";
import { withoutResult } from "./unread-results.ts";

/** Lowers parallel branches to the operation `fork`, which starts this composition at the first state of each. */
export function lowerFork(step: Fork, context: ScopeContext): readonly UnlinkedState[] {
  const { flow } = context;
  const states = step.branches.map(({ name, scope }) => lowerBranch(stateName(step, name), scope, step, context));
  const fn = beginFunction(flow, step.id);
  flow.noteConcurrency(step, Math.min(step.width ?? Number.POSITIVE_INFINITY, step.branches.length));
  const isJoined = step.branches.some(({ scope }) => mayOutlast(scope, flow));
  const request = js.record({
    operation: js.literal("fork"),
    branches: js.array(states.map((state) => js.record({ state: js.literal(state) }))),
    count: step.join.kind === "some" ? js.literal(step.join.count) : undefined,
    ...forkOptions(fn, step, isJoined, context),
    failure: js.literal(step.failure),
  });
  const names = js.value(step.branches.map(({ name }) => name));
  return [
    { name: stateName(step, "branches"), operation: resultOperation(fn, request) },
    { name: stateName(step), operation: { kind: "action", action: flow.platform.helper, starts: states } },
    ...collectResults(step, "byName", [names], flow),
  ];
}

/** Lowers an iteration over an array, one branch per element. */
export function lowerForEach(step: ForEach, context: ScopeContext): readonly UnlinkedState[] {
  const { flow } = context;
  const state = lowerBranch(stateName(step, "iteration"), step.scope, step, context);
  const fn = beginFunction(flow, step.id);
  const isJoined = mayOutlast(step.scope, flow) || step.gap !== undefined;
  const items = codeOf(fn, step.items);
  flow.noteConcurrency(
    step,
    Math.min(mostOf(step.width), literalLength(items.code) ?? (step.width === undefined ? 0 : mostOf(step.width))),
  );
  const list = items.type === "array" ? items.code : callHelper(fn, "iterationItems", [items.code]);
  if (items.type !== "array") noteFailure(fn);
  const index = step.index === undefined ? undefined : js.name("index");
  const elementParams = js.record({ item: js.name("item"), index });
  const branch = js.record({ state: js.literal(state), params: elementParams });
  const branches = js.method(list, "map", [js.arrow(index ? ["item", "index"] : ["item"], branch)]);
  const request = js.record({
    operation: js.literal("fork"),
    branches,
    ...forkOptions(fn, step, isJoined, context),
    gapMs: step.gap === undefined ? undefined : js.literal(step.gap * 1000),
    failure: js.literal("fatal"),
  });
  return [
    { name: stateName(step, "iterations"), operation: resultOperation(fn, request) },
    { name: stateName(step), operation: { kind: "action", action: flow.platform.helper, starts: [state] } },
    ...collectResults(step, "inOrder", [], flow),
  ];
}

const literalLength = (code: Code): number | undefined =>
  code.kind === "array" && code.elements.every(({ kind }) => kind !== "spread") ? code.elements.length : undefined;

function forkOptions(
  fn: FunctionBuilder,
  { width }: Fork | ForEach,
  isJoined: boolean,
  { flow, deadlines }: ScopeContext,
) {
  if (isJoined) flow.platform.noteSuspension("branches");
  return {
    width:
      width === undefined ? undefined : typeof width === "number" ? js.literal(width) : codeOf(fn, width.value).code,
    timeoutMs: remainingTime(fn, undefined, deadlines),
    mode: js.literal(isJoined ? "joined" : "blocking"),
  };
}

function collectResults(
  step: Fork | ForEach,
  helper: string,
  more: readonly Code[],
  flow: SelectionContext,
): readonly UnlinkedState[] {
  const symbol = step.bind === undefined ? undefined : flow.symbols.get(step.bind);
  if (symbol === undefined) return [];
  const fn = beginFunction(flow, step.id);
  fn.lines.push(js.assign(symbol, callHelper(fn, helper, [js.member(params, "results"), ...more])));
  return [{ name: stateName(step, "results"), operation: functionOperation(fn) }];
}

/**
 * Lowers a branch or an iteration and returns the name of its first state. A branch inherits variables by copy, so only
 * new ones need a `Let`.
 */
function lowerBranch(wanted: string, whole: Scope, step: Fork | ForEach, context: ScopeContext): string {
  const { flow, declared } = context;
  const isUnread = step.bind === undefined || !flow.symbols.has(step.bind);
  const scope = isUnread ? withoutResult(whole, flow) : whole;
  const iteration = step.kind === "foreach" ? step : undefined;
  const { builder } = flow;
  const state = addFixedLabel(builder, wanted);
  const closing = builder.labels.fresh(`${state} closing`);
  const names = [...new Set([...iterationVariables(iteration), ...scope.variables.map(({ name }) => name)])].filter(
    (name) => flow.symbols.has(name),
  );
  const opened = names.filter((name) => !declared.has(name));
  const lets = opened.map((name) => declareVariable(name, scope, iteration, flow));
  const begin = initializeVariables(iteration, initialValues(scope, iteration, opened), flow);
  const states = [...lets, ...(begin ? [{ name: partName(state, "begin"), operation: begin }] : [])];
  const entry = scope.window ? builder.labels.fresh(`${state} window`) : scope.entry.name;
  addSequence(builder, state, states.length === 0 ? [{ name: state, operation: { kind: "pass" } }] : states, entry);
  if (scope.window) {
    const outside = builder.labels.fresh(`${state} late`);
    testWindow(entry, partName(state, "window"), scope.window, { inside: scope.entry.name, outside }, flow);
    const document = beginFunction(flow);
    const result = wrapValue(document, codeOf(document, variable(flow.workflow.input)));
    addSequence(
      builder,
      outside,
      [{ name: partName(state, "not now"), operation: resultOperation(document, result) }],
      closing,
    );
  }
  const ends = [...opened].reverse().map((name): UnlinkedState => {
    const symbol = flow.symbols.get(name)!;
    return { name: `end ${symbol}`, operation: { kind: "end", symbol } };
  });
  addSequence(builder, closing, ends, flow.exit);
  // Behind a handler the params may be those of an error, which would be the result.
  const scopeExit = { kind: "branch", closing, isUnread: isUnread && !scope.steps.some(hasHandlers) } as const;
  lowerSteps(scope, { flow, scopeExit, openTries: 0, deadlines: [], declared: new Set([...declared, ...names]) });
  return state;
}

const hasHandlers = (step: Step): boolean => handlersOf(step).length > 0;

const iterationVariables = (iteration: ForEach | undefined): readonly string[] =>
  iteration ? [iteration.element, ...(iteration.index === undefined ? [] : [iteration.index])] : [];

function declareVariable(
  name: string,
  scope: Scope,
  iteration: ForEach | undefined,
  { symbols }: SelectionContext,
): UnlinkedState {
  const symbol = symbols.get(name)!;
  const { initial } = scope.variables.find((each) => each.name === name) ?? {};
  const value = (!iterationVariables(iteration).includes(name) && constantIn(initial)?.value) || null;
  return { name: `let ${symbol}`, operation: { kind: "let", symbol, value } };
}

/** The initial values that a branch has to compute: neither constants nor inherited. */
function initialValues(
  scope: Scope,
  iteration: ForEach | undefined,
  opened: readonly string[],
): Parameters<typeof assignVariables>[1] {
  const live = computeLiveness(createDataFlowGraph(scope)).get(scope.entry.name);
  return scope.variables.flatMap(({ name, initial }) => {
    if (!initial && !live?.has(name)) return [];
    if (iterationVariables(iteration).includes(name) || (initial?.kind === "variable" && initial.name === name))
      return [];
    if (opened.includes(name) && (!initial || constantIn(initial))) return [];
    return [{ variable: name, value: initial ?? nullLiteral }];
  });
}

const nullLiteral: Expression = { kind: "literal", value: null } as Expression;

const constantIn = (initial: Expression | undefined): { readonly value: unknown } | undefined =>
  initial?.kind === "literal" ? constantOf(js.value(initial.value)) : undefined;

function initializeVariables(
  iteration: ForEach | undefined,
  values: Parameters<typeof assignVariables>[1],
  flow: SelectionContext,
): StateOperation | undefined {
  const fn = beginFunction(flow);
  const [element, index] = [iteration?.element, iteration?.index].map((name) => name && flow.symbols.get(name));
  if (element) fn.lines.push(js.assign(element, js.member(params, "item")));
  if (index) fn.lines.push(js.assign(index, js.member(params, "index")));
  assignVariables(fn, values);
  return fn.lines.length === 0 ? undefined : functionOperation(fn);
}
