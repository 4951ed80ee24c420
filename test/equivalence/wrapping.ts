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

/**
 * Wraps a percentage of a program's expressions. The arguments of functions with source text stay objects, which the
 * declarations of these functions require.
 */
export function wrapSome(program: Program, seed: number, percent: number): Program {
  const pick = picker(seed);
  const perhaps = (expression: Expression): Expression => (pick(100) < percent ? wrap(expression) : expression);
  return programOf(
    program.workflows.map((workflow): Workflow => {
      const scripts = new Set(
        workflow.functions.flatMap(({ name, protocol }) => (protocol?.kind === "script" ? name : [])),
      );
      const change = { perhaps, isScript: (name: string) => scripts.has(name) };
      return { ...workflow, body: mapScope(workflow.body, change, workflow.input) };
    }),
  );
}

interface ExpressionChange {
  perhaps(expression: Expression): Expression;
  isScript(name: string): boolean;
}

function mapScope(scope: Scope, change: ExpressionChange, input?: string): Scope {
  const variables = scope.variables.map(({ name, initial }) =>
    initial && name !== input ? { name, initial: change.perhaps(initial) } : { name, initial },
  );
  return { ...scope, variables, steps: scope.steps.map((step) => mapRecovery(mapStep(step, change), change)) };
}

function mapRecovery(step: Step, change: ExpressionChange): Step {
  if (!("retries" in step)) return step;
  const over = <T extends Retry | Handler>(one: T): T => ({ ...one, when: change.perhaps(one.when) });
  return { ...step, retries: step.retries.map(over), handlers: step.handlers.map(over) } as Step;
}

function mapStep(step: Step, change: ExpressionChange): Step {
  switch (step.kind) {
    case "assign":
      return { ...step, values: step.values.map((each) => ({ ...each, value: change.perhaps(each.value) })) };
    case "choose":
      return { ...step, cases: step.cases.map((each) => ({ ...each, when: change.perhaps(each.when) })) };
    case "call":
      return change.isScript(step.function.name) ? step : { ...step, argument: change.perhaps(step.argument) };
    case "invoke":
      return { ...step, input: change.perhaps(step.input) };
    case "emit":
      return { ...step, data: change.perhaps(step.data) };
    case "end":
      return { ...step, value: change.perhaps(step.value) };
    case "delay":
      return step.wait.kind === "for"
        ? { ...step, wait: { kind: "for", seconds: change.perhaps(step.wait.seconds) } }
        : step;
    case "foreach":
      return { ...step, items: change.perhaps(step.items), scope: mapScope(step.scope, change) };
    case "fork":
      return { ...step, branches: step.branches.map((each) => ({ ...each, scope: mapScope(each.scope, change) })) };
    case "attempt":
      return { ...step, body: mapScope(step.body, change) };
    default:
      return step;
  }
}
