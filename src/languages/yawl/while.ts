import { balanced, binary, literal, variable } from "../../expressions/index.ts";
import type { WhileStep } from "../../generated/yawl-definition.ts";
import { truncate } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, reserve, type StepFragment, sequence } from "../shared/steps.ts";
import type { ScopeWriter, Writer } from "./context.ts";
import { requireObject } from "./data.ts";
import { conditionAt, type JqScope, raise } from "./expressions.ts";
import { outputFrom } from "./nested.ts";
import { lastOutputVariable, lowerSteps } from "./scopes.ts";
import { inputOf } from "./steps.ts";
import { finishStep } from "./transitions.ts";

/** Runs a loop on its own state; the result is the last iteration's, by default `{}`. */
export function lowerWhile(writer: Writer, step: WhileStep): StepFragment {
  const { context, scope, construct } = writer;
  const { frame } = scope;
  const fresh = (name: string): string => {
    const found = frame.names.fresh(name);
    frame.variables.set(found, undefined);
    return found;
  };
  const [state, counter, result] = [fresh("round"), fresh("counter"), fresh("looped")];
  const failing = raise("STEP_INVALID_ARGUMENT", `The input of while step ${truncate(writer.id)} is not an object.`);
  const begin = assign(
    writer,
    "begin",
    construct.span,
    { variable: state, value: requireObject(inputOf(writer, step, { counter: literal(0) }), failing) },
    { variable: counter, value: literal(0) },
    { variable: result, value: literal({}) },
  );
  const test = reserve(
    writer,
    "test",
    spanOf(context, step, step.condition === undefined ? "maxIterations" : "condition"),
  );
  const plan = scope.plan.inner.get(step.do)!;
  const lastOutput = lastOutputVariable(context, plan, frame, undefined);
  const untouched = lastOutput
    ? assign(writer, "untouched", construct.span, { variable: lastOutput, value: variable(state) })
    : noSteps;
  const round: ScopeWriter = {
    plan,
    frame,
    state,
    global: scope.global,
    lastOutput,
    isLoopBody: true,
    leave: (inner, value) =>
      sequence(
        assign(
          inner,
          "round",
          inner.construct.span,
          { variable: result, value },
          { variable: counter, value: binary("+", variable(counter), literal(1)) },
          ...(lastOutput ? [{ variable: lastOutput, value: variable(state) }] : []),
        ),
        () => test.reference,
      ),
  };
  const entry = lowerSteps(context, round);
  const when = conditionOf(writer, step, {
    input: variable(state),
    isObject: true,
    global: scope.global,
    counter: variable(counter),
  });
  const after = finishStep(writer, step, outputFrom(writer, step, result, true));
  return (next) => {
    const otherwise = after(next);
    const cases = [{ when, next: entry, span: test.base.span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise });
    return sequence(begin, untouched)(test.reference);
  };
}

function conditionOf(
  { context }: Writer,
  step: WhileStep,
  jqScope: JqScope & { readonly counter: NonNullable<JqScope["counter"]> },
) {
  const { condition, maxIterations } = step;
  return balanced("and", [
    ...(maxIterations === undefined ? [] : [binary("<", jqScope.counter, literal(maxIterations))]),
    ...(condition === undefined ? [] : [conditionAt(context, step, "condition", jqScope)]),
  ]);
}
