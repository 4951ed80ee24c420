import { type Expression as Code, js } from "../../../src/code/index.ts";
import type { Invoke, Workflow } from "../../../src/ir/workflow.ts";
import type { FlowContext, ScopeContext } from "./context.ts";
import { addRow, type Part } from "./drafts.ts";
import { allowed, answerParts, throughHelper } from "./effects.ts";
import { budget, components, mayOutlast } from "./extent.ts";
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

/**
 * Another workflow: a component where it is short, else an activation of its own that is joined. So is a composition of Composer whose input may have a member
 * `error`, as a function that gives that has failed.
 */
export function lowerInvoke(step: Invoke, context: ScopeContext): readonly Part[] {
  const { flow } = context;
  const known = flow.program.byId.get(step.workflow.name);
  if (!known || !step.wait) return calledFlow(step, known, context);
  if (step.terminates && endsRuns(known)) flow.refuse(step.span, "a subflow that ends the run of its caller");
  if (known.start.window) flow.refuse(step.span, "a subflow with a schedule");
  const isRaw = known.composition !== undefined;
  const { deadlines } = context;
  const isTimed = step.timeout !== undefined || deadlines.length > 0;
  const isLong = mayOutlast(known.body, flow);
  if (isLong) flow.entities.suspends("branches");
  const writing = beginProgram(flow, step.id);
  const input = inputOf(step, known, writing);
  const isShort = !isTimed && !isLong && components(flow.workflow.body, flow) <= budget;
  const isComponent = isShort && (!isRaw || isPlainObject(input));
  const isComposition = isRaw ? js.literal(true) : undefined;
  const branch = js.record({ flow: js.literal(flow.entities.flow(known.id)), input, isComposition });
  const asked = isComponent
    ? input
    : js.record({
        branches: js.array([branch]),
        timeoutMs: allowed(writing, step.timeout, deadlines),
        mode: js.literal(isLong ? "joined" : "blocking"),
        failure: js.literal("fatal"),
      });
  const action = isComponent ? flow.entities.flow(known.id) : flow.entities.helper("rt-fork");
  const first = js.element(js.member(params, "results"), js.literal(0));
  return [
    { name: `${step.id}/input`, does: giving(writing, asked) },
    { name: `${step.id}/try`, does: { kind: "try", handler: failing(step, isRaw, flow) } },
    { name: step.id, does: { kind: "action", action } },
    { name: `${step.id}/caught`, does: { kind: "catch" } },
    ...answerParts(step, flow, { isRaw, answer: isComponent ? params : js.member(first, "result") }),
  ];
}

/** A workflow that is none of the program's, which is called as a function is, or one that is started and not waited for. */
function calledFlow(step: Invoke, known: Workflow | undefined, context: ScopeContext): readonly Part[] {
  const { flow, deadlines } = context;
  if (step.wait) flow.isElsewhere(step.workflow);
  const writing = beginProgram(flow, step.id);
  const action = flow.entities.flow(step.workflow.name);
  const argument = inputOf(step, known, writing);
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

/** The input of a workflow as it crosses the platform: a composition of Composer gets objects as they are. */
function inputOf({ input }: Invoke, known: Workflow | undefined, writing: Writing): Code {
  const value = codeOf(writing, input);
  if (!known?.composition) return carried(writing, value);
  if (value.type === "object") return value.code;
  writing.canFail = true;
  return helped(writing, "inputOf", [value.code]);
}

/** The state that takes what a subflow has failed with, and fails with it. */
function failing(step: Invoke, isRaw: boolean, flow: FlowContext): string {
  const label = flow.drawing.labels.fresh(`${step.id} failed`);
  const writing = beginProgram(flow, step.id);
  writing.canFail = true;
  const error = helped(writing, isRaw ? "ofComposition" : "ofFlow", [js.member(params, "error")]);
  addRow(flow.drawing, label, [{ name: `${step.id}/error`, does: finished(writing, js.record({ error })) }], flow.exit);
  return label;
}

/** Whether a workflow ends its whole run somewhere. */
const endsRuns = ({ body }: Workflow): boolean => {
  const ends = (scope: Workflow["body"]): boolean =>
    scope.steps.some((step) => {
      switch (step.kind) {
        case "end":
          return step.extent === "run";
        case "attempt":
          return ends(step.body);
        case "foreach":
          return ends(step.scope);
        case "fork":
          return step.branches.some(({ scope: inner }) => ends(inner));
        case "invoke":
          return step.terminates;
        default:
          return false;
      }
    });
  return ends(body);
};
