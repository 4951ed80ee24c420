import { type JsonObject, own } from "../json.ts";
import { Conditions } from "./conditions.ts";
import { isOpenAt, isOver } from "./draft.ts";
import { type Matcher, matchPattern, patternsOf, runSlot } from "./matching.ts";
import { firstIndexFrom, type Partition, type RunRecord, type StoredEvent, type StoredWait } from "./partition.ts";
import {
  type Alternative,
  correlationText,
  type EventPattern,
  hasAttributes,
  type Rules,
  type WaitRule,
} from "./rules.ts";
import { firstOrderOf, hasDiscarded, hasDiscardedOwn, isOwn, isVisible, textsOf } from "./visibility.ts";

/** The events that match, and what a condition has thrown for the one behind them. */
export interface Examination {
  readonly found: readonly StoredEvent[];
  readonly failure?: { readonly thrown: unknown } | undefined;
}

/** What the waits of a partition may use. */
export class Availability {
  readonly partition: Partition;
  readonly #rules: Rules;
  readonly #dropping: readonly StoredWait[];
  #owned: readonly StoredEvent[] | undefined;

  constructor(partition: Partition, rules: Rules) {
    this.partition = partition;
    this.#rules = rules;
    this.#dropping = partition.waits.filter(({ dropped }) => dropped !== undefined);
  }

  /** Whether a free event has been discarded by a wait. */
  isDiscarded(event: StoredEvent): boolean {
    return this.#dropping.some((wait) => hasDiscarded(event, wait, this.#rules.waitRule(wait)));
  }

  /** Whether a wait may use an event. */
  isAvailable(event: StoredEvent, wait: StoredWait): boolean {
    if (!isVisible(event, wait, this.partition)) return false;
    if (!isOwn(event, wait)) return !this.isDiscarded(event);
    return !this.#dropping.some((other) => other.run === wait.run && hasDiscardedOwn(event, other));
  }

  /** How a wait compares events. */
  matcherOf(wait: StoredWait): Matcher {
    const record = own(this.partition.runs, wait.run);
    const cached = caches.get(wait);
    if (cached && cached.record === record) return cached;
    const { values, conditions } = cached ?? { values: textsOf(wait), conditions: new Conditions(wait.variables) };
    const known = correlationText(record?.value);
    const bound = known === null ? nothingBound : new Map([[runSlot, known]]);
    const matcher = { values, conditions, bound, record };
    caches.set(wait, matcher);
    return matcher;
  }

  /** The events that match some pattern, up to the first for which a condition throws. */
  examine(wait: StoredWait, patterns: readonly EventPattern[], matcher: Matcher): Examination {
    const found: StoredEvent[] = [];
    for (const event of this.#candidates(patterns, wait)) {
      const matching = patterns.filter((pattern) => hasAttributes(event.event, pattern.event));
      if (matching.length === 0 || !this.isAvailable(event, wait)) continue;
      let isMatching = false;
      try {
        for (const pattern of matching) if (matchPattern(pattern, event, matcher)) isMatching = true;
      } catch (thrown) {
        return { found, failure: { thrown } };
      }
      if (isMatching) found.push(event);
    }
    return { found };
  }

