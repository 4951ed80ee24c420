import type { Document } from "../../documents/index.ts";
import type { Workflow as Definition, EventTrigger } from "../../generated/function-workflow-definition.ts";
import type { Start, Workflow } from "../../ir/workflow.ts";
import type { LowerContext } from "../../language.ts";
import type { Context } from "./context.ts";
import { failError, filterError, parameterError, permissionError, timeoutError } from "./errors.ts";
import { awaitedEntries, lowerEvents } from "./events.ts";
import { namedMembers, planScopes, startState } from "./plan.ts";
import { lowerScope } from "./states.ts";

/** Lowers a valid definition; reports all errors. */
export function lower(document: Document, { report, stem }: LowerContext): Workflow {
  const definition = document.value as unknown as Definition;
  const context: Context = {
    document,
    report,
    ...planScopes(document, report),
    definition,
    triggers: new Map(namedMembers<EventTrigger>(definition["trigger-defs"] ?? {})),
    functions: new Map(),
  };
  const start = lowerStart(context);
  const body = lowerScope(context, context.root, undefined);
  return {
    kind: "workflow",
    id: stem,
    name: stem,
    version: "0.1",
    language: "function-workflow",
    start,
    input: "data",
    body,
    functions: [...context.functions.values()],
    events: lowerEvents(context),
    errorNames: {
      expression: filterError,
      timeout: timeoutError,
      calls: { denied: permissionError, argument: parameterError, result: filterError, failed: failError },
    },
    span: document.start,
  };
}

function lowerStart(context: Context): Start {
  const silent = { ...context, report: () => {} };
  const name = startState(silent, context.root);
  const span = context.root.spanOfName(name);
  const state = context.root.states.get(name)!;
  if (state.type !== "EVENT") return { span };
  const on = awaitedEntries(silent, state).flatMap(({ alternatives }) => alternatives);
  return { on: on.map(({ within: _, ...each }) => each), create: "first", span };
}
