import { canFail } from "../../../src/expressions/index.ts";
import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { builtInOf } from "../../../src/ir/protocols.ts";
import type { Call, Delay, Emit } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js, type ObjectMember } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { longestSleep, sharesCorrelation } from "./bounds.ts";
import type { FlowContext, ScopeContext } from "./context.ts";
import {
  beginProgram,
  carried,
  codeOf,
  constantOf,
  finished,
  giving,
  helped,
  params,
  type Writing,
} from "./programs.ts";
import type { Part } from "./state-builder.ts";

import { textFor, variablesOf } from "./text.ts";

/** How long an action may take on the platform, in seconds: then it fails by a time-out. */
const longestAction = 300;

/** A call of a function: its argument, the action, and what becomes of the answer. */
export function lowerCall(step: Call, context: ScopeContext): readonly Part[] {
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
  if (builtIn) return builtInParts(step, builtIn.kind, flow);
  if (definition?.protocol?.kind === "script") {
    flow.refuse(step.span, "a JavaScript function outside a composition");
    return [];
  }
  const action = definition ? flow.entities.action(definition) : flow.entities.flow(step.function.name);
  const writing = beginProgram(flow, step.id);
  const isSecret = (step.secrets ?? []).length > 0;
  const sent = isSecret ? secretArgument(step, flow) : { params: carried(writing, codeOf(writing, step.argument)) };
  const timeout = step.timeout !== undefined && step.timeout < longestAction ? step.timeout : undefined;
  if (step.timeout !== undefined && step.timeout > longestAction) flow.isCutShort(step, step.timeout);
  const isTimed = timeout !== undefined || context.deadlines.length > 0;
  const isPlain = step.wait && !isTimed && !isSecret && !/^https?:/.test(action);
  const asked = isPlain ? sent.params! : throughHelper(writing, { action, sent, wait: step.wait, timeout }, context);
  return [
    { name: `${step.id}/argument`, does: giving(writing, asked) },
    { name: step.id, does: { kind: "action", action: isPlain ? action : flow.entities.helper("rt-call") } },
    ...answerParts(step, flow),
  ];
}

/**
 * What `rt-call` is told of an argument that reads secrets: it looks them up and computes the argument, so that they are nowhere else.
 *
 *   { argument: "({ secret, state }) => ({ token: secret, chat: state.chat })", variables: { state }, secrets: { secret: { id, key, version } } }
 */
function secretArgument({ argument, secrets = [] }: Call, flow: FlowContext): Sent {
  const names = createNames(flow.taken, identifierStyle);
  const given = new Map(
    secrets.map(({ bind }) => [bind, { symbol: names.fresh(camelCase(bind)), type: "string" as const }]),
  );
  const wanted = secrets.map((secret) => {
    const { id, key, version } = secret;
    return [given.get(secret.bind)!.symbol, { id, key, ...(version === undefined ? {} : { version }) }] as const;
  });
  return {
    argument: js.literal(textFor(argument, given, flow, carried)),
    variables: variablesOf([argument], flow),
    secrets: js.value(Object.fromEntries(wanted)),
  };
}

/** What an action gets by `rt-call`: `params`, or how that computes them. */
interface Sent {
  readonly params?: Code;
  readonly argument?: Code;
  readonly variables?: Code | undefined;
  readonly secrets?: Code;
}

/** What `rt-call` is asked: `{ action, params, timeoutMs }`. */
export function throughHelper(
  writing: Writing,
  asked: {
    readonly action: string;
    readonly sent: Sent;
    readonly wait: boolean;
    readonly timeout?: number | undefined;
  },
  { deadlines }: ScopeContext,
): Code {
  return js.record({
    action: js.literal(asked.action),
    ...asked.sent,
    wait: asked.wait ? undefined : js.literal(false),
    timeoutMs: asked.wait ? allowed(writing, asked.timeout, deadlines) : undefined,
  });
}

/** How many milliseconds something may take: the least of its own timeout and of what is left of those around it. */
export function allowed(writing: Writing, seconds: number | undefined, deadlines: readonly string[]): Code | undefined {
  const own = seconds === undefined ? undefined : js.literal(seconds * 1000);
  if (deadlines.length === 0) return own;
  const first = own ?? js.member(js.name("Number"), "MAX_SAFE_INTEGER");
  return helped(writing, "least", [first, ...deadlines.map((each) => js.name(each))]);
}

