import {
  balanced,
  binary,
  type Expression,
  freeVariables,
  literal,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { WhileStep } from "../../generated/yawl-definition.ts";
import type { Assign } from "../../ir/workflow.ts";
import { truncate } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, reserve, type StepFragment, sequence } from "../shared/steps.ts";
import type { ScopeWriter, Writer } from "./context.ts";
import { requireObject } from "./data.ts";
import { invalidIterations, unvaryingInput } from "./diagnostics/kinds.ts";
import { conditionAt, type JqScope, jsonAt, raise, stringAt } from "./expressions.ts";
import { outputFrom } from "./nested.ts";
import { integerSyntax, wholeNumberIn } from "./numbers.ts";
import { lastOutputVariable, lowerSteps } from "./scopes.ts";
import { stateScope } from "./steps.ts";
import { finishStep } from "./transitions.ts";

/**
 * Runs a loop on its own state, which is at first the state of the scope. `condition` and then `input` are evaluated
 * over it in each round; the steps of a round leave it to the next one. The result is the last round's, by default `{}`.
 */
export function lowerWhile(writer: Writer, step: WhileStep): StepFragment {
  const { context, scope, construct } = writer;
  const { frame } = scope;
  const fresh = (name: string): string => {
    const found = frame.names.fresh(name);
    frame.variables.set(found, undefined);
    return found;
  };
  const [state, counter, result] = [fresh("round"), fresh("counter"), fresh("looped")];
  const loopScope: LoopScope = {
    input: variable(state),
    isObject: true,
    global: scope.global,
    counter: variable(counter),
  };
  const limit = iterationLimit(writer, step, fresh);
  const begin = assign(
    writer,
    "begin",
    construct.span,
    { variable: state, value: variable(scope.state) },
    { variable: counter, value: literal(0) },
    { variable: result, value: literal({}) },
    ...limit.values,
  );
  const test = reserve(
    writer,
    "test",
    spanOf(context, step, step.condition === undefined ? "max_iterations" : "condition"),
  );
  const plan = scope.plan.inner.get(step.do)!;
  const lastOutput = lastOutputVariable(context, plan, frame, undefined);
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
        ),
        () => test.reference,
      ),
  };
  const entry = lowerSteps(context, round);
  const enter = sequence(
    roundInput(writer, step, state, loopScope),
    lastOutput
      ? assign(writer, "untouched", construct.span, { variable: lastOutput, value: variable(state) })
      : noSteps,
  );
  const when = balanced("and", [
    ...(limit.most ? [binary("<", loopScope.counter, limit.most)] : []),
    ...(step.condition === undefined ? [] : [conditionAt(context, step, "condition", loopScope)]),
  ]);
  const after = finishStep(writer, step, outputFrom(writer, step, result, true));
  return (next) => {
    const otherwise = after(next);
    const cases = [{ when, next: enter(entry), span: test.base.span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise });
    return begin(test.reference);
  };
}

type LoopScope = JqScope & { readonly counter: Expression };

/** The state with which a round starts. */
function roundInput(writer: Writer, step: WhileStep, state: string, scope: LoopScope): StepFragment {
  if (step.input === undefined) return noSteps;
  const { context } = writer;
  const span = spanOf(context, step, "input");
  const input = jsonAt(context, step, "input", scope);
  const read = freeVariables(input);
  if (![scope.input, scope.counter].some((each) => each.kind === "variable" && read.has(each.name)))
    context.report(unvaryingInput(span, {}));
  const failing = raise("STEP_INVALID_ARGUMENT", `The input of while step ${truncate(writer.id)} is not an object.`);
  return assign(writer, "input", span, { variable: state, value: simplify(requireObject(input, failing)) });
}

/** The maximum number of rounds, which is evaluated before the first one. */
function iterationLimit(
  writer: Writer,
  step: WhileStep,
  fresh: (name: string) => string,
): { readonly most: Expression | undefined; readonly values: Assign["values"] } {
  const { max_iterations: written } = step;
  if (typeof written !== "string") return { most: written === undefined ? undefined : literal(written), values: [] };
  const { context, id } = writer;
  const text = simplify(stringAt(context, step, "max_iterations", stateScope(writer)));
  if (text.kind === "literal") {
    const number = /^\s*[0-9]{1,15}\s*$/.test(String(text.value)) ? Number(text.value) : 0;
    if (number < 1)
      context.report(invalidIterations(spanOf(context, step, "max_iterations"), { text: String(text.value) }));
    return { most: literal(number), values: [] };
  }
  const failing = raise("STEP_INVALID_ARGUMENT", `While step ${truncate(id)} gives no whole number of iterations.`);
  const limit = fresh("limit");
  const value = simplify(wholeNumberIn(text, integerSyntax, failing));
  return { most: variable(limit), values: [{ variable: limit, value }] };
}
