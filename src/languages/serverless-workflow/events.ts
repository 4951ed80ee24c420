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
  variable,
} from "../../expressions/index.ts";
import type {
  Workflow as Definition,
  EventDataFilter,
  EventDefinition as Written,
} from "../../generated/serverless-workflow-definition.ts";
import type { EventCombination, EventDefinition, EventPattern, Reference } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/index.ts";
import type { Context } from "./context.ts";
import { data, mergeByPath, mergeWhole, setAtPath } from "./data.ts";
import { eventWithoutSource, foldedToken, uncorrelatedEvent } from "./diagnostics/kinds.ts";

/** The events that a workflow defines. */
export const lowerEvents = (context: Context): readonly EventDefinition[] =>
  (context.definition.events ?? []).map((event) => lowerEvent(context, event));

/** What ties the events of a run together before any has come: the data's member of a token's name, or the run's id. Undefined where no event has a token. */
export function correlationOf({ events }: Definition): Expression | undefined {
  const tokens = new Set((events ?? []).flatMap(({ correlationToken }) => correlationToken ?? []));
  if (tokens.size === 0) return undefined;
  return call("first", {
    kind: "comma",
    items: [...[...tokens].map((token) => member(data, token)), member(variable("run"), "id")],
  });
}

/** An event that a state waits for, and what of it goes into the data. */
export interface AwaitedEvent {
  readonly name: string;
  /** The object whose `eventDataFilter` counts, if it has one. */
  readonly owner: { readonly eventDataFilter?: EventDataFilter };
}

/** A reference to an event that a state waits for, written in `owner[key]`. Says what may go wrong with such an event, once for each place. */
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

/** An alternative with one group of patterns, of which any suffices. */
export const anyOf = (patterns: readonly EventPattern[], span: Span, within?: number): EventCombination => ({
  all: [patterns],
  none: [],
  within,
  span,
});

/** The variable that a wait binds. */
const received: Expression = variable("received");

/** Whether the wait ended with this alternative. */
export const isAlternative = (alternative: number | null): Expression =>
  binary("==", member(received, "alternative"), literal(alternative));

/** The data with the one event that came, which is one of those awaited. */
export function mergeEvent(context: Context, awaited: readonly AwaitedEvent[]): Expression {
  const first = query(received, [step("events"), { descend: false, selectors: [{ kind: "index", index: 0 }] }]);
  return dispatch(context, awaited, data, first);
}

/**
 * The data with all events that came, in the order of their arrival. Several values, to be computed one after the other, where an event is awaited in
 * so many places that one would be too deep.
 */
export function mergeEvents(context: Context, awaited: readonly AwaitedEvent[]): readonly Expression[] {
  const places = [...awaitedByName(awaited).values()];
  const most = places.reduce((count, { length }) => Math.max(count, length), 0);
  return Array.from({ length: Math.ceil(most / maxFilters) }, (_, i) => {
    const round = places.flatMap((each) => each.slice(i * maxFilters, (i + 1) * maxFilters));
    return places.length === 1 ? mergeEvent(context, round) : mergeEach(context, round);
  });
}

/** An event goes through no more filters than this in one expression. */
const maxFilters = 16;

function mergeEach(context: Context, awaited: readonly AwaitedEvent[]): Expression {
  const source = query(received, [step("events"), { descend: false, selectors: [{ kind: "wildcard" }] }]);
  const update = bind("data", identity, dispatch(context, awaited, data, variable("each")));
  return { kind: "reduce", source, name: "each", initial: data, update };
}

const step = (name: string) => ({ descend: false, selectors: [{ kind: "name", name }] }) as const;

/** Events that go into the data in the same way. */
interface FilterGroup {
  readonly names: Set<string>;
  /** The places where such an event is awaited whose filters differ. */
  readonly awaited: readonly AwaitedEvent[];
}

/** The target with an arrival, by the name of its event. */
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
  { names, awaited: places }: FilterGroup,
  target: Expression,
  arrival: Expression,
): Expression {
  const [only = ""] = names;
  const name = names.size === 1 ? literal(only) : member(arrival, "name");
  return applyFilters(context, places, target, { name, event: member(arrival, "event") });
}

