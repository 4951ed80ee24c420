import { canFail } from "../../../src/expressions/index.ts";
import { camelCase } from "../../../src/expressions/js/index.ts";
import { constantAttributes, defaultSource, givenAttributes } from "../../../src/ir/emitted-events.ts";
import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { type BuiltIn, builtInOf } from "../../../src/ir/protocols.ts";
import { constantSeconds } from "../../../src/ir/seconds.ts";
import type { Call, Delay, Emit, Invoke, Seconds } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js, type ObjectMember } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { hasSharedCorrelation, maxSleepSeconds } from "./bounds.ts";
import type { ScopeContext, SelectionContext } from "./context.ts";
import { deployExpression } from "./deployed-functions.ts";
import {
  beginFunction,
  callHelper,
  codeOf,
  constantOf,
  type FunctionBuilder,
  functionOperation,
  noteFailure,
  params,
  resultOperation,
  wrapValue,
} from "./function-builder.ts";
import { captureVariables } from "./print-function.ts";
import { stateName, type UnlinkedState } from "./state-builder.ts";

/** The longest time limit of an action, in seconds. */
export const maxActionSeconds = 300;

/** Lowers a call: the argument, the action, and the assignment of its result. */
export function lowerCall(step: Call, context: ScopeContext): readonly UnlinkedState[] {
  const { flow } = context;
  const definition = flow.functions.get(step.function.name);
  const builtIn = builtInOf(definition?.protocol);
  if (builtIn?.kind === "secret") {
    flow.refuse(
      step.span,
      "a secret in a variable (activation records contain all variables of a run)",
      "Read the secret in the argument of the call that sends it.",
    );
    return [];
  }
  if (builtIn) return lowerBuiltIn(step, builtIn.kind, flow);
  if (definition?.protocol?.kind === "script") {
    flow.refuse(step.span, "a JavaScript function outside a composition");
    return [];
  }
  if (step.callback) {
    flow.refuse(
      step.callback.span,
      "a call that waits for a callback: a composition has no endpoint that receives the token of a task",
      "Let the function report its result with an event.",
    );
    return [];
  }
  const action = definition ? flow.platform.action(definition) : flow.platform.workflow(step.function.name);
  const fn = beginFunction(flow, step.id);
  const isSecret = (step.secrets ?? []).length > 0;
  const payload = isSecret ? secretArgument(step, flow) : { params: wrapValue(fn, codeOf(fn, step.argument)) };
  const limit = definition ? flow.platform.actionSeconds(definition) : maxActionSeconds;
  const seconds = constantSeconds(step.timeout);
  const timeout = seconds !== undefined && seconds >= limit ? undefined : step.timeout;
  if (seconds !== undefined && seconds > limit) flow.noteTimeLimit(step, { seconds, limit });
  const isTimed = timeout !== undefined || context.deadlines.length > 0;
  const isPlain = step.wait && !isTimed && !isSecret && !/^https?:/.test(action);
  const isRetried = step.origin.part === "try";
  const request = isPlain
    ? payload.params!
    : callThroughHelper(fn, { action, payload, wait: step.wait, timeout }, context);
  return [
    { name: stateName(step, "argument"), operation: resultOperation(fn, request) },
    {
      name: stateName(step),
      operation: {
        kind: "action",
        action: isPlain ? action : flow.platform.helper,
        function: definition?.name,
        isRetried,
      },
    },
    ...storeResult(step, flow),
  ];
}

/**
 * The payload of a call that reads secrets. The helper action reads them and computes the argument, so that they appear
 * nowhere else.
 */
function secretArgument({ id: step, argument, secrets = [] }: Call, flow: SelectionContext): CallPayload {
  const names = createNames(flow.reservedNames, identifierStyle);
  const bindings = new Map(
    secrets.map(({ bind }) => [bind, { symbol: names.fresh(camelCase(bind)), type: "string" as const }]),
  );
  const reads = secrets.map((secret) => {
    const { id, key, version } = secret;
    return [bindings.get(secret.bind)!.symbol, { id, key, ...(version === undefined ? {} : { version }) }] as const;
  });
  return {
    argument: js.literal(deployExpression(argument, [step, "argument"], bindings, flow, wrapValue)),
    variables: captureVariables([argument], flow),
    secrets: js.value(Object.fromEntries(reads)),
  };
}

interface CallPayload {
  readonly params?: Code;
  readonly argument?: Code;
  readonly variables?: Code | undefined;
  readonly secrets?: Code;
}

/** The request of a call: `{ operation, action, params, timeoutMs }`. */
export function callThroughHelper(
  fn: FunctionBuilder,
  request: {
    readonly action: string;
    readonly payload: CallPayload;
    readonly wait: boolean;
    readonly timeout?: Seconds | undefined;
  },
  { deadlines }: ScopeContext,
): Code {
  return js.record({
    operation: js.literal("call"),
    action: js.literal(request.action),
    ...request.payload,
    wait: request.wait ? undefined : js.literal(false),
    timeoutMs: request.wait ? remainingTime(fn, request.timeout, deadlines) : undefined,
  });
}

/** Seconds in milliseconds. */
export const millisecondsOf = (fn: FunctionBuilder, seconds: Seconds): Code =>
  typeof seconds === "number" ? js.literal(seconds * 1000) : js.binary(codeOf(fn, seconds).code, "*", js.literal(1000));

/** The minimum of a timeout and the time until each deadline, in milliseconds. */
export function remainingTime(
  fn: FunctionBuilder,
  seconds: Seconds | undefined,
  deadlines: readonly string[],
): Code | undefined {
  const ownTimeout = seconds === undefined ? undefined : millisecondsOf(fn, seconds);
  if (deadlines.length === 0) return ownTimeout;
  const first = ownTimeout ?? js.member(js.name("Number"), "MAX_SAFE_INTEGER");
  return callHelper(fn, "timeLeft", [first, ...deadlines.map((each) => js.name(each))]);
}

