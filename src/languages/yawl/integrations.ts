import {
  bind,
  canFail,
  type Expression,
  effectsOf,
  literal,
  minJsonBytes,
  outputError,
  simplify,
  variable,
} from "../../expressions/index.ts";
import { type CatchRule, interpolated, type RetryPolicy, type WorkflowStep } from "../../generated/yawl-definition.ts";
import type { Call, Handler, Invoke, Reference, Retry, SecretRead, StepBase } from "../../ir/workflow.ts";
import type { JsonObject } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { payloadOf } from "../shared/payload.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { declare, type ReservedStep, reserve, reserveAttempt, type StepFragment, sequence } from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import { stepInputTooLarge } from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";
import { anyError, handlersOf, retriesOf } from "./errors.ts";
import { type JqScope, jsonAt, literalAt, type SecretReference, stringAt, templateError } from "./expressions.ts";
import { outputFrom } from "./nested.ts";
import { protocolOf } from "./protocols.ts";
import type { IntegrationKind, IntegrationStep } from "./step-kinds.ts";
import { inputOf, stateScope } from "./steps.ts";
import { continueAfter, endingOf, finishStep, type StepOutput, storeValues } from "./transitions.ts";

/** In seconds. */
const maxAttemptTime = 900;

const maxPayloadBytes = 2 * 1024 * 1024;

/** Lowers an integration step; retries also cover the output. */
export function lowerIntegration(writer: Writer, kind: IntegrationKind, step: IntegrationStep): StepFragment {
  const { context } = writer;
  const policy = step.retryPolicy ?? context.definition.defaultRetryPolicy;
  const rules = step.catch ?? [];
  const job: IntegrationCall = {
    kind,
    step,
    createStep: kind === "workflow" ? invokeWorkflow(writer, step as WorkflowStep) : callFunction(writer, kind, step),
    timeout: durationAt(context, step, "timeout", { most: maxAttemptTime }) ?? maxAttemptTime,
    spans: { timeout: statedSpan(context, step, "timeout") },
    retries: step.retryPolicy ? retriesOf(context, step.retryPolicy) : context.retries,
    output: outputFrom(writer, step, declare(writer, resultName)),
  };
  if (catchesOutputErrors(policy, rules) && mayFail(job.output.value)) return attemptCall(writer, job, rules);
  const reserved = reserve(writer, kind, writer.construct.span);
  const after = finishStep(writer, step, job.output);
  const handlers = handlersOf(writer, rules);
  return sequence(fillCall(reserved, job, { retries: job.retries, handlers }), after);
}

interface IntegrationCall {
  readonly kind: IntegrationKind;
  readonly step: IntegrationStep;
  readonly createStep: (effect: CallBase) => Call | Invoke;
  readonly timeout: number;
  readonly spans: Call["spans"];
  readonly retries: readonly Retry[];
  readonly output: StepOutput;
}

interface Recovery {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}

type CallBase = StepBase & Recovery & Pick<Call, "timeout" | "spans" | "bind" | "next">;

const resultName = "result";

/** One step, so that errors in both are retried and caught. */
function attemptCall(writer: Writer, job: IntegrationCall, rules: readonly CatchRule[]): StepFragment {
  const ending = endingOf(writer, job.step, job.output, true);
  const attempt = reserveAttempt(writer, literal(null), (inner) => {
    const reserved = reserve(inner, job.kind, inner.construct.span);
    return sequence(fillCall(reserved, job, { retries: [], handlers: [] }), storeValues(inner, ending));
  });
  const handlers = handlersOf(writer, rules);
  const onward = continueAfter(writer, ending);
  return (next) => {
    attempt.fill({ restore: [], retries: job.retries, handlers, next: onward(next) });
    return attempt.step.reference;
  };
}

const fillCall =
  (
    { base, reference, fill }: ReservedStep,
    { createStep, timeout, spans }: IntegrationCall,
    recovery: Recovery,
  ): StepFragment =>
  (next) => {
    fill(createStep({ ...base, timeout, spans, bind: resultName, ...recovery, next }));
    return reference;
  };

function mayFail(output: Expression): boolean {
  const given = simplify(output);
  return canFail(given) || effectsOf(given).type !== "object";
}

