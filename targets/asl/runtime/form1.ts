import type { Entry as PartitionEntry } from "../../../src/events/changes.ts";
import { withoutUndefined } from "../../../src/events/draft.ts";
import type {
  Answer,
  EventReference,
  ReceivedEvent,
  RunRecord,
  StoredEvent,
  StoredWait,
} from "../../../src/events/partition.ts";
import { eventKey, type Rules } from "../../../src/events/rules.ts";
import { equalJson, type Json, type JsonObject } from "../../../src/json.ts";
import type { Item } from "./items.ts";
import { failedCondition } from "./tasks.ts";

/**
 * Reads items of form 1: a wait that was over contained its events, and orders began with 0. Such items are rewritten
 * in the present form when they change.
 */
export function readForm1(items: readonly Item[], rules: Rules): Form1Partition {
  const bodies = (kind: string): readonly (readonly [string, JsonObject])[] =>
    items
      .filter(({ sk }) => sk!.S!.startsWith(`${kind}#`))
      .map(({ sk, body }) => [sk!.S!, JSON.parse(body!.S!) as JsonObject] as const);
  const events = new Map<number, StoredEvent>();
  const eventKeys = new Map<number, readonly string[]>();
  for (const [sk, body] of bodies("event")) {
    const event = eventOf(body as unknown as Form1Event, rules);
    const known = events.get(event.order);
    events.set(event.order, known ? merged(known, event) : event);
    eventKeys.set(event.order, [...(eventKeys.get(event.order) ?? []), sk]);
  }
  const waits: PartitionEntry[] = [];
  const keys = new Map<string, string>();
  const attempts = new Map<string, number>();
  for (const [sk, body] of bodies("wait")) {
    const stored = body as unknown as Form1Wait;
    const wait = waitOf(stored, rules);
    waits.push({ kind: "wait", id: wait.id, wait });
    waits.push({ kind: "run", id: wait.run, run: runOf(stored) });
    keys.set(`wait ${wait.id}`, sk);
    if (stored.ended) attempts.set(wait.id, stored.ended.attempt);
    for (const taken of usedEvents(stored)) {
      const event = { ...eventOf(taken, rules), isFree: false, users: [wait.id] };
      events.set(event.order, withoutUndefined({ ...event, runs: undefined, isNew: undefined }));
      eventKeys.set(event.order, []);
    }
  }
  const starts = bodies("start").map(
    ([sk, { name, workflow, answer }]): Form1Start => ({
      sk,
      name: name as string,
      workflow: workflow as string | undefined,
      answer: answer === undefined ? undefined : startAnswer(answer as unknown as Form1Answer),
    }),
  );
  const ordered = [...events.values()].map((event) => ({ kind: "event", id: String(event.order), event }) as const);
  return { entries: [...ordered, ...waits], keys, eventKeys, attempts, starts };
}

/** What was stored of a partition in form 1. */
export interface Form1Partition {
  readonly entries: readonly PartitionEntry[];
  /** The sort keys of waits, as in `StoredPartition`. */
  readonly keys: ReadonlyMap<string, string>;
  /** The sort keys of events by their order. */
  readonly eventKeys: ReadonlyMap<number, readonly string[]>;
  readonly attempts: ReadonlyMap<string, number>;
  readonly starts: readonly Form1Start[];
}

/** A pending start. */
export interface Form1Start {
  readonly sk: string;
  readonly name: string;
  /** Undefined if events start one workflow only. */
  readonly workflow: string | undefined;
  /** The answer of its first wait, which it begins behind. */
  readonly answer: Answer | undefined;
}

interface Form1Event {
  readonly order: number;
  readonly at: number;
  readonly event: JsonObject;
  readonly mayStart?: string;
  readonly run?: string;
  readonly collected?: readonly { readonly name: string }[];
}

interface Form1Wait extends Form1Run {
  readonly key: string;
  readonly step: string;
  readonly run: string;
  readonly started: number;
  readonly position: readonly number[];
  readonly variables: JsonObject;
  readonly at: number;
  readonly task: string;
  readonly over?: true;
  readonly ended?: {
    readonly at: number;
    readonly attempt: number;
    readonly sets: boolean;
    readonly taken: readonly Form1Event[];
    readonly answer: Form1Answer;
  };
}

interface Form1Answer {
  readonly token: Json;
  readonly received: {
    readonly alternative: number | null;
    readonly events: readonly ReceivedEvent[];
    readonly groups: readonly ReceivedEvent[];
  };
}

const startAnswer = ({ received, token }: Form1Answer): Answer => ({ ...received, value: token });

/** What was stored of a run in form 1. */
export interface Form1Run {
  readonly token?: Json | undefined;
  readonly after?: number | undefined;
}

/** The record of a run of form 1. */
export const runOf = ({ token, after }: Form1Run): RunRecord => ({
  ...(token !== undefined && { value: token }),
  ...(after !== undefined && { after: after + 1 }),
});

function eventOf({ order, at, event, mayStart, run, collected }: Form1Event, rules: Rules): StoredEvent {
  const key = eventKey(event);
  const names = new Set(collected?.map(({ name }) => name.slice(name.lastIndexOf(" ") + 1)));
  const collectors = rules.starts.filter(({ on }) =>
    on.some(({ all }) => all.flat().some((pattern) => names.has(pattern.event.name))),
  );
  return withoutUndefined({
    ...{ order: order + 1, at, event, key, isFree: run === undefined },
    isNew: mayStart !== undefined && key !== undefined ? (true as const) : undefined,
    runs: run === undefined ? undefined : [run],
    collectedBy: collectors.length > 0 ? collectors.map(({ workflow }) => workflow) : undefined,
  });
}

/** In form 1, an event was stored once for each run that it has started, and once for others. */
const merged = (one: StoredEvent, other: StoredEvent): StoredEvent =>
  withoutUndefined({
    ...one,
    ...other,
    isFree: one.isFree || other.isFree,
    runs: one.runs || other.runs ? [...(one.runs ?? []), ...(other.runs ?? [])] : undefined,
  });

/** The events of an answer. Those that were to be discarded with it are gone. */
const usedEvents = ({ ended }: Form1Wait): readonly Form1Event[] =>
  ended
    ? ended.taken.filter(({ event }) => ended.answer.received.events.some((each) => equalJson(each.event, event)))
    : [];

function waitOf(stored: Form1Wait, rules: Rules): StoredWait {
  const { key: id, step, run, started, position, variables, at, task, token, ended, over } = stored;
  const rule = rules.waitRule({ step });
  const names = (rule?.events ?? []).flatMap(({ keys }) => keys.map(({ name }) => name));
  const values = token === undefined ? undefined : Object.fromEntries(names.map((name) => [name, token]));
  const wait = { id, step, run, age: [started], position, since: started, at, variables, values, data: { task } };
  return withoutUndefined({ ...wait, isClosed: over, end: ended && endOf(stored, ended) });
}

function endOf(stored: Form1Wait, { at, answer, sets }: NonNullable<Form1Wait["ended"]>): StoredWait["end"] {
  const { alternative, groups } = answer.received;
  if (alternative === failedCondition) return { at, alternative: null, groups: [], uses: [], error: groups[0]!.event };
  const used = usedEvents(stored);
  const references = groups.map(
    ({ name, event }): EventReference => ({
      name,
      order: used.find((each) => equalJson(each.event, event))!.order + 1,
    }),
  );
  const uses = used.map(({ order, run }) => ({ order: order + 1, isOwn: run !== undefined }));
  return { at, alternative, groups: references, uses, ...(sets && { value: answer.token }) };
}