/** Assigns a result to the variable that is bound to it. `isRaw`: the result is never wrapped. */
export function storeResult(
  step: Call | Invoke,
  flow: SelectionContext,
  { result = params, isRaw = false }: { readonly result?: Code; readonly isRaw?: boolean } = {},
): readonly UnlinkedState[] {
  const symbol = step.bind === undefined ? undefined : flow.symbols.get(step.bind);
  if (symbol === undefined) return [];
  const fn = beginFunction(flow);
  fn.lines.push(js.assign(symbol, isRaw ? result : callHelper(fn, "unwrap", [result])));
  return [{ name: stateName(step, "result"), operation: functionOperation(fn) }];
}

function lowerBuiltIn(
  step: Call,
  kind: Exclude<BuiltIn["kind"], "secret">,
  flow: SelectionContext,
): readonly UnlinkedState[] {
  const fn = beginFunction(flow, step.id);
  if (canFail(step.argument)) fn.lines.push(js.expressionStatement(codeOf(fn, step.argument).code));
  const symbol = step.bind === undefined ? undefined : flow.symbols.get(step.bind);
  if (symbol !== undefined) fn.lines.push(js.assign(symbol, builtInCode(kind, flow)));
  return fn.lines.length === 0 ? [] : [{ name: stateName(step), operation: functionOperation(fn) }];
}

function builtInCode(kind: Exclude<BuiltIn["kind"], "secret">, { run }: SelectionContext): Code {
  switch (kind) {
    case "clock":
      return js.binary(js.method(js.name("Date"), "now"), "/", js.literal(1000));
    case "random":
      return js.method(js.name("Math"), "random");
    case "id":
      return js.method(js.name("crypto"), "randomUUID");
    case "run":
      return js.name(run!);
    default:
      return assertNever(kind);
  }
}

/**
 * Lowers an emit: the helper action fires the trigger of the event, with the event as its parameters. It adds the id,
 * which is the same when a run repeats the step.
 */
export function lowerEmit(step: Emit, { flow }: ScopeContext): readonly UnlinkedState[] {
  const event = flow.events.get(step.event.name)!;
  const { name, type, source, subject, correlationAttribute } = event;
  const fn = beginFunction(flow, step.id);
  const members: ObjectMember[] = [
    js.property("specversion", js.literal("1.0")),
    js.property("source", js.literal(source ?? defaultSource(flow.workflow))),
    js.property("type", js.literal(type ?? name)),
    ...(subject === undefined ? [] : [js.property("subject", js.literal(subject))]),
    js.property("time", js.method(js.newExpression("Date"), "toISOString")),
    js.property("datacontenttype", js.literal("application/json")),
  ];
  const constant = constantAttributes(step);
  const data = js.property("data", codeOf(fn, step.data).code);
  const given = constant
    ? Object.entries(constant).map(([key, value]) => js.property(key, js.literal(value)))
    : [js.spread(codeOf(fn, givenAttributes(step)).code)];
  members.push(...given, data);
  const correlation =
    correlationAttribute === undefined || flow.token === undefined
      ? undefined
      : js.record({
          attribute: js.literal(correlationAttribute),
          own: step.correlation && codeOf(fn, step.correlation).code,
          value: js.name(flow.token),
          isShared: hasSharedCorrelation(step, flow.workflow) ? js.literal(true) : undefined,
        });
  const trigger = js.literal(flow.platform.trigger(event));
  const request = js.record({
    operation: js.literal("call"),
    trigger,
    params: js.object(members),
    correlation,
  });
  return [
    { name: stateName(step, "event"), operation: functionOperation(fn, request) },
    { name: stateName(step), operation: { kind: "action", action: flow.platform.helper } },
  ];
}

/** Lowers a delay, which ends early and fails when an enclosing attempt times out. */
export function lowerDelay(step: Delay, { flow, deadlines }: ScopeContext): readonly UnlinkedState[] {
  const { wait } = step;
  const expression = wait.kind === "for" ? wait.seconds : wait.instant;
  if (wait.kind === "for" && expression.kind === "literal" && Number(expression.value) <= 0) return [];
  const fn = beginFunction(flow, step.id);
  const { code } = codeOf(fn, expression);
  const constant = wait.kind === "for" ? constantOf(code) : undefined;
  const isConstant = typeof constant?.value === "number";
  const time = isConstant
    ? js.literal((constant.value as number) * 1000)
    : callHelper(fn, wait.kind === "for" ? "milliseconds" : "millisecondsUntil", [code]);
  if (!isConstant) noteFailure(fn);
  if (!isConstant || (constant.value as number) > maxSleepSeconds) flow.platform.noteSuspension("delays");
  const limits = deadlines.map((each) => js.name(each));
  const ms = limits.length === 0 ? time : callHelper(fn, "timeLeft", [time, ...limits]);
  const request: readonly UnlinkedState[] = [
    {
      name: stateName(step, "time"),
      operation: resultOperation(fn, js.record({ operation: js.literal("delay"), ms })),
    },
    { name: stateName(step), operation: { kind: "action", action: flow.platform.helper } },
  ];
  if (limits.length === 0) return request;
  const deadlineCheck = beginFunction(flow, step.id);
  noteFailure(deadlineCheck);
  return [
    ...request,
    {
      name: stateName(step, "late"),
      operation: functionOperation(deadlineCheck, callHelper(deadlineCheck, "checkDeadlines", limits)),
    },
  ];
}
