import { type Expression, literal, object, simplify, variable } from "../../expressions/index.ts";
import type { Seconds } from "../../ir/seconds.ts";
import type { FunctionDefinition, Handler } from "../../ir/workflow.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import { nearestName } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { complete, end, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import { builtInFunction } from "./built-in.ts";
import { argumentsOf, dataName, freshVariable, type LowerTask, type Writer } from "./context.ts";
import { builtInCall, skippedSteps } from "./data-flow.ts";
import { unboundProtocol, unknownCall, unsupportedSubscription, withoutEffect } from "./diagnostics/references.ts";
import { secondsAt } from "./durations.ts";
import { runtimeError, statuses } from "./errors.ts";
import { templateAt } from "./expressions.ts";
import { inlineFunction } from "./functions.ts";
import { lowerGrpc } from "./grpc.ts";
import { lowerHttp } from "./http.ts";
import { checkSince } from "./identity.ts";
import { functionName } from "./names.ts";
import { lowerOpenapi } from "./openapi.ts";
import { jqProgram } from "./programs.ts";
import { type SecretReads, secretReads } from "./secrets.ts";

const protocols: { readonly [name: string]: LowerTask } = {
  http: lowerHttp,
  openapi: lowerOpenapi,
  grpc: lowerGrpc,
  asyncapi: lowerAsyncapi,
  a2a: lowerAgent,
  mcp: lowerAgent,
};

/** A call of a protocol, or of a named function, which is inlined. */
export function lowerCall(writer: Writer): StepFragment {
  const { context, task } = writer;
  const name = task.call!;
  const protocol = own(protocols, name);
  if (protocol) return protocol(writer);
  const inlined = inlineFunction(writer, name);
  if (inlined) return inlined;
  const known = [...Object.keys(protocols), ...Object.keys(context.definition.use?.functions ?? {})];
  context.report(unknownCall(spanOf(context, task, "call"), { name, meant: nearestName(name, known) }));
  return skippedSteps(writer);
}

/** What a task calls. */
export interface CalledFunction {
  readonly definition: Omit<FunctionDefinition, "name" | "span">;
  readonly argument: Expression;
  /** Those that the argument reads. */
  readonly secrets?: SecretReads | undefined;
  /** Default: the raw output is the result. */
  readonly bind?: string | undefined;
  readonly wait?: boolean | undefined;
  /** What errors of functions with other names are. Default: `communication`. */
  readonly errors?: "runtime" | undefined;
  /** A time limit of the call itself. */
  readonly timeout?: Seconds | undefined;
}

/** Calls the function of the task. */
export function callSteps(writer: Writer, called: CalledFunction): StepFragment {
  const { context, task, kind } = writer;
  const { definition, secrets, bind = dataName, wait = true, errors } = called;
  const argument = simplify(secrets?.resolve(called.argument) ?? called.argument);
  const span = spanOf(context, task, kind, "key");
  const name = functionName(writer);
  if (!context.calledFunctions.has(name)) context.functions.push({ ...definition, name, span: writer.construct.span });
  context.calledFunctions.add(name);
  const attempt = step(writer, "call", span, (base, next) => ({
    ...base,
    kind: "call",
    function: { name, span },
    argument,
    wait,
    ...(secrets && secrets.reads.length > 0 ? { secrets: secrets.reads } : {}),
    timeout: writer.limit ?? called.timeout,
    spans: {
      timeout: statedSpan(context, task, "timeout"),
      argument: Object.hasOwn(task, "with") ? spanOf(context, task, "with") : span,
    },
    retries: [],
    bind: wait ? bind : undefined,
    handlers: rethrow ? [rethrow] : [],
    next,
  }));
  const rethrow = wait && errors ? rethrowing(writer, span) : undefined;
  return attempt;
}

/** A handler that raises errors with other names as `runtime`. */
export function rethrowing(writer: Writer, span: Span): Handler {
  const error = freshVariable(writer.scope, "error");
  const value = runtimeError(variable(error), statuses);
  const raise = end(writer, "fail", span, { outcome: "fail", extent: "scope", value });
  return { when: literal(true), bind: error, next: complete(raise, span), span };
}

