import { js } from "../../../src/code/index.ts";
import type { Invoke, Workflow } from "../../../src/ir/workflow.ts";
import type { FlowContext, ScopeContext } from "./context.ts";
import { addRow, type Part } from "./drafts.ts";
import { allowed, answerParts, throughHelper } from "./effects.ts";
import { components, mayOutlast } from "./extent.ts";
import { beginProgram, carried, codeOf, finished, giving, helped, params } from "./programs.ts";

/** How many components a run may have where a subflow is one of them. */
const budget = 45;

/** Another workflow: a component where it is short, else an activation of its own that is joined. */
export function lowerInvoke(step: Invoke, context: ScopeContext): readonly Part[] {
  const { flow } = context;
  const known = flow.program.byId.get(step.workflow.name);
  if (known && step.wait && step.terminates && endsRuns(known))
    flow.refuse(step.span, "a subflow that ends the run of its caller");
  if (known?.start.window) flow.refuse(step.span, "a subflow with a schedule");
  const writing = beginProgram(flow, step.id);
  const action = flow.entities.flow(step.workflow.name);
  const argument = carried(writing, codeOf(writing, step.input));
  const isTimed = step.timeout !== undefined || context.deadlines.length > 0;
  if (!known || !step.wait) {
    const isPlain = step.wait && !isTimed;
    const asked = isPlain
      ? argument
      : throughHelper(writing, { action, argument, wait: step.wait, timeout: step.timeout }, context);
    return [
      { name: `${step.id}/input`, does: giving(writing, asked) },
      { name: step.id, does: { kind: "action", action: isPlain ? action : flow.entities.helper("rt-call") } },
      ...answerParts(step, flow),
    ];
  }
  const isComponent = !isTimed && components(flow.workflow.body, flow) <= budget && !mayOutlast(known.body, flow);
  const isJoined = !isComponent && mayOutlast(known.body, flow);
  if (isJoined) flow.entities.suspends("branches");
  const asked = isComponent
    ? argument
    : js.record({
        branches: js.array([js.record({ flow: js.literal(action), input: argument })]),
        timeoutMs: allowed(writing, step.timeout, context.deadlines),
        mode: js.literal(isJoined ? "joined" : "blocking"),
        failure: js.literal("fatal"),
      });
  return [
    { name: `${step.id}/input`, does: giving(writing, asked) },
    { name: `${step.id}/try`, does: { kind: "try", handler: failing(step, flow) } },
    { name: step.id, does: { kind: "action", action: isComponent ? action : flow.entities.helper("rt-fork") } },
    { name: `${step.id}/caught`, does: { kind: "catch" } },
    ...(isComponent ? answerParts(step, flow) : joinedAnswer(step, flow)),
  ];
}

/** The state that takes what a subflow has failed with, and fails with it. */
function failing(step: Invoke, flow: FlowContext): string {
  const label = flow.drawing.labels.fresh(`${step.id} failed`);
  const writing = beginProgram(flow, step.id);
  writing.canFail = true;
  const error = helped(writing, "ofFlow", [js.member(params, "error")]);
  addRow(flow.drawing, label, [{ name: `${step.id}/error`, does: finished(writing, js.record({ error })) }], flow.exit);
  return label;
}

function joinedAnswer(step: Invoke, flow: FlowContext): readonly Part[] {
  const symbol = step.bind === undefined ? undefined : flow.symbols.get(step.bind);
  if (symbol === undefined) return [];
  const writing = beginProgram(flow, step.id);
  const first = js.element(js.member(params, "results"), js.literal(0));
  writing.lines.push(js.assign(symbol, helped(writing, "taken", [js.member(first, "result")])));
  return [{ name: `${step.id}/answer`, does: finished(writing) }];
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
