import { literal } from "../../expressions/index.ts";
import type { CallbackState, EventGroup, EventState } from "../../generated/serverless-workflow-definition.ts";
import type { EventCombination, EventPattern, Reference, Start } from "../../ir/workflow.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
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
  if (within === undefined || context.settings.timeout === "fail") {
    return sequence(
      waited,
      withErrorHandling(writer, (inner) => handleEvents(inner, state, alternatives, within !== undefined)),
    );
  }
  const late: ChoiceCase = {
    when: isAlternative(null),
    span: spanOf(context, state, "timeout"),
    build: () => discardPartialEvents(writer, state, alternatives),
  };
  const inTime = () => withErrorHandling(writer, (inner) => handleEvents(inner, state, alternatives, false));
  return sequence(waited, choose(writer, "arrived", late.span, [late], inTime));
}

/** Starts runs with any event, or with all. */
export function eventStart(context: Context, state: EventState): Pick<Start, "on" | "create" | "gap"> {
  const on = alternativesOf(context, state, true);
  if (state.exclusive ?? true) return { on, create: "first" };
  const silent = { ...context, report: () => {} };
  return { on, create: "complete", gap: state.timeout === undefined ? undefined : secondsAt(silent, state, "timeout") };
}

/** Not applicable to a start state that a single event starts. */
function timeoutOf({ context }: Writer, state: EventState, starts: boolean): number | undefined {
  if (state.timeout === undefined) return undefined;
  const seconds = secondsAt(context, state, "timeout");
  if (starts && (state.exclusive ?? true)) {
    const why = "each event starts a run of its own, so the state does not wait";
    context.report(withoutEffect(spanOf(context, state, "timeout", "key"), { name: "timeout", why }));
    return undefined;
  }
  const silent = seconds !== undefined && context.settings.timeout === "proceed" && !starts;
  if (silent) context.report(silentTimeout(spanOf(context, state, "timeout"), { what: "the wait for events" }));
  return seconds;
}

function alternativesOf(
  context: Context,
  state: EventState,
  starts: boolean,
  within?: number,
): readonly EventCombination[] {
  const patternsOf = ({ eventRefs }: EventGroup) =>
    eventRefs.map((name, i) => patternOf(context, eventRefs, i, name, starts));
  if (state.exclusive ?? true) {
    return state.eventsActions.map((entry) => anyOf(patternsOf(entry), spanOf(context, entry, "eventRefs"), within));
  }
  const distinct = new Map<string, EventPattern>();
  for (const pattern of state.eventsActions.flatMap(patternsOf))
    if (!distinct.has(pattern.event.name)) distinct.set(pattern.event.name, pattern);
  return [
    {
      all: [...distinct.values()].map((pattern) => [pattern]),
      none: [],
      within,
      span: spanOf(context, state, "eventsActions"),
    },
  ];
}

function handleEvents(
  writer: Writer,
  state: EventState,
  alternatives: readonly EventCombination[],
  fails: boolean,
): StepFragment {
  const { context } = writer;
  const entries = state.eventsActions;
  const late = fails ? [timeoutFailure(writer, state, alternatives)] : [];
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

const timeoutFailure = (writer: Writer, state: EventState, alternatives: readonly EventCombination[]): ChoiceCase => {
  const span = spanOf(writer.context, state, "timeout");
  return {
    when: isAlternative(null),
    span,
    build: () =>
      sequence(discardPartialEvents(writer, state, alternatives), failWith(writer, "timeout", span, timeoutError)),
  };
};

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
  const performed = state.eventsActions.map((entry) => lowerActions(writer, entry));
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
  const performed = lowerAction(writer, state.action);
  const span = spanOf(context, state, "eventRef");
  const pattern = patternOf(context, state, "eventRef", state.eventRef, false);
  const within = secondsAt(context, state, "timeout");
  const alternatives = [anyOf([pattern], span, within)];
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

/** An error if the option says so or an `onError` catches it; otherwise the state continues. */
function timeoutCases(writer: Writer, state: CallbackState): readonly ChoiceCase[] {
  const { context } = writer;
  const span = spanOf(context, state, "timeout");
  const taken = context.settings.timeout === "fail" ? literal(true) : catchesTimeout(writer);
  const never = taken.kind === "literal" && taken.value !== true;
  if (never) context.report(silentTimeout(span, { what: "the wait for the event" }));
  else if (context.settings.timeout !== "fail") context.report(handledTimeout(span, { state: state.name }));
  return never ? [] : [{ when: taken, span, build: () => failWith(writer, "timeout", span, timeoutError) }];
}
