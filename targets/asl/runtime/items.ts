import type { Head } from "../../../src/events/changes.ts";
import { endOf, isOver } from "../../../src/events/draft.ts";
import type { Partition, RunRecord, StoredEvent, StoredWait } from "../../../src/events/partition.ts";
import type { Rules } from "../../../src/events/rules.ts";
import type { JsonObject } from "../../../src/json.ts";

/** The attributes of an item. */
export interface Item {
  readonly [attribute: string]: { readonly S?: string; readonly N?: string };
}

/** An item without its partition key; `ttl` in seconds since 1970. */
export interface Entry {
  readonly sk: string;
  readonly attributes: Item;
  readonly ttl: number;
}

/** The form of the items. A function reads its own form and the one before. */
export const form = 2;

/** The body of a head in this form: functions of form 1 fail to parse it as JSON, and with that refuse the form. */
const notice = "Form 2: these events need the event functions that wrote them, or newer ones.";

const [hour, day] = [3_600_000, 86_400_000];

/** The longest time that an execution may take, and with it a wait. */
const longest = 366 * day;

/** A time behind all others, in milliseconds since 1970. */
const never = 999_999_999_999_999;

/** What the entries of a partition depend on. */
export interface Layout {
  readonly rules: Rules;
  /** How long unused events are kept, in milliseconds. */
  readonly kept: number;
}

/**
 * The head comes first in a partition, so that a reader who sees older items also sees an older version. Open waits
 * come last, those that end first at the very end, so that a query can stop before the ones that have timed out.
 */
export const sortKeys = {
  head: "head",
  /** Waits that are over. */
  pending: (id: string): string => `pending#${id}`,
  /** Behind all events. */
  afterEvents: "received$",
  event: (order: number): string => `received#${String(order).padStart(15, "0")}`,
  eventPart: (order: number, part: number): string => `${sortKeys.event(order)}#${part}`,
  start: (run: string): string => `starting#${run}`,
  wait: (until: number, id: string): string => `waiting#${inverted(until)}#${id}`,
  /** The last key that a reader needs at some time. */
  last: (now: number): string => `waiting#${inverted(now)}$`,
};

const inverted = (time: number): string => String(never - Math.min(time, never)).padStart(15, "0");

/** How many characters of an event are stored with its state. */
const maxInline = 16_384;

/** How many characters of an event fit into an item of 400 KB: any, and of ASCII. */
const [maxPart, maxAsciiPart] = [120_000, 360_000];

/** The event's content in pieces that fit into items. A surrogate pair is never divided. */
function contentParts(event: JsonObject): readonly string[] {
  const text = JSON.stringify(event);
  if (text.length <= maxInline) return [text];
  const size = /^[\0-\x7f]*$/.test(text) ? maxAsciiPart : maxPart;
  const parts: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + size;
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end -= 1;
    parts.push(text.slice(start, end));
  }
  return parts;
}

/** The sort keys of an event's entries. */
export function eventKeys({ order, event }: StoredEvent): readonly string[] {
  const parts = contentParts(event);
  return [sortKeys.event(order), ...(parts.length > 1 ? parts.map((_, i) => sortKeys.eventPart(order, i)) : [])];
}

/** The entries of an event. `isNew`: with those of its content that never change. */
export function eventEntries(stored: StoredEvent, isNew: boolean, { kept }: Layout): readonly Entry[] {
  const { event, ...state } = stored;
  const { order, at, isFree, users, runs } = stored;
  const parts = contentParts(event);
  const ttl = ttlOf(at + (isFree && !users && !runs ? kept : longest));
  const sk = sortKeys.event(order);
  if (parts.length === 1) return [{ sk, attributes: bodyOf(stored), ttl }];
  const others = isNew ? parts : [];
  return [
    { sk, attributes: { ...bodyOf(state), parts: { N: String(parts.length) } }, ttl },
    ...others.map((S, i) => ({
      sk: sortKeys.eventPart(order, i),
      attributes: { content: { S } },
      ttl: ttlOf(at + longest),
    })),
  ];
}

