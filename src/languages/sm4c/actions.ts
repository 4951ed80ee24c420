import {
  binary,
  bind,
  canFail,
  type Expression,
  freeVariables,
  literal,
  object,
  simplify,
  toFiniteValues,
  variable,
} from "../../expressions/index.ts";
import type {
  Action,
  DelayAction,
  InvokeFunctionAction,
  InvokeSubflowAction,
  SendEventAction,
} from "../../generated/sm4c-definition.ts";
import type { Call, Handler, Invoke } from "../../ir/workflow.ts";
import { assertNever, setOwn } from "../../json.ts";
import { anyArray, anyObject, nullType, type Type, union } from "../../types/index.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  complete,
  declare,
  end,
  noSteps,
  reserve,
  reserveAttempt,
  type StepFragment,
  sequence,
  step,
} from "../shared/steps.ts";
import { dataName, freshTemporary, labelOf, type Writer } from "./context.ts";
import { argumentsIgnored, ineffectiveProperty, invalidAttributeName, timeoutIgnored } from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";
import { handleErrors, isTimeout } from "./errors.ts";
import { argumentsAt, evaluateFunction, handlerAt, valueAt } from "./expressions.ts";
import { resolveName } from "./names.ts";
import { hasInnerResultHandlers, lowerForeach, lowerParallel, lowerSequence } from "./nested.ts";

/** The steps of an action; its result must be evaluated directly after them. */
export interface ActionCode {
  readonly steps: StepFragment;
  readonly result: Expression;
}

/** Lowers an action with its error handlers. */
export function lowerAction(writer: Writer, action: Action, needsResult: boolean): ActionCode {
  const hasHandlers = (action.errorHandlers ?? []).length > 0;
  return hasHandlers && !isOneStep(writer, action)
    ? attemptAction(writer, action, needsResult)
    : lowerUnhandled(writer, action, needsResult);
}

/** Lowers the action in `owner[key]`, then applies its result handler. */
export function lowerActionWithHandler(writer: Writer, owner: object, key: string, handlerKey: string): StepFragment {
  const { context } = writer;
  const action = (owner as { readonly [key: string]: Action | undefined })[key];
  const isHandled = Object.hasOwn(owner, handlerKey);
  if (!isHandled) return action ? lowerAction(writer, action, false).steps : noSteps;
  const span = spanOf(context, owner, handlerKey);
  const merge = (value: Expression): StepFragment => assign(writer, "merge", span, { variable: dataName, value });
  if (!action) return merge(handlerAt(context, owner, handlerKey, { value: literal(null) }, nullType));
  const performed = lowerAction(writer, action, true);
  const { steps, result } = performed;
  const given = types[action.type];
  const type = given && (action.errorHandlers?.length ? union(given, nullType) : given);
  const handled = handlerAt(context, owner, handlerKey, { value: variable("value") }, type);
  if (freeVariables(handled).has("value"))
    return sequence(steps, merge(simplify(bind("value", toFiniteValues(result), handled))));
  return sequence(canFail(result) ? storeResult(writer, action, performed).steps : steps, merge(handled));
}

const types: { readonly [type in Action["type"]]: Type | undefined } = {
  delay: nullType,
  foreach: anyArray,
  injectData: undefined,
  invokeFunction: undefined,
  invokeSubflow: undefined,
  parallel: anyObject,
  sendEvent: nullType,
  sequence: anyObject,
};

/** Stores the result unless it is a variable or a constant. */
export function storeResult(writer: Writer, action: Action, { steps, result }: ActionCode): ActionCode {
  if (result.kind === "variable" || result.kind === "literal") return { steps, result };
  const name = freshTemporary(writer, "result");
  const set = assign(writer, labelOf(action), spanOf(writer.context, action), { variable: name, value: result });
  return { steps: sequence(steps, set), result: variable(name) };
}

function isOneStep({ context }: Writer, action: Action): boolean {
  switch (action.type) {
    case "delay":
    case "invokeSubflow":
      return true;
    case "invokeFunction":
      return context.functions.byFolded.get(action.functionName.toLowerCase())?.type !== "expression";
    case "parallel":
      return action.actions.length > 0 && !hasInnerResultHandlers(action);
    case "foreach":
      return !hasInnerResultHandlers(action);
    default:
      return false;
  }
}

function attemptAction(writer: Writer, action: Action, needsResult: boolean): ActionCode {
  const result = needsResult ? freshTemporary(writer, "result") : undefined;
  const steps = handleErrors(writer, action, { result, timesOut: false }, () => {
    const { step: attempt, fill } = reserveAttempt(writer, literal(null), (inner) => {
      const performed = lowerUnhandled(inner, action, needsResult);
      if (result === undefined) return performed.steps;
      const span = spanOf(inner.context, action);
      return sequence(
        performed.steps,
        assign(inner, labelOf(action), span, { variable: result, value: performed.result }),
      );
    });
    return { reference: attempt.reference, fill: (recovery) => fill({ restore: [], ...recovery }) };
  });
  return { steps, result: result === undefined ? literal(null) : variable(result) };
}

function lowerUnhandled(writer: Writer, action: Action, needsResult: boolean): ActionCode {
  switch (action.type) {
    case "delay":
      return lowerDelay(writer, action);
    case "foreach":
      return lowerForeach(writer, action, needsResult);
    case "injectData":
      return computeValue(writer, action, valueAt(writer.context, action, "expression", writer.scope), needsResult);
    case "invokeFunction":
      return invokeFunction(writer, action, needsResult);
    case "invokeSubflow":
      return invokeSubflow(writer, action, needsResult);
    case "parallel":
      return lowerParallel(writer, action, needsResult);
    case "sendEvent":
      return sendEvent(writer, action);
    case "sequence":
      return lowerSequence(writer, action, needsResult);
    default:
      return assertNever(action);
  }
}

