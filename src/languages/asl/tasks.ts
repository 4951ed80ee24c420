import { type Expression, variable } from "../../expressions/index.ts";
import type { TaskState } from "../../generated/asl-definition.ts";
import type { Seconds } from "../../ir/seconds.ts";
import type { Call } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, step } from "../shared/steps.ts";
import { freshVariable, type Writer } from "./context.ts";
import { checkReference, effectiveInput, isJsonata, payloadOf, within } from "./data-flow.ts";
import { credentialsKept, unsupportedField } from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { queryFailure, runtimeFailure } from "./failures.ts";
import { jsonataAt } from "./jsonata-values.ts";
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
  return resultSteps(writer, { before: (inner) => limit?.steps(inner) ?? noSteps, run: call });
}

/** The limit of an attempt. */
function limitOf(writer: Writer<TaskState>) {
  const { context, state } = writer;
  for (const key of ["HeartbeatSeconds", "HeartbeatSecondsPath"] as const)
    if (state[key] !== undefined)
      context.report(unsupportedField(spanOf(context, state, key, "key"), { what: "A limit between heartbeats" }));
  const { TimeoutSeconds: seconds, TimeoutSecondsPath: given } = state;
  if (typeof seconds === "number")
    return { seconds: seconds as Seconds, steps: () => noSteps, span: spanOf(context, state, "TimeoutSeconds") };
  if (isJsonata(writer) && isProgram(seconds)) return queriedLimit(writer);
  if (given === undefined) return undefined;
  const field = { owner: state, key: "TimeoutSecondsPath" };
  const span = spanOf(context, state, "TimeoutSecondsPath");
  const path = pathAt({ writer, input: effectiveInput(writer) }, field);
  if (!path || !checkReference(writer, field, path)) return undefined;
  const limit = freshVariable(writer, "limit");
  const message = "The limit of a Task is no integer from 1 to 99,999,999.";
  const value = within("limit", path.value, (given) => wholeNumber(given, 1, runtimeFailure(message)));
  return computedLimit(limit, value, span);
}

const computedLimit = (limit: string, value: Expression, span: Span) => ({
  seconds: variable(limit) as Seconds,
  steps: (inner: Writer) => assign(inner, "limit", span, { variable: limit, value }),
  span,
});

/** The limit that an expression of JSONata gives. */
function queriedLimit(writer: Writer<TaskState>) {
  const { context, state } = writer;
  const given = jsonataAt({ writer }, { owner: state, key: "TimeoutSeconds" });
  const failure = queryFailure("The value of the field 'TimeoutSeconds' is no integer from 1 to 99,999,999.");
  const value = within("limit", given, (seconds) => wholeNumber(seconds, 1, failure));
  return computedLimit(freshVariable(writer, "limit"), value, spanOf(context, state, "TimeoutSeconds"));
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
