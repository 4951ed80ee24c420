import { and, type Expression, literal } from "../../expressions/index.ts";
import type { CallbackState, EventGroup, EventState } from "../../generated/serverless-workflow-definition.ts";
import type { EventCombination, EventPattern, Reference, Start } from "../../ir/workflow.ts";
import { secondsAt, spanOf, statedSpan } from "../shared/properties.ts";
import {
  type ChoiceCase,
  choose,
  declare,
  failWith,
  noSteps,
  reserve,
  type StepFragment,
  sequence,
  step,
} from "../shared/steps.ts";
import { lowerAction, lowerActions } from "./actions.ts";
import type { Context, Writer } from "./context.ts";
import { assignData } from "./data.ts";
import { handledTimeout, silentTimeout, withoutEffect } from "./diagnostics/kinds.ts";
import { catchesTimeout, timeoutError, withErrorHandling } from "./errors.ts";
import { type AwaitedEvent, anyOf, isAlternative, mergeEvent, mergeEvents, patternOf } from "./events.ts";

/** Serverless Workflow (draft of 2020), Event State: waits for one event or all, then performs actions. */
export function lowerEventState(writer: Writer, state: EventState): StepFragment {
  const { context, scope } = writer;
  const starts = scope.plan.kind === "workflow" && scope.start === state;
  const within = timeoutOf(writer, state, starts);
  const caught = within === undefined ? literal(false) : caughtTimeout(writer);
  const alternatives = alternativesOf(context, state, starts, within);
  const span = spanOf(context, state, "type");
  const bind = declare(writer, "received");
  const waited = step(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind,
    next,
  }));
  const handled = () => withErrorHandling(writer, (inner) => handleEvents(inner, state, alternatives, caught));
  if (within === undefined || !isNever(caught)) return sequence(waited, handled());
  const late: ChoiceCase = {
    when: isAlternative(null),
    span: spanOf(context, state, "timeout"),
    build: () => discardPartialEvents(writer, state, alternatives),
  };
  return sequence(waited, choose(writer, "arrived", late.span, [late], handled));
}

/** Starts runs with any event, or with all. */
export function eventStart(context: Context, state: EventState): Pick<Start, "on" | "create" | "gap"> {
  const on = alternativesOf(context, state, true);
  if (state.exclusive ?? true) return { on, create: "first" };
  const silent = { ...context, report: () => {} };
  return { on, create: "complete", gap: state.timeout === undefined ? undefined : secondsAt(silent, state, "timeout") };
}

/** Not applicable to a start state that a single event starts. */
function timeoutOf(writer: Writer, state: EventState, starts: boolean): number | undefined {
  const { context } = writer;
  if (state.timeout === undefined) return undefined;
  const seconds = secondsAt(context, state, "timeout");
  if (starts && (state.exclusive ?? true)) {
    const why = "each event starts a run of its own, so the state does not wait";
    context.report(withoutEffect(spanOf(context, state, "timeout", "key"), { name: "timeout", why }));
    return undefined;
  }
  if (seconds !== undefined && !starts) reportTimeout(writer, state, "the wait for events");
  return seconds;
}

function alternativesOf(
  context: Context,
  state: EventState,
  starts: boolean,
  within?: number,
): readonly EventCombination[] {
  const spans = { within: statedSpan(context, state, "timeout") };
  const patternsOf = ({ eventRefs }: EventGroup) =>
    eventRefs.map((name, i) => patternOf(context, eventRefs, i, name, starts));
  if (state.exclusive ?? true) {
    return state.eventsActions.map((entry) =>
      anyOf(patternsOf(entry), spanOf(context, entry, "eventRefs"), within, spans),
    );
  }
  const distinct = new Map<string, EventPattern>();
  for (const pattern of state.eventsActions.flatMap(patternsOf))
    if (!distinct.has(pattern.event.name)) distinct.set(pattern.event.name, pattern);
  return [
    {
      all: [...distinct.values()].map((pattern) => [pattern]),
      none: [],
      within,
      spans,
      span: spanOf(context, state, "eventsActions"),
    },
  ];
}

function handleEvents(
  writer: Writer,
  state: EventState,
  alternatives: readonly EventCombination[],
  caught: Expression,
): StepFragment {
  const { context } = writer;
  const entries = state.eventsActions;
  const late = isNever(caught) ? [] : lateCases(writer, state, alternatives, caught);
  if (!(state.exclusive ?? true)) return chooseEntry(writer, state, late, () => lowerAllEntries(writer, state));
  const cases = entries.slice(0, -1).map(
    (entry, i): ChoiceCase => ({
      when: isAlternative(i),
      span: spanOf(context, entry),
      build: () => lowerEntry(writer, entry),
    }),
  );
  return chooseEntry(writer, state, [...late, ...cases], () => lowerEntry(writer, entries.at(-1)!));
}

