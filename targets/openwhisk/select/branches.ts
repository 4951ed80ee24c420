import { computeLiveness, createDataFlowGraph } from "../../../src/cfg/index.ts";
import { type Expression, variable } from "../../../src/expressions/index.ts";
import type { ForEach, Fork, Scope } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { mayOutlast } from "./bounds.ts";
import type { FlowContext, ScopeContext } from "./context.ts";
import { allowed } from "./effects.ts";
import {
  assigned,
  beginProgram,
  carried,
  codeOf,
  constantOf,
  finished,
  giving,
  helped,
  params,
  type Writing,
} from "./programs.ts";
import { askWindow, lowerSteps } from "./scope.ts";
import { addRow, type Doing, fixedLabel, type Part } from "./state-builder.ts";

/** Branches side by side: each goes on in this composition, in an activation of its own. */
export function lowerFork(step: Fork, context: ScopeContext): readonly Part[] {
  const { flow } = context;
  const states = step.branches.map(({ name, scope }) => lowerBranch(`${step.id}/${name}`, scope, undefined, context));
  const writing = beginProgram(flow, step.id);
  flow.runsAtOnce(step, Math.min(step.width ?? Number.POSITIVE_INFINITY, step.branches.length));
  const isJoined = step.branches.some(({ scope }) => mayOutlast(scope, flow));
  const asked = js.record({
    branches: js.array(states.map((state) => js.record({ state: js.literal(state) }))),
    count: step.join.kind === "some" ? js.literal(step.join.count) : undefined,
    ...common(writing, step, isJoined, context),
    failure: js.literal(step.failure),
  });
  const names = js.value(step.branches.map(({ name }) => name));
  return [
    { name: `${step.id}/branches`, does: giving(writing, asked) },
    { name: step.id, does: { kind: "action", action: flow.entities.helper("rt-fork") } },
    ...resultParts(step, "byName", [names], flow),
  ];
}

/** An iteration for each element. */
export function lowerForEach(step: ForEach, context: ScopeContext): readonly Part[] {
  const { flow } = context;
  const state = lowerBranch(`${step.id}/iteration`, step.scope, step, context);
  const writing = beginProgram(flow, step.id);
  const isJoined = mayOutlast(step.scope, flow) || step.gap !== undefined;
  const items = codeOf(writing, step.items);
  flow.runsAtOnce(step, Math.min(step.width ?? Number.POSITIVE_INFINITY, lengthOf(items.code) ?? step.width ?? 0));
  const list = items.type === "array" ? items.code : helped(writing, "elementsOf", [items.code]);
  writing.canFail ||= items.type !== "array";
  const index = step.index === undefined ? undefined : js.name("index");
  const given = js.record({ item: js.name("item"), index });
  const branch = js.record({ state: js.literal(state), params: given });
  const branches = js.method(list, "map", [js.arrow(index ? ["item", "index"] : ["item"], branch)]);
  const asked = js.record({
    branches,
    ...common(writing, step, isJoined, context),
    gapMs: step.gap === undefined ? undefined : js.literal(step.gap * 1000),
    failure: js.literal("fatal"),
  });
  return [
    { name: `${step.id}/iterations`, does: giving(writing, asked) },
    { name: step.id, does: { kind: "action", action: flow.entities.helper("rt-fork") } },
    ...resultParts(step, "inOrder", [], flow),
  ];
}

/** How many elements a list has, where that stands there. */
const lengthOf = (code: Code): number | undefined =>
  code.kind === "array" && code.elements.every(({ kind }) => kind !== "spread") ? code.elements.length : undefined;

/** What branches and iterations ask `rt-fork` alike. */
function common(writing: Writing, { width }: Fork | ForEach, isJoined: boolean, { flow, deadlines }: ScopeContext) {
  if (isJoined) flow.entities.suspends("branches");
  return {
    width: width === undefined ? undefined : js.literal(width),
    timeoutMs: allowed(writing, undefined, deadlines),
    mode: js.literal(isJoined ? "joined" : "blocking"),
  };
}

function resultParts(step: Fork | ForEach, helper: string, more: readonly Code[], flow: FlowContext): readonly Part[] {
  const symbol = step.bind === undefined ? undefined : flow.symbols.get(step.bind);
  if (symbol === undefined) return [];
  const writing = beginProgram(flow, step.id);
  writing.lines.push(js.assign(symbol, helped(writing, helper, [js.member(params, "results"), ...more])));
  return [{ name: `${step.id}/results`, does: finished(writing) }];
}

