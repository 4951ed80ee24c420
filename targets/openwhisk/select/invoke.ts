import { freeVariables } from "../../../src/expressions/index.ts";
import type { Program } from "../../../src/ir/program.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Invoke, Step, Workflow } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { nativeComposition } from "../passthrough.ts";
import { components, delaysLong, mayOutlast, mostComponents } from "./bounds.ts";
import type { FlowContext, ScopeContext } from "./context.ts";
import { allowed, answerParts, throughHelper } from "./effects.ts";
import {
  beginProgram,
  carried,
  codeOf,
  finished,
  giving,
  helped,
  isPlainObject,
  params,
  type Writing,
} from "./programs.ts";
import { addRow, type Part } from "./state-builder.ts";

/**
 * Another workflow: a component where it is short, else an activation of its own that is joined. So is a composition of Composer whose input may have a member
 * `error`, as a function that gives that has failed.
 */
export function lowerInvoke(step: Invoke, context: ScopeContext): readonly Part[] {
  const { flow } = context;
  const known = flow.program.byId.get(step.workflow.name);
  if (!known || !step.wait) return calledFlow(step, known, context);
  const isEnded = step.terminates && endsRuns(known, flow.program);
  if (isEnded && stepsOf(known).some((each) => each.kind === "end" && each.extent === "run" && each.outcome === "fail"))
    flow.refuse(step.span, "a subflow whose failure fails the run of its caller");
  const isRaw = nativeComposition(known) !== undefined;
  const { deadlines } = context;
  const isTimed = step.timeout !== undefined || deadlines.length > 0;
  const isLong = mayOutlast(known.body, flow);
  if (isLong) flow.entities.suspends("branches");
  const writing = beginProgram(flow, step.id);
  const input = sentTo(step, known, writing);
  const isShort = !isTimed && !isLong && !delaysLong(known) && components(flow.workflow.body, flow) <= mostComponents;
  const isComponent = isShort && !isEnded && (!isRaw || isPlainObject(input));
  const branch = js.record({ flow: js.literal(flow.entities.flow(known.id)), input });
  const asked = isComponent
    ? input
    : js.record({
        branches: js.array([branch]),
        isComposition: isRaw ? js.literal(true) : undefined,
        timeoutMs: allowed(writing, step.timeout, deadlines),
        mode: js.literal(isLong ? "joined" : "blocking"),
        failure: js.literal("fatal"),
      });
  const action = isComponent ? flow.entities.flow(known.id) : flow.entities.helper("rt-fork");
  const onward = isNoFailure(step, known, flow) ? flow.drawing.labels.fresh(`${step.id} onward`) : undefined;
  return [
    { name: `${step.id}/input`, does: giving(writing, asked) },
    { name: `${step.id}/try`, does: { kind: "try", handler: failing(step, known, onward, flow) } },
    { name: step.id, does: { kind: "action", action } },
    { name: `${step.id}/caught`, does: { kind: "catch" } },
    ...answeredParts(step, { isRaw, isComponent, onward }, flow),
  ];
}

/** Puts the answer of a subflow into the variable that wants it. `onward`: where it is alone in the params, too. */
function answeredParts(
  step: Invoke,
  how: { readonly isRaw: boolean; readonly isComponent: boolean; readonly onward: string | undefined },
  flow: FlowContext,
): readonly Part[] {
  const { isRaw, isComponent, onward } = how;
  const answer = isComponent ? params : only(params);
  if (onward === undefined) return answerParts(step, flow, { isRaw, answer });
  const result: Part = { name: `${step.id}/result`, does: finished(beginProgram(flow), answer) };
  const joined: Part = { name: `${step.id}/onward`, label: onward, does: { kind: "pass" } };
  return [...(isComponent ? [] : [result]), joined, ...answerParts(step, flow, { isRaw })];
}

/** `params.results[0].result` */
const only = (answer: Code): Code => js.member(js.element(js.member(answer, "results"), js.literal(0)), "result");

/** A workflow that is none of the program's, which is called as a function is, or one that is started and not waited for. */
function calledFlow(step: Invoke, known: Workflow | undefined, context: ScopeContext): readonly Part[] {
  const { flow, deadlines } = context;
  if (step.wait) flow.isElsewhere(step.workflow);
  const writing = beginProgram(flow, step.id);
  const action = flow.entities.flow(step.workflow.name);
  const argument = sentTo(step, known, writing);
  const isPlain = step.wait && step.timeout === undefined && deadlines.length === 0;
  const asked = isPlain
    ? argument
    : throughHelper(writing, { action, sent: { params: argument }, wait: step.wait, timeout: step.timeout }, context);
  return [
    { name: `${step.id}/input`, does: giving(writing, asked) },
    { name: step.id, does: { kind: "action", action: isPlain ? action : flow.entities.helper("rt-call") } },
    ...answerParts(step, flow),
  ];
}

