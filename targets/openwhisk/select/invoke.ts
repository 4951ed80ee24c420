import { freeVariables } from "../../../src/expressions/index.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Invoke, Program, Step, Workflow } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { nativeComposition } from "../composition.ts";
import { countComponents, maxComponents, mayDelayLong, mayOutlast } from "./bounds.ts";
import type { ScopeContext, SelectionContext } from "./context.ts";
import { callThroughHelper, remainingTime, storeResult } from "./effects.ts";
import {
  beginFunction,
  callHelper,
  codeOf,
  type FunctionBuilder,
  functionOperation,
  isPlainObject,
  noteFailure,
  params,
  resultOperation,
  wrapValue,
} from "./function-builder.ts";
import { addSequence, stateName, type UnlinkedState } from "./state-builder.ts";

/**
 * Lowers a subflow to a component if it is short, otherwise to the operation `fork`. A native composition whose input may
 * have a member `error` is never a component: the platform would treat the input as a failure.
 */
export function lowerInvoke(step: Invoke, context: ScopeContext): readonly UnlinkedState[] {
  const { flow } = context;
  const known = flow.program.byId.get(step.workflow.name);
  if (step.whenParentEnds === "terminate")
    flow.refuse(step.span, "a subflow that stops when this workflow ends: an activation cannot be stopped");
  if (!known || !step.wait) return callWorkflow(step, known, context);
  const isEnded = step.terminates && mayEndRuns(known, flow.program);
  if (isEnded && stepsOf(known).some((each) => each.kind === "end" && each.extent === "run" && each.outcome === "fail"))
    flow.refuse(step.span, "a subflow whose failure fails the run of its caller");
  const isRaw = nativeComposition(known) !== undefined;
  const { deadlines } = context;
  const isTimed = step.timeout !== undefined || deadlines.length > 0;
  const isLong = mayOutlast(known.body, flow);
  if (isLong) flow.platform.noteSuspension("branches");
  const fn = beginFunction(flow, step.id);
  const input = workflowInput(step, known, fn);
  const isShort =
    !isTimed && !isLong && !mayDelayLong(known) && countComponents(flow.workflow.body, flow) <= maxComponents;
  const isComponent = isShort && !isEnded && (!isRaw || isPlainObject(input));
  const branch = js.record({ flow: js.literal(flow.platform.workflow(known.id)), input });
  const request = isComponent
    ? input
    : js.record({
        operation: js.literal("fork"),
        branches: js.array([branch]),
        isComposition: isRaw ? js.literal(true) : undefined,
        timeoutMs: remainingTime(fn, step.timeout, deadlines),
        mode: js.literal(isLong ? "joined" : "blocking"),
        failure: js.literal("fatal"),
      });
  const action = isComponent ? flow.platform.workflow(known.id) : flow.platform.helper;
  const onward = mayFailureBeResult(step, known, flow) ? flow.builder.labels.fresh(`${step.id} onward`) : undefined;
  return [
    { name: stateName(step, "input"), operation: resultOperation(fn, request) },
    {
      name: stateName(step, "try"),
      operation: { kind: "try", handler: lowerSubflowFailure(step, known, onward, flow) },
    },
    { name: stateName(step), operation: { kind: "action", action } },
    { name: stateName(step, "catch"), operation: { kind: "catch" } },
    ...storeSubflowResult(step, { isRaw, isComponent, onward }, flow),
  ];
}

/** Assigns the result of a subflow. At `onward` the params already are the result. */
function storeSubflowResult(
  step: Invoke,
  how: { readonly isRaw: boolean; readonly isComponent: boolean; readonly onward: string | undefined },
  flow: SelectionContext,
): readonly UnlinkedState[] {
  const { isRaw, isComponent, onward } = how;
  const result = isComponent ? params : onlyResult(params);
  if (onward === undefined) return storeResult(step, flow, { isRaw, result });
  const unwrapped: UnlinkedState = {
    name: stateName(step, "result"),
    operation: functionOperation(beginFunction(flow), result),
  };
  const joined: UnlinkedState = { name: stateName(step, "onward"), label: onward, operation: { kind: "pass" } };
  return [...(isComponent ? [] : [unwrapped]), joined, ...storeResult(step, flow, { isRaw })];
}

const onlyResult = (result: Code): Code => js.member(js.element(js.member(result, "results"), js.literal(0)), "result");

function callWorkflow(step: Invoke, known: Workflow | undefined, context: ScopeContext): readonly UnlinkedState[] {
  const { flow, deadlines } = context;
  if (step.wait) flow.noteExternal(step.workflow);
  const fn = beginFunction(flow, step.id);
  const action = flow.platform.workflow(step.workflow.name);
  const argument = workflowInput(step, known, fn);
  const isPlain = step.wait && step.timeout === undefined && deadlines.length === 0;
  const request = isPlain
    ? argument
    : callThroughHelper(fn, { action, payload: { params: argument }, wait: step.wait, timeout: step.timeout }, context);
  return [
    { name: stateName(step, "input"), operation: resultOperation(fn, request) },
    { name: stateName(step), operation: { kind: "action", action: isPlain ? action : flow.platform.helper } },
    ...storeResult(step, flow),
  ];
}

