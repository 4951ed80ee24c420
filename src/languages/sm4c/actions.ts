import {
  binary,
  bind,
  canFail,
  type Expression,
  freeVariables,
  literal,
  object,
  simplify,
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
import {
  assign,
  complete,
  declare,
  end,
  type Fragment,
  noSteps,
  reserve,
  reserveAttempt,
  sequence,
  spanOf,
  step,
} from "../shared/index.ts";
import { dataName, temporary, type Writer, wordOf } from "./context.ts";
import { argumentsIgnored, attributeName, timeoutIgnored, withoutEffect } from "./diagnostics/kinds.ts";
import { timespanAt } from "./durations.ts";
import { handled, isTimeout } from "./errors.ts";
import { argumentsAt, functionValue, handledAt, valueAt } from "./expressions.ts";
import { named } from "./names.ts";
import { foreach, parallel, recordsWithin, sequenceOf } from "./nested.ts";

/** What performing an action takes, and what its result then is: computed where it is looked at, right behind the steps. */
export interface Performed {
  readonly steps: Fragment;
  readonly result: Expression;
}

/** Performs an action, with what its handlers make of its errors. `isWanted`: somebody looks at the result. */
export function perform(writer: Writer, action: Action, isWanted: boolean): Performed {
  const hasHandlers = (action.errorHandlers ?? []).length > 0;
  return hasHandlers && !isOneStep(writer, action)
    ? attempted(writer, action, isWanted)
    : plain(writer, action, isWanted);
}

/** An action in `owner[key]`, and what the handler in `owner[handlerKey]` makes of its result: without an action that is null. */
export function acted(writer: Writer, owner: object, key: string, handlerKey: string): Fragment {
  const { context } = writer;
  const action = (owner as { readonly [key: string]: Action | undefined })[key];
  const isHandled = Object.hasOwn(owner, handlerKey);
  if (!isHandled) return action ? perform(writer, action, false).steps : noSteps;
  const span = spanOf(context, owner, handlerKey);
  const merge = (value: Expression): Fragment => assign(writer, "merge", span, { variable: dataName, value });
  if (!action) return merge(handledAt(context, owner, handlerKey, { value: literal(null) }, nullType));
  const performed = perform(writer, action, true);
  const { steps, result } = performed;
  const given = types[action.type];
  const type = given && (action.errorHandlers?.length ? union(given, nullType) : given);
  const handled = handledAt(context, owner, handlerKey, { value: variable("value") }, type);
  if (freeVariables(handled).has("value")) return sequence(steps, merge(simplify(bind("value", result, handled))));
  return sequence(canFail(result) ? kept(writer, action, performed).steps : steps, merge(handled));
}

/** What the results of actions are, where no handler makes them null. */
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

/** The result of an action in a variable, where it is not in one already or a constant. */
export function kept(writer: Writer, action: Action, { steps, result }: Performed): Performed {
  if (result.kind === "variable" || result.kind === "literal") return { steps, result };
  const name = temporary(writer, "result");
  const set = assign(writer, wordOf(action), spanOf(writer.context, action), { variable: name, value: result });
  return { steps: sequence(steps, set), result: variable(name) };
}

/** Whether an action is one step of the IR, which handles its errors itself, or cannot fail at all. */
function isOneStep({ context }: Writer, action: Action): boolean {
  switch (action.type) {
    case "delay":
    case "invokeSubflow":
      return true;
    case "invokeFunction":
      return context.functions.byFolded.get(action.functionName.toLowerCase())?.type !== "expression";
    case "parallel":
      return action.actions.length > 0 && !recordsWithin(action);
    case "foreach":
      return !recordsWithin(action);
    default:
      return false;
  }
}

/** The steps of an action as one, whose errors are handled. */
function attempted(writer: Writer, action: Action, isWanted: boolean): Performed {
  const result = isWanted ? temporary(writer, "result") : undefined;
  const steps = handled(writer, action, { result, timesOut: false }, () => {
    const { step: attempt, fill } = reserveAttempt(writer, literal(null), (inner) => {
      const performed = plain(inner, action, isWanted);
      if (result === undefined) return performed.steps;
      const span = spanOf(inner.context, action);
      return sequence(
        performed.steps,
        assign(inner, wordOf(action), span, { variable: result, value: performed.result }),
      );
    });
    return { reference: attempt.reference, fill: (recovery) => fill({ restore: [], ...recovery }) };
  });
  return { steps, result: result === undefined ? literal(null) : variable(result) };
}

/** The steps of an action; those of one step handle its errors too. */
function plain(writer: Writer, action: Action, isWanted: boolean): Performed {
  switch (action.type) {
    case "delay":
      return delay(writer, action);
    case "foreach":
      return foreach(writer, action, isWanted);
    case "injectData":
      return computed(writer, action, valueAt(writer.context, action, "expression", writer.place), isWanted);
    case "invokeFunction":
      return invokeFunction(writer, action, isWanted);
    case "invokeSubflow":
      return invokeSubflow(writer, action, isWanted);
    case "parallel":
      return parallel(writer, action, isWanted);
    case "sendEvent":
      return sendEvent(writer, action);
    case "sequence":
      return sequenceOf(writer, action, isWanted);
    default:
      return assertNever(action);
  }
}

/** A value is computed also where nobody looks at it, if that can fail. */
function computed(writer: Writer, action: Action, value: Expression, isWanted: boolean): Performed {
  if (isWanted || !canFail(value)) return { steps: noSteps, result: value };
  return kept(writer, action, { steps: noSteps, result: value });
}

function delay(writer: Writer, action: DelayAction): Performed {
  if (action.errorHandlers?.length)
    writer.context.report(
      withoutEffect(spanOf(writer.context, action, "errorHandlers", "key"), { key: "errorHandlers" }),
    );
  const seconds = timespanAt(writer.context, action, "timeout") ?? 0;
  const span = spanOf(writer.context, action, "timeout");
  const steps = step(writer, wordOf(action), span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds: literal(seconds) },
    next,
  }));
  return { steps, result: literal(null) };
}

