import { evaluateOne, variable } from "../expressions/index.ts";
import { isObject, type Json, own } from "../json.ts";
import { errorNameIn, stepTimeoutError } from "./errors.ts";
import { type WorkflowNames, workflowNames } from "./names.ts";
import { checkedSeconds } from "./seconds.ts";
import type { Attempt, End, ErrorValue, RunLimit, Scope, Seconds, Step, StepOrigin, Workflow } from "./workflow.ts";

/**
 * Replaces the limit of a workflow's runs by an attempt around its steps, without handlers: what the limit means.
 * Returns the same workflow if it has none.
 */
export function limitRun<W extends Workflow>(workflow: W): W {
  const { timeout, body } = workflow;
  if (!timeout) return workflow;
  const names = workflowNames(workflow);
  const result = names.variables.fresh("result");
  const end = names.steps.fresh("end");
  const computed = computeLimit(timeout, workflow, names);
  const attempt: Attempt = {
    ...limitedBody(names.steps.fresh("timeout"), body, { ...timeout, seconds: computed.seconds }, workflow),
    bind: result,
    next: { name: end, span: timeout.span },
  };
  const steps = [...computed.stepsBefore(attempt.id), attempt, endWith(end, result, attempt)];
  return { ...workflow, timeout: undefined, body: replaceBody(body, steps, [result, ...computed.variables]) };
}

/** A limit as a step can have it: constant, or the value of a variable that a step before it computes. */
export interface ComputedLimit {
  readonly seconds: Seconds;
  readonly variables: readonly string[];
  stepsBefore(next: string): readonly Step[];
}

/** Computes a limit if it is an expression. */
export function computeLimit(
  { seconds, span }: RunLimit,
  workflow: Workflow,
  { steps, variables }: WorkflowNames,
): ComputedLimit {
  if (typeof seconds === "number") return { seconds, variables: [], stepsBefore: () => [] };
  const name = variables.fresh("limit");
  const value = checkedSeconds(seconds, "The limit of the run", "positive", workflow.errorNames);
  const id = steps.fresh("timeout/seconds");
  return {
    seconds: variable(name),
    variables: [name],
    stepsBefore: (next) => [
      {
        kind: "assign",
        id,
        origin: limitOrigin(workflow),
        span,
        values: [{ variable: name, value }],
        next: { name: next, span },
      },
    ],
  };
}

/** Computes the error with which the platform's end of a run at its limit is reported. */
export function withLimitError<W extends Workflow>(workflow: W): W {
  const { timeout, raisedError, errorNames } = workflow;
  if (!timeout) return workflow;
  const error: ErrorValue = { ...stepTimeoutError, name: errorNameIn(stepTimeoutError, errorNames) };
  if (!raisedError) return { ...workflow, timeout: { ...timeout, error } };
  const { origin, name, message } = error;
  const variables = new Map<string, Json>([
    ["error", { origin, name, message }],
    ["pointer", ""],
  ]);
  const raised = evaluateOne(raisedError, { input: null, variables });
  const part = (key: string): Json | undefined => (isObject(raised) ? own(raised, key) : undefined);
  const told = { name: String(part("name")), message: String(part("message")), data: part("data") };
  return { ...workflow, timeout: { ...timeout, error: { origin, ...told } } };
}

/** An attempt that executes the steps of a body within a limit. */
export const limitedBody = (
  id: string,
  { entry, steps, span: place }: Scope,
  { seconds, span }: RunLimit,
  workflow: Workflow,
): Omit<Attempt, "next"> => ({
  kind: "attempt",
  id,
  origin: limitOrigin(workflow),
  span,
  body: { entry, variables: [], steps, span: place },
  restore: [],
  timeout: seconds,
  spans: { timeout: span },
  retries: [],
  handlers: [],
});

/** The origin of steps that limit a run. Their errors are those of the whole document. */
export const limitOrigin = ({ name, raisedError }: Workflow): StepOrigin => ({
  noun: "workflow",
  name,
  entry: false,
  part: "timeout",
  ...(raisedError ? { pointer: "" } : {}),
});

/** An end of a body with the value of a variable. */
export const endWith = (id: string, result: string, { origin, span }: Step): End => ({
  kind: "end",
  id,
  origin,
  span,
  outcome: "leave",
  extent: "scope",
  value: variable(result),
});

/** A body with other steps, beginning with its entry, and further variables. */
export const replaceBody = (body: Scope, steps: readonly Step[], added: readonly string[]): Scope => ({
  ...body,
  entry: { name: steps[0]!.id, span: body.entry.span },
  variables: [...body.variables, ...added.map((name) => ({ name }))],
  steps,
});
