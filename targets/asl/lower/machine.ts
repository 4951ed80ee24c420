import { type Expression, object, substitute, variable } from "../../../src/expressions/index.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Machine } from "../machine.ts";
import type { Substitutions } from "../substitutions.ts";
import { type MachineContext, openScope, unset } from "./context.ts";
import { inputDocument, inScope, provided, resolve, withValues } from "./environment.ts";
import { correlationVariable } from "./liveness.ts";
import { lowerScope } from "./scope.ts";

/** A workflow as a machine without names, and what of it turned out to have no exact form. */
export function lowerWorkflow(
  workflow: Workflow,
  substitutions: Substitutions,
): { readonly machine: Machine; readonly problems: MachineContext["problems"] } {
  const correlated = new Set(
    workflow.events.filter(({ correlationAttribute }) => correlationAttribute !== undefined).map(({ name }) => name),
  );
  const context: MachineContext = {
    workflow,
    substitutions,
    events: new Map(workflow.events.map((event) => [event.name, event])),
    correlated: workflow.correlation ? correlated : new Set(),
    problems: [],
  };
  const opened = openScope(workflow.body, context, undefined, [correlationVariable]);
  const given = new Map<string, Expression>([
    [workflow.input, inputDocument],
    [correlationVariable, correlationOf(workflow)],
  ]);
  const inputs = inScope(new Map([[workflow.input, inputDocument]]), undefined);
  for (const { name, initial } of workflow.body.variables) {
    if (name !== workflow.input) given.set(name, initial ? resolve(initial, inputs) : unset);
  }
  const values = new Map([...opened.scope.variables.map(({ name }) => [name, unset] as const), ...given]);
  return { machine: lowerScope(opened, withValues(opened.canonical, values)), problems: context.problems };
}

/** The run's correlation value as it starts: what the workflow says, over the input and the name of the execution. */
function correlationOf({ correlation, input }: Workflow): Expression {
  if (!correlation) return unset;
  const run = object([["id", variable(provided.run)]]);
  return resolve(
    substitute(correlation, new Map([["run", run]])),
    inScope(new Map([[input, inputDocument]]), undefined),
  );
}
