import { canFail, type Expression } from "../../../src/expressions/index.ts";
import { noChoiceMatchedError } from "../../../src/ir/errors.ts";
import type { Attempt, Choose, End, Scope, Seconds, Step, Window } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { assertNever, equalJson, type Json, type JsonObject } from "../../../src/json.ts";
import { lowerForEach, lowerFork } from "./branches.ts";
import type { ScopeContext, ScopeExit, SelectionContext } from "./context.ts";
import { lowerCall, lowerDelay, lowerEmit, millisecondsOf } from "./effects.ts";
import {
  assignVariables,
  beginFunction,
  callHelper,
  codeOf,
  type FunctionBuilder,
  functionOperation,
  params,
  resultOperation,
  wrapValue,
} from "./function-builder.ts";
import { lowerInvoke } from "./invoke.ts";
import { lowerReceive } from "./receive.ts";
import { addSequence, partName, type StateOperation, stateName, type UnlinkedState } from "./state-builder.ts";

/** Lowers the steps of a scope to states. */
export function lowerSteps(scope: Scope, context: ScopeContext): void {
  for (const step of scope.steps) lowerStep(step, context);
}

function lowerStep(step: Step, context: ScopeContext): void {
  const { builder } = context.flow;
  switch (step.kind) {
    case "assign": {
      const fn = beginFunction(context.flow, step.id);
      assignVariables(fn, step.values);
      const isOpening = step.origin.noun === "workflow";
      const states =
        fn.lines.length === 0 ? [] : [{ name: stateName(step), operation: functionOperation(fn), isOpening }];
      addSequence(builder, step.id, states, step.next.name);
      return;
    }
    case "choose":
      lowerChoose(step, context);
      return;
    case "call":
      withHandler(step, lowerCall(step, context), context);
      return;
    case "delay":
      addSequence(builder, step.id, lowerDelay(step, context), step.next.name);
      return;
    case "receive":
      addSequence(builder, step.id, lowerReceive(step, context), step.next.name);
      return;
    case "emit":
      addSequence(builder, step.id, lowerEmit(step, context), step.next.name);
      return;
    case "fork":
      withHandler(step, lowerFork(step, context), context);
      return;
    case "foreach":
      withHandler(step, lowerForEach(step, context), context);
      return;
    case "invoke":
      withHandler(step, lowerInvoke(step, context), context);
      return;
    case "attempt":
      lowerAttempt(step, context);
      return;
    case "end": {
      const { states, next } = lowerEnd(step, context);
      addSequence(builder, step.id, states, next);
      return;
    }
    default:
      assertNever(step);
  }
}

function withHandler(step: Exclude<Step, Choose | End>, states: readonly UnlinkedState[], context: ScopeContext): void {
  const { builder } = context.flow;
  const handler = lowerHandler(step, context);
  if (handler === undefined) {
    addSequence(builder, step.id, states, step.next.name);
    return;
  }
  const opened: UnlinkedState = { name: stateName(step, "try"), operation: { kind: "try", handler } };
  const closed: UnlinkedState = { name: stateName(step, "catch"), operation: { kind: "catch" } };
  addSequence(builder, step.id, [opened, ...states, closed], step.next.name);
}

function lowerHandler(step: Step, context: ScopeContext): string | undefined {
  const [handler] = "handlers" in step ? step.handlers : [];
  if (!handler) return undefined;
  const { flow } = context;
  const label = flow.builder.labels.fresh(`${step.id} caught`);
  const fn = beginFunction(flow, step.id);
  const error = js.member(params, "error");
  const passing = passConditions(step, context).map((test) => test(fn));
  if (passing.length > 0) fn.lines.push(js.ifStatement(js.or(...passing), [js.returnStatement(params)]));
  const symbol = handler.bind === undefined ? undefined : flow.symbols.get(handler.bind);
  if (symbol !== undefined) fn.lines.push(js.assign(symbol, errorCode(fn, error, isFailedByAction(step, context))));
  const states = fn.lines.length === 0 ? [] : [{ name: stateName(step, "error"), operation: functionOperation(fn) }];
  addSequence(flow.builder, label, states, handler.next.name);
  return label;
}

/** Conditions under which a handler passes an error on. */
function passConditions(
  step: Step,
  { deadlines }: ScopeContext,
): readonly ((fn: ReturnType<typeof beginFunction>) => ReturnType<typeof js.call>)[] {
  const error = js.member(params, "error");
  const fatal = mayEndRun(step)
    ? [(w: ReturnType<typeof beginFunction>) => callHelper(w, "isFatal", [error]) as ReturnType<typeof js.call>]
    : [];
  if (deadlines.length === 0) return fatal;
  const passed = (w: ReturnType<typeof beginFunction>) =>
    callHelper(w, "hasPassed", [error, ...deadlines.map((each) => js.name(each))]) as ReturnType<typeof js.call>;
  return [...fatal, passed];
}