const catchesOutputErrors = (policy: RetryPolicy | undefined, rules: readonly CatchRule[]): boolean =>
  [...(policy?.retryCount ? [policy] : []), ...rules].some(
    ({ errorList, errorListMode }) =>
      errorListMode === "EXCLUDE" ||
      [anyError, outputError.name, templateError].some((code) => errorList.includes(code)),
  );

function invokeWorkflow(writer: Writer, step: WorkflowStep): (effect: CallBase) => Invoke {
  const { context } = writer;
  checkLiterals(context, step, ["workflowId"]);
  const workflow: Reference = { name: step.workflowId, span: spanOf(context, step, "workflowId") };
  const input = withInput(writer, step, (jqScope) =>
    step.executionInput === undefined ? literal({}) : jsonAt(context, step, "executionInput", jqScope),
  );
  checkSize(writer, input);
  return (effect) => ({ ...effect, kind: "invoke", workflow, input, wait: true, terminates: false });
}

/** Reports interpolations in fields that take none and are not part of what the step sends. */
function checkLiterals(context: Context, step: IntegrationStep, keys: readonly string[]): void {
  for (const key of keys) if (Object.hasOwn(step, key)) literalAt(context, step, key);
}

/** The fields that all integration steps have. They say how the step is executed, and are not sent. */
const commonFields: ReadonlySet<string> = new Set(["input", "output", "next", "retryPolicy", "timeout", "catch"]);

function callFunction(writer: Writer, kind: IntegrationKind, step: IntegrationStep): (effect: CallBase) => Call {
  const { context, scope, id, construct } = writer;
  const name = scope.plan.entries.get(id)!;
  context.functions.push({ name, stepKind: kind, protocol: protocolOf(kind, step), span: construct.span });
  if (kind === "functionCall") checkLiterals(context, step, ["functionId", "tag"]);
  const read = new Map<string, SecretRead>();
  const secret = (wanted: SecretReference, span: Span): Expression =>
    variable(readSecret(context, read, wanted, span).bind);
  const argument =
    kind === "functionCall"
      ? simplify(inputOf(writer, step, { secret }))
      : withInput(
          writer,
          step,
          (jqScope) =>
            payloadOf(
              step as unknown as JsonObject,
              kind,
              {
                tables: interpolated,
                interpolate: (owner, key) => stringAt(context, owner, key, jqScope),
                literal: (owner, key) => literalAt(context, owner, key),
              },
              commonFields,
            ),
          secret,
        );
  checkSize(writer, argument);
  const called = { function: { name, span: construct.span }, argument, wait: true } as const;
  const secrets = [...read.values()];
  const given = kind === "functionCall" ? statedSpan(context, step, "input") : undefined;
  return ({ spans, ...effect }) => ({
    ...effect,
    kind: "call",
    ...called,
    spans: { ...spans, argument: given },
    ...(secrets.length > 0 ? { secrets } : {}),
  });
}

function withInput(
  writer: Writer,
  step: IntegrationStep,
  createStep: (jqScope: JqScope) => Expression,
  secret?: JqScope["secret"],
): Expression {
  const { context, scope } = writer;
  const jqScope: JqScope = { ...stateScope(writer), secret };
  if (step.input === undefined) return simplify(createStep({ ...jqScope, input: variable(scope.state) }));
  const input = jsonAt(context, step, "input", jqScope);
  return simplify(bind("in", input, createStep({ ...jqScope, input: variable("in"), isObject: false })));
}

function checkSize({ context, construct }: Writer, sent: Expression): void {
  const bytes = minJsonBytes(sent);
  if (bytes > maxPayloadBytes) context.report(stepInputTooLarge(construct.span, { bytes, most: maxPayloadBytes }));
}

function readSecret(context: Context, known: Map<string, SecretRead>, name: SecretReference, span: Span): SecretRead {
  const key = JSON.stringify([name.id, name.key, name.version]);
  const bind = known.size === 0 ? "secret" : `secret${known.size + 1}`;
  const read = known.get(key) ?? { bind, reader: secretReader(context, span), ...name, span };
  known.set(key, read);
  return read;
}

function secretReader({ functions, ids }: Context, span: Span): Reference {
  const known = functions.find(({ protocol }) => protocol?.kind === "secret");
  const name = known?.name ?? ids.entry([], "lockboxPayload");
  if (!known) functions.push({ name, protocol: { kind: "secret" }, span });
  return { name, span };
}
