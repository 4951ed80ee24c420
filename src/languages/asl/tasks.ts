import { variable } from "../../expressions/index.ts";
import type { TaskState } from "../../generated/asl-definition.ts";
import type { Seconds } from "../../ir/seconds.ts";
import type { Call } from "../../ir/workflow.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { freshVariable, type Writer } from "./context.ts";
import { checkReference, effectiveInput, payloadOf, within } from "./data-flow.ts";
import { credentialsKept, unsupportedField } from "./diagnostics/kinds.ts";
import { type Recovery, resultSteps } from "./results.ts";
import { wholeNumber } from "./seconds.ts";
import { pathAt } from "./templates.ts";

/** Calls a function named after the state with the payload. */
export function lowerTask(writer: Writer<TaskState>): StepFragment {
  const { context, state, name, construct } = writer;
  checkResource(writer);
  context.functions.push({ name, resource: state.Resource, span: spanOf(context, state, "Resource") });
  const input = effectiveInput(writer);
  const argument = payloadOf({ writer, input }, { owner: state, key: "Parameters" });
  const limit = limitOf(writer);
  const call = (inner: Writer, recovery: () => Recovery): StepFragment =>
    step(
      inner,
      "call",
      construct.span,
      (base, next): Call => ({
        ...base,
        kind: "call",
        function: { name, span: spanOf(context, state, "Resource") },
        argument,
        wait: true,
        timeout: limit?.seconds,
        spans: { timeout: limit?.span, argument: statedSpan(context, state, "Parameters") },
        ...recovery(),
        next,
      }),
    );
  return sequence(limit?.steps ?? noSteps, resultSteps(writer, call));
}

/** The limit of an attempt. */
function limitOf(writer: Writer<TaskState>) {
  const { context, state } = writer;
  for (const key of ["HeartbeatSeconds", "HeartbeatSecondsPath"] as const)
    if (state[key] !== undefined)
      context.report(unsupportedField(spanOf(context, state, key, "key"), { what: "A limit between heartbeats" }));
  const { TimeoutSeconds: seconds, TimeoutSecondsPath: given } = state;
  if (typeof seconds === "number")
    return { seconds: seconds as Seconds, steps: noSteps, span: spanOf(context, state, "TimeoutSeconds") };
  if (given === undefined) return undefined;
  const field = { owner: state, key: "TimeoutSecondsPath" };
  const span = spanOf(context, state, "TimeoutSecondsPath");
  const path = pathAt({ writer, input: effectiveInput(writer) }, field);
  if (!path || !checkReference(writer, field, path)) return undefined;
  const limit = freshVariable(writer, "limit");
  const message = "The limit of a Task is no integer from 1 to 99,999,999.";
  const value = within("limit", path.value, (given) => wholeNumber(given, 1, message));
  return {
    seconds: variable(limit) as Seconds,
    steps: assign(writer, "limit", span, { variable: limit, value }),
    span,
  };
}

/** Refuses what waits for a callback. */
function checkResource({ context, state }: Writer<TaskState>): void {
  const span = spanOf(context, state, "Resource");
  if (state.Resource.endsWith(".waitForTaskToken"))
    context.report(unsupportedField(span, { what: "A task that waits for a callback" }));
  else if (/:activity:/.test(state.Resource)) context.report(unsupportedField(span, { what: "An activity" }));
  if (state.Credentials !== undefined)
    context.report(credentialsKept(spanOf(context, state, "Credentials", "key"), {}));
}
