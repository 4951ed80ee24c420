import type {
  CallbackState,
  EventActions,
  EventState,
  SwitchState,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { EventCombination, EventPattern, Start } from "../../ir/workflow.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import { type ChoiceCase, choose, failWith, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { lowerAction, lowerActions } from "./actions.ts";
import { type Context, data, type Writer } from "./context.ts";
import { assignData } from "./data.ts";
import { noEffect, otherInSonataflow } from "./diagnostics/kinds.ts";
import { catchesTimedOut } from "./errors.ts";
import { timeoutError } from "./event-refs.ts";
import { combinationOf, isAlternative, mergeAllReceived, mergeReceived, patternOf, waitFor } from "./events.ts";
import { type Timeout, timeoutAt } from "./timeouts.ts";

/** Serverless Workflow 0.8, Event State: waits for one event or for all, then performs actions. */
export function lowerEventState(writer: Writer, state: EventState): StepFragment {
  const { context } = writer;
  const starts = context.start === state;
  const timeout = eventTimeout(writer, state, starts);
  const alternatives = alternativesOf(context, state, starts, timeout);
  const waited = waitFor(writer, spanOf(context, state, "onEvents", "key"), alternatives);
  const entries = state.onEvents;
  const isExclusive = state.exclusive ?? true;
  if (!isExclusive) {
    const all = () => sequence(...entries.map((entry) => lowerEntry(writer, entry)));
    return sequence(waited, afterWait(writer, timeout, all));
  }
  const cases = entries.slice(0, -1).map(
    (entry, index): ChoiceCase => ({
      when: isAlternative(index),
      span: spanOf(context, entry),
      build: () => lowerEntry(writer, entry),
    }),
  );
  return sequence(
    waited,
    afterWait(writer, timeout, () => lowerEntry(writer, entries.at(-1)!), cases),
  );
}

/** A wait that expires continues without an event; in SonataFlow, a handler may take it. */
function afterWait(
  writer: Writer,
  timeout: Timeout | undefined,
  arrived: () => StepFragment,
  cases: readonly ChoiceCase[] = [],
): StepFragment {
  const span = spanOf(writer.context, writer.state, "name");
  if (!timeout) return cases.length === 0 ? arrived() : choose(writer, "which", span, cases, arrived);
  const fails = catchesTimedOut(writer);
  const late: ChoiceCase = {
    when: isAlternative(null),
    span: spanOf(writer.context, timeout.owner, timeout.key),
    build: () => (fails ? failWith(writer, "late", span, { ...timeoutError, name: "TimedOut" }) : noSteps),
  };
  return choose(writer, "which", span, [late, ...cases], arrived);
}

/** How events start runs, if the first state waits for them. */
export function eventStart(context: Context): Pick<Start, "on" | "create" | "gap"> {
  const { start: state } = context;
  if (state.type !== "event") return {};
  const silent: Context = { ...context, report: () => {} };
  const on = alternativesOf(silent, state, true, undefined);
  if (state.exclusive ?? true) return { on, create: "first" };
  if (context.dialect === "sonataflow")
    context.report(
      otherInSonataflow(spanOf(context, state, "exclusive"), {
        here: "A run begins when all of the events have arrived",
        there: "begins one with the first",
      }),
    );
  const timeout = timeoutAt({ context: silent, state }, "eventTimeout");
  return { on, create: "complete", gap: timeout?.seconds };
}

function eventTimeout(writer: Writer, state: EventState, starts: boolean): Timeout | undefined {
  const { context } = writer;
  const timeout = timeoutAt(writer, "eventTimeout");
  if (!timeout || !starts || !(state.exclusive ?? true)) return timeout;
  if (timeout.owner === state.timeouts) {
    const why = "each event starts a run, so the state does not wait";
    context.report(noEffect(spanOf(context, timeout.owner, timeout.key, "key"), { name: timeout.key, why }));
  }
  return undefined;
}

function alternativesOf(
  context: Context,
  state: EventState,
  starts: boolean,
  timeout: Timeout | undefined,
): readonly EventCombination[] {
  const patternsOf = ({ eventRefs }: EventActions) =>
    eventRefs.map((name, index) => patternOf(context, eventRefs, index, name, starts));
  if (state.exclusive ?? true)
    return state.onEvents.map((entry) =>
      combinationOf(context, [patternsOf(entry)], spanOf(context, entry, "eventRefs"), timeout),
    );
  const distinct = new Map<string, EventPattern>();
  for (const pattern of state.onEvents.flatMap(patternsOf))
    if (!distinct.has(pattern.event.name)) distinct.set(pattern.event.name, pattern);
  const all = [...distinct.values()].map((pattern) => [pattern]);
  return [combinationOf(context, all, spanOf(context, state, "onEvents"), timeout)];
}

function lowerEntry(writer: Writer, entry: EventActions): StepFragment {
  const { context } = writer;
  const names = [...new Set(entry.eventRefs)];
  const filter = entry.eventDataFilter;
  const isOnly = names.length === 1 && context.events.size > 0 && isExclusive(writer);
  const merged = isOnly ? mergeReceived(context, names[0]!, filter) : mergeAllReceived(context, names, filter);
  const span = spanOf(context, entry, "eventRefs");
  const merge = filter?.useData === false ? noSteps : assignData(writer, "event", span, merged);
  return sequence(merge, lowerActions(writer, entry));
}

const isExclusive = ({ state }: Writer): boolean => state.type === "event" && (state.exclusive ?? true);

/** Serverless Workflow 0.8, Callback State: performs an action, then waits for an event. */
export function lowerCallback(writer: Writer, state: CallbackState): StepFragment {
  const { context } = writer;
  const performed = lowerAction(writer, state.action, true);
  const timeout = timeoutAt(writer, "eventTimeout");
  const span = spanOf(context, state, "eventRef");
  const pattern = patternOf(context, state, "eventRef", state.eventRef, false);
  const waited = waitFor(writer, span, [combinationOf(context, [[pattern]], span, timeout)]);
  const merged = mergeReceived(context, state.eventRef, state.eventDataFilter);
  const merge = () => (merged === data ? noSteps : assignData(writer, "event", span, merged));
  return sequence(performed, waited, afterWait(writer, timeout, merge));
}

/**
 * Serverless Workflow 0.8, Switch State with event conditions: waits for the first event of any condition. `exitTo`
 * builds what follows condition `index`, or the default (undefined).
 */
export function decideByEvent(
  writer: Writer,
  state: SwitchState,
  exitTo: (index: number | undefined) => StepFragment,
): StepFragment {
  const { context } = writer;
  const conditions = state.eventConditions ?? [];
  const timeout = timeoutAt(writer, "eventTimeout") ?? ownTimeout(context, state);
  const alternatives = conditions.map((condition) => {
    const span = spanOf(context, condition, "eventRef");
    const pattern = patternOf(context, condition, "eventRef", condition.eventRef, false);
    return combinationOf(context, [[pattern]], span, timeout);
  });
  const span = spanOf(context, state, "eventConditions", "key");
  const waited = waitFor(writer, span, alternatives);
  const cases = conditions.map((condition, index): ChoiceCase => {
    const at = spanOf(context, condition, "eventRef");
    const merged = mergeReceived(context, condition.eventRef, condition.eventDataFilter);
    const merge = () => (merged === data ? noSteps : assignData(writer, "event", at, merged));
    return { when: isAlternative(index), span: at, build: () => sequence(merge(), exitTo(index)) };
  });
  return sequence(waited, choose(writer, "choose", span, cases, state.defaultCondition && (() => exitTo(undefined))));
}

function ownTimeout(context: Context, state: SwitchState): Timeout | undefined {
  if (state.eventTimeout === undefined) return undefined;
  const seconds = secondsAt(context, state, "eventTimeout");
  return seconds === undefined ? undefined : { seconds, owner: state, key: "eventTimeout" };
}
