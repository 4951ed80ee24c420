import { canFail, type Expression, freeVariables } from "../../../src/expressions/index.ts";
import { type PrintedExpression, printedExpression } from "../../../src/expressions/js/index.ts";
import { activityOf, awaitsCallback, type CallbackCall } from "../../../src/ir/callbacks.ts";
import { escapeStepName } from "../../../src/ir/step-keys.ts";
import { retriesOf } from "../../../src/ir/walk.ts";
import type {
  Backoff,
  Call,
  Delay,
  ForEach,
  Invoke,
  Jitter,
  Retry,
  Seconds,
  SecretRead,
  Step,
} from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  isIdentifierName,
  js,
  type Property,
  type JsExpression as Tree,
} from "../../../src/js-ast/index.ts";
import { type FunctionContext, printAt, printCondition, printWithConstants } from "./context.ts";
import { isPureScript, scriptReference, workflowReference } from "./module.ts";
import { runtimeType } from "./runtime-imports.ts";
import { bindJsonResult, bindObjectResult, boundWeb, flowCall } from "./steps.ts";
import { errorUse, problemUse } from "./value-types.ts";

/** `const answer = await flow.step("Reserve", (step) => fn.reserve(argument, step));` */
export function lowerCall(step: Call, context: FunctionContext): Code {
  if (!step.wait) return lowerDetachedCall(step, context);
  if (awaitsCallback(step)) return lowerCallback(step, context);
  if (isRunId(step, context)) return [bindJsonResult(context, boundWeb(context, step), runId)];
  const call = lowerFunctionCall(step, context, lowerArgument(step, context));
  const { name } = step.function;
  const method = isPureScript(context.module, name) ? "compute" : "step";
  const result = flowCall(context, method, step, [call, optionsObject(limitProperties(step, context))]);
  const bind = scriptReference(context.module, name) ? bindObjectResult : bindJsonResult;
  return [bind(context, boundWeb(context, step), result)];
}

/**
 * `const answer = await flow.callback("Approve", (step) => fn.approve({ token: step.token }, step), { heartbeat: 60 });`,
 * or `await flow.activity("Review", "reviewers", () => document);`
 */
function lowerCallback(step: CallbackCall, context: FunctionContext): Code {
  const { function: called, callback } = step;
  const offered = activityOf(context.module.workflow, called.name);
  const args =
    offered === undefined
      ? [lowerFunctionCall(step, context, lowerArgument(step, context))]
      : [js.literal(offered), lowerOffer(step, context)];
  const name = js.literal(escapeStepName(called.name));
  const limits = [
    ...limitProperties(step, context),
    ...(callback.orResult ? [js.property("orResult", js.literal(true))] : []),
  ];
  const options = optionsObject(limits);
  const method = offered === undefined ? "callback" : "activity";
  const result = js.awaitExpression(js.method(js.name("flow"), method, [name, ...args, ...(options ? [options] : [])]));
  return [bindObjectResult(context, boundWeb(context, step), result)];
}

/** `() => document`, or `(token) => ({ token })` if the input contains the token. */
function lowerOffer(step: CallbackCall, context: FunctionContext): Tree {
  const token = context.names.inner().fresh("token");
  const read = new Map([[step.callback.token, tokenOf(js.name(token))]]);
  const { code } = printAt(context, step.id, step.argument, read);
  return js.arrow(freeVariables(step.argument).has(step.callback.token) ? [token] : [], code);
}

const tokenOf = (code: Tree): PrintedExpression => printedExpression(code, { isPresent: true, type: "string" });

/** Whether a call returns the id of its run, which the program has at hand. */
const isRunId = ({ function: { name } }: Call, { module }: FunctionContext): boolean =>
  module.workflow.functions.some((each) => each.name === name && each.protocol?.kind === "run");

/** `flow.run.id` */
const runId = js.member(js.member(js.name("flow"), "run"), "id");

/**
 * A call whose result is not awaited: `await flow.start("Tell", (step) => fn.tell(argument, step));` An argument that
 * may fail is computed before, since its failure is the step's.
 */