/** An event with its content. `contents`: those of further items, by sort key. Undefined if some were deleted. */
export function readEvent(
  { parts }: Item,
  stored: StoredEvent,
  contents: ReadonlyMap<string, string | undefined>,
): StoredEvent | undefined {
  if (!parts) return stored;
  const texts = Array.from({ length: Number(parts.N) }, (_, i) => contents.get(sortKeys.eventPart(stored.order, i)));
  return texts.includes(undefined) ? undefined : { ...stored, event: JSON.parse(texts.join("")) as JsonObject };
}

/** A wait with what is known of its run, and how often functions have repeated its effect. */
export interface WaitBody {
  readonly wait: StoredWait;
  readonly run?: Omit<RunRecord, "start"> | undefined;
  readonly attempts?: number | undefined;
}

/** The entry of a wait. Its variables are of no use when it is over. */
export function waitEntry({ wait, run, attempts }: WaitBody, { rules }: Layout): Entry {
  const rule = rules.waitRule(wait);
  const end = endOf(wait, rule);
  const body: WaitBody = { wait, ...(run && { run }), ...(attempts && { attempts }) };
  if (isOver(wait)) {
    const ttl = ttlOf(wait.isClosed ? end + day : wait.at + longest);
    return { sk: sortKeys.pending(wait.id), attributes: bodyOf({ ...body, wait: { ...wait, variables: {} } }), ttl };
  }
  const until = end + (rule?.unused === "drop" ? hour : 0);
  const ttl = ttlOf(Math.min(until + day, wait.at + longest));
  return { sk: sortKeys.wait(until, wait.id), attributes: bodyOf(body), ttl };
}

/** The entry of a run that events start. */
export const startEntry = (run: string, record: RunRecord, now: number): Entry => ({
  sk: sortKeys.start(run),
  attributes: bodyOf({ run, record }),
  ttl: ttlOf(now + longest),
});

/** The entry of a partition's head. `key`: the one by whose value the group is partitioned. */
export const headEntry = ({ next, isUnsettled }: Head, version: number, now: number, key?: string): Entry => ({
  sk: sortKeys.head,
  attributes: {
    body: { S: notice },
    form: { N: String(form) },
    version: { N: String(version) },
    state: { S: JSON.stringify({ next, isUnsettled, key }) },
  },
  ttl: ttlOf(now + longest + day),
});

/** What a partition's head says. */
export function readHead(item: Item): {
  readonly version: number;
  readonly form: number;
  readonly head: Head;
  readonly key: string | undefined;
} {
  const version = Number(item["version"]?.N ?? 0);
  const stored = Number(item["form"]?.N ?? 1);
  if (stored > form)
    throw new Error(
      `The events in the table have form ${stored}, but these functions read form ${form}. ` +
        "Deploy the functions that wrote them, or newer ones.",
    );
  if (stored < form) return { version, form: stored, head: form1Head(item), key: undefined };
  const { key, ...head } = JSON.parse(item["state"]!.S!) as Head & { readonly key?: string };
  return { version, form, head, key };
}

/** Orders begin with 0 in form 1. */
const form1Head = ({ body }: Item): Head => ({ next: (JSON.parse(body!.S!) as { next: number }).next + 1 });

/** The attribute with an entry's content. */
export const bodyOf = (body: object): Item => ({ body: { S: JSON.stringify(body) } });

/** An entry's content. */
export const parseBody = <Body>({ body }: Item): Body => JSON.parse(body!.S!) as Body;

/** A time for DynamoDB's deletion, in whole seconds. */
export const ttlOf = (time: number): number => Math.ceil(Math.min(time, never) / 1000);

/** Whether functions have work to do in a partition that no event or wait may come for. */
export const hasPendingWork = ({ waits, runs, isUnsettled }: Partition): boolean =>
  isUnsettled === true ||
  waits.some(({ end, isConfirmed }) => end !== undefined || isConfirmed === true) ||
  Object.values(runs).some(({ start }) => start !== undefined);
