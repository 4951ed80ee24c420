import { type Expression, firstOr, literal } from "../../../src/expressions/index.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Receive, Start } from "../../../src/ir/workflow.ts";
import { js } from "../../../src/js-ast/index.ts";
import type { FlowContext, ScopeContext } from "./context.ts";
import { allowed } from "./effects.ts";
import { beginProgram, finished, params } from "./programs.ts";
import type { Part } from "./state-builder.ts";
import { textFor, variablesOf } from "./text.ts";

/** What a helper waits for; texts are functions of `{ event }` and the variables of the wait. */
export interface Awaited {
  readonly alternatives: readonly AwaitedAlternative[];
  readonly events: { readonly [name: string]: AwaitedEvent };
}

interface AwaitedAlternative {
  readonly all: readonly (readonly AwaitedPattern[])[];
  readonly none?: readonly AwaitedPattern[];
  readonly withinMs?: number;
}

interface AwaitedPattern {
  readonly event: string;
  readonly when?: string;
}

interface AwaitedEvent {
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  readonly foldCase?: boolean;
  readonly token?: string;
}

/** Waits for events: the helper is told what they are, and gives those that have come. */
export function lowerReceive(step: Receive, context: ScopeContext): readonly Part[] {
  const { flow } = context;
  flow.entities.suspends("events");
  const { alternatives, events } = awaited(step.alternatives, flow);
  const writing = beginProgram(flow);
  const patterns = step.alternatives.flatMap(({ all, none }) => [...all.flat(), ...none]);
  const unused = step.unused === "drop" ? { unused: "drop" } : {};
  const asked = js.record({
    wait: js.value({ id: step.id, alternatives: alternatives as never, ...unused }),
    events: js.value(events as never),
    variables: variablesOf(
      patterns.flatMap(({ when }) => when ?? []),
      flow,
    ),
    token: flow.token === undefined ? undefined : js.name(flow.token),
    timeoutMs: allowed(writing, undefined, context.deadlines),
  });
  const taking = beginProgram(flow);
  const symbol = flow.symbols.get(step.bind);
  if (symbol !== undefined) taking.lines.push(js.assign(symbol, js.member(params, "received")));
  if (flow.token !== undefined)
    taking.lines.push(js.assign(flow.token, js.binary(js.member(params, "token"), "??", js.literal(null))));
  const parts: readonly Part[] = [
    { name: `${step.id}/events`, does: finished(writing, asked) },
    { name: step.id, does: { kind: "action", action: flow.entities.helper("rt-suspend") } },
  ];
  return taking.lines.length === 0 ? parts : [...parts, { name: `${step.id}/received`, does: finished(taking) }];
}

/** What a helper is to wait for, and all events that the workflow knows. */
function awaited(alternatives: readonly EventCombination[], flow: FlowContext): Awaited {
  return {
    alternatives: alternatives.map(({ all, none, within }) => ({
      all: all.map((group) => group.map((pattern) => patternOf(pattern, flow))),
      ...(none.length === 0 ? {} : { none: none.map((pattern) => patternOf(pattern, flow)) }),
      ...(within === undefined ? {} : { withinMs: within * 1000 }),
    })),
    events: Object.fromEntries(flow.workflow.events.map((event) => [event.name, eventOf(event, flow)])),
  };
}

const patternOf = ({ event, when }: EventPattern, flow: FlowContext): AwaitedPattern => ({
  event: event.name,
  ...(when === undefined ? {} : { when: textOver(when, flow) }),
});

function eventOf({ type, source, subject, foldCase, correlation }: EventDefinition, flow: FlowContext): AwaitedEvent {
  return {
    ...(type === undefined ? {} : { type }),
    ...(source === undefined ? {} : { source }),
    ...(subject === undefined ? {} : { subject }),
    ...(foldCase ? { foldCase } : {}),
    ...(correlation ? { token: textOver(firstOr(correlation, literal(null)), flow) } : {}),
  };
}

/** `({ event, order }) => event.data?.id === order.id` */
const textOver = (expression: Expression, flow: FlowContext): string =>
  textFor(expression, new Map([["event", { symbol: flow.eventName }]]), flow);

/** What a workflow hears: its events, and how they start runs. */
export interface Hearing {
  readonly definitions: Awaited["events"];
  readonly start?: Started | undefined;
}

/** How events start runs of a workflow. */
export interface Started {
  readonly on: Awaited["alternatives"];
  /** A run begins when all events of an alternative have come. */
  readonly complete?: true;
  /** In seconds. */
  readonly gap?: number;
  readonly window?: { readonly from?: string; readonly until?: string };
}

/** What a workflow hears; undefined where it waits for nothing, and nothing starts it. */
export function hearingOf(flow: FlowContext): Hearing | undefined {
  const { start } = flow.workflow;
  const isStarted = start.on !== undefined && start.on.length > 0;
  if (!isStarted && !stepsOf(flow.workflow).some(({ kind }) => kind === "receive")) return undefined;
  const { events, alternatives } = awaited(start.on ?? [], flow);
  return isStarted ? { definitions: events, start: startedBy(alternatives, start) } : { definitions: events };
}

function startedBy(on: Awaited["alternatives"], { create, gap, window }: Start): Started {
  const { from, until } = window ?? {};
  return {
    on,
    ...(create === "complete" ? { complete: true } : {}),
    ...(gap === undefined ? {} : { gap }),
    ...(window
      ? { window: { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) } }
      : {}),
  };
}
