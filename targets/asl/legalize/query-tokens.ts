import { binary, conditional, type Expression, literal, object, variable } from "../../../src/expressions/index.ts";
import { workflowNames } from "../../../src/ir/names.ts";
import { innerScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Call, Emit, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { threadJumps } from "../../../src/passes/index.ts";
import { correlatedEvents, emitsReceivedToken } from "../correlation.ts";
import { intrinsics } from "../intrinsics.ts";
import { replaceSteps } from "./replace-steps.ts";

/** A workflow's queries for its run's correlation value. */
export interface TokenQueries {
  readonly query: string;
  /** The variable with the result for each emitting step; null if no event has set the value. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Queries the run's correlation value before emitting an event that carries it: events received in a branch or
 * iteration may set it, but cannot assign outer variables.
 *
 *   Both/emit: emit Done → Both/emit: call token({ run }) -> token; Both/emit/event: emit Done
 */
export function queryTokens(
  source: Workflow,
  waits: string,
): { readonly workflow: Workflow; readonly tokens: TokenQueries | undefined } {
  // A workflow whose waits are unreachable has no function that could be queried.
  const reachable = threadJumps.run(source);
  if (!emitsReceivedToken(reachable) || !receivesWithin(reachable)) return { workflow: source, tokens: undefined };
  const { functions, variables, steps: ids } = workflowNames(source);
  const [query, token] = [functions.fresh("token"), variables.fresh("token")];
  const names = correlatedEvents(source);
  const variablesByStep = new Map<string, string>();
  const addQuery = (step: Emit): readonly Step[] => {
    const id = ids.fresh(`${step.id}/event`);
    variablesByStep.set(id, token);
    const call: Call = {
      kind: "call",
      id: step.id,
      origin: { ...step.origin, part: "token" },
      span: step.span,
      function: { name: query, span: step.span },
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
  const workflow = replaceSteps(source, (step, declare) => {
    if (step.kind !== "emit" || !names.has(step.event.name)) return [step];
    declare(token);
    return addQuery(step);
  });
  const definition = { name: query, span: source.span };
  return {
    workflow: { ...workflow, functions: [...workflow.functions, definition] },
    tokens: { query, variables: variablesByStep },
  };
}

const receivesWithin = (workflow: Workflow): boolean =>
  stepsOf(workflow).some((step) => step.kind !== "attempt" && innerScopes(step).some(receives));

const receives = ({ steps }: Scope): boolean =>
  steps.some((step) => step.kind === "receive" || innerScopes(step).some(receives));

/** The queried correlation value, or the initial one. */
export const currentToken = (queried: Expression, first: Expression): Expression =>
  conditional(binary("==", queried, literal(null)), first, queried);
