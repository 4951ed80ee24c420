import { type Expression, simplify, variable } from "../../expressions/index.ts";
import type { Step } from "../../generated/yawl-definition.ts";
import { createNames, identifierStyle, type NameScope } from "../../ir/names.ts";
import type { Assign, Reference, Scope } from "../../ir/workflow.ts";
import { assign, complete, declare, end, type Fragment, noSteps, sequence, spanOf, stepsIn } from "../shared/index.ts";
import { type Context, createWriter, type ScopeFrame, type ScopeWriter, type Writer } from "./context.ts";
import { mergeOutput, requireObject } from "./data.ts";
import { nextReference, type ScopePlan, startStep } from "./plan.ts";
import { hasOutput, kindOf, nextStepId } from "./step-kinds.ts";
import { lowerStep } from "./steps.ts";

/** The variables of a new scope of the IR; those that it begins with have their first values. */
export function createFrame(isOutermost: boolean, variables: ScopeFrame["variables"], around?: NameScope): ScopeFrame {
  const names = around ? around.inner(variables.keys()) : createNames(variables.keys(), identifierStyle);
  return { slots: [], variables, names, isOutermost };
}

/** Lowers the steps of a branch, of an iteration or of the workflow to a scope of the IR. */
export function lowerScope(
  context: Context,
  plan: ScopePlan,
  frame: ScopeFrame,
  { global, initial }: { readonly global: Expression; readonly initial: Expression | undefined },
): Scope {
  const last = lastOutputVariable(context, plan, frame, initial);
  const scope: ScopeWriter = { plan, frame, state: stateName, global, lastOutput: last, leave: leaveScope };
  const entry = lowerSteps(context, scope);
  const declared = [...frame.variables].map(([name, initial]) => ({ name, initial }));
  return { entry, variables: declared, steps: stepsIn(frame), span: spanOf(context, plan.owner) };
}

/** The variable that holds the state of a scope. */
export const stateName = "state";

const leaveScope = (writer: Writer, result: Expression): Fragment =>
  end(writer, "end", writer.construct.span, { outcome: "leave", extent: "scope", value: result });

/** Lowers the steps of a scope into its frame; the first of them. */
export function lowerSteps(context: Context, scope: ScopeWriter): Reference {
  const { plan } = scope;
  for (const [id, step] of Object.entries(plan.steps)) {
    const kind = kindOf(step);
    lowerStep(createWriter(context, scope, id, kind), kind, step);
  }
  return startStep(context, plan);
}

/** The variable for what the last step has put out, where a scope may end in a step that cannot, and its result is the output of the one before. */
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

/** What a step has put out, and whether it says so itself. */
export interface StepOutput {
  readonly value: Expression;
  readonly isExplicit: boolean;
  /** Whether it is an object whatever happens. */
  readonly isObject?: boolean | undefined;
}

/** How a step is over. */
export interface StepEnding {
  /** What is kept in variables. */
  readonly values: Assign["values"];
  /** The step that follows; absent: the scope is left with the result. */
  readonly target: Reference | undefined;
  readonly result: Expression;
}

/** The end of a step that has put something out. With `apart`, nothing is left to compute when the scope is left. */
export function endingOf(writer: Writer, owner: object, output: StepOutput, apart = false): StepEnding {
  const { context, scope } = writer;
  const { isExplicit: isSaid } = output;
  const state = variable(scope.state);
  const value = simplify(output.value);
  const isObject = output.isObject || (value.kind === "variable" && value.name === scope.state);
  const whole = isObject ? value : requireObject(value);
  const target = nextReference(writer, owner);
  const updated = mergeOutput(state, value);
  const isOutput = isSaid || context.settings.resultMode === "last-output";
  if (target) {
    const last = scope.lastOutput === undefined ? [] : [{ variable: scope.lastOutput, value: whole }];
    return { values: [{ variable: scope.state, value: updated }, ...last], target, result: updated };
  }
  const result = isOutput ? whole : updated;
  if (scope.isLoopBody) {
    const next = { variable: scope.state, value: updated };
    if (!isOutput) return { values: [next], target, result: state };
    const kept = declare(writer, "output");
    return { values: [next, { variable: kept, value: result }], target, result: variable(kept) };
  }
  if (!apart) return { values: [], target, result };
  const kept = declare(writer, "output");
  return { values: [{ variable: kept, value: result }], target, result: variable(kept) };
}

/** Keeps what is to be kept when a step is over. */
export const storeValues = (writer: Writer, { values }: StepEnding): Fragment =>
  values.length === 0 ? noSteps : assign(writer, "merge", writer.construct.span, ...values);

/** Goes on to the step that follows, or leaves the scope with its result. */
export const continueAfter = (writer: Writer, { target, result }: StepEnding): Fragment =>
  target ? () => target : writer.scope.leave(writer, result);

/** Keeps what is to be kept, and goes on. */
export function finishStep(writer: Writer, owner: object, output: StepOutput): Fragment {
  const ending = endingOf(writer, owner, output);
  return sequence(storeValues(writer, ending), continueAfter(writer, ending));
}

/** The end of a step that has put nothing out. */
export function passThrough(writer: Writer, owner: object): Fragment {
  const { scope } = writer;
  const target = nextReference(writer, owner);
  return target ? () => target : scope.leave(writer, variable(scope.lastOutput ?? scope.state));
}

/** Completes the steps of one step of the source. */
export const completeStep = (writer: Writer, ...fragments: readonly Fragment[]): Reference =>
  complete(sequence(...fragments), writer.construct.span);
