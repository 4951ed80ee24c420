import type { Expression } from "../../src/expressions/core/ast.ts";
import { literal, object } from "../../src/expressions/core/build.ts";
import type { Handler, Program, Retry, Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import { picker } from "./arbitraries.ts";

/** Wraps an expression so that its value stays the same but JSONata cannot express it. */
export const wrap = (expression: Expression): Expression => ({
  kind: "access",
  source: object([["__proto__", expression]]),
  key: literal("__proto__"),
  optional: false,
});

/** Wraps a percentage of a program's expressions. */
export function wrapSome(program: Program, seed: number, percent: number): Program {
  const pick = picker(seed);
  const perhaps = (expression: Expression): Expression => (pick(100) < percent ? wrap(expression) : expression);
  return programOf(
    program.workflows.map(
      (workflow): Workflow => ({ ...workflow, body: mapScope(workflow.body, perhaps, workflow.input) }),
    ),
  );
}

type ExpressionChange = (expression: Expression) => Expression;

function mapScope(scope: Scope, change: ExpressionChange, input?: string): Scope {
  const variables = scope.variables.map(({ name, initial }) =>
    initial && name !== input ? { name, initial: change(initial) } : { name, initial },
  );
  return { ...scope, variables, steps: scope.steps.map((step) => mapRecovery(mapStep(step, change), change)) };
}

function mapRecovery(step: Step, change: ExpressionChange): Step {
  if (!("retries" in step)) return step;
  const over = <T extends Retry | Handler>(one: T): T => ({ ...one, when: change(one.when) });
  return { ...step, retries: step.retries.map(over), handlers: step.handlers.map(over) } as Step;
}

function mapStep(step: Step, change: ExpressionChange): Step {
  switch (step.kind) {
    case "assign":
      return { ...step, values: step.values.map((each) => ({ ...each, value: change(each.value) })) };
    case "choose":
      return { ...step, cases: step.cases.map((each) => ({ ...each, when: change(each.when) })) };
    case "call":
      return { ...step, argument: change(step.argument) };
    case "invoke":
      return { ...step, input: change(step.input) };
    case "emit":
      return { ...step, data: change(step.data) };
    case "end":
      return { ...step, value: change(step.value) };
    case "delay":
      return step.wait.kind === "for" ? { ...step, wait: { kind: "for", seconds: change(step.wait.seconds) } } : step;
    case "foreach":
      return { ...step, items: change(step.items), scope: mapScope(step.scope, change) };
    case "fork":
      return { ...step, branches: step.branches.map((each) => ({ ...each, scope: mapScope(each.scope, change) })) };
    case "attempt":
      return { ...step, body: mapScope(step.body, change) };
    default:
      return step;
  }
}