function lowerDetachedCall(step: Call, context: FunctionContext): Code {
  const value = lowerArgument(step, context);
  const isKept = canFail(step.argument) && !step.secrets?.length;
  const argument = isKept ? js.name(context.names.fresh("argument")) : value;
  const before = argument === value || argument.kind !== "identifier" ? [] : [js.constant(argument, value)];
  return [
    ...before,
    js.expressionStatement(flowCall(context, "start", step, [lowerFunctionCall(step, context, argument)])),
    ...bindNull(step, context),
  ];
}

/** What a step binds that is not awaited: null, if it is read. */
function bindNull(step: Call | Invoke, context: FunctionContext): Code {
  const web = boundWeb(context, step);
  return web && context.variables.has(web.id) ? [bindJsonResult(context, web, js.literal(null))] : [];
}

function lowerArgument({ id, argument, secrets = [], callback }: Call, context: FunctionContext): Tree {
  const read = new Map(secrets.map((secret) => [secret.bind, lowerSecret(secret)] as const));
  if (callback) read.set(callback.token, tokenOf(js.member(js.name("step"), "token")));
  return printAt(context, id, argument, read).code;
}

/**
 * `(step) => fn.reserve(argument, step)`, or `() => discount(argument)` for a function whose source is in the
 * definition.
 */
function lowerFunctionCall({ function: { name }, secrets = [] }: Call, context: FunctionContext, argument: Tree): Tree {
  const script = scriptReference(context.module, name);
  if (script) return js.arrow([], js.call(script, [argument]));
  const fn = js.name("fn");
  const call = js.call(memberOf(fn, name), [argument, js.name("step")]);
  return js.arrow(["step"], call, { async: secrets.length > 0 });
}

const memberOf = (object: Tree, name: string): Tree =>
  isIdentifierName(name) && name !== "__proto__" ? js.member(object, name) : js.element(object, js.literal(name));

/** Reads a secret where it is sent: `await fn.lockboxPayload({ id: "e6q", key: "token" }, step)` */
function lowerSecret({ reader, id, key, version }: SecretRead): PrintedExpression {
  const name = js.value({ id, key, ...(version === undefined ? {} : { version }) });
  return printedExpression(js.awaitExpression(js.call(memberOf(js.name("fn"), reader.name), [name, js.name("step")])), {
    isPresent: true,
  });
}

/** `await flow.sleep("Cool off", 60);` */
export function lowerDelay(step: Delay, context: FunctionContext): Code {
  if (step.wait.kind === "until")
    return [
      js.expressionStatement(
        flowCall(context, "sleepUntil", step, [printAt(context, step.id, step.wait.instant).code]),
      ),
    ];
  const seconds = printAt(context, step.id, step.wait.seconds);
  const time = seconds.type === "number" ? seconds.code : js.call("Number", [seconds.code]);
  return [js.expressionStatement(flowCall(context, "sleep", step, [time]))];
}

/** `const result = await flow.invoke("Ship", ship, input);` */
export function lowerInvoke(step: Invoke, context: FunctionContext): Code {
  const reference = workflowReference(context.module, step.workflow.name);
  const workflow = reference ?? js.literal(step.workflow.name);
  const retryable = retryableValue(step, step.input, context);
  const input = retryable ?? printAt(context, step.id, step.input).code;
  if (!step.wait) {
    const isAttached = reference !== undefined && step.whenParentEnds === "terminate";
    const attached = isAttached ? [js.property("attached", js.literal(true))] : [];
    const limits = retryable ? limitProperties(step, context) : [];
    const options = optionsObject([...limits, ...attached]);
    return [
      js.expressionStatement(flowCall(context, "launch", step, [workflow, input, options])),
      ...bindNull(step, context),
    ];
  }
  const terminates = step.terminates ? [js.property("terminates", js.literal(true))] : [];
  const more = optionsObject([...limitProperties(step, context), ...terminates]);
  const result = flowCall(context, "invoke", step, [workflow, input, more]);
  return [bindObjectResult(context, boundWeb(context, step), result)];
}

