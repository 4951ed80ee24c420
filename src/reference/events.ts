import { equalValues } from "../expressions/index.ts";
import type { Alternative, Emit, EventDefinition, Pattern, Receive, Start, Workflow } from "../ir/workflow.ts";
import { attributeText, type Json, type JsonObject, own, setOwn } from "../json.ts";
import { byPosition, type World } from "../world.ts";
import { type Work, waiting } from "./activities.ts";
import { type Context, compute, firstOf, isActive } from "./context.ts";

/** Waits for the events that start a run, and gives them. Never resolves when they do not come. */
export function startingEvents(workflow: Workflow, world: World): Promise<readonly Used[]> {
  const { start } = workflow;
  const collected: Arrival[] = [];
  return new Promise((resolve) => {
    const stop = world.listen((event) => {
      if (!world.isFree(event) || !isActive(start.window, world.now())) return;
      const events =
        start.create === "complete" ? collect(workflow, collected, event, world.now()) : single(workflow, event);
      if (!events) return;
      stop();
      for (const used of events) world.take(used.event);
      resolve(events);
    });
  });
}

/** An event that may help to start a run, with its correlation value. */
interface Arrival extends Used {
  readonly at: number;
  readonly token: Json | undefined;
}

const matcher = (workflow: Workflow): Matcher => ({ workflow, token: undefined, holds: () => true });

function named(workflow: Workflow, event: JsonObject): string | undefined {
  const patterns = (workflow.start.on ?? []).flatMap(({ all }) => all.flat());
  return patterns.find((pattern) => matches(pattern, event, matcher(workflow)))?.event.name;
}

function single(workflow: Workflow, event: JsonObject): readonly Used[] | undefined {
  const name = named(workflow, event);
  return name === undefined ? undefined : [{ name, event }];
}

/** Adds an event to those that came before; gives the events of the first alternative that is now complete. */
function collect(workflow: Workflow, collected: Arrival[], event: JsonObject, at: number): readonly Used[] | undefined {
  const name = named(workflow, event);
  if (name === undefined) return undefined;
  const definition = definitionOf({ event: { name, span: workflow.span } }, workflow);
  const arrival = { name, event, at, token: tokenOf(definition, event) };
  const partners = collected.filter((other) => together(other, arrival));
  if (isLate(workflow.start, partners, at)) for (const late of partners) collected.splice(collected.indexOf(late), 1);
  collected.push(arrival);
  const events = collected.filter((other) => together(other, arrival)).map((other) => other.event);
  for (const alternative of workflow.start.on ?? []) {
    const groups = fulfilled(alternative, events, matcher(workflow));
    if (groups) return inOrder(groups, events);
  }
  return undefined;
}

const together = (a: Arrival, b: Arrival): boolean =>
  a.token === undefined || b.token === undefined || isSameToken(a.token, b.token);

function isLate({ gap }: Start, partners: readonly Arrival[], at: number): boolean {
  const last = partners.at(-1);
  return gap !== undefined && last !== undefined && at - last.at > gap * 1000;
}

/** Waits for the first alternative that is fulfilled; `{ alternative, events }`, with null when all were given up. */
export const receive = (step: Receive, context: Context): Work<Json> =>
  waiting((wake) => {
    const { inbox, world } = context.run;
    const open = new Set<Alternative>(step.alternatives);
    const stop = new AbortController();
    const look = () => {
      try {
        const taken = take(step, open, context);
        if (taken) wake({ value: taken });
      } catch (error) {
        wake({ error });
      }
    };
    const forget = inbox.listen(look, context.position);
    for (const alternative of step.alternatives) {
      if (alternative.within === undefined) continue;
      const expired = () => {
        open.delete(alternative);
        if (open.size === 0) wake({ value: giveUp(step, context) });
      };
      world.sleep(alternative.within, stop.signal, context.position).then(expired, () => undefined);
    }
    look();
    return () => {
      forget();
      stop.abort(new Error("done"));
    };
  });

/** Looks at the events one by one, in order of arrival: the first alternative that they fulfil is taken. */
function take(step: Receive, open: ReadonlySet<Alternative>, context: Context): Json | undefined {
  const { inbox } = context.run;
  const matcher = matcherOf(context);
  for (let seen = 1; seen <= inbox.waiting.length; seen++) {
    const events = inbox.waiting.slice(0, seen);
    for (const [index, alternative] of step.alternatives.entries()) {
      const groups = open.has(alternative) ? fulfilled(alternative, events, matcher) : undefined;
      if (groups) return accept(step, index, groups, seen, context);
    }
  }
  return undefined;
}

function accept(step: Receive, index: number, groups: readonly Used[], seen: number, { run }: Context): Json {
  const used = inOrder(groups, run.inbox.waiting);
  const consumed = new Set<JsonObject>(used.map(({ event }) => event));
  run.inbox.replace(
    run.inbox.waiting.filter((event, i) => !consumed.has(event) && !(step.unused === "drop" && i < seen)),
  );
  for (const { name, event } of used) {
    run.token ??= tokenOf(definitionOf({ event: { name, span: step.span } }, run.workflow), event);
  }
  const plain = (each: readonly Used[]): Json => each.map(({ name, event }) => ({ name, event }));
  return { alternative: index, events: plain(used), groups: plain(groups) };
}

/** No alternative is left: all that came is unused. */
function giveUp(step: Receive, { run }: Context): Json {
  if (step.unused === "drop") run.inbox.replace([]);
  return { alternative: null, events: [], groups: [] };
}

