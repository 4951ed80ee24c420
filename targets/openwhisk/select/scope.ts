import { canFail, type Expression } from "../../../src/expressions/index.ts";
import { noChoiceMatchedError } from "../../../src/ir/failures.ts";
import type { Attempt, Choose, End, Scope, Step, Window } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { assertNever, type Json, type JsonObject } from "../../../src/json.ts";
import { lowerForEach, lowerFork } from "./branches.ts";
import type { FlowContext, ScopeContext, Ways } from "./context.ts";
import { lowerCall, lowerDelay, lowerEmit } from "./effects.ts";
import { lowerInvoke } from "./invoke.ts";
import { assigned, beginProgram, carried, codeOf, finished, giving, helped, params, type Writing } from "./programs.ts";
import { lowerReceive } from "./receive.ts";
import { addRow, type Doing, type Part } from "./state-builder.ts";

/** The states of a scope's steps. */
export function lowerSteps(scope: Scope, context: ScopeContext): void {
  for (const step of scope.steps) lowerStep(step, context);
}

function lowerStep(step: Step, context: ScopeContext): void {
  const { drawing } = context.flow;
  switch (step.kind) {
    case "assign": {
      const writing = beginProgram(context.flow, step.id);
      assigned(writing, step.values);
      const parts = writing.lines.length === 0 ? [] : [{ name: step.id, does: finished(writing) }];
      addRow(drawing, step.id, parts, step.next.name);
      return;
    }
    case "choose":
      lowerChoose(step, context);
      return;
    case "call":
      recovering(step, lowerCall(step, context), context);
      return;
    case "delay":
      addRow(drawing, step.id, lowerDelay(step, context), step.next.name);
      return;
    case "receive":
      addRow(drawing, step.id, lowerReceive(step, context), step.next.name);
      return;
    case "emit":
      addRow(drawing, step.id, lowerEmit(step, context), step.next.name);
      return;
    case "fork":
      recovering(step, lowerFork(step, context), context);
      return;
    case "foreach":
      recovering(step, lowerForEach(step, context), context);
      return;
    case "invoke":
      recovering(step, lowerInvoke(step, context), context);
      return;
    case "attempt":
      lowerAttempt(step, context);
      return;
    case "end": {
      const { parts, next } = endingOf(step, context);
      addRow(drawing, step.id, parts, next);
      return;
    }
    default:
      assertNever(step);
  }
}

/** A step among what takes its errors: `Try`, what it does, `Catch`. */
function recovering(step: Exclude<Step, Choose | End>, parts: readonly Part[], context: ScopeContext): void {
  const { drawing } = context.flow;
  const handler = handlerOf(step, context);
  if (handler === undefined) {
    addRow(drawing, step.id, parts, step.next.name);
    return;
  }
  const opened: Part = { name: `${step.id}/try`, does: { kind: "try", handler } };
  const closed: Part = { name: `${step.id}/caught`, does: { kind: "catch" } };
  addRow(drawing, step.id, [opened, ...parts, closed], step.next.name);
}

/** The state that takes the errors of a step, into the variable that wants them; undefined where nothing does. */
function handlerOf(step: Step, context: ScopeContext): string | undefined {
  const [handler] = "handlers" in step ? step.handlers : [];
  if (!handler) return undefined;
  const { flow } = context;
  const label = flow.drawing.labels.fresh(`${step.id} caught`);
  const writing = beginProgram(flow, step.id);
  const error = js.member(params, "error");
  const passing = passingOn(step, context).map((test) => test(writing));
  if (passing.length > 0) writing.lines.push(js.ifStatement(js.or(...passing), [js.returnStatement(params)]));
  const symbol = handler.bind === undefined ? undefined : flow.symbols.get(handler.bind);
  if (symbol !== undefined)
    writing.lines.push(js.assign(symbol, errorCode(writing, error, failsByAnswers(step, context))));
  const parts = writing.lines.length === 0 ? [] : [{ name: `${step.id}/error`, does: finished(writing) }];
  addRow(flow.drawing, label, parts, handler.next.name);
  return label;
}

/** What says that an error is not for the handlers of a step: tests in the function that takes it. */
function passingOn(
  step: Step,
  { deadlines }: ScopeContext,
): readonly ((writing: ReturnType<typeof beginProgram>) => ReturnType<typeof js.call>)[] {
  const error = js.member(params, "error");
  const fatal = mayEnd(step)
    ? [(w: ReturnType<typeof beginProgram>) => helped(w, "isFatal", [error]) as ReturnType<typeof js.call>]
    : [];
  if (deadlines.length === 0) return fatal;
  const passed = (w: ReturnType<typeof beginProgram>) =>
    helped(w, "hasPassed", [error, ...deadlines.map((each) => js.name(each))]) as ReturnType<typeof js.call>;
  return [...fatal, passed];
}