/** `() => value` if computing a value of a step may fail and is then retried. */
export function retryableValue(
  step: ForEach | Invoke,
  value: Expression,
  context: FunctionContext,
  convert: (value: PrintedExpression) => Tree = ({ code }) => code,
): Tree | undefined {
  if (step.retries.length === 0 || !canFail(value)) return undefined;
  const inner: FunctionContext = { ...context, names: context.names.inner() };
  const { constants, expression } = printWithConstants(inner, step.id, value, false);
  const code = convert(expression);
  return js.arrow([], constants.length === 0 ? code : [...constants, js.returnStatement(code)]);
}

/** An object for the last argument; undefined if it would be empty. */
export const optionsObject = (members: readonly Property[]): Tree | undefined =>
  members.length === 0 ? undefined : js.object(members);

/** The limits of a step: `timeout: 10, retries: [{ limit: 2, base: 1 }]` */
export function limitProperties(step: Step, context: FunctionContext): readonly Property[] {
  const timeout =
    "timeout" in step && step.timeout !== undefined ? [secondsProperty("timeout", step.timeout, step.id, context)] : [];
  const beat = step.kind === "call" ? step.callback?.heartbeat : undefined;
  const heartbeat = beat === undefined ? [] : [secondsProperty("heartbeat", beat, step.id, context)];
  const retries = retriesOf(step).map((retry) => lowerRetry(retry, step, context));
  return [...timeout, ...heartbeat, ...(retries.length === 0 ? [] : [js.property("retries", js.array(retries))])];
}

/** `name: 1` */
export const numberProperty = (name: string, value: number): Property => js.property(name, js.literal(value));

/** A number that is constant or computed. */
export function secondsProperty(name: string, seconds: Seconds, step: string, context: FunctionContext): Property {
  if (typeof seconds === "number") return numberProperty(name, seconds);
  const { code, type } = printAt(context, step, seconds);
  return js.property(name, type === "number" ? code : js.call("Number", [code]));
}

function lowerRetry({ when, limit, within, delay }: Retry, step: Step, context: FunctionContext): Tree {
  const isAlways = when.kind === "literal" && when.value === true;
  const condition = isAlways ? [] : [js.property("when", lowerErrorTest(when, step, context))];
  return js.object([
    ...condition,
    ...(limit === undefined ? [] : [numberProperty("limit", limit)]),
    ...(within === undefined ? [] : [secondsProperty("within", within, step.id, context)]),
    ...backoffProperties(delay, step.id, context),
  ]);
}

function lowerErrorTest(when: Expression, step: Step, context: FunctionContext): Tree {
  const name = context.names.inner().fresh("error");
  const isProblem = context.module.workflow.problems !== undefined && step.kind === "attempt";
  const error = printedExpression(js.name(name), { use: isProblem ? problemUse : errorUse, isPresent: true });
  const test = printCondition(context, step.id, when, new Map([["error", error]])).code;
  return js.arrow([isProblem ? js.parameter(name, runtimeType("Problem")) : name], test);
}

function backoffProperties(
  { base, factor, step: growth, cap, jitter }: Backoff,
  step: string,
  context: FunctionContext,
): readonly Property[] {
  return [
    ...(base === 0 ? [] : [secondsProperty("base", base, step, context)]),
    ...(factor === 1 ? [] : [numberProperty("factor", factor)]),
    ...(growth === 0 ? [] : [numberProperty("step", growth)]),
    ...(cap === undefined ? [] : [secondsProperty("cap", cap, step, context)]),
    ...(jitter === undefined ? [] : [js.property("jitter", lowerJitter(jitter))]),
  ];
}

/** `{ spread: 2 }`, `{ fraction: 0.1 }`, `{ from: 1, to: 3 }` or `{ full: true }` */
function lowerJitter(jitter: Jitter): Tree {
  if (jitter.kind === "full") return js.object([js.property("full", js.literal(true))]);
  return jitter.kind === "range"
    ? js.object([numberProperty("from", jitter.from), numberProperty("to", jitter.to)])
    : js.object([numberProperty(jitter.kind, jitter.amount)]);
}
