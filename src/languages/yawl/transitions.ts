import { type Expression, simplify, variable } from "../../expressions/index.ts";
import type { Assign, Reference } from "../../ir/workflow.ts";
import { assign, complete, declare, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { mergeOutput, requireObject } from "./data.ts";
import { stepReference } from "./plan.ts";

/** The output of a step, explicit or not. */
export interface StepOutput {
  readonly value: Expression;
  readonly isExplicit: boolean;
  readonly isObject?: boolean | undefined;
}

/** The end of a step. */
export interface StepEnding {
  readonly values: Assign["values"];
  /** Undefined leaves the scope with the result. */
  readonly target: Reference | undefined;
  readonly result: Expression;
}

/** The end of a step with output. `apart`: stored first. */
export function endingOf(writer: Writer, owner: object, output: StepOutput, apart = false): StepEnding {
  const { context, scope } = writer;
  const { isExplicit } = output;
  const state = variable(scope.state);
  const value = simplify(output.value);
  const isObject = output.isObject || (value.kind === "variable" && value.name === scope.state);
  const whole = isObject ? value : requireObject(value);
  const target = nextReference(writer, owner);
  const updated = mergeOutput(state, value);
  const isOutput = isExplicit || context.settings.resultMode === "last-output";
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

/** Assigns the values of an ending. */
export const storeValues = (writer: Writer, { values }: StepEnding): StepFragment =>
  values.length === 0 ? noSteps : assign(writer, "merge", writer.construct.span, ...values);

/** Continues, or leaves the scope with the result. */
export const continueAfter = (writer: Writer, { target, result }: StepEnding): StepFragment =>
  target ? () => target : writer.scope.leave(writer, result);

/** Stores the output, then continues. */
export function finishStep(writer: Writer, owner: object, output: StepOutput): StepFragment {
  const ending = endingOf(writer, owner, output);
  return sequence(storeValues(writer, ending), continueAfter(writer, ending));
}

/** Continues after a step without output. */
export function passThrough(writer: Writer, owner: object): StepFragment {
  const { scope } = writer;
  const target = nextReference(writer, owner);
  return target ? () => target : scope.leave(writer, variable(scope.lastOutput ?? scope.state));
}

/** Completes the steps of one source step. */
export const completeStep = (writer: Writer, ...fragments: readonly StepFragment[]): Reference =>
  complete(sequence(...fragments), writer.construct.span);

/** The next step in `owner[key]`, if any. */
export function nextReference(writer: Writer, owner: object, key = "next"): Reference | undefined {
  if (!Object.hasOwn(owner, key)) return undefined;
  return stepReference(writer.context, writer.scope.plan, owner as { readonly [key: string]: unknown }, key);
}