/** Whether the whole run may end in a step. */
function mayEnd(step: Step): boolean {
  switch (step.kind) {
    case "end":
      return step.extent === "run";
    case "attempt":
      return step.body.steps.some(mayEnd);
    case "foreach":
      return step.scope.steps.some(mayEnd);
    case "fork":
      return step.branches.some(({ scope }) => scope.steps.some(mayEnd));
    case "invoke":
      return step.wait;
    default:
      return false;
  }
}

/** An error as the workflow sees it. `isAnswer`: only an action can have failed. */
export function errorCode(writing: Writing, error: Code, isAnswer: boolean): Code {
  const { errorNames } = writing.context.workflow;
  if (errorNames) return helped(writing, "errorIn", [error, js.value(errorNames as unknown as JsonObject)]);
  return helped(writing, isAnswer ? "answeredError" : "errorOf", [error]);
}

/** Whether nothing in a step fails but actions. */
function failsByAnswers(step: Step, { deadlines }: ScopeContext): boolean {
  if (step.kind !== "call" || deadlines.length > 0) return false;
  return !canFail(step.argument);
}

function lowerAttempt(step: Attempt, context: ScopeContext): void {
  const { flow, tries, deadlines } = context;
  const { drawing } = flow;
  const handler = handlerOf(step, context);
  const inside = drawing.labels.fresh(`${step.id} body`);
  const caught = handler === undefined ? step.next.name : drawing.labels.fresh(`${step.id} left`);
  const deadline = step.timeout === undefined ? undefined : flow.symbols.get(deadlineOf(step));
  const opened: readonly Part[] = [
    ...(deadline === undefined ? [] : [{ name: step.id, does: untilDeadline(deadline, step.timeout!, flow) }]),
    ...(handler === undefined ? [] : [{ name: `${step.id}/try`, does: { kind: "try", handler } as const }]),
  ];
  addRow(drawing, step.id, opened, inside);
  drawing.aliases.set(inside, step.body.entry.name);
  const ways: Ways = { kind: "attempt", bind: step.bind, next: caught, around: context };
  lowerSteps(step.body, {
    ...context,
    ways,
    tries: tries + (handler === undefined ? 0 : 1),
    deadlines: deadline === undefined ? deadlines : [deadline, ...deadlines],
  });
  if (handler !== undefined)
    addRow(drawing, caught, [{ name: `${step.id}/caught`, does: { kind: "catch" } }], step.next.name);
}

/** The variable that holds until when an attempt may last. */
export const deadlineOf = ({ id }: Attempt): string => `${id} deadline`;

function untilDeadline(symbol: string, seconds: number, flow: FlowContext): Doing {
  const writing = beginProgram(flow);
  const now = js.method(js.name("Date"), "now");
  writing.lines.push(js.assign(symbol, js.binary(now, "+", js.literal(seconds * 1000))));
  return finished(writing);
}

/** `Push`, a function that gives whether a case holds, and `Choice`, for one case after the other. */
function lowerChoose(step: Choose, context: ScopeContext): void {
  const { flow } = context;
  const { drawing } = flow;
  const last = step.otherwise?.name ?? drawing.labels.fresh(`${step.id} otherwise`);
  let label = step.id;
  for (const [i, { when, next }] of step.cases.entries()) {
    const isLast = i === step.cases.length - 1;
    const otherwise = isLast ? last : drawing.labels.fresh(`${step.id} case ${i + 2}`);
    const writing = beginProgram(flow, step.id);
    const name = step.cases.length === 1 ? step.id : `${step.id}/case ${i + 1}`;
    const value = codeOf(writing, when).code;
    addRow(drawing, label, asking(name, writing, value, { whenTrue: next.name, otherwise }), undefined);
    label = otherwise;
  }
  if (step.cases.length === 0) drawing.aliases.set(step.id, last);
  if (step.otherwise) return;
  const failing = failure(noChoiceMatchedError(step));
  addRow(drawing, last, [{ name: `${step.id}/no match`, does: failing }], flow.exit);
}

