import { unknownStep } from "../../diagnostics/flow.ts";
import { binary, literal, slice, variable } from "../../expressions/index.ts";
import type { State } from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Step } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { createStepWriter, reserve, type StepWriter, stepsIn } from "../shared/steps.ts";
import type { Context } from "./context.ts";
import { compensationRule, noEffect } from "./diagnostics/kinds.ts";
import type { Exit } from "./transitions.ts";

/** The first states of compensations, by name; reports what the specification does not allow. */
export function planCompensations(
  context: Pick<Context, "document" | "report" | "definition" | "states">,
): ReadonlyMap<string, State> {
  const { report, states, definition } = context;
  const found = new Map<string, State>();
  for (const state of definition.states) {
    checkState(context, state);
    const { compensatedBy: name } = state;
    if (name === undefined || found.has(name)) continue;
    const span = spanOf(context, state, "compensatedBy");
    const first = states.get(name);
    if (!first) report(unknownStep(span, { noun: "state", name, known: [...states.keys()] }));
    else {
      if (!first.usedForCompensation)
        report(compensationRule(span, { state: name, rule: "does not have `usedForCompensation: true`" }));
      found.set(name, first);
    }
  }
  return found;
}

function checkState(context: Pick<Context, "document" | "report" | "states">, state: State): void {
  if (!state.usedForCompensation) return;
  const refuse = (key: string, rule: string) =>
    context.report(compensationRule(spanOf(context, state, key, "key"), { state: state.name, rule }));
  if (state.compensatedBy !== undefined) refuse("compensatedBy", "is used for compensation, and cannot be compensated");
  if (state.type === "event") refuse("type", "is used for compensation, and cannot wait for events");
  const why = "a state that is used for compensation ends no run";
  for (const exit of exitsOf(state)) {
    if (exit.end) context.report(noEffect(spanOf(context, exit, "end", "key"), { name: "end", why }));
    const next = exit.transition && context.states.get(exit.transition.nextState);
    if (!next || next.usedForCompensation) continue;
    const rule = "is not used for compensation";
    context.report(compensationRule(spanOf(context, exit.transition, "nextState"), { state: next.name, rule }));
  }
}

/** What leads out of a state: itself, its handlers and, of a switch, its conditions. */
function exitsOf(state: State): readonly Exit[] {
  const { onErrors = [] } = state;
  if (state.type !== "switch") return [state, ...onErrors];
  const { dataConditions = [], eventConditions = [], defaultCondition } = state;
  return [...onErrors, ...dataConditions, ...eventConditions, ...(defaultCondition ? [defaultCondition] : [])];
}

/** The steps that run compensations, in reverse order of completion, and then continue where they were asked for. */
export function lowerCompensations(context: Context, variables: StepWriter["variables"]): readonly Step[] {
  const [first, ...others] = context.found.continuations;
  if (!first) return [];
  const span = spanOf(context, context.definition, "states", "key");
  const construct = { noun: "compensation", name: "compensation", span };
  const writer = createStepWriter(construct, context.compensationEntry, context.ids, { slots: [], variables });
  const select = reserve(writer, "select", span);
  const last = slice(variable("completed"), literal(-1));
  const popped = slice(variable("completed"), literal(0), literal(-1));
  const cases = [...context.compensations].map(([name, state]) => {
    const pop = reserve(writer, "begin", span);
    const next = { name: context.entries.get(state)!, span };
    pop.fill({ ...pop.base, kind: "assign", values: [{ variable: "completed", value: popped }], next });
    return { when: binary("==", last, literal([name])), next: pop.reference, span };
  });
  if (others.length === 0) {
    select.fill({ ...select.base, kind: "choose", cases, otherwise: first });
    return stepsIn(writer);
  }
  const finish = reserve(writer, "continue", span);
  select.fill({ ...select.base, kind: "choose", cases, otherwise: finish.reference });
  const isNext = (index: number) => binary("==", variable("afterCompensation"), literal(index));
  const continued = others.map((next, index) => ({ when: isNext(index + 1), next, span }));
  finish.fill({ ...finish.base, kind: "choose", cases: continued, otherwise: first });
  return stepsIn(writer);
}
