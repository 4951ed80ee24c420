import { literal } from "../../expressions/index.ts";
import type { CallbackState, EventGroup, EventState } from "../../generated/serverless-workflow-definition.ts";
import type { Alternative, Pattern, Reference, Start } from "../../ir/workflow.ts";
import {
  choose,
  declare,
  type Fragment,
  failure,
  nothing,
  reserve,
  secondsAt,
  sequence,
  spanOf,
  step,
  type Way,
} from "../shared/index.ts";
import { actionsOf, performAction } from "./actions.ts";
import type { Context, Writer } from "./context.ts";
import { assignData } from "./data.ts";
import { handledTimeout, silentTimeout, withoutEffect } from "./diagnostics/kinds.ts";
import { protectedWork, takesTimeout, timeoutError } from "./errors.ts";
import { type Awaited, anyOf, patternOf, took, withEvent, withEvents } from "./events.ts";

/** An event state waits for one of its events, or for all, and then performs actions. The wait is over before errors are handled: only the actions are tried again. */
export function event(writer: Writer, state: EventState): Fragment {
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
      protectedWork(writer, (inner) => handled(inner, state, alternatives, within !== undefined)),
    );
  }
  const late: Way = {
    when: took(null),
    span: spanOf(context, state, "timeout"),
    take: () => dropPartial(writer, state, alternatives),
  };
  const inTime = () => protectedWork(writer, (inner) => handled(inner, state, alternatives, false));
  return sequence(waited, choose(writer, "arrived", late.span, [late], inTime));
}

/** How an event state starts runs: by any event of any entry, or by all of all entries, with its timeout between two arrivals. */
export function eventStart(context: Context, state: EventState): Pick<Start, "on" | "create" | "gap"> {
  const on = alternativesOf(context, state, true);
  if (state.exclusive ?? true) return { on, create: "first" };
  const silent = { ...context, report: () => {} };
  return { on, create: "complete", gap: state.timeout === undefined ? undefined : secondsAt(silent, state, "timeout") };
}

/** The time to wait; a start state that any event starts has none. */
function timeoutOf({ context }: Writer, state: EventState, starts: boolean): number | undefined {
  if (state.timeout === undefined) return undefined;
  const seconds = secondsAt(context, state, "timeout");
  if (starts && (state.exclusive ?? true)) {
    const why = "each of its events starts a run, which has no wait before it";
    context.report(withoutEffect(spanOf(context, state, "timeout", "key"), { name: "timeout", why }));
    return undefined;
  }
  const silent = seconds !== undefined && context.settings.timeout === "proceed" && !starts;
  if (silent) context.report(silentTimeout(spanOf(context, state, "timeout"), { what: "the wait for events" }));
  return seconds;
}

/** One alternative for each entry, of whose events any suffices; or one that needs all events of all entries. */
function alternativesOf(context: Context, state: EventState, starts: boolean, within?: number): readonly Alternative[] {
  const patternsOf = ({ eventRefs }: EventGroup) =>
    eventRefs.map((name, i) => patternOf(context, eventRefs, i, name, starts));
  if (state.exclusive ?? true) {
    return state.eventsActions.map((entry) => anyOf(patternsOf(entry), spanOf(context, entry, "eventRefs"), within));
  }
  const distinct = new Map<string, Pattern>();
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

/** What is done with the events: they go into the data, then the actions of their entry, or of all entries, are performed. */
function handled(writer: Writer, state: EventState, alternatives: readonly Alternative[], fails: boolean): Fragment {
  const { context } = writer;
  const entries = state.eventsActions;
  const late = fails ? [lateFailure(writer, state, alternatives)] : [];
  if (!(state.exclusive ?? true)) return branching(writer, state, late, () => allEntries(writer, state));
  const ways = entries
    .slice(0, -1)
    .map((entry, i): Way => ({ when: took(i), span: spanOf(context, entry), take: () => oneEntry(writer, entry) }));
  return branching(writer, state, [...late, ...ways], () => oneEntry(writer, entries.at(-1)!));
}

const branching = (writer: Writer, state: EventState, ways: readonly Way[], otherwise: () => Fragment): Fragment =>
  ways.length === 0
    ? otherwise()
    : choose(writer, "which", spanOf(writer.context, state, "eventsActions", "key"), ways, otherwise);

const lateFailure = (writer: Writer, state: EventState, alternatives: readonly Alternative[]): Way => {
  const span = spanOf(writer.context, state, "timeout");
  return {
    when: took(null),
    span,
    take: () => sequence(dropPartial(writer, state, alternatives), failure(writer, "timeout", span, timeoutError)),
  };
};

const awaitedIn = (entry: EventGroup): readonly Awaited[] => entry.eventRefs.map((name) => ({ name, owner: entry }));

function oneEntry(writer: Writer, entry: EventGroup): Fragment {
  const merged = assignData(
    writer,
    "event",
    spanOf(writer.context, entry, "eventRefs"),
    withEvent(writer.context, awaitedIn(entry)),
  );
  const performed = actionsOf(writer, entry);
  return (next) => merged(performed(next, next));
}

function allEntries(writer: Writer, state: EventState): Fragment {
  const span = spanOf(writer.context, state, "eventsActions", "key");
  const values = withEvents(writer.context, state.eventsActions.flatMap(awaitedIn));
  const merged = sequence(...values.map((value) => assignData(writer, "events", span, value)));
  const performed = state.eventsActions.map((entry) => actionsOf(writer, entry));
  return (next) => merged(performed.reduceRight((following, actions) => actions(following, next), next));
}

/** Events that came in a wait for several that was given up are gone with it: takes them until none is left. */
function dropPartial(writer: Writer, state: EventState, alternatives: readonly Alternative[]): Fragment {
  const patterns = alternatives.flatMap(({ all }) => all.flat());
  if ((state.exclusive ?? true) || patterns.length < 2) return nothing;
  const span = spanOf(writer.context, state, "timeout");
  const { base, reference, fill } = reserve(writer, "drop", span);
  const none = choose(
    writer,
    "dropped",
    span,
    [{ when: took(null), span, take: () => nothing }],
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

/** A callback state performs its action, then waits for the event that answers it; the time runs from when the action has returned. */
export function callback(writer: Writer, state: CallbackState): Fragment {
  const { context } = writer;
  const performed = performAction(writer, state.action);
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
  const merged = () => assignData(writer, "event", span, withEvent(context, [{ name: state.eventRef, owner: state }]));
  const inTime: Way = { when: took(0), span, take: merged };
  const judged = choose(
    writer,
    "arrived",
    span,
    [inTime, ...(within === undefined ? [] : timeoutWays(writer, state))],
    () => nothing,
  );
  return (next: Reference) => performed(waited(judged(next)), next);
}

/** A timeout is an error if the user wants that, or if the state's `onError` takes it; else the state goes on. */
function timeoutWays(writer: Writer, state: CallbackState): readonly Way[] {
  const { context } = writer;
  const span = spanOf(context, state, "timeout");
  const taken = context.settings.timeout === "fail" ? literal(true) : takesTimeout(writer);
  const never = taken.kind === "literal" && taken.value !== true;
  if (never) context.report(silentTimeout(span, { what: "the wait for the event" }));
  else if (context.settings.timeout !== "fail") context.report(handledTimeout(span, { state: state.name }));
  return never ? [] : [{ when: taken, span, take: () => failure(writer, "timeout", span, timeoutError) }];
}
