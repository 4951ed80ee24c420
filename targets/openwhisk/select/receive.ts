import { type Expression, firstOr, literal } from "../../../src/expressions/index.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Receive, Start } from "../../../src/ir/workflow.ts";
import { js } from "../../../src/js-ast/index.ts";
import type { ScopeContext, SelectionContext } from "./context.ts";
import { deployExpression } from "./deployed-functions.ts";
import { remainingTime } from "./effects.ts";
import { beginFunction, codeOf, functionOperation, params } from "./function-builder.ts";
import { captureVariables } from "./print-function.ts";
import { stateName, type UnlinkedState } from "./state-builder.ts";

/** A combination of events, as the helper action receives it. `when` and `token` are ids of its functions. */
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
  /** The attribute that holds the correlation value, instead of `token`. */
  readonly attribute?: string;
  /** The correlation key of the value. Default: the unnamed one. */
  readonly key?: string;
}

/** Lowers a wait: the operation `suspend` receives the patterns and returns the events. */
export function lowerReceive(step: Receive, context: ScopeContext): readonly UnlinkedState[] {
  const { flow } = context;
  flow.platform.noteSuspension("events");
  const fn = beginFunction(flow, step.id);
  const patterns = step.alternatives.flatMap(({ all, none }) => [...all.flat(), ...none]);
  const unused = step.unused === "drop" ? { unused: "drop" } : {};
  const values = (step.correlation ?? []).map(({ key, value }) => js.property(key, codeOf(fn, value).code));
  const request = js.record({
    operation: js.literal("suspend"),
    wait: js.value({
      id: step.id,
      alternatives: describeAlternatives(step.alternatives, step.id, flow) as never,
      ...unused,
    }),
    variables: captureVariables(
      patterns.flatMap(({ when }) => when ?? []),
      flow,
    ),
    token: flow.token === undefined ? undefined : js.name(flow.token),
    values: values.length === 0 ? undefined : js.object(values),
    timeoutMs: remainingTime(fn, undefined, context.deadlines),
  });
  const assignment = beginFunction(flow);
  const symbol = flow.symbols.get(step.bind);
  if (symbol !== undefined) assignment.lines.push(js.assign(symbol, js.member(params, "received")));
  if (flow.token !== undefined)
    assignment.lines.push(js.assign(flow.token, js.binary(js.member(params, "token"), "??", js.literal(null))));
  const states: readonly UnlinkedState[] = [
    { name: stateName(step, "events"), operation: functionOperation(fn, request) },
    { name: stateName(step), operation: { kind: "action", action: flow.platform.helper } },
  ];
  return assignment.lines.length === 0
    ? states
    : [...states, { name: stateName(step, "received"), operation: functionOperation(assignment) }];
}

const describeAlternatives = (
  alternatives: readonly EventCombination[],
  step: string,
  flow: SelectionContext,
): readonly AlternativeDescription[] =>
  alternatives.map(({ all, none, within }) => ({
    all: all.map((group) => group.map((pattern) => describePattern(pattern, step, flow))),
    ...(none.length === 0 ? {} : { none: none.map((pattern) => describePattern(pattern, step, flow)) }),
    ...(within === undefined ? {} : { withinMs: within * 1000 }),
  }));

const describePattern = ({ event, when }: EventPattern, step: string, flow: SelectionContext): PatternDescription => ({
  event: event.name,
  ...(when === undefined ? {} : { when: deployEventExpression(when, [step, event.name], flow) }),
});

function describeEvent(
  { name, type, source, subject, foldCase, correlation, correlationKey }: EventDefinition,
  flow: SelectionContext,
): EventDescription {
  return {
    ...(type === undefined ? {} : { type }),
    ...(source === undefined ? {} : { source }),
    ...(subject === undefined ? {} : { subject }),
    ...(foldCase ? { foldCase } : {}),
    ...describeCorrelation(correlation, name, flow),
    ...(correlation && correlationKey !== undefined ? { key: correlationKey } : {}),
  };
}

function describeCorrelation(
  correlation: Expression | undefined,
  event: string,
  flow: SelectionContext,
): Pick<EventDescription, "attribute" | "token"> {
  if (!correlation) return {};
  const attribute = attributeIn(correlation);
  if (attribute !== undefined) return { attribute };
  return { token: deployEventExpression(firstOr(correlation, literal(null)), [event, "correlation"], flow) };
}

/** The attribute of the event that an expression reads, if it does nothing else. */
function attributeIn(expression: Expression): string | undefined {
  if (expression.kind !== "call" || expression.name !== "attribute") return undefined;
  const [event, name] = expression.args;
  const isEvent = event?.kind === "variable" && event.name === "event";
  return isEvent && name?.kind === "literal" && typeof name.value === "string" ? name.value : undefined;
}

const deployEventExpression = (expression: Expression, purpose: readonly string[], flow: SelectionContext): string =>
  deployExpression(expression, purpose, new Map([["event", { symbol: flow.eventName }]]), flow);

/** The events of a workflow, and how they start runs. */
export interface WorkflowSubscription {
  readonly definitions: { readonly [name: string]: EventDescription };
  readonly start?: StartDescription | undefined;
}

/** How events start runs of a workflow. */
export interface StartDescription {
  readonly on: readonly AlternativeDescription[];
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
  const definitions = Object.fromEntries(flow.workflow.events.map((event) => [event.name, describeEvent(event, flow)]));
  if (!isStarted) return { definitions };
  return { definitions, start: describeStart(describeAlternatives(start.on, "start", flow), start) };
}

function describeStart(on: StartDescription["on"], { create, gap, window }: Start): StartDescription {
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
