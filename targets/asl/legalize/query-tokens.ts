import { binary, conditional, type Expression, literal, object, variable } from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { innerScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Call, Emit, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { correlatedEvents, emitsReceivedToken } from "../correlation.ts";
import { intrinsics } from "../intrinsics.ts";
import { replaceSteps } from "./replace-steps.ts";

/** How a workflow asks which correlation value its run has. */
export interface TokenQueries {
  /** The function that is asked. */
  readonly query: string;
  /** The variable that holds the answer as an event is emitted, by the ids of the steps that do so; null: no event has set it. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * An event that a branch or an iteration receives may give the run its correlation value, though it assigns no variable of the states around it: before an event is
 * emitted that carries the value, the function is asked that takes events in.
 *
 *   Both/emit: emit Done  →  Both/emit: call token({ run }) -> token; Both/emit/event: emit Done
 */
export function queryTokens(
  given: Workflow,
  waits: string,
): { readonly workflow: Workflow; readonly tokens: TokenQueries | undefined } {
  if (!emitsReceivedToken(given) || !receivesWithin(given)) return { workflow: given, tokens: undefined };
  const { functions, variables, steps: ids } = workflowNames(given);
  const [ask, token] = [functions.fresh("token"), variables.fresh("token")];
  const names = correlatedEvents(given);
  const known = new Map<string, string>();
  const asking = (step: Emit): readonly Step[] => {
    const id = ids.fresh(`${step.id}/event`);
    known.set(id, token);
    const call: Call = {
      kind: "call",
      id: step.id,
      origin: { ...step.origin, part: "token" },
      span: step.span,
      function: { name: ask, span: step.span },
      argument: object([
        ["FunctionName", literal(waits)],
        ["Payload", object([["run", variable(intrinsics.execution)]])],
      ]),
      wait: true,
      retries: [],
      bind: token,
      handlers: [],
      next: { name: id, span: step.span },
    };
    return [call, { ...step, id, origin: { ...step.origin, entry: false } }];
  };
  const workflow = replaceSteps(given, (step, declare) => {
    if (step.kind !== "emit" || !names.has(step.event.name)) return [step];
    declare(token);
    return asking(step);
  });
  const definition = { name: ask, span: given.span };
  return {
    workflow: { ...workflow, functions: [...workflow.functions, definition] },
    tokens: { query: ask, variables: known },
  };
}

/** Whether branches or iterations of a workflow receive events. */
const receivesWithin = (workflow: Workflow): boolean =>
  stepsOf(workflow).some((step) => step.kind !== "attempt" && innerScopes(step).some(receives));

const receives = ({ steps }: Scope): boolean =>
  steps.some((step) => step.kind === "receive" || innerScopes(step).some(receives));

/** The run's correlation value: that which has been asked for, or the one that the run had as it began. */
export const currentToken = (known: Expression, first: Expression): Expression =>
  conditional(binary("==", known, literal(null)), first, known);
