import type { Expression } from "../../expressions/index.ts";
import type { Step } from "../../generated/yawl-definition.ts";
import { createNames, identifierStyle, type NameSpace } from "../../ir/names.ts";
import type { Reference, Scope } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { end, type StepFragment, stepsIn } from "../shared/steps.ts";
import { type Context, createWriter, type ScopeFrame, type ScopeWriter, type Writer } from "./context.ts";
import { type ScopePlan, startStep } from "./plan.ts";
import { hasOutput, kindOf, nextStepId } from "./step-kinds.ts";
import { lowerStep } from "./steps.ts";

/** Creates the frame of an IR scope. */
export function createFrame(isOutermost: boolean, variables: ScopeFrame["variables"], around?: NameSpace): ScopeFrame {
  const names = around ? around.inner(variables.keys()) : createNames(variables.keys(), identifierStyle);
  return { slots: [], variables, names, isOutermost };
}

/** Lowers a branch, an iteration or the workflow. */
export function lowerScope(
  context: Context,
  plan: ScopePlan,
  frame: ScopeFrame,
  { global, initial }: { readonly global: Expression; readonly initial: Expression | undefined },
): Scope {
  const lastOutput = lastOutputVariable(context, plan, frame, initial);
  const scope: ScopeWriter = { plan, frame, state: stateName, global, lastOutput, leave: leaveScope };
  const entry = lowerSteps(context, scope);
  const declared = [...frame.variables].map(([name, initial]) => ({ name, initial }));
  return { entry, variables: declared, steps: stepsIn(frame), span: spanOf(context, plan.owner) };
}

/** The variable with the state of a scope. */
export const stateName = "state";

const leaveScope = (writer: Writer, result: Expression): StepFragment =>
  end(writer, "end", writer.construct.span, { outcome: "leave", extent: "scope", value: result });

/** Lowers steps into the scope's frame; returns the first. */
export function lowerSteps(context: Context, scope: ScopeWriter): Reference {
  const { plan } = scope;
  for (const [id, step] of Object.entries(plan.steps)) {
    const kind = kindOf(step);
    lowerStep(createWriter(context, scope, id, kind), kind, step);
  }
  return startStep(context, plan);
}

/** The variable for the last output, if needed. */
export function lastOutputVariable(
  { settings }: Context,
  { steps }: ScopePlan,
  frame: ScopeFrame,
  initial: Expression | undefined,
): string | undefined {
  const endsWithout = (step: Step): boolean => !hasOutput(kindOf(step)) && nextStepId(step) === undefined;
  if (settings.resultMode === "state" || !Object.values(steps).some(endsWithout)) return undefined;
  const name = frame.names.fresh("last");
  frame.variables.set(name, initial);
  return name;
}