function filterGroups(context: Context, awaited: readonly AwaitedEvent[]): readonly FilterGroup[] {
  const treatments = new Map<string, FilterGroup>();
  for (const [name, places] of awaitedByName(awaited)) {
    const signature = JSON.stringify([
      context.events.get(name)?.correlationToken,
      ...places.map((each) => pathOf(each) ?? null),
    ]);
    const known = treatments.get(signature);
    if (known) known.names.add(name);
    else treatments.set(signature, { names: new Set([name]), awaited: places });
  }
  return [...treatments.values()];
}

/** Where each event is awaited: in several places only those that have a filter of their own. */
function awaitedByName(awaited: readonly AwaitedEvent[]): ReadonlyMap<string, readonly AwaitedEvent[]> {
  const places = new Map<string, AwaitedEvent[]>();
  for (const each of awaited) {
    const known = places.get(each.name);
    if (!known) places.set(each.name, [each]);
    else if (pathOf(each) !== undefined && known.at(-1)?.owner !== each.owner) known.push(each);
  }
  return places;
}

const pathOf = ({ owner }: AwaitedEvent): string | undefined => owner.eventDataFilter?.dataOutputPath;

/** An event that has come: its name and its content. */
interface Arrival {
  readonly name: Expression;
  readonly event: Expression;
}

/** An event that is awaited in several places goes through the filters of all, in order. */
const applyFilters = (
  context: Context,
  places: readonly AwaitedEvent[],
  target: Expression,
  arrival: Arrival,
): Expression =>
  places.reduce(
    (merged, place) =>
      merged === target
        ? mergeArrival(context, place, target, arrival)
        : bind("data", merged, mergeArrival(context, place, data, arrival)),
    target,
  );

/** The target with one event: by the filter's path, which looks into the event and then into its data; else its data and its correlation attribute. */
function mergeArrival(
  context: Context,
  { name, owner }: AwaitedEvent,
  target: Expression,
  arrival: Arrival,
): Expression {
  const { event, name: key } = arrival;
  const filter = owner.eventDataFilter;
  if (filter?.dataOutputPath !== undefined) {
    const roots = [event, member(event, "data")] as const;
    const byPath = mergeByPath(context, filter, "dataOutputPath", { target, roots, key });
    if (byPath) return byPath;
  }
  const token = context.events.get(name)?.correlationToken;
  const whole = () => mergeWhole(context, { target, roots: [firstOr(member(event, "data"), literal(null))], key });
  if (token === undefined) return whole();
  if (context.settings.merge === "deep")
    return call("mergeEvent", target, firstOr(event, literal(null)), key, literal(token));
  return bind("merged", whole(), addAttribute(variable("merged"), event, token));
}

/** The target with an attribute of an event as the member of that name, where it has none and the event has it. */
function addAttribute(target: Expression, event: Expression, token: string): Expression {
  const attribute = call("attribute", event, literal(token));
  const placing = conditional(call("exists", attribute), setAtPath(target, [token], attribute), target);
  return conditional(call("exists", member(target, token)), target, placing);
}

function lowerEvent(context: Context, event: Written): EventDefinition {
  const { name, type, source, correlationToken: token, metadata } = event;
  const span = spanOf(context, event, "name");
  if (source === undefined && context.consumedEvents.has(name))
    context.report(eventWithoutSource(span, { name, type }));
  if (token !== undefined && !/^[a-z0-9]+$/.test(token))
    context.report(foldedToken(spanOf(context, event, "correlationToken"), { token }));
  const correlation = token === undefined ? undefined : call("attribute", variable("event"), literal(token));
  return { name, type, source, correlation, correlationAttribute: token?.toLowerCase(), metadata, span };
}

/** Where an event is from that names no source itself: the workflow. */
export const ownSource = (context: Context): string => `/waybill/${context.id}`;

/** A reference to an event that is produced. */
export const producedEvent = (context: Context, owner: { readonly eventRef: string }): Reference => ({
  name: owner.eventRef,
  span: spanOf(context, owner, "eventRef"),
});