function mayEndRun(step: Step): boolean {
  switch (step.kind) {
    case "end":
      return step.extent === "run";
    case "attempt":
      return step.body.steps.some(mayEndRun);
    case "foreach":
      return step.scope.steps.some(mayEndRun);
    case "fork":
      return step.branches.some(({ scope }) => scope.steps.some(mayEndRun));
    case "invoke":
      return step.wait;
    default:
      return false;
  }
}

/** An error as the workflow sees it. `isFromAction`: nothing but an action can have failed. */
export function errorCode(fn: FunctionBuilder, error: Code, isFromAction: boolean): Code {
  if (fn.context.workflow.errorNames) return callHelper(fn, "errorIn", [error, fn.scope.helper("errorNames")]);
  return callHelper(fn, isFromAction ? "actionErrorOf" : "errorOf", [error]);
}

function isFailedByAction(step: Step, { deadlines }: ScopeContext): boolean {
  if (step.kind !== "call" || deadlines.length > 0) return false;
  return !canFail(step.argument);
}

function lowerAttempt(step: Attempt, context: ScopeContext): void {
  const { flow, openTries, deadlines } = context;
  const { builder } = flow;
  const handler = lowerHandler(step, context);
  const inside = builder.labels.fresh(`${step.id} body`);
  const caught = handler === undefined ? step.next.name : builder.labels.fresh(`${step.id} left`);
  const deadline = step.timeout === undefined ? undefined : flow.symbols.get(deadlineOf(step));
  const opened: readonly UnlinkedState[] = [
    ...(deadline === undefined
      ? []
      : [{ name: stateName(step), operation: setDeadline(deadline, step.timeout!, flow) }]),
    ...(handler === undefined ? [] : [{ name: stateName(step, "try"), operation: { kind: "try", handler } as const }]),
  ];
  addSequence(builder, step.id, opened, inside);
  builder.aliases.set(inside, step.body.entry.name);
  const scopeExit: ScopeExit = { kind: "attempt", bind: step.bind, next: caught, outer: context };
  lowerSteps(step.body, {
    ...context,
    scopeExit,
    openTries: openTries + (handler === undefined ? 0 : 1),
    deadlines: deadline === undefined ? deadlines : [deadline, ...deadlines],
  });
  if (handler !== undefined)
    addSequence(builder, caught, [{ name: stateName(step, "catch"), operation: { kind: "catch" } }], step.next.name);
}

/** The variable that holds the deadline of an attempt. */
export const deadlineOf = ({ id }: Attempt): string => `${id} deadline`;

function setDeadline(symbol: string, seconds: Seconds, flow: SelectionContext): StateOperation {
  const fn = beginFunction(flow);
  const now = js.method(js.name("Date"), "now");
  fn.lines.push(js.assign(symbol, js.binary(now, "+", millisecondsOf(fn, seconds))));
  return functionOperation(fn);
}

/** `Push`, a function that evaluates the condition, and `Choice`, once per case. */
function lowerChoose(step: Choose, context: ScopeContext): void {
  const { flow } = context;
  const { builder } = flow;
  const last = step.otherwise?.name ?? builder.labels.fresh(`${step.id} otherwise`);
  let label = step.id;
  for (const [i, { when, next }] of step.cases.entries()) {
    const isLast = i === step.cases.length - 1;
    const otherwise = isLast ? last : builder.labels.fresh(`${step.id} case ${i + 2}`);
    const fn = beginFunction(flow, step.id);
    const name = stateName(step, step.cases.length === 1 ? undefined : `case ${i + 1}`);
    const value = codeOf(fn, when).code;
    addSequence(builder, label, testCondition(name, fn, value, { whenTrue: next.name, otherwise }), undefined);
    label = otherwise;
  }
  if (step.cases.length === 0) builder.aliases.set(step.id, last);
  if (step.otherwise) return;
  const noMatch = raiseError(noChoiceMatchedError(step));
  addSequence(builder, last, [{ name: stateName(step, "no match"), operation: noMatch }], flow.exit);
}

function testCondition(
  name: string,
  fn: FunctionBuilder,
  value: Code,
  targets: { readonly whenTrue: string; readonly otherwise: string },
): readonly UnlinkedState[] {
  return [
    { name: partName(name, "push"), operation: { kind: "push" } },
    { name, operation: resultOperation(fn, js.record({ value })) },
    { name: partName(name, "choice"), operation: { kind: "choice", ...targets } },
  ];
}