const chooseEntry = (
  writer: Writer,
  state: EventState,
  cases: readonly ChoiceCase[],
  otherwise: () => StepFragment,
): StepFragment =>
  cases.length === 0
    ? otherwise()
    : choose(writer, "which", spanOf(writer.context, state, "eventsActions", "key"), cases, otherwise);

/** A timeout that no handler catches skips the actions. */
function lateCases(
  writer: Writer,
  state: EventState,
  alternatives: readonly EventCombination[],
  caught: Expression,
): readonly ChoiceCase[] {
  const span = spanOf(writer.context, state, "timeout");
  const discard = () => discardPartialEvents(writer, state, alternatives);
  const late = isAlternative(null);
  const failing = () => sequence(discard(), failWith(writer, "timeout", span, timeoutError));
  if (caught.kind === "literal") return [{ when: late, span, build: failing }];
  return [
    { when: and(late, caught), span, build: failing },
    { when: late, span, build: discard },
  ];
}

const awaitedIn = (entry: EventGroup): readonly AwaitedEvent[] =>
  entry.eventRefs.map((name) => ({ name, owner: entry }));

function lowerEntry(writer: Writer, entry: EventGroup): StepFragment {
  const merged = assignData(
    writer,
    "event",
    spanOf(writer.context, entry, "eventRefs"),
    mergeEvent(writer.context, awaitedIn(entry)),
  );
  const performed = lowerActions(writer, entry);
  return (next) => merged(performed(next, next));
}

function lowerAllEntries(writer: Writer, state: EventState): StepFragment {
  const span = spanOf(writer.context, state, "eventsActions", "key");
  const values = mergeEvents(writer.context, state.eventsActions.flatMap(awaitedIn));
  const merged = sequence(...values.map((value) => assignData(writer, "events", span, value)));
  const performed = state.eventsActions.map((entry, i) =>
    lowerActions(
      writer,
      entry,
      state.eventsActions.slice(i + 1).flatMap(({ actions }) => actions),
    ),
  );
  return (next) => merged(performed.reduceRight((following, actions) => actions(following, next), next));
}

function discardPartialEvents(
  writer: Writer,
  state: EventState,
  alternatives: readonly EventCombination[],
): StepFragment {
  const patterns = alternatives.flatMap(({ all }) => all.flat());
  if ((state.exclusive ?? true) || patterns.length < 2) return noSteps;
  const span = spanOf(writer.context, state, "timeout");
  const { base, reference, fill } = reserve(writer, "drop", span);
  const none = choose(
    writer,
    "dropped",
    span,
    [{ when: isAlternative(null), span, build: () => noSteps }],
    () => () => reference,
  );
  const bind = declare(writer, "received");
  return (next) => {
    fill({
      ...base,
      kind: "receive",
      alternatives: [anyOf(patterns, span, 0)],
      unused: "keep",
      bind,
      next: none(next),
    });
    return reference;
  };
}

/** Serverless Workflow (draft of 2020), Callback State: performs the action, then waits for the event. */
export function lowerCallback(writer: Writer, state: CallbackState): StepFragment {
  const { context } = writer;
  const performed = lowerAction(writer, state.action, () => ", and the event is not awaited");
  const span = spanOf(context, state, "eventRef");
  const pattern = patternOf(context, state, "eventRef", state.eventRef, false);
  const within = secondsAt(context, state, "timeout");
  const alternatives = [anyOf([pattern], span, within, { within: statedSpan(context, state, "timeout") })];
  const bind = declare(writer, "received");
  const waited = step(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind,
    next,
  }));
  const merged = () => assignData(writer, "event", span, mergeEvent(context, [{ name: state.eventRef, owner: state }]));
  const inTime: ChoiceCase = { when: isAlternative(0), span, build: merged };
  const judged = choose(
    writer,
    "arrived",
    span,
    [inTime, ...(within === undefined ? [] : timeoutCases(writer, state))],
    () => noSteps,
  );
  return (next: Reference) => performed(waited(judged(next)), next);
}

function timeoutCases(writer: Writer, state: CallbackState): readonly ChoiceCase[] {
  reportTimeout(writer, state, "the wait for the event");
  const caught = caughtTimeout(writer);
  const span = spanOf(writer.context, state, "timeout");
  return isNever(caught) ? [] : [{ when: caught, span, build: () => failWith(writer, "timeout", span, timeoutError) }];
}

/** Whether a timeout is an error: the option says so, or an `onError` catches it. Otherwise the state continues. */
const caughtTimeout = (writer: Writer): Expression =>
  writer.context.settings.timeout === "fail" ? literal(true) : catchesTimeout(writer);

const isNever = (condition: Expression): boolean => condition.kind === "literal" && condition.value !== true;

function reportTimeout(writer: Writer, state: EventState | CallbackState, what: string): void {
  const { context } = writer;
  if (context.settings.timeout === "fail") return;
  const span = spanOf(context, state, "timeout");
  if (isNever(caughtTimeout(writer))) context.report(silentTimeout(span, { what, skipped: "" }));
  else context.report(handledTimeout(span, { state: state.name }));
}
