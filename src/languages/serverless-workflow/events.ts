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
import type { Alternative, EventDefinition, Pattern, Reference } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/index.ts";
import type { Context } from "./context.ts";
import { absorbed, data, placed, resultAt } from "./data.ts";
import { eventWithoutSource, foldedToken, uncorrelatedEvent } from "./diagnostics/kinds.ts";

/** The events that a workflow defines. */
export const eventDefinitions = (context: Context): readonly EventDefinition[] =>
  (context.definition.events ?? []).map((event) => eventDefinition(context, event));

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
export interface Awaited {
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
): Pattern {
  context.consumed.add(name);
  const span = spanOf(context, owner, key);
  const definition = context.events.get(name);
  if (definition && definition.correlationToken === undefined && !starts)
    context.report(uncorrelatedEvent(span, { event: name }));
  return { event: { name, span } };
}

/** An alternative with one group of patterns, of which any suffices. */
export const anyOf = (patterns: readonly Pattern[], span: Span, within?: number): Alternative => ({
  all: [patterns],
  none: [],
  within,
  span,
});

/** The variable that a wait binds. */
const received: Expression = variable("received");

/** Whether the wait ended with this alternative. */
export const took = (alternative: number | null): Expression =>
  binary("==", member(received, "alternative"), literal(alternative));

/** The data with the one event that came, which is one of those awaited. */
export function withEvent(context: Context, awaited: readonly Awaited[]): Expression {
  const first = query(received, [step("events"), { descend: false, selectors: [{ kind: "index", index: 0 }] }]);
  return dispatch(context, awaited, data, first);
}

/**
 * The data with all events that came, in the order of their arrival. Several values, to be computed one after the other, where an event is awaited in
 * so many places that one would be too deep.
 */
export function withEvents(context: Context, awaited: readonly Awaited[]): readonly Expression[] {
  const places = [...placesByName(awaited).values()];
  const most = places.reduce((count, { length }) => Math.max(count, length), 0);
  return Array.from({ length: Math.ceil(most / mostFilters) }, (_, i) => {
    const round = places.flatMap((each) => each.slice(i * mostFilters, (i + 1) * mostFilters));
    return places.length === 1 ? withEvent(context, round) : withEach(context, round);
  });
}

/** An event goes through no more filters than this in one expression. */
const mostFilters = 16;

function withEach(context: Context, awaited: readonly Awaited[]): Expression {
  const source = query(received, [step("events"), { descend: false, selectors: [{ kind: "wildcard" }] }]);
  const update = bind("data", identity, dispatch(context, awaited, data, variable("each")));
  return { kind: "reduce", source, name: "each", initial: data, update };
}

const step = (name: string) => ({ descend: false, selectors: [{ kind: "name", name }] }) as const;

/** Events that go into the data in the same way. */
interface Treatment {
  readonly names: Set<string>;
  /** The places where such an event is awaited whose filters differ. */
  readonly places: readonly Awaited[];
}

/** The target with an arrival, by the name of its event. */
function dispatch(context: Context, awaited: readonly Awaited[], target: Expression, arrival: Expression): Expression {
  const choose = (treatments: readonly Treatment[]): Expression => {
    const [first, ...others] = treatments;
    if (first && others.length === 0) return treated(context, first, target, arrival);
    const half = treatments.slice(0, treatments.length >> 1);
    const isOne = half
      .flatMap(({ names }) => [...names])
      .map((name) => binary("==", member(arrival, "name"), literal(name)));
    return conditional(balanced("or", isOne), choose(half), choose(treatments.slice(half.length)));
  };
  return choose(treatmentsOf(context, awaited));
}

function treated(context: Context, { names, places }: Treatment, target: Expression, arrival: Expression): Expression {
  const [only = ""] = names;
  const name = names.size === 1 ? literal(only) : member(arrival, "name");
  return throughFilters(context, places, target, { name, event: member(arrival, "event") });
}

function treatmentsOf(context: Context, awaited: readonly Awaited[]): readonly Treatment[] {
  const treatments = new Map<string, Treatment>();
  for (const [name, places] of placesByName(awaited)) {
    const signature = JSON.stringify([
      context.events.get(name)?.correlationToken,
      ...places.map((each) => pathOf(each) ?? null),
    ]);
    const known = treatments.get(signature);
    if (known) known.names.add(name);
    else treatments.set(signature, { names: new Set([name]), places });
  }
  return [...treatments.values()];
}

/** Where each event is awaited: in several places only those that have a filter of their own. */
function placesByName(awaited: readonly Awaited[]): ReadonlyMap<string, readonly Awaited[]> {
  const places = new Map<string, Awaited[]>();
  for (const each of awaited) {
    const known = places.get(each.name);
    if (!known) places.set(each.name, [each]);
    else if (pathOf(each) !== undefined && known.at(-1)?.owner !== each.owner) known.push(each);
  }
  return places;
}

const pathOf = ({ owner }: Awaited): string | undefined => owner.eventDataFilter?.dataOutputPath;

/** An event that has come: its name and its content. */
interface Arrival {
  readonly name: Expression;
  readonly event: Expression;
}

/** An event that is awaited in several places goes through the filters of all, in order. */
const throughFilters = (
  context: Context,
  places: readonly Awaited[],
  target: Expression,
  arrival: Arrival,
): Expression =>
  places.reduce(
    (merged, place) =>
      merged === target
        ? mergeEvent(context, place, target, arrival)
        : bind("data", merged, mergeEvent(context, place, data, arrival)),
    target,
  );

/** The target with one event: by the filter's path, which looks into the event and then into its data; else its data and its correlation attribute. */
function mergeEvent(context: Context, { name, owner }: Awaited, target: Expression, arrival: Arrival): Expression {
  const { event, name: key } = arrival;
  const filter = owner.eventDataFilter;
  if (filter?.dataOutputPath !== undefined) {
    const roots = [event, member(event, "data")] as const;
    const byPath = resultAt(context, filter, "dataOutputPath", { target, roots, key });
    if (byPath) return byPath;
  }
  const token = context.events.get(name)?.correlationToken;
  const whole = () => absorbed(context, { target, roots: [firstOr(member(event, "data"), literal(null))], key });
  if (token === undefined) return whole();
  if (context.settings.merge === "deep")
    return call("mergeEvent", target, firstOr(event, literal(null)), key, literal(token));
  return bind("merged", whole(), withAttribute(variable("merged"), event, token));
}

/** The target with an attribute of an event as the member of that name, where it has none and the event has it. */
function withAttribute(target: Expression, event: Expression, token: string): Expression {
  const attribute = call("attribute", event, literal(token));
  const placing = conditional(call("exists", attribute), placed(target, [token], attribute), target);
  return conditional(call("exists", member(target, token)), target, placing);
}

function eventDefinition(context: Context, event: Written): EventDefinition {
  const { name, type, source, correlationToken: token, metadata } = event;
  const span = spanOf(context, event, "name");
  if (source === undefined && context.consumed.has(name)) context.report(eventWithoutSource(span, { name, type }));
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