function computeValue(writer: Writer, action: Action, value: Expression, needsResult: boolean): ActionCode {
  if (needsResult || !canFail(value)) return { steps: noSteps, result: value };
  return storeResult(writer, action, { steps: noSteps, result: value });
}

function lowerDelay(writer: Writer, action: DelayAction): ActionCode {
  if (action.errorHandlers?.length)
    writer.context.report(
      ineffectiveProperty(spanOf(writer.context, action, "errorHandlers", "key"), { key: "errorHandlers" }),
    );
  const seconds = durationAt(writer.context, action, "timeout") ?? 0;
  const span = spanOf(writer.context, action, "timeout");
  const steps = step(writer, labelOf(action), span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds: literal(seconds) },
    spans: { wait: span },
    next,
  }));
  return { steps, result: literal(null) };
}

function invokeFunction(writer: Writer, action: InvokeFunctionAction, needsResult: boolean): ActionCode {
  const { context, scope } = writer;
  const span = spanOf(context, action, "functionName");
  const definition = resolveName(context, context.functions, action.functionName, span);
  if (definition?.type === "expression") {
    if (action.arguments !== undefined)
      context.report(argumentsIgnored(spanOf(context, action, "arguments", "key"), { name: definition.name }));
    const isWaited = action.waitForCompletion ?? context.settings.waits;
    return computeValue(
      writer,
      action,
      isWaited ? evaluateFunction(context, definition.name, span, scope) : literal(null),
      needsResult,
    );
  }
  const called = { name: definition?.name ?? action.functionName, span };
  const argument = argumentsAt(context, action, scope);
  const given = statedSpan(context, action, "arguments");
  return invoke(writer, action, needsResult, ({ spans, ...effect }) => ({
    ...effect,
    kind: "call",
    function: called,
    argument,
    spans: { ...spans, argument: given },
  }));
}

function invokeSubflow(writer: Writer, action: InvokeSubflowAction, needsResult: boolean): ActionCode {
  const { context, scope } = writer;
  const workflow = { name: action.subflowName, span: spanOf(context, action, "subflowName") };
  const input = action.arguments === undefined ? scope.input.value : argumentsAt(context, action, scope);
  const make = (effect: CallBase): Invoke => {
    const handlers = effect.wait
      ? [...effect.handlers, ...handlersForForeignTimeouts(writer, action)]
      : effect.handlers;
    return { ...effect, handlers, kind: "invoke", workflow, input, terminates: false };
  };
  return invoke(writer, action, needsResult, make);
}

/** Another workflow's timeout is not one of this run. */
function handlersForForeignTimeouts(writer: Writer, action: InvokeSubflowAction): readonly Handler[] {
  const { definition } = writer.context;
  if (!definition.timeout && !definition.execTimeout) return [];
  const span = spanOf(writer.context, action);
  const error = variable(declare(writer, "error"));
  const value = binary("+", error, object([["origin", literal("function")]]));
  const raise = end(writer, "raise", span, { outcome: "fail", extent: "scope", value });
  return [{ when: isTimeout, bind: "error", next: complete(raise, span), span }];
}

type CallBase = Omit<Call, "kind" | "function" | "argument" | "secrets">;

function invoke(
  writer: Writer,
  action: InvokeFunctionAction | InvokeSubflowAction,
  needsResult: boolean,
  make: (effect: CallBase) => Call | Invoke,
): ActionCode {
  const { context } = writer;
  const wait = action.waitForCompletion ?? context.settings.waits;
  const seconds = durationAt(context, action, "timeout");
  if (!wait && seconds !== undefined) context.report(timeoutIgnored(spanOf(context, action, "timeout", "key"), {}));
  const timeout = wait ? seconds : undefined;
  const spans = { timeout: statedSpan(context, action, "timeout") };
  const bind = wait && needsResult ? freshTemporary(writer, "result") : undefined;
  const steps = handleErrors(writer, action, { result: bind, timesOut: timeout !== undefined }, () => {
    const { base, reference, fill } = reserve(writer, labelOf(action), spanOf(context, action));
    return { reference, fill: (recovery) => fill(make({ ...base, wait, timeout, spans, bind, ...recovery })) };
  });
  return { steps, result: bind === undefined ? literal(null) : variable(bind) };
}

function sendEvent(writer: Writer, action: SendEventAction): ActionCode {
  const { context, scope } = writer;
  const span = spanOf(context, action, "event");
  const definition = resolveName(context, context.events, action.event, span);
  const name = definition?.name ?? action.event;
  const data = action.expression === undefined ? literal({}) : valueAt(context, action, "expression", scope);
  const attributes: { [name: string]: Expression } = {};
  if (definition?.type !== undefined || definition?.source !== undefined) attributes["subject"] = literal(name);
  const given = action.contextAttributes ?? {};
  for (const [attribute, value] of Object.entries(given)) {
    if (!/^[A-Za-z0-9]+$/.test(attribute) || reservedAttributes.has(attribute.toLowerCase()))
      context.report(
        invalidAttributeName(spanOf(context, given, attribute, "key"), {
          attribute,
          isTaken: reservedAttributes.has(attribute.toLowerCase()),
        }),
      );
    setOwn(attributes, attribute, literal(value));
  }
  const steps = step(writer, labelOf(action), span, (base, next) => ({
    ...base,
    kind: "emit",
    event: { name, span },
    data,
    attributes,
    next,
  }));
  return { steps, result: literal(null) };
}

const reservedAttributes: ReadonlySet<string> = new Set(
  "id source specversion type subject time datacontenttype dataschema data".split(" "),
);