/** Adds states that lead to `inside` while a window is open, and to `outside` otherwise. */
export function testWindow(
  label: string,
  name: string,
  { from, until }: Window,
  { inside, outside }: { readonly inside: string; readonly outside: string },
  flow: SelectionContext,
): void {
  const now = js.method(js.name("Date"), "now");
  const instant = (text: string) => js.method(js.name("Date"), "parse", [js.literal(text)]);
  const value = js.and(
    ...(from === undefined ? [] : [js.binary(now, ">=", instant(from))]),
    ...(until === undefined ? [] : [js.binary(now, "<", instant(until))]),
  );
  const states = testCondition(name, beginFunction(flow), value, { whenTrue: inside, otherwise: outside });
  addSequence(flow.builder, label, states, undefined);
}

function raiseError(error: ReturnType<typeof noChoiceMatchedError>): StateOperation {
  const { origin, ...rest } = error;
  return { kind: "value", value: { error: { $waybill: origin, ...rest } } };
}

interface LoweredEnd {
  readonly states: readonly UnlinkedState[];
  readonly next: string;
}

function lowerEnd(step: End, context: ScopeContext): LoweredEnd {
  const { flow } = context;
  if (step.outcome === "fail")
    return { states: [{ name: stateName(step), operation: lowerFailure(step, flow) }], next: flow.exit };
  if (step.extent === "scope") return leaveScope(step, context);
  const outermost = enclosingRun(context);
  const fn = beginFunction(flow, step.id);
  const value = codeOf(fn, step.value);
  if (outermost.kind === "branch" || flow.mayEndCaller) {
    const error = js.record({ $waybill: js.literal("ended"), value: wrapValue(fn, value) });
    return {
      states: [{ name: stateName(step), operation: resultOperation(fn, js.record({ error })) }],
      next: flow.exit,
    };
  }
  const result: UnlinkedState = { name: stateName(step), operation: resultOperation(fn, wrapValue(fn, value)) };
  return { states: [result, ...closeTries(step, context.openTries)], next: outermost.closing };
}

const closeTries = (step: Step, count: number): readonly UnlinkedState[] =>
  Array.from({ length: count }, () => ({ name: stateName(step, "catch"), operation: { kind: "catch" } }));

function enclosingRun({ scopeExit }: ScopeContext): Exclude<ScopeExit, { kind: "attempt" }> {
  return scopeExit.kind === "attempt" ? enclosingRun(scopeExit.outer) : scopeExit;
}

function leaveScope(step: End, { flow, scopeExit }: ScopeContext): LoweredEnd {
  const fn = beginFunction(flow, step.id);
  if (scopeExit.kind !== "attempt") {
    if (scopeExit.isUnread && step.value.kind === "literal") return { states: [], next: scopeExit.closing };
    const value = codeOf(fn, step.value);
    return {
      states: [{ name: stateName(step), operation: resultOperation(fn, wrapValue(fn, value)) }],
      next: scopeExit.closing,
    };
  }
  if (scopeExit.bind !== undefined) assignVariables(fn, [{ variable: scopeExit.bind, value: step.value }]);
  const states = fn.lines.length === 0 ? [] : [{ name: stateName(step), operation: functionOperation(fn) }];
  return { states, next: scopeExit.next };
}

/** `() => ({ error: { $waybill: "fail", name: "Refused", message: "…" } })` */
function lowerFailure({ value, extent }: End, flow: SelectionContext): StateOperation {
  const fn = beginFunction(flow);
  const fatal = extent === "run" ? { fatal: js.literal(true) } : {};
  const literal = literalObject(value);
  if (literal && typeof literal["origin"] === "string" && typeof literal["name"] === "string") {
    const { origin, ...rest } = literal;
    return {
      kind: "value",
      value: { error: { $waybill: origin, ...rest, ...(extent === "run" ? { fatal: true } : {}) } },
    };
  }
  const error = callHelper(fn, "toError", [problemCode(fn, value) ?? codeOf(fn, value).code]);
  const result = extent === "run" ? js.object([js.spread(error), js.property("fatal", fatal.fatal!)]) : error;
  return functionOperation(fn, js.record({ error: result }));
}

/** `problemOf(error, "/do/0/pay", standardErrors)` */
function problemCode(fn: FunctionBuilder, value: Expression): Code | undefined {
  if (value.kind !== "call" || value.name !== "problem" || value.isLocal) return undefined;
  const [error, pointer, standard] = value.args as readonly [Expression, Expression, Expression];
  const known = fn.context.workflow.standardErrors;
  if (known === undefined || standard.kind !== "literal" || !equalJson(standard.value, known)) return undefined;
  const args = [codeOf(fn, error).code, codeOf(fn, pointer).code, fn.scope.helper("standardErrors")];
  return callHelper(fn, "problemOf", args);
}

function literalObject(value: Expression): JsonObject | undefined {
  if (value.kind !== "literal") return undefined;
  const literal = value.value as Json;
  return literal !== null && typeof literal === "object" && !Array.isArray(literal)
    ? (literal as JsonObject)
    : undefined;
}