  /**
   * Whether an event may be the last one that an open wait needs, or its condition throws. If not, the event changes
   * nothing for the wait; for most waits this is known without examining other events.
   */
  mayFulfill(event: StoredEvent, wait: StoredWait, at: number): boolean {
    const rule = isOver(wait) ? undefined : this.#rules.waitRule(wait);
    if (!rule) return false;
    const concerned = concernedBy(event, rule);
    if (concerned.length === 0 || !this.isAvailable(event, wait)) return false;
    const matcher = this.matcherOf(wait);
    try {
      for (const { alternative, patterns } of concerned) {
        if (!isOpenAt(alternative, wait, at)) continue;
        let isMatching = false;
        for (const pattern of patterns) if (matchPattern(pattern, event, matcher)) isMatching = true;
        if (isMatching && this.#isPossible(alternative, wait, matcher, event)) return true;
      }
      return false;
    } catch {
      return true;
    }
  }

  /** Whether the events may fulfill a wait, or some condition throws. */
  mayBeFulfilled(wait: StoredWait, at: number): boolean {
    const matcher = this.matcherOf(wait);
    const alternatives = this.#rules.waitRule(wait)?.alternatives ?? [];
    try {
      return alternatives.some((each) => isOpenAt(each, wait, at) && this.#isPossible(each, wait, matcher));
    } catch {
      return true;
    }
  }

  /**
   * Whether each group has an event, whatever the values of the others, and no excluded event is before them. `needed`:
   * an event without which the alternative is not fulfilled.
   */
  #isPossible({ all, none }: Alternative, wait: StoredWait, matcher: Matcher, needed?: StoredEvent): boolean {
    const isMatching = (group: readonly EventPattern[], event: StoredEvent) =>
      group.some((pattern) => matchPattern(pattern, event, matcher));
    let last = needed?.order ?? 0;
    for (const group of all) {
      if (needed && isMatching(group, needed)) continue;
      const first = this.#candidates(group, wait).find(
        (event) => this.isAvailable(event, wait) && isMatching(group, event),
      );
      if (!first) return false;
      last = Math.max(last, first.order);
    }
    return (
      none.length === 0 ||
      !this.#candidates(none, wait).some(
        (event) => event.order <= last && this.isAvailable(event, wait) && isMatching(none, event),
      )
    );
  }

  /** Events that may have the attributes of some pattern, without many that arrived before the wait's run began. */
  #candidates(patterns: readonly EventPattern[], wait: StoredWait): readonly StoredEvent[] {
    const candidates = eventsOfTypes(patterns, this.partition.events);
    const after = firstOrderOf(wait, this.partition.runs);
    const start = after === undefined ? 0 : firstIndexFrom(after + 1, candidates);
    if (start === 0) return candidates;
    this.#owned ??= this.partition.events.filter(({ runs }) => runs);
    const earlier = this.#owned.filter((event) => event.order <= after! && isOwn(event, wait));
    return [...earlier, ...candidates.slice(start)];
  }
}

const nothingBound: ReadonlyMap<string, string> = new Map();

/** What is known of waits; kept as long as their entries. */
const caches = new WeakMap<StoredWait, Matcher & { readonly record: RunRecord | undefined }>();

/** An alternative, and the patterns in it whose attributes an event has. */
interface ConcernedAlternative {
  readonly alternative: Alternative;
  readonly patterns: readonly EventPattern[];
}

const concernedAlternatives = new WeakMap<JsonObject, Map<WaitRule, readonly ConcernedAlternative[]>>();

function concernedBy({ event }: StoredEvent, rule: WaitRule): readonly ConcernedAlternative[] {
  let known = concernedAlternatives.get(event);
  if (!known) {
    known = new Map();
    concernedAlternatives.set(event, known);
  }
  let concerned = known.get(rule);
  if (!concerned) {
    concerned = rule.alternatives.flatMap((alternative) => {
      const patterns = patternsOf([alternative]).filter((pattern) => hasAttributes(event, pattern.event));
      return patterns.length === 0 ? [] : [{ alternative, patterns }];
    });
    known.set(rule, concerned);
  }
  return concerned;
}

/** Events by their types, in order. */
const indexes = new WeakMap<readonly StoredEvent[], ReadonlyMap<unknown, readonly StoredEvent[]>>();

function indexOf(events: readonly StoredEvent[]): ReadonlyMap<unknown, readonly StoredEvent[]> {
  const known = indexes.get(events);
  if (known) return known;
  const index = new Map<unknown, StoredEvent[]>();
  for (const stored of events) {
    const type = own(stored.event, "type");
    const others = index.get(type);
    if (others) others.push(stored);
    else index.set(type, [stored]);
  }
  indexes.set(events, index);
  return index;
}

/** The events that may have the attributes of some pattern, in order. */
function eventsOfTypes(patterns: readonly EventPattern[], events: readonly StoredEvent[]): readonly StoredEvent[] {
  const types = new Set(patterns.map(({ event }) => (event.foldCase ? undefined : event.type)));
  if (types.has(undefined)) return events;
  const lists = [...types].map((type) => indexOf(events).get(type) ?? []);
  return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a.order - b.order);
}
