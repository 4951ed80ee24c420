import { type Expression, literal, variable } from "../../expressions/index.ts";
import type {
  Expression as Condition,
  EndDefinition,
  ProducedEvent,
  Transition,
} from "../../generated/serverless-workflow-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { truncate } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { pathAt, selected, selectedOr, spanOf } from "../shared/properties.ts";
import { assign, choose, declare, end, failWith, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { assignData, conditionOnData, data, hasPaths, templateAt } from "./data.ts";
import {
  ambiguousState,
  endWithoutEvent,
  eventDataBeforeFilter,
  unfilteredData,
  withoutEffect,
} from "./diagnostics/kinds.ts";
import { ownSource, producedEvent } from "./events.ts";

/** Serverless Workflow (draft of 2020), State Data Filter: the selected input, or all data if empty. */
export function inputFilter(writer: Writer): StepFragment {
  const filtered = filterAt(writer, "dataInputPath");
  const filter = writer.state.stateDataFilter;
  return filtered && filter
    ? assignData(writer, "input", spanOf(writer.context, filter, "dataInputPath"), filtered)
    : noSteps;
}

/** Leaves the state through its output filter and a transition. */
export function leaveTo(writer: Writer, transition: Transition): StepFragment {
  const filter = outputFilter(writer, transition.produceEvent);
  return sequence(filter, transitionTo(writer, transition, filter !== noSteps));
}

/** Leaves the scope through the state's output filter. */
export function leaveScope(writer: Writer, ending: EndDefinition): StepFragment {
  const { context } = writer;
  const { produceEvent, kind } = ending;
  if (kind === "event" && !produceEvent) context.report(endWithoutEvent(spanOf(context, ending, "kind"), {}));
  if (kind !== "event" && produceEvent) {
    context.report(
      withoutEffect(spanOf(context, ending, "produceEvent", "key"), {
        name: "produceEvent",
        why: `an end of kind \`${kind}\` produces no event`,
      }),
    );
  }
  const produced = kind === "event" ? produceEvent : undefined;
  const filter = outputFilter(writer, produced);
  const emitted = produced ? emitEvent(writer, produced, filter !== noSteps) : noSteps;
  const run = kind === "terminate";
  const value = run ? data : writer.scope.value(writer.state);
  const left = end(writer, "end", spanOf(context, ending, "kind"), {
    outcome: "leave",
    extent: run ? "run" : "scope",
    value,
  });
  return sequence(filter, emitted, left);
}

/**
 * Serverless Workflow (draft of 2020), Transition Definition: checks the condition, produces the event, enters the
 * state.
 */
export function transitionTo(writer: Writer, transition: Transition, filtered = false): StepFragment {
  const { expression, produceEvent } = transition;
  const target = stateReference(writer, transition);
  const onward = (): StepFragment =>
    sequence(produceEvent ? emitEvent(writer, produceEvent, filtered) : noSteps, () => target);
  return expression === undefined ? onward() : guardTransition(writer, transition, expression, onward);
}

function guardTransition(
  writer: Writer,
  transition: Transition,
  expression: Condition,
  onward: () => StepFragment,
): StepFragment {
  const span =
    typeof expression === "string"
      ? spanOf(writer.context, transition, "expression")
      : spanOf(writer.context, expression, "body");
  const text = typeof expression === "string" ? expression : expression.body;
  const message = `The transition from ${writer.state.name} to ${transition.nextState} was denied: ${truncate(text, 200)} does not hold.`;
  const denied = () => failWith(writer, "denied", span, { origin: "denied", name: "TransitionDenied", message });
  return choose(
    writer,
    "transition",
    span,
    [{ when: conditionOnData(writer.context, transition), span, build: onward }],
    denied,
  );
}

function stateReference({ context, scope }: Writer, transition: Transition): Reference {
  const { byName, byId, entries } = scope.plan;
  const { nextState } = transition;
  const span = spanOf(context, transition, "nextState");
  const [named, identified] = [byName.get(nextState), byId.get(nextState)];
  if (named && identified && named !== identified) {
    const notes = [
      { message: "It is the name of this state.", span: spanOf(context, named, "name") },
      { message: "It is the id of this state.", span: spanOf(context, identified, "id") },
    ];
    context.report(ambiguousState(span, { name: nextState, other: identified.name }, notes));
  }
  const state = named ?? identified;
  const entry = state ? entries.get(state) : context.entriesByName.get(nextState);
  if (entry === undefined) context.unresolved.push({ name: nextState, span });
  return { name: entry ?? nextState, span };
}

function outputFilter(writer: Writer, produced: ProducedEvent | undefined): StepFragment {
  const filter = writer.state.stateDataFilter;
  const filtered = filterAt(writer, "dataOutputPath");
  if (!filter || !filtered) return noSteps;
  const span = spanOf(writer.context, filter, "dataOutputPath");
  const isReadFrom =
    produced?.data !== undefined &&
    (typeof produced.data === "string" || hasPaths(writer.context, produced, "data", data));
  if (!isReadFrom) return assignData(writer, "output", span, filtered);
  const kept = { variable: declare(writer, "unfiltered"), value: data };
  return assign(writer, "output", span, kept, { variable: "data", value: filtered });
}

function filterAt({ context, state }: Writer, key: "dataInputPath" | "dataOutputPath"): Expression | undefined {
  const { stateDataFilter } = state;
  if (stateDataFilter?.[key] === undefined) return undefined;
  const path = pathAt(context, stateDataFilter, key, data);
  if (!path || path.isRoot) return undefined;
  const [, name] = /^\$\.(\w+)$/.exec(stateDataFilter[key]) ?? [];
  const isInjected =
    key === "dataOutputPath" && state.type === "inject" && name !== undefined && Object.hasOwn(state.data ?? {}, name);
  if (!isInjected)
    context.report(unfilteredData(spanOf(context, stateDataFilter, key), { path: stateDataFilter[key] }));
  return selectedOr(path, data);
}

function emitEvent(writer: Writer, produced: ProducedEvent, filtered: boolean): StepFragment {
  const { context } = writer;
  const event = producedEvent(context, produced);
  const definition = context.events.get(event.name);
  const attributes =
    definition && definition.source === undefined ? { source: literal(ownSource(context)) } : undefined;
  const value = eventData(writer, produced, filtered);
  return step(writer, "emit", event.span, (base, next) => ({
    ...base,
    kind: "emit",
    event,
    data: value,
    attributes,
    next,
  }));
}

function eventData(writer: Writer, produced: ProducedEvent, filtered: boolean): Expression {
  const { context, state } = writer;
  if (produced.data === undefined) return literal({});
  const filter = state.stateDataFilter?.dataOutputPath ?? "$";
  const note = (span: Span, path: string) => eventDataBeforeFilter(span, { path, filter });
  const fallback = filtered ? { root: variable("unfiltered"), note } : undefined;
  if (typeof produced.data !== "string") return templateAt(context, produced, "data", data, fallback);
  const path = pathAt(context, produced, "data", data);
  if (!path) return literal(null);
  const before = filtered && !path.isRoot ? pathAt(context, produced, "data", variable("unfiltered")) : undefined;
  if (!before) return selected(path);
  context.report(note(spanOf(context, produced, "data"), produced.data));
  return selectedOr(path, selected(before));
}