/** Puts an answer into the variable that wants it. `answer`: where it stands; `isRaw`: it is the value as it is there. */
export function answerParts(
  { id, bind }: { readonly id: string; readonly bind?: string | undefined },
  flow: FlowContext,
  { answer = params, isRaw = false }: { readonly answer?: Code; readonly isRaw?: boolean } = {},
): readonly Part[] {
  const symbol = bind === undefined ? undefined : flow.symbols.get(bind);
  if (symbol === undefined) return [];
  const writing = beginProgram(flow);
  writing.lines.push(js.assign(symbol, isRaw ? answer : helped(writing, "taken", [answer])));
  return [{ name: `${id}/answer`, does: finished(writing) }];
}

/** What a function of the composition has by itself. */
function builtInParts(step: Call, kind: "clock" | "random" | "id", flow: FlowContext): readonly Part[] {
  const writing = beginProgram(flow, step.id);
  if (canFail(step.argument)) writing.lines.push(js.expressionStatement(codeOf(writing, step.argument).code));
  const symbol = step.bind === undefined ? undefined : flow.symbols.get(step.bind);
  if (symbol !== undefined) writing.lines.push(js.assign(symbol, builtInCode(kind)));
  return writing.lines.length === 0 ? [] : [{ name: step.id, does: finished(writing) }];
}

function builtInCode(kind: "clock" | "random" | "id"): Code {
  switch (kind) {
    case "clock":
      return js.binary(js.method(js.name("Date"), "now"), "/", js.literal(1000));
    case "random":
      return js.method(js.name("Math"), "random");
    case "id":
      return js.method(js.name("crypto"), "randomUUID");
    default:
      return assertNever(kind);
  }
}

/** Fires the trigger of an event, with the event as its parameters. */
export function lowerEmit(step: Emit, { flow }: ScopeContext): readonly Part[] {
  const event = flow.events.get(step.event.name)!;
  const { name, type, source, subject, correlationAttribute } = event;
  const writing = beginProgram(flow, step.id);
  const members: ObjectMember[] = [
    js.property("specversion", js.literal("1.0")),
    js.property("id", js.method(js.name("crypto"), "randomUUID")),
    js.property("source", js.literal(source ?? `/waybill/${flow.workflow.id}`)),
    js.property("type", js.literal(type ?? name)),
    ...(subject === undefined ? [] : [js.property("subject", js.literal(subject))]),
    js.property("time", js.method(js.newExpression("Date"), "toISOString")),
    js.property("datacontenttype", js.literal("application/json")),
    ...Object.entries(step.attributes ?? {}).map(([key, value]) => js.property(key, js.literal(value))),
  ];
  members.push(js.property("data", codeOf(writing, step.data).code));
  const correlation =
    correlationAttribute === undefined || flow.token === undefined
      ? undefined
      : js.record({
          attribute: js.literal(correlationAttribute),
          value: js.name(flow.token),
          isShared: sharesCorrelation(step, flow.workflow) ? js.literal(true) : undefined,
        });
  const trigger = js.literal(flow.entities.trigger(event));
  const asked = js.record({ trigger, params: js.object(members), correlation });
  return [
    { name: `${step.id}/event`, does: finished(writing, asked) },
    { name: step.id, does: { kind: "action", action: flow.entities.helper("rt-call") } },
  ];
}

/** Waits: not at all where there is no time to wait for. Where an attempt around is over before, it fails then. */
export function lowerDelay(step: Delay, { flow, deadlines }: ScopeContext): readonly Part[] {
  const { wait } = step;
  const given = wait.kind === "for" ? wait.seconds : wait.instant;
  if (wait.kind === "for" && given.kind === "literal" && Number(given.value) <= 0) return [];
  const writing = beginProgram(flow, step.id);
  const { code } = codeOf(writing, given);
  const known = wait.kind === "for" ? constantOf(code) : undefined;
  const isKnown = typeof known?.value === "number";
  const time = isKnown
    ? js.literal((known.value as number) * 1000)
    : helped(writing, wait.kind === "for" ? "milliseconds" : "millisecondsUntil", [code]);
  writing.canFail ||= !isKnown;
  if (!isKnown || (known.value as number) > longestSleep) flow.entities.suspends("delays");
  const limits = deadlines.map((each) => js.name(each));
  const ms = limits.length === 0 ? time : helped(writing, "least", [time, ...limits]);
  const asked: readonly Part[] = [
    { name: `${step.id}/time`, does: giving(writing, js.record({ ms })) },
    { name: step.id, does: { kind: "action", action: flow.entities.helper("rt-delay") } },
  ];
  if (limits.length === 0) return asked;
  const late = beginProgram(flow, step.id);
  late.canFail = true;
  return [...asked, { name: `${step.id}/late`, does: finished(late, helped(late, "before", limits)) }];
}
