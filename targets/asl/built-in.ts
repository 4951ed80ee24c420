import { canFail, literal } from "../../src/expressions/index.ts";
import { namesOf } from "../../src/ir/names.ts";
import { type BuiltIn, builtInOf } from "../../src/ir/protocols.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Call, Delay, Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import { assertNever } from "../../src/json.ts";

/** What of a call of a function this target has no form for: the end of "has no exact form for …". Undefined where there is nothing. */
export function refusedCall(step: Call, { functions }: Workflow): string | undefined {
  const protocol = functions.find(({ name }) => name === step.function.name)?.protocol;
  switch (protocol?.kind) {
    case "secret":
      return "reading a secret: what a state gives is kept in the history of the execution";
    case "script":
      return `the script of function \`${step.function.name}\``;
    case "clock":
    case "random":
    case "id":
      return canFail(step.argument) ? "a built-in function whose argument may fail" : undefined;
    default:
      return undefined;
  }
}

/** The built-in function of JSONata that a call is, if it is one. */
export function builtInCall(step: Call, { functions }: Workflow): BuiltIn | undefined {
  return builtInOf(functions.find(({ name }) => name === step.function.name)?.protocol);
}

/**
 * The workflow with a wait for nothing behind each call of what is built in. Otherwise steps that follow could be put into the state that calls, and
 * would each have a value of their own where the workflow has one.
 */
export function withBuiltInsAlone(workflow: Workflow): Workflow {
  const isBuiltIn = (step: Step): step is Call => step.kind === "call" && builtInCall(step, workflow) !== undefined;
  if (!stepsOf(workflow).some(isBuiltIn)) return workflow;
  const { steps: names } = namesOf(workflow);
  const alone = (step: Call): readonly Step[] => {
    const id = names.fresh(`${step.id}/given`);
    const { origin, span } = step;
    const wait: Delay["wait"] = { kind: "for", seconds: literal(0) };
    const given: Delay = { kind: "delay", id, origin: { ...origin, entry: false }, span, wait, next: step.next };
    return [{ ...step, argument: literal(null), retries: [], handlers: [], next: { name: id, span } }, given];
  };
  const inScope = (scope: Scope): Scope => ({
    ...scope,
    steps: scope.steps.flatMap((step) => (isBuiltIn(step) ? alone(step) : [within(step, inScope)])),
  });
  return { ...workflow, body: inScope(workflow.body) };
}

function within(step: Step, inScope: (scope: Scope) => Scope): Step {
  switch (step.kind) {
    case "fork":
      return { ...step, branches: step.branches.map((branch) => ({ ...branch, scope: inScope(branch.scope) })) };
    case "foreach":
      return { ...step, scope: inScope(step.scope) };
    case "attempt":
      return { ...step, body: inScope(step.body) };
    case "assign":
    case "choose":
    case "call":
    case "delay":
    case "receive":
    case "emit":
    case "invoke":
    case "end":
      return step;
    default:
      return assertNever(step);
  }
}