/** A message is published; consuming messages needs a channel. */
function lowerAsyncapi(writer: Writer): StepFragment {
  const { context, task } = writer;
  const given = argumentsOf(writer);
  if (Object.hasOwn(given, "subscription")) {
    context.report(unsupportedSubscription(spanOf(context, given, "subscription", "key"), {}));
    return skippedSteps(writer);
  }
  reportUnbound(writer, "asyncapi");
  reportSettings(writer, given, ["server", "protocol", "authentication"]);
  const secrets = secretReads(writer, spanOf(context, task, "with"));
  const { row } = secrets;
  const message =
    own(given, "message") === undefined ? literal({}) : templateAt(context, { owner: given, key: "message" }, row);
  const bind = freshVariable(writer.scope, "ignored");
  return callSteps(writer, {
    definition: { type: "asyncapi", stepKind: "asyncapi" },
    argument: message,
    secrets,
    bind,
  });
}

function lowerAgent(writer: Writer): StepFragment {
  const { context, task } = writer;
  const given = argumentsOf(writer);
  checkSince(context, task, "call", `call: ${task.call}`, 2);
  reportUnbound(writer, task.call!);
  reportSettings(writer, given, ["client"]);
  const secrets = secretReads(writer, spanOf(context, task, "with"));
  const { row } = secrets;
  const sent = ["method", "parameters"].filter((key) => Object.hasOwn(given, key));
  const entries = sent.map((key) => [key, templateAt(context, { owner: given, key }, row)] as const);
  const message = task.call === "a2a" ? messageId(writer, given) : undefined;
  const argument = object(
    entries.map(([key, value]) => [key, message && key === "parameters" ? withMessage(value, message.id) : value]),
  );
  const limit =
    own(given, "timeout") === undefined
      ? undefined
      : secondsAt(writer, { owner: given, key: "timeout" }, taskRow(writer), "positive");
  const call = callSteps(writer, {
    definition: { type: task.call!, stepKind: task.call! },
    argument,
    secrets,
    errors: "runtime",
    timeout: limit?.seconds,
  });
  return sequence(message?.steps ?? noSteps, limit?.steps ?? noSteps, call);
}

const addMessage = jqProgram(
  `if type == "object" and (.message | type) == "object"
   then .message = ({ messageId: $id, role: "user" } + .message) else . end`,
  ["id"],
);

const withMessage = (parameters: Expression, id: Expression): Expression =>
  addMessage(parameters, new Map([["id", id]]));

/** Messages to an agent have an id, which is generated if the definition gives none. */
function messageId(
  writer: Writer,
  given: JsonObject,
): { readonly id: Expression; readonly steps: StepFragment } | undefined {
  const { context, task, scope } = writer;
  const parameters = own(given, "parameters");
  const message = isObject(parameters) ? own(parameters, "message") : undefined;
  if (!/^message\/(?:send|stream)$/.test(String(own(given, "method"))) || parameters === undefined) return undefined;
  if (isObject(message) && Object.hasOwn(message, "messageId")) return { id: literal(null), steps: noSteps };
  const bound = freshVariable(scope, "messageId");
  const span = spanOf(context, task, "call");
  return { id: variable(bound), steps: builtInCall(writer, "id", builtInFunction(context, "id", span), bound, span) };
}

/** Reports properties of a call that are settings of the function that the configuration binds. */
export function reportSettings({ context }: Writer, owner: object, names: readonly string[]): void {
  for (const name of names)
    if (Object.hasOwn(owner, name))
      context.report(
        withoutEffect(spanOf(context, owner, name, "key"), {
          name,
          reason: "it is a setting of the function that is bound",
        }),
      );
}

function reportUnbound(writer: Writer, protocol: string): void {
  const { context, task } = writer;
  if (!context.lowering.isBound?.(functionName(writer)) && !context.lowering.isBound?.(protocol))
    context.report(unboundProtocol(spanOf(context, task, "call"), { protocol, name: functionName(writer) }));
}
