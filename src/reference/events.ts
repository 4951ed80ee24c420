import { comparePositions, type SimulatedEnvironment } from "../environment/environment.ts";
import type { Emit, EventCombination, EventDefinition, EventPattern, Receive, Workflow } from "../ir/workflow.ts";
import { type Json, type JsonObject, setOwn } from "../json.ts";
import {
  type Choice,
  correlationText,
  firstFulfilled,
  hasAttributes,
  inOrder,
  type Matcher,
  type Taken,
} from "../matching/matching.ts";
import { arrive, type Collected, type Start } from "../matching/starting.ts";
import { type Work, waiting } from "./activities.ts";
import { type Context, compute, firstOf, isActive } from "./context.ts";

/** Waits for the events that start a run, and gives them. Never resolves when they do not come. */
export function startingEvents(workflow: Workflow, environment: SimulatedEnvironment): Promise<readonly Used[]> {
  const { on = [], create, gap, window } = workflow.start;
  const start: Start<EventPattern> = { on, complete: create === "complete", gap };
  const matcher = matcherOf(workflow, () => true);
  let collected: readonly Collected<JsonObject>[] = [];
  return new Promise((resolve) => {
    const stop = environment.listen((event) => {
      if (!environment.isAvailable(event) || !isActive(window, environment.now())) return;
      const starting = arrive(start, collected, event, environment.now(), matcher);
      collected = starting.collected;
      if (!starting.taken) return;
      stop();
      for (const used of starting.taken) environment.claim(used.event);
      resolve(starting.taken);
    });
  });
}

/** Waits for the first alternative that is fulfilled; `{ alternative, events }`, with null when all were given up. */
export const receive = (step: Receive, context: Context): Work<Json> =>
  waiting((wake) => {
    const { inbox, simulated: environment } = context.run;
    const open = new Set<EventCombination>(step.alternatives);
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
      environment.sleep(alternative.within, stop.signal, context.position).then(expired, () => undefined);
    }
    look();
    return () => {
      forget();
      stop.abort(new Error("done"));
    };
  });

/** Takes the first alternative that what has come fulfils. */
function take(step: Receive, open: ReadonlySet<EventCombination>, context: Context): Json | undefined {
  const { inbox, token, workflow } = context.run;
  const holds = ({ when }: EventPattern, event: JsonObject) =>
    !when || compute(when, context, new Map<string, Json>([["event", event]])) === true;
  const known = correlationText(token) ?? undefined;
  const isOpen = (alternative: EventCombination) => open.has(alternative);
  const choice = firstFulfilled(step.alternatives, isOpen, inbox.waiting, known, matcherOf(workflow, holds));
  return choice && accept(step, choice, context);
}

function accept(step: Receive, { alternative, groups, seen }: Choice<JsonObject>, { run }: Context): Json {
  const used = inOrder(groups, run.inbox.waiting);
  const consumed = new Set<JsonObject>(used.map(({ event }) => event));
  run.inbox.replace(
    run.inbox.waiting.filter((event, i) => !consumed.has(event) && !(step.unused === "drop" && i < seen)),
  );
  for (const { name, event } of used) run.token ??= tokenOf(definitionOf(name, run.workflow), event);
  const plain = (each: readonly Used[]): Json => each.map(({ name, event }) => ({ name, event }));
  return { alternative, events: plain(used), groups: plain(groups) };
}

/** No alternative is left: all that came is unused. */
function giveUp(step: Receive, { run }: Context): Json {
  if (step.unused === "drop") run.inbox.replace([]);
  return { alternative: null, events: [], groups: [] };
}

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
export function createInbox(first: readonly JsonObject[], environment: SimulatedEnvironment): Inbox {
  let events = [...first];
  const own = new Set(first);
  const listeners = new Map<() => void, readonly number[]>();
  return {
    get waiting() {
      events = events.filter((event) => own.has(event) || environment.isAvailable(event));
      return events;
    },
    replace(kept) {
      const left = new Set(kept);
      for (const event of events) if (!left.has(event)) environment.claim(event);
      events = [...kept];
    },
    listen(listener, position) {
      listeners.set(listener, position);
      return () => listeners.delete(listener);
    },
    deliver(event) {
      events.push(event);
      for (const [listener] of [...listeners].sort(([, a], [, b]) => comparePositions(a, b))) listener();
    },
  };
}

/** Produces an event as a CloudEvent in structured mode, with the run's correlation value where its definition has an attribute for it. */
export function emit(step: Emit, context: Context): void {
  const { run } = context;
  const { name, type, source, subject, correlationAttribute } = definitionOf(step.event.name, run.workflow);
  run.emitted.count += 1;
  const event: { [key: string]: Json } = {
    specversion: "1.0",
    id: `${run.simulated.runId}-${run.emitted.count}`,
    source: source ?? `/waybill/${run.workflow.id}`,
    type: type ?? name,
    ...(subject === undefined ? {} : { subject }),
    time: new Date(run.simulated.now()).toISOString(),
    datacontenttype: "application/json",
    ...step.attributes,
  };
  if (correlationAttribute !== undefined && run.token !== undefined) setOwn(event, correlationAttribute, run.token);
  run.simulated.emit({ ...event, data: compute(step.data, context) });
}

/** An event that a wait or a start uses, and the name of the definition that it was taken as. */
export type Used = Taken<JsonObject>;

/** How a workflow looks at events; `holds` says whether a pattern's condition does. */
const matcherOf = (
  workflow: Workflow,
  holds: Matcher<EventPattern, JsonObject>["holds"],
): Matcher<EventPattern, JsonObject> => ({
  nameOf: ({ event }) => event.name,
  isOf: (name, event) => hasAttributes(event, definitionOf(name, workflow)),
  tokenOf(name, event) {
    const definition = definitionOf(name, workflow);
    return definition.correlation && correlationText(tokenOf(definition, event));
  },
  holds,
});

/** What of an event has to equal the correlation value, where its definition asks for that; null is none. */
export function tokenOf({ correlation }: EventDefinition, event: JsonObject): Json | undefined {
  return correlation && (firstOf(correlation, new Map<string, Json>([["event", event]])) ?? undefined);
}

/** The definition of an event that is named. */
export function definitionOf(name: string, { events }: Workflow): EventDefinition {
  const definition = events.find((each) => each.name === name);
  if (!definition) throw new Error(`There is no event ${name}.`);
  return definition;
}