/**
 * The states of a branch or an iteration; the name of the first. It has its own copy of all variables: what is called as one around it needs no `Let`.
 */
function lowerBranch(wanted: string, scope: Scope, iteration: ForEach | undefined, context: ScopeContext): string {
  const { flow, visible } = context;
  const { drawing } = flow;
  const state = fixedLabel(drawing, wanted);
  const closing = drawing.labels.fresh(`${state} closing`);
  const names = [...new Set([...givenTo(iteration), ...scope.variables.map(({ name }) => name)])].filter((name) =>
    flow.symbols.has(name),
  );
  const opened = names.filter((name) => !visible.has(name));
  const lets = opened.map((name) => letOf(name, scope, iteration, flow));
  const begin = beginning(iteration, firstValues(scope, iteration, opened), flow);
  const parts = [...lets, ...(begin ? [{ name: `${state}/begin`, does: begin }] : [])];
  const entry = scope.window ? drawing.labels.fresh(`${state} window`) : scope.entry.name;
  addRow(drawing, state, parts.length === 0 ? [{ name: state, does: { kind: "pass" } }] : parts, entry);
  if (scope.window) {
    const outside = drawing.labels.fresh(`${state} late`);
    askWindow(entry, `${state}/window`, scope.window, { inside: scope.entry.name, outside }, flow);
    const document = beginProgram(flow);
    const result = carried(document, codeOf(document, variable(flow.workflow.input)));
    addRow(drawing, outside, [{ name: `${state}/not now`, does: giving(document, result) }], closing);
  }
  const ends = [...opened].reverse().map((name): Part => {
    const symbol = flow.symbols.get(name)!;
    return { name: `end ${symbol}`, does: { kind: "end", symbol } };
  });
  addRow(drawing, closing, ends, flow.exit);
  const ways = { kind: "branch", closing } as const;
  lowerSteps(scope, { flow, ways, tries: 0, deadlines: [], visible: new Set([...visible, ...names]) });
  return state;
}

/** The variables that an iteration is given. */
const givenTo = (iteration: ForEach | undefined): readonly string[] =>
  iteration ? [iteration.element, ...(iteration.index === undefined ? [] : [iteration.index])] : [];

/** Declares a variable of a branch, with its first value where that is a constant. */
function letOf(name: string, scope: Scope, iteration: ForEach | undefined, { symbols }: FlowContext): Part {
  const symbol = symbols.get(name)!;
  const { initial } = scope.variables.find((each) => each.name === name) ?? {};
  const value = (!givenTo(iteration).includes(name) && constantIn(initial)?.value) || null;
  return { name: `let ${symbol}`, does: { kind: "let", symbol, value } };
}

/** The first values that the variables of a branch have still to get: neither constants of a `Let`, nor what stands in a variable of that name already. */
function firstValues(
  scope: Scope,
  iteration: ForEach | undefined,
  opened: readonly string[],
): Parameters<typeof assigned>[1] {
  const live = computeLiveness(createDataFlowGraph(scope)).get(scope.entry.name);
  return scope.variables.flatMap(({ name, initial }) => {
    if (!initial && !live?.has(name)) return [];
    if (givenTo(iteration).includes(name) || (initial?.kind === "variable" && initial.name === name)) return [];
    if (opened.includes(name) && (!initial || constantIn(initial))) return [];
    return [{ variable: name, value: initial ?? nothing }];
  });
}

const nothing: Expression = { kind: "literal", value: null } as Expression;

const constantIn = (initial: Expression | undefined): { readonly value: unknown } | undefined =>
  initial?.kind === "literal" ? constantOf(js.value(initial.value)) : undefined;

/** What gives the variables of a branch their first values. */
function beginning(
  iteration: ForEach | undefined,
  values: Parameters<typeof assigned>[1],
  flow: FlowContext,
): Doing | undefined {
  const writing = beginProgram(flow);
  const [element, index] = [iteration?.element, iteration?.index].map((name) => name && flow.symbols.get(name));
  if (element) writing.lines.push(js.assign(element, js.member(params, "item")));
  if (index) writing.lines.push(js.assign(index, js.member(params, "index")));
  assigned(writing, values);
  return writing.lines.length === 0 ? undefined : finished(writing);
}
