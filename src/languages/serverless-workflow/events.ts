import {
  balanced,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  firstOr,
  identity,
  literal,
  member,
  query,
  reduce,
  variable,
} from "../../expressions/index.ts";
import type { EventDataFilter, EventDefinition as Written } from "../../generated/serverless-workflow-definition.ts";
import type { EventCombination, EventDefinition, EventPattern, Reference } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { data, mergeByPath, mergeWhole } from "./data.ts";
import { eventWithoutSource, foldedToken, uncorrelatedEvent } from "./diagnostics/kinds.ts";

/** Lowers the event definitions. */
export const lowerEvents = (context: Context): readonly EventDefinition[] =>
  (context.definition.events ?? []).map((event) => lowerEvent(context, event));

/** An event that a state waits for. */
export interface AwaitedEvent {
  readonly name: string;
  readonly owner: { readonly eventDataFilter?: EventDataFilter };
}

/** The pattern of the event in `owner[key]`; reports missing correlation. */
export function patternOf(
  context: Context,
  owner: object,
  key: string | number,
  name: string,
  starts: boolean,
): EventPattern {
  context.consumedEvents.add(name);
  const span = spanOf(context, owner, key);
  const definition = context.events.get(name);
  if (definition && definition.correlationToken === undefined && !starts)
    context.report(uncorrelatedEvent(span, { event: name }));
  return { event: { name, span } };
}

/** An alternative with any of the patterns. */
export const anyOf = (
  patterns: readonly EventPattern[],
  span: Span,
  within?: number,
  spans?: EventCombination["spans"],
): EventCombination => ({
  all: [patterns],
  none: [],
  within,
  spans,
  span,
});

const received: Expression = variable("received");

/** Whether this alternative ended the wait; null is the timeout. */
export const isAlternative = (alternative: number | null): Expression =>
  binary("==", member(received, "alternative"), literal(alternative));

/** Merges the one event that arrived. */
export function mergeEvent(context: Context, awaited: readonly AwaitedEvent[]): Expression {
  const first = query(received, [step("events"), { descend: false, selectors: [{ kind: "index", index: 0 }] }]);
  return dispatch(context, awaited, data, first);
}

/** Merges all events in order of arrival. */
export function mergeEvents(context: Context, awaited: readonly AwaitedEvent[]): readonly Expression[] {
  const groups = [...awaitedByName(awaited).values()];
  const most = groups.reduce((count, { length }) => Math.max(count, length), 0);
  return Array.from({ length: Math.ceil(most / maxFilters) }, (_, i) => {
    const round = groups.flatMap((each) => each.slice(i * maxFilters, (i + 1) * maxFilters));
    return groups.length === 1 ? mergeEvent(context, round) : mergeEach(context, round);
  });
}

const maxFilters = 16;

function mergeEach(context: Context, awaited: readonly AwaitedEvent[]): Expression {
  const source = query(received, [step("events"), { descend: false, selectors: [{ kind: "wildcard" }] }]);
  const update = bind("data", identity, dispatch(context, awaited, data, variable("each")));
  return reduce(source, "each", data, update);
}

const step = (name: string) => ({ descend: false, selectors: [{ kind: "name", name }] }) as const;

interface FilterGroup {
  readonly names: Set<string>;
  readonly awaited: readonly AwaitedEvent[];
}

function dispatch(
  context: Context,
  awaited: readonly AwaitedEvent[],
  target: Expression,
  arrival: Expression,
): Expression {
  const choose = (treatments: readonly FilterGroup[]): Expression => {
    const [first, ...others] = treatments;
    if (first && others.length === 0) return mergeGroup(context, first, target, arrival);
    const half = treatments.slice(0, treatments.length >> 1);
    const isOne = half
      .flatMap(({ names }) => [...names])
      .map((name) => binary("==", member(arrival, "name"), literal(name)));
    return conditional(balanced("or", isOne), choose(half), choose(treatments.slice(half.length)));
  };
  return choose(filterGroups(context, awaited));
}