/** What a workflow is started with: its input, and where it asks for that the id of the run that it is a part of. */
function sentTo(step: Invoke, known: Workflow | undefined, writing: Writing): Code {
  const input = inputOf(step, known, writing);
  const { program, run } = writing.context;
  if (!known || run === undefined || !asksRun(known, program)) return input;
  const told = js.property("$waybill", js.record({ root: js.name(run) }));
  return js.object([...(input.kind === "object" ? input.members : [js.spread(input)]), told]);
}

/** The input of a workflow as it crosses the platform: a composition of Composer gets objects as they are. */
function inputOf({ input }: Invoke, known: Workflow | undefined, writing: Writing): Code {
  const value = codeOf(writing, input);
  if (!known || !nativeComposition(known)) return carried(writing, value);
  if (isPlainObject(value.code)) return value.code;
  writing.canFail = true;
  return helped(writing, "inputOf", [value.code]);
}

/** Whether what a subflow fails with may be its result: that it is outside its window, or has ended its run, where that does not end this one. */
const isNoFailure = (step: Invoke, known: Workflow, { program }: FlowContext): boolean =>
  known.start.window !== undefined || (!step.terminates && endsCaller(known, program));

/** The state that takes what a subflow has failed with, and fails with it; what is no failure goes `onward`. */
function failing(step: Invoke, known: Workflow, onward: string | undefined, flow: FlowContext): string {
  const label = flow.drawing.labels.fresh(`${step.id} failed`);
  const writing = beginProgram(flow, step.id);
  writing.canFail = true;
  const error = js.member(params, "error");
  let result: Code = js.record({
    error: helped(writing, nativeComposition(known) ? "ofComposition" : "ofFlow", [error]),
  });
  if (!step.terminates && endsCaller(known, flow.program)) {
    const isEnded = js.binary(js.member(error, "$waybill"), "===", js.literal("ended"));
    result = js.conditional(isEnded, js.member(error, "value"), result);
  }
  if (known.start.window) {
    const isInactive = js.binary(js.member(error, "inactive"), "===", js.literal(known.id));
    result = js.conditional(isInactive, inputOf(step, known, writing), result);
  }
  addRow(flow.drawing, label, [{ name: `${step.id}/error`, does: finished(writing, result) }], onward ?? flow.exit);
  return label;
}

/** Whether a workflow ends the run of its caller: it ends its own somewhere, and a workflow that waits for it ends with it. */
export const endsCaller = (workflow: Workflow, program: Program): boolean =>
  endsRuns(workflow, program) &&
  program.workflows.flatMap(stepsOf).some((step) => isEndedBy(step) && step.workflow.name === workflow.id);

/** Whether a workflow ends its whole run somewhere: by an end of its own, or with a subflow. */
export function endsRuns(workflow: Workflow, program: Program, known: Set<string> = new Set()): boolean {
  if (known.has(workflow.id)) return false;
  known.add(workflow.id);
  return stepsOf(workflow).some((step) => {
    if (step.kind === "end") return step.extent === "run";
    const subflow = isEndedBy(step) ? program.byId.get(step.workflow.name) : undefined;
    return subflow !== undefined && endsRuns(subflow, program, known);
  });
}

/** Whether a workflow asks for the correlation value of its run. */
export const asksToken = ({ events }: Workflow): boolean =>
  events.some(({ correlation, correlationAttribute }) => (correlation ?? correlationAttribute) !== undefined);

/** Whether a workflow hands the id of its run on to one that it starts. */
export const handsRunOn = (workflow: Workflow, program: Program, known: Set<Workflow> = new Set()): boolean =>
  stepsOf(workflow).some((step) => {
    const subflow = step.kind === "invoke" ? program.byId.get(step.workflow.name) : undefined;
    return subflow !== undefined && asksRun(subflow, program, known);
  });

/** Whether a workflow asks for the id of the run that it is a part of, for itself or for one that it starts. */
function asksRun(workflow: Workflow, program: Program, known: Set<Workflow> = new Set()): boolean {
  if (known.has(workflow)) return false;
  known.add(workflow);
  const { correlation } = workflow;
  const isOwn = asksToken(workflow) && correlation !== undefined && freeVariables(correlation).has("run");
  return isOwn || handsRunOn(workflow, program, known);
}

/** Whether the conductor of a workflow is told what run it is a part of: it asks for that, and is started by another. */
export const isToldRun = (workflow: Workflow, program: Program): boolean =>
  asksRun(workflow, program) &&
  program.workflows.flatMap(stepsOf).some((step) => step.kind === "invoke" && step.workflow.name === workflow.id);

/** Whether a run ends with the subflow that it waits for. */
const isEndedBy = (step: Step): step is Invoke => step.kind === "invoke" && step.wait && step.terminates;