const matcherOf = (context: Context): Matcher => ({
  workflow: context.run.workflow,
  token: context.run.token,
  holds: ({ when }, event) => !when || compute(when, context, new Map<string, Json>([["event", event]])) === true,
});

/** The events that have come for a run and that it has not used, in order of arrival. */
export interface Inbox {
  readonly waiting: readonly JsonObject[];
  /** Puts back what a wait has not used, in place of all that was there. */
  replace(events: readonly JsonObject[]): void;
  /** Hears of every arrival until it is told to stop, after those with an earlier position; the event is in `waiting` by then. */
  listen(listener: () => void, position: readonly number[]): () => void;
  deliver(event: JsonObject): void;
}

/** An inbox with the events that started the run, which are its own. What comes later is there as long as no other run has taken it. */
export function createInbox(first: readonly JsonObject[], world: World): Inbox {
  let events = [...first];
  const own = new Set(first);
  const listeners = new Map<() => void, readonly number[]>();
  return {
    get waiting() {
      events = events.filter((event) => own.has(event) || world.isFree(event));
      return events;
    },
    replace(kept) {
      const left = new Set(kept);
      for (const event of events) if (!left.has(event)) world.take(event);
      events = [...kept];
    },
    listen(listener, position) {
      listeners.set(listener, position);
      return () => listeners.delete(listener);
    },
    deliver(event) {
      events.push(event);
      for (const [listener] of [...listeners].sort(([, a], [, b]) => byPosition(a, b))) listener();
    },
  };
}

/** Produces an event as a CloudEvent in structured mode, with the run's correlation value where its definition has an attribute for it. */
export function emit(step: Emit, context: Context): void {
  const { run } = context;
  const { name, type, source, subject, correlationAttribute } = definitionOf(step, run.workflow);
  run.emitted.count += 1;
  const event: { [key: string]: Json } = {
    specversion: "1.0",
    id: `${run.world.runId}-${run.emitted.count}`,
    source: source ?? `/waybill/${run.workflow.id}`,
    type: type ?? name,
    ...(subject === undefined ? {} : { subject }),
    time: new Date(run.world.now()).toISOString(),
    datacontenttype: "application/json",
    ...step.attributes,
  };
  if (correlationAttribute !== undefined && run.token !== undefined) setOwn(event, correlationAttribute, run.token);
  run.world.emit({ ...event, data: compute(step.data, context) });
}

/** How a wait looks at events: the definitions, the correlation value so far, and what else a pattern asks. */
interface Matcher {
  readonly workflow: Workflow;
  readonly token: Json | undefined;
  /** Whether a pattern's condition holds for an event. */
  holds(pattern: Pattern, event: JsonObject): boolean;
}

/** An event that an alternative uses, and the name of the definition that it was taken as. */
export interface Used {
  readonly name: string;
  readonly event: JsonObject;
}

/** The event that counts for each group of an alternative; undefined when it is not fulfilled. */
function fulfilled(
  { all, none }: Alternative,
  events: readonly JsonObject[],
  matcher: Matcher,
): readonly Used[] | undefined {
  if (events.some((event) => none.some((pattern) => matches(pattern, event, matcher)))) return undefined;
  const groups: Used[] = [];
  let token = matcher.token;
  for (const group of all) {
    const now = { ...matcher, token };
    const event = events.find((candidate) => group.some((pattern) => matches(pattern, candidate, now)));
    if (!event) return undefined;
    const pattern = group.find((candidate) => matches(candidate, event, now))!;
    token ??= tokenOf(definitionOf(pattern, matcher.workflow), event);
    groups.push({ name: pattern.event.name, event });
  }
  return groups;
}

/** The events of groups, each once, in the order in which they came. */
const inOrder = (groups: readonly Used[], events: readonly JsonObject[]): readonly Used[] =>
  events.flatMap((event) => groups.find((used) => used.event === event) ?? []);

/** Whether an event is of a pattern's definition, correlated with the run, and what its condition asks for. */
function matches(pattern: Pattern, event: JsonObject, matcher: Matcher): boolean {
  const definition = definitionOf(pattern, matcher.workflow);
  if (!isOf(definition, event)) return false;
  if (definition.correlation) {
    const token = tokenOf(definition, event);
    if (token === undefined || (matcher.token !== undefined && !isSameToken(token, matcher.token))) return false;
  }
  return matcher.holds(pattern, event);
}

/** What of an event has to equal the correlation value, where its definition asks for that; null is none. */
export function tokenOf({ correlation }: EventDefinition, event: JsonObject): Json | undefined {
  return correlation && (firstOf(correlation, new Map<string, Json>([["event", event]])) ?? undefined);
}

const isSameToken = (a: Json, b: Json): boolean => equalValues(attributeText(a), attributeText(b));

/** The definition of an event that is named. */
export function definitionOf({ event }: Pick<Pattern, "event">, { events }: Workflow): EventDefinition {
  const definition = events.find(({ name }) => name === event.name);
  if (!definition) throw new Error(`There is no event ${event.name}.`);
  return definition;
}

function isOf(definition: EventDefinition, event: JsonObject): boolean {
  const same = (wanted: string | undefined, given: Json | undefined) =>
    wanted === undefined ||
    wanted === given ||
    (definition.foldCase === true && String(given).toLowerCase() === wanted.toLowerCase());
  return (["type", "source", "subject"] as const).every((attribute) =>
    same(definition[attribute], own(event, attribute)),
  );
}
