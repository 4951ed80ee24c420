import { type Expression, firstOr, literal } from "../../../src/expressions/index.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Receive, Start } from "../../../src/ir/workflow.ts";
import { js } from "../../../src/js-ast/index.ts";
import type { ScopeContext, SelectionContext } from "./context.ts";
import { remainingTime } from "./effects.ts";
import { beginFunction, functionOperation, params } from "./function-builder.ts";
import { captureVariables, printExpressionFunction } from "./print-function.ts";
import type { UnlinkedState } from "./state-builder.ts";

/** A wait, as `rt-suspend` receives it. `when` and `token` are printed functions. */
export interface WaitDescription {
  readonly alternatives: readonly AlternativeDescription[];
  readonly events: { readonly [name: string]: EventDescription };
}

interface AlternativeDescription {
  readonly all: readonly (readonly PatternDescription[])[];
  readonly none?: readonly PatternDescription[];
  readonly withinMs?: number;
}

interface PatternDescription {
  readonly event: string;
  readonly when?: string;
}

interface EventDescription {
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  readonly foldCase?: boolean;
  readonly token?: string;
}

/** Lowers a wait: `rt-suspend` receives the patterns and returns the events. */
export function lowerReceive(step: Receive, context: ScopeContext): readonly UnlinkedState[] {
  const { flow } = context;
  flow.platform.noteSuspension("events");
  const { alternatives, events } = describeWait(step.alternatives, flow);
  const fn = beginFunction(flow);
  const patterns = step.alternatives.flatMap(({ all, none }) => [...all.flat(), ...none]);
  const unused = step.unused === "drop" ? { unused: "drop" } : {};
  const request = js.record({
    wait: js.value({ id: step.id, alternatives: alternatives as never, ...unused }),
    events: js.value(events as never),
    variables: captureVariables(
      patterns.flatMap(({ when }) => when ?? []),
      flow,
    ),
    token: flow.token === undefined ? undefined : js.name(flow.token),
    timeoutMs: remainingTime(fn, undefined, context.deadlines),
  });
  const assignment = beginFunction(flow);
  const symbol = flow.symbols.get(step.bind);
  if (symbol !== undefined) assignment.lines.push(js.assign(symbol, js.member(params, "received")));
  if (flow.token !== undefined)
    assignment.lines.push(js.assign(flow.token, js.binary(js.member(params, "token"), "??", js.literal(null))));
  const states: readonly UnlinkedState[] = [
    { name: `${step.id}/events`, operation: functionOperation(fn, request) },
    { name: step.id, operation: { kind: "action", action: flow.platform.helper("rt-suspend") } },
  ];
  return assignment.lines.length === 0
    ? states
    : [...states, { name: `${step.id}/received`, operation: functionOperation(assignment) }];
}

function describeWait(alternatives: readonly EventCombination[], flow: SelectionContext): WaitDescription {
  return {
    alternatives: alternatives.map(({ all, none, within }) => ({
      all: all.map((group) => group.map((pattern) => describePattern(pattern, flow))),
      ...(none.length === 0 ? {} : { none: none.map((pattern) => describePattern(pattern, flow)) }),
      ...(within === undefined ? {} : { withinMs: within * 1000 }),
    })),
    events: Object.fromEntries(flow.workflow.events.map((event) => [event.name, describeEvent(event, flow)])),
  };
}

const describePattern = ({ event, when }: EventPattern, flow: SelectionContext): PatternDescription => ({
  event: event.name,
  ...(when === undefined ? {} : { when: printEventFunction(when, flow) }),
});

function describeEvent(
  { type, source, subject, foldCase, correlation }: EventDefinition,
  flow: SelectionContext,
): EventDescription {
  return {
    ...(type === undefined ? {} : { type }),
    ...(source === undefined ? {} : { source }),
    ...(subject === undefined ? {} : { subject }),
    ...(foldCase ? { foldCase } : {}),
    ...(correlation ? { token: printEventFunction(firstOr(correlation, literal(null)), flow) } : {}),
  };
}

const printEventFunction = (expression: Expression, flow: SelectionContext): string =>
  printExpressionFunction(expression, new Map([["event", { symbol: flow.eventName }]]), flow);

/** The events of a workflow, and how they start runs. */
export interface WorkflowSubscription {
  readonly definitions: WaitDescription["events"];
  readonly start?: StartDescription | undefined;
}

/** How events start runs of a workflow. */
export interface StartDescription {
  readonly on: WaitDescription["alternatives"];
  /** A run starts only when all events have arrived. */
  readonly complete?: true;
  /** The longest time between these events, in seconds. */
  readonly gap?: number;
  readonly window?: { readonly from?: string; readonly until?: string };
}

/** The subscription of a workflow; undefined if it neither waits for events nor starts by them. */
export function subscriptionOf(flow: SelectionContext): WorkflowSubscription | undefined {
  const { start } = flow.workflow;
  const isStarted = start.on !== undefined && start.on.length > 0;
  if (!isStarted && !stepsOf(flow.workflow).some(({ kind }) => kind === "receive")) return undefined;
  const { events, alternatives } = describeWait(start.on ?? [], flow);
  return isStarted ? { definitions: events, start: describeStart(alternatives, start) } : { definitions: events };
}

function describeStart(on: WaitDescription["alternatives"], { create, gap, window }: Start): StartDescription {
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