/** The input of a workflow, with the run id if needed. */
function workflowInput(step: Invoke, known: Workflow | undefined, fn: FunctionBuilder): Code {
  const input = inputOf(step, known, fn);
  const { program, run } = fn.context;
  if (!known || run === undefined || !needsRunId(known, program)) return input;
  const marker = js.property("$waybill", js.record({ root: js.name(run) }));
  return js.object([...(input.kind === "object" ? input.members : [js.spread(input)]), marker]);
}

/** The input, wrapped unless the workflow is a native composition. */
function inputOf({ input }: Invoke, known: Workflow | undefined, fn: FunctionBuilder): Code {
  const value = codeOf(fn, input);
  if (!known || !nativeComposition(known)) return wrapValue(fn, value);
  if (isPlainObject(value.code)) return value.code;
  noteFailure(fn);
  return callHelper(fn, "inputOf", [value.code]);
}

/** Whether the error of a subflow may hold its result: outside its window, or after it has ended only its own run. */
const mayFailureBeResult = (step: Invoke, known: Workflow, { program }: SelectionContext): boolean =>
  known.start.window !== undefined || (!step.terminates && mayEndCaller(known, program));

/** Handles the error of a subflow. If it holds a result, continues at `onward`. */
function lowerSubflowFailure(
  step: Invoke,
  known: Workflow,
  onward: string | undefined,
  flow: SelectionContext,
): string {
  const label = flow.builder.labels.fresh(`${step.id} failed`);
  const fn = beginFunction(flow, step.id);
  noteFailure(fn);
  const error = js.member(params, "error");
  let result: Code = js.record({
    error: callHelper(fn, nativeComposition(known) ? "compositionError" : "subflowError", [error]),
  });
  if (!step.terminates && mayEndCaller(known, flow.program)) {
    const isEnded = js.binary(js.member(error, "$waybill"), "===", js.literal("ended"));
    result = js.conditional(isEnded, js.member(error, "value"), result);
  }
  if (known.start.window) {
    const isInactive = js.binary(js.member(error, "inactive"), "===", js.literal(known.id));
    result = js.conditional(isInactive, inputOf(step, known, fn), result);
  }
  addSequence(
    flow.builder,
    label,
    [{ name: stateName(step, "error"), operation: functionOperation(fn, result) }],
    onward ?? flow.exit,
  );
  return label;
}

/** Whether a workflow may end its run and, with it, that of a caller. */
export const mayEndCaller = (workflow: Workflow, program: Program): boolean =>
  mayEndRuns(workflow, program) &&
  program.workflows.flatMap(stepsOf).some((step) => endsWithSubflow(step) && step.workflow.name === workflow.id);

/** Whether a workflow may end its whole run, itself or by a subflow. */
export function mayEndRuns(workflow: Workflow, program: Program, known: Set<string> = new Set()): boolean {
  if (known.has(workflow.id)) return false;
  known.add(workflow.id);
  return stepsOf(workflow).some((step) => {
    if (step.kind === "end") return step.extent === "run";
    const subflow = endsWithSubflow(step) ? program.byId.get(step.workflow.name) : undefined;
    return subflow !== undefined && mayEndRuns(subflow, program, known);
  });
}

/** Whether a workflow uses the correlation value of its run. */
export const needsCorrelation = ({ events }: Workflow): boolean =>
  events.some(({ correlation, correlationAttribute }) => (correlation ?? correlationAttribute) !== undefined);

/** Whether a workflow passes its run id to a subflow. */
export const passesRunId = (workflow: Workflow, program: Program, known: Set<Workflow> = new Set()): boolean =>
  stepsOf(workflow).some((step) => {
    const subflow = step.kind === "invoke" ? program.byId.get(step.workflow.name) : undefined;
    return subflow !== undefined && needsRunId(subflow, program, known);
  });

function needsRunId(workflow: Workflow, program: Program, known: Set<Workflow> = new Set()): boolean {
  if (known.has(workflow)) return false;
  known.add(workflow);
  const { correlation } = workflow;
  const isOwn = needsCorrelation(workflow) && correlation !== undefined && freeVariables(correlation).has("run");
  return isOwn || readsRunId(workflow) || passesRunId(workflow, program, known);
}

/** Whether a workflow calls the built-in function that returns the id of the run. */
export const readsRunId = ({ functions }: Workflow): boolean =>
  functions.some(({ protocol }) => protocol?.kind === "run");

/** Whether another workflow passes a run id to this one. */
export const receivesRunId = (workflow: Workflow, program: Program): boolean =>
  needsRunId(workflow, program) &&
  program.workflows.flatMap(stepsOf).some((step) => step.kind === "invoke" && step.workflow.name === workflow.id);

const endsWithSubflow = (step: Step): step is Invoke => step.kind === "invoke" && step.wait && step.terminates;