/** What asks whether a condition holds, and leads on accordingly, with the params that were there. */
function asking(
  name: string,
  writing: Writing,
  value: Code,
  ways: { readonly whenTrue: string; readonly otherwise: string },
): readonly Part[] {
  return [
    { name: `${name}/push`, does: { kind: "push" } },
    { name, does: giving(writing, js.record({ value })) },
    { name: `${name}/choice`, does: { kind: "choice", ...ways } },
  ];
}

/** States that lead inside while a window is open, and outside before and after. */
export function askWindow(
  label: string,
  name: string,
  { from, until }: Window,
  { inside, outside }: { readonly inside: string; readonly outside: string },
  flow: FlowContext,
): void {
  const now = js.method(js.name("Date"), "now");
  const instant = (text: string) => js.method(js.name("Date"), "parse", [js.literal(text)]);
  const value = js.and(
    ...(from === undefined ? [] : [js.binary(now, ">=", instant(from))]),
    ...(until === undefined ? [] : [js.binary(now, "<", instant(until))]),
  );
  const parts = asking(name, beginProgram(flow), value, { whenTrue: inside, otherwise: outside });
  addRow(flow.drawing, label, parts, undefined);
}

/** Gives an error that the workflow itself raises. */
function failure(error: ReturnType<typeof noChoiceMatchedError>): Doing {
  const { origin, ...rest } = error;
  return { kind: "value", value: { error: { $waybill: origin, ...rest } } };
}

/** What an end does, and where it leads. */
interface Ending {
  readonly parts: readonly Part[];
  readonly next: string;
}

function endingOf(step: End, context: ScopeContext): Ending {
  const { flow } = context;
  if (step.outcome === "fail") return { parts: [{ name: step.id, does: failing(step, flow) }], next: flow.exit };
  if (step.extent === "scope") return leavingScope(step, context);
  const outermost = runAround(context);
  const writing = beginProgram(flow, step.id);
  const value = codeOf(writing, step.value);
  if (outermost.kind === "branch" || flow.endsCaller) {
    const error = js.record({ $waybill: js.literal("ended"), value: carried(writing, value) });
    return { parts: [{ name: step.id, does: giving(writing, js.record({ error })) }], next: flow.exit };
  }
  const result: Part = { name: step.id, does: giving(writing, carried(writing, value)) };
  return { parts: [result, ...catches(step.id, context.tries)], next: outermost.closing };
}

/** Closes what attempts have opened around an end of the run. */
const catches = (id: string, count: number): readonly Part[] =>
  Array.from({ length: count }, () => ({ name: `${id}/caught`, does: { kind: "catch" } }));

function runAround({ ways }: ScopeContext): Exclude<Ways, { kind: "attempt" }> {
  return ways.kind === "attempt" ? runAround(ways.around) : ways;
}

function leavingScope(step: End, { flow, ways }: ScopeContext): Ending {
  const writing = beginProgram(flow, step.id);
  if (ways.kind !== "attempt") {
    const value = codeOf(writing, step.value);
    return { parts: [{ name: step.id, does: giving(writing, carried(writing, value)) }], next: ways.closing };
  }
  if (ways.bind !== undefined) assigned(writing, [{ variable: ways.bind, value: step.value }]);
  const parts = writing.lines.length === 0 ? [] : [{ name: step.id, does: finished(writing) }];
  return { parts, next: ways.next };
}

/** `() => ({ error: { $waybill: "fail", name: "Refused", message: "…" } })` */
function failing({ value, extent }: End, flow: FlowContext): Doing {
  const writing = beginProgram(flow);
  const fatal = extent === "run" ? { fatal: js.literal(true) } : {};
  const known = membersOf(value);
  if (known && typeof known["origin"] === "string" && typeof known["name"] === "string") {
    const { origin, ...rest } = known;
    return {
      kind: "value",
      value: { error: { $waybill: origin, ...rest, ...(extent === "run" ? { fatal: true } : {}) } },
    };
  }
  const { code } = codeOf(writing, value);
  const error = helped(writing, "raised", [code]);
  const whole = extent === "run" ? js.object([js.spread(error), js.property("fatal", fatal.fatal!)]) : error;
  return finished(writing, js.record({ error: whole }));
}

/** The constant that an expression is, where that is an object of texts. */
function membersOf(value: Expression): JsonObject | undefined {
  if (value.kind !== "literal") return undefined;
  const given = value.value as Json;
  return given !== null && typeof given === "object" && !Array.isArray(given) ? (given as JsonObject) : undefined;
}