function mergeGroup(
  context: Context,
  { names, awaited }: FilterGroup,
  target: Expression,
  arrival: Expression,
): Expression {
  const [only = ""] = names;
  const name = names.size === 1 ? literal(only) : member(arrival, "name");
  return applyFilters(context, awaited, target, { name, event: member(arrival, "event") });
}

function filterGroups(context: Context, awaited: readonly AwaitedEvent[]): readonly FilterGroup[] {
  const treatments = new Map<string, FilterGroup>();
  for (const [name, references] of awaitedByName(awaited)) {
    const signature = JSON.stringify([
      context.events.get(name)?.correlationToken,
      ...references.map((each) => pathOf(each) ?? null),
    ]);
    const known = treatments.get(signature);
    if (known) known.names.add(name);
    else treatments.set(signature, { names: new Set([name]), awaited: references });
  }
  return [...treatments.values()];
}

/** Later references count only with their own filter. */
function awaitedByName(awaited: readonly AwaitedEvent[]): ReadonlyMap<string, readonly AwaitedEvent[]> {
  const byName = new Map<string, AwaitedEvent[]>();
  for (const each of awaited) {
    const known = byName.get(each.name);
    if (!known) byName.set(each.name, [each]);
    else if (pathOf(each) !== undefined && known.at(-1)?.owner !== each.owner) known.push(each);
  }
  return byName;
}

const pathOf = ({ owner }: AwaitedEvent): string | undefined => owner.eventDataFilter?.dataOutputPath;

interface EventArrival {
  readonly name: Expression;
  readonly event: Expression;
}

const applyFilters = (
  context: Context,
  awaited: readonly AwaitedEvent[],
  target: Expression,
  arrival: EventArrival,
): Expression =>
  awaited.reduce(
    (merged, place) =>
      merged === target
        ? mergeArrival(context, place, target, arrival)
        : bind("data", merged, mergeArrival(context, place, data, arrival)),
    target,
  );

/** By the filter's path, applied to the event and then to its data. */
function mergeArrival(
  context: Context,
  { name, owner }: AwaitedEvent,
  target: Expression,
  arrival: EventArrival,
): Expression {
  const { event, name: key } = arrival;
  const filter = owner.eventDataFilter;
  if (filter?.dataOutputPath !== undefined) {
    const roots = [event, member(event, "data")] as const;
    const byPath = mergeByPath(context, filter, "dataOutputPath", { target, roots, key });
    if (byPath) return byPath;
  }
  const token = context.events.get(name)?.correlationToken;
  if (token === undefined)
    return mergeWhole(context, { target, roots: [firstOr(member(event, "data"), literal(null))], key });
  const merging = context.settings.merge === "deep" ? "mergeEvent" : "assignEvent";
  return call(merging, target, firstOr(event, literal(null)), key, literal(token));
}

function lowerEvent(context: Context, event: Written): EventDefinition {
  const { name, type, source, correlationToken: token, metadata } = event;
  const span = spanOf(context, event, "name");
  if (source === undefined && context.consumedEvents.has(name))
    context.report(eventWithoutSource(span, { name, type }));
  if (token !== undefined && !/^[a-z0-9]+$/.test(token))
    context.report(foldedToken(spanOf(context, event, "correlationToken"), { token }));
  const correlation = token === undefined ? undefined : call("attribute", variable("event"), literal(token));
  return {
    name,
    type,
    source,
    correlation,
    correlationKey: token,
    correlationAttribute: token?.toLowerCase(),
    metadata,
    span,
  };
}

/** The default source of events. */
export const ownSource = (context: Context): string => `/waybill/${context.id}`;

/** The reference to an event that is produced. */
export const producedEvent = (context: Context, owner: { readonly eventRef: string }): Reference => ({
  name: owner.eventRef,
  span: spanOf(context, owner, "eventRef"),
});
