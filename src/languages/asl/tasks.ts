import { type Expression, freeVariables, variable } from "../../expressions/index.ts";
import type { TaskState } from "../../generated/asl-definition.ts";
import type { Seconds } from "../../ir/seconds.ts";
import type { Call, Callback } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { awaitsCallback, protocolOf, waitingOf } from "./callbacks.ts";
import { freshVariable, type Writer } from "./context.ts";
import { checkReference, effectiveInput, isJsonata, payloadOf, within } from "./data-flow.ts";
import { credentialsKept, ineffectiveHeartbeat, longHeartbeat, unsentToken } from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { queryFailure, runtimeFailure } from "./failures.ts";
import { jsonataAt } from "./jsonata-values.ts";
import { type Recovery, resultSteps } from "./results.ts";
import { wholeNumber } from "./seconds.ts";
import { pathAt } from "./templates.ts";

/** Calls a function named after the state with the payload, and waits for its result or a callback. */
export function lowerTask(writer: Writer<TaskState>): StepFragment {
  const { context, state, name, construct } = writer;
  const resource = spanOf(context, state, "Resource");
  if (state.Credentials !== undefined)
    context.report(credentialsKept(spanOf(context, state, "Credentials", "key"), {}));
  context.functions.push({ name, resource: state.Resource, protocol: protocolOf(state), span: resource });
  const token = awaitsCallback(state) ? writer.scope.names.fresh("token") : undefined;
  const input = effectiveInput(writer);
  const roots = { writer, input, token: token === undefined ? undefined : variable(token) };
  const argument = payloadOf(roots, { owner: state, key: "Parameters" });
  const limit = limitOf(writer, "TimeoutSeconds");
  const heartbeat = heartbeatOf(writer);
  const callback = token === undefined ? undefined : callbackOf(writer, token, heartbeat);
  if (waitingOf(state).kind === "token" && !freeVariables(argument).has(token!))
    context.report(unsentToken(resource, { isJsonata: isJsonata(writer) }));
  const call = (inner: Writer, recovery: () => Recovery): StepFragment =>
    step(
      inner,
      "call",
      construct.span,
      (base, next): Call => ({
        ...base,
        kind: "call",
        function: { name, span: resource },
        argument,
        wait: true,
        callback,
        timeout: limit?.seconds,
        spans: { timeout: limit?.span, argument: statedSpan(context, state, "Parameters") },
        ...recovery(),
        next,
      }),
    );
  const before = (inner: Writer): StepFragment =>
    sequence(...[limit, heartbeat].map((each) => each?.steps(inner) ?? noSteps));
  return resultSteps(writer, { before, run: call });
}

/** A limit of seconds, and the steps that compute it. */
interface Limit {
  readonly seconds: Seconds;
  readonly steps: (inner: Writer) => StepFragment;
  readonly span: Span;
}

type LimitField = "TimeoutSeconds" | "HeartbeatSeconds";

function callbackOf({ context, state }: Writer<TaskState>, token: string, heartbeat: Limit | undefined): Callback {
  const waiting = waitingOf(state);
  return {
    token,
    orResult: waiting.kind === "token" ? waiting.orResult : undefined,
    heartbeat: heartbeat?.seconds,
    spans: { heartbeat: heartbeat?.span },
    span: spanOf(context, state, "Resource"),
  };
}

/** The limit between heartbeats. Without a callback it is computed as well, since that may fail, but has no effect. */
function heartbeatOf(writer: Writer<TaskState>): Limit | undefined {
  const { context, state } = writer;
  const key = (["HeartbeatSeconds", "HeartbeatSecondsPath"] as const).find((each) => state[each] !== undefined);
  if (key !== undefined && !awaitsCallback(state))
    context.report(ineffectiveHeartbeat(spanOf(context, state, key, "key"), { field: key }));
  const { HeartbeatSeconds: heartbeat, TimeoutSeconds: timeout } = state;
  if (typeof heartbeat === "number" && typeof timeout === "number" && heartbeat >= timeout)
    context.report(longHeartbeat(spanOf(context, state, "HeartbeatSeconds"), { heartbeat, timeout }));
  return limitOf(writer, "HeartbeatSeconds");
}

/** The limit of an attempt, or between its heartbeats. */
function limitOf(writer: Writer<TaskState>, key: LimitField): Limit | undefined {
  const { context, state } = writer;
  const { [key]: seconds, [`${key}Path` as const]: given } = state;
  if (typeof seconds === "number")
    return { seconds: seconds as Seconds, steps: () => noSteps, span: spanOf(context, state, key) };
  if (isJsonata(writer) && isProgram(seconds)) return queriedLimit(writer, key);
  if (given === undefined) return undefined;
  const field = { owner: state, key: `${key}Path` };
  const span = spanOf(context, state, field.key);
  const path = pathAt({ writer, input: effectiveInput(writer) }, field);
  if (!path || !checkReference(writer, field, path)) return undefined;
  const failure = runtimeFailure(`The value of the field '${field.key}' is no integer from 1 to 99,999,999.`);
  return computedLimit(
    writer,
    key,
    within("limit", path.value, (given) => wholeNumber(given, 1, failure)),
    span,
  );
}

function computedLimit(writer: Writer, key: LimitField, value: Expression, span: Span): Limit {
  const part = key === "TimeoutSeconds" ? "limit" : "heartbeat";
  const limit = freshVariable(writer, part);
  return {
    seconds: variable(limit) as Seconds,
    steps: (inner) => assign(inner, part, span, { variable: limit, value }),
    span,
  };
}

/** The limit that an expression of JSONata gives. */
function queriedLimit(writer: Writer<TaskState>, key: LimitField): Limit {
  const { context, state } = writer;
  const given = jsonataAt({ writer }, { owner: state, key });
  const failure = queryFailure(`The value of the field '${key}' is no integer from 1 to 99,999,999.`);
  const value = within("limit", given, (seconds) => wholeNumber(seconds, 1, failure));
  return computedLimit(writer, key, value, spanOf(context, state, key));
}