function invokeFunction(writer: Writer, action: InvokeFunctionAction, isWanted: boolean): Performed {
  const { context, place } = writer;
  const span = spanOf(context, action, "functionName");
  const definition = named(context, context.functions, action.functionName, span);
  if (definition?.type === "expression") {
    if (action.arguments !== undefined)
      context.report(argumentsIgnored(spanOf(context, action, "arguments", "key"), { name: definition.name }));
    const isWaited = action.waitForCompletion ?? context.settings.waits;
    return computed(
      writer,
      action,
      isWaited ? functionValue(context, definition.name, span, place) : literal(null),
      isWanted,
    );
  }
  const called = { name: definition?.name ?? action.functionName, span };
  const argument = argumentsAt(context, action, place);
  return invoked(writer, action, isWanted, (effect) => ({ ...effect, kind: "call", function: called, argument }));
}

/** Without arguments a subflow starts with what the action sees. */
function invokeSubflow(writer: Writer, action: InvokeSubflowAction, isWanted: boolean): Performed {
  const { context, place } = writer;
  const workflow = { name: action.subflowName, span: spanOf(context, action, "subflowName") };
  const input = action.arguments === undefined ? place.seen.value : argumentsAt(context, action, place);
  const make = (effect: Effect): Invoke => {
    const handlers = effect.wait ? [...effect.handlers, ...timeoutsOfOthers(writer, action)] : effect.handlers;
    return { ...effect, handlers, kind: "invoke", workflow, input, terminates: false };
  };
  return invoked(writer, action, isWanted, make);
}

/** What took too long in a machine of another language is an error of its own: the time of this run is not over. */
function timeoutsOfOthers(writer: Writer, action: InvokeSubflowAction): readonly Handler[] {
  const { definition } = writer.context;
  if (!definition.timeout && !definition.execTimeout) return [];
  const span = spanOf(writer.context, action);
  const error = variable(declare(writer, "error"));
  const value = binary("+", error, object([["origin", literal("function")]]));
  const raise = end(writer, "raise", span, { outcome: "fail", extent: "scope", value });
  return [{ when: isTimeout, bind: "error", next: complete(raise, span), span }];
}

/** What calls and starts of machines have in common. */
type Effect = Omit<Call, "kind" | "function" | "argument" | "secrets">;

/** Something outside, which is waited for or not. When its time is over the result is null. */
function invoked(
  writer: Writer,
  action: InvokeFunctionAction | InvokeSubflowAction,
  isWanted: boolean,
  make: (effect: Effect) => Call | Invoke,
): Performed {
  const { context } = writer;
  const wait = action.waitForCompletion ?? context.settings.waits;
  const seconds = timespanAt(context, action, "timeout");
  if (!wait && seconds !== undefined) context.report(timeoutIgnored(spanOf(context, action, "timeout", "key"), {}));
  const timeout = wait ? seconds : undefined;
  const bind = wait && isWanted ? temporary(writer, "result") : undefined;
  const steps = handled(writer, action, { result: bind, timesOut: timeout !== undefined }, () => {
    const { base, reference, fill } = reserve(writer, wordOf(action), spanOf(context, action));
    return { reference, fill: (recovery) => fill(make({ ...base, wait, timeout, bind, ...recovery })) };
  });
  return { steps, result: bind === undefined ? literal(null) : variable(bind) };
}

/** An event has the name of its definition as its subject. */
function sendEvent(writer: Writer, action: SendEventAction): Performed {
  const { context, place } = writer;
  const span = spanOf(context, action, "event");
  const definition = named(context, context.events, action.event, span);
  const name = definition?.name ?? action.event;
  const data = action.expression === undefined ? literal({}) : valueAt(context, action, "expression", place);
  const attributes: { [name: string]: string } = {};
  if (definition?.type !== undefined || definition?.source !== undefined) attributes["subject"] = name;
  const given = action.contextAttributes ?? {};
  for (const [attribute, value] of Object.entries(given)) {
    if (!/^[A-Za-z0-9]+$/.test(attribute) || reserved.has(attribute.toLowerCase()))
      context.report(
        attributeName(spanOf(context, given, attribute, "key"), {
          attribute,
          isTaken: reserved.has(attribute.toLowerCase()),
        }),
      );
    setOwn(attributes, attribute, value);
  }
  const steps = step(writer, wordOf(action), span, (base, next) => ({
    ...base,
    kind: "emit",
    event: { name, span },
    data,
    attributes,
    next,
  }));
  return { steps, result: literal(null) };
}

/** The attributes that events have from elsewhere. */
const reserved: ReadonlySet<string> = new Set(
  "id source specversion type subject time datacontenttype dataschema data".split(" "),
);
