import { equalJson, type Json, setOwn } from "../json.ts";
import type { Command, Effect, NewWait } from "./commands.ts";
import {
  collectedBy,
  Draft,
  endOf,
  isOpenAfter,
  isOpenAt,
  isOver,
  notCollected,
  releasedBy,
  usedBy,
  usesOf,
  withoutRun,
  withoutUndefined,
  withoutUser,
} from "./draft.ts";
import { type Choice, choose, Matches, patternsOf, runSlot, runValueOf } from "./matching.ts";
import {
  answerOf,
  type EventReference,
  type Partition,
  receivedEvents,
  type StoredEvent,
  type StoredWait,
  type WaitEnd,
} from "./partition.ts";
import {
  type Alternative,
  correlationText,
  type EventPattern,
  hasAttributes,
  type Rules,
  type StartRule,
  type WaitRule,
} from "./rules.ts";
import { decideStart } from "./starts.ts";
import { isInInbox, isVisible, textsOf } from "./visibility.ts";

/** A partition after a command, and what follows. A command without effect returns the same partition. */
export interface Step {
  readonly partition: Partition;
  readonly effects: readonly Effect[];
}

/** A command ends no further wait after so many changed entries, so that the change of a partition stays small. */
const maxChanges = 15;

/**
 * Arbitrates events. Pure: the same partition, command and rules give the same step.
 *
 * An arriving event is used by the first wait that it fulfills, of the oldest run first, within a run by position; otherwise
 * it starts a run of each workflow that it is a start event of, or stays available. Events that fulfill
 * a wait only together with others stay available until they do. A wait that begins examines what is available.
 */
export function step(partition: Partition, command: Command, rules: Rules): Step {
  const change = new Change(partition, rules);
  change.apply(command);
  return change.result();
}

/** One step under way. */
class Change {
  readonly #rules: Rules;
  readonly #draft: Draft;
  readonly #effects: Effect[] = [];
  /** Entries that ended waits have changed. */
  #changes = 0;

  constructor(partition: Partition, rules: Rules) {
    this.#draft = new Draft(partition);
    this.#rules = rules;
  }

  result(): Step {
    return { partition: this.#draft.partition, effects: this.#effects };
  }

  apply(command: Command): void {
    switch (command.kind) {
      case "arrive":
        this.#arrive(command);
        break;
      case "wait":
        this.#wait(command.wait);
        break;
      case "cancelWait":
        this.#cancelWait(command);
        break;
      case "expire":
        this.#expire(command);
        break;
      case "confirm":
        this.#confirm(command.id);
        break;
      case "join":
        this.#join(command);
        break;
      case "leave":
        this.#leave(command);
        break;
      case "setToken":
        this.#setToken(command);
        break;
      case "settle":
        if (!this.#draft.partition.isUnsettled && !command.isForced) break;
        this.#settle(command.at, () => true);
        this.#start(this.#draft.partition.events.map(({ order }) => order));
        break;
      case "sweep":
        this.#sweep(command);
        break;
    }
  }

  #arrive({ at, event, key, order = this.#draft.partition.next }: Command & { readonly kind: "arrive" }): void {
    if (key !== undefined && Object.hasOwn(this.#draft.partition.seen, key)) return;
    const stored: StoredEvent = { order, at, event, isFree: true, isNew: true, ...(key !== undefined && { key }) };
    this.#draft.addEvent(stored);
    this.#settle(at, (wait) => this.#concerns(stored, wait, at));
    this.#start([order]);
  }

  #wait(wait: NewWait): void {
    const replaced = this.#draft.wait(wait.id);
    if (replaced && isRepeated(wait, replaced)) {
      if (replaced.end) this.#wake(replaced);
      return;
    }
    const released = replaced ? this.#release(replaced) : [];
    this.#setStarted(wait.run);
    this.#draft.addWait({ ...wait, values: this.#valuesOf(wait) });
    this.#settle(wait.at, (each) => each.id === wait.id || released.length > 0);
    this.#start(released);
  }

  /** A wait keeps the values with which it begins: its own, or else the run's. */
  #valuesOf(wait: NewWait): { readonly [key: string]: Json } {
    const values = { ...wait.values };
    const own = textsOf(wait);
    const known = this.#draft.valueOf(wait.run);
    if (known === undefined || known === null) return values;
    for (const { keys } of this.#rules.waitRule(wait)?.events ?? [])
      for (const { name, scope } of keys) if (scope === "run" && !Object.hasOwn(own, name)) setOwn(values, name, known);
    return values;
  }

  #cancelWait({ id, at, discards, closes }: Command & { readonly kind: "cancelWait" }): void {
    const wait = this.#draft.wait(id);
    if (!wait || wait.isConfirmed) return;
    const released = this.#release(wait);
    const drops = this.#rules.waitRule(wait)?.unused === "drop";
    if (drops && discards) this.#draft.updateWait(id, { dropped: this.#lastUntil(wait, at), isConfirmed: true });
    else if (drops && closes) this.#draft.updateWait(id, { isClosed: true });
    else this.#draft.removeWait(id);
    if (released.length > 0 || (drops && discards)) this.#settle(at, () => true);
    this.#start(released);
  }

  #expire({ id, at }: Command & { readonly kind: "expire" }): void {
    const wait = this.#draft.wait(id);
    const rule = wait && this.#rules.waitRule(wait);
    if (!wait || !rule || isOver(wait)) return;
    if (rule.alternatives.some((alternative) => isOpenAfter(alternative, wait, at))) return;
    this.#end(wait, { at, alternative: null, groups: [], uses: [] }, rule, this.#draft.partition.next - 1);
    if (rule.unused === "drop") this.#settle(at, () => true);
  }

  #confirm(id: string): void {
    const wait = this.#draft.wait(id);
    if (!wait?.end || wait.isConfirmed) return;
    for (const { order } of wait.end.uses) this.#draft.updateEvent(order, (event) => withoutUser(event, id));
    if (wait.dropped === undefined) this.#draft.removeWait(id);
    else this.#draft.updateWait(id, { isConfirmed: true, end: undefined });
  }

  #join({ run, after, value }: Command & { readonly kind: "join" }): void {
    const { start: _, ...known } = this.#draft.run(run) ?? {};
    this.#draft.setRun(run, { ...known, ...withoutUndefined({ value, after }) });
  }

  /** A run that waits need not be started any more. */
  #setStarted(run: string): void {
    const known = this.#draft.run(run);
    if (known?.start) this.#draft.setRun(run, { ...known, start: undefined });
  }

  #leave({ run, at }: Command & { readonly kind: "leave" }): void {
    const own = this.#draft.partition.waits.filter((wait) => wait.run === run && !wait.isConfirmed);
    const released = own.flatMap((wait) => this.#release(wait));
    for (const { id } of own) this.#draft.removeWait(id);
    for (const event of this.#draft.partition.events)
      if (event.runs?.includes(run)) this.#draft.updateEvent(event.order, (each) => withoutRun(each, run));
    this.#draft.removeRun(run);
    if (released.length > 0) this.#settle(at, () => true);
    this.#start(released);
  }

  #setToken({ run, value, at }: Command & { readonly kind: "setToken" }): void {
    if (correlationText(this.#draft.valueOf(run)) === correlationText(value)) return;
    this.#draft.setRun(run, { ...this.#draft.run(run), value });
    this.#settle(at, (wait) => wait.run === run);
  }

  #sweep({ before, limit }: Command & { readonly kind: "sweep" }): void {
    const { events, waits, seen } = this.#draft.partition;
    const dropping = waits.filter(({ isConfirmed }) => isConfirmed).slice(0, limit);
    const isDeletable = ({ at, isFree, runs, users }: StoredEvent) => isFree && !users && at < before && !runs;
    const isDropped = (event: StoredEvent) =>
      event.isFree && !event.users && dropping.some((wait) => this.#discards(wait, event));
    const deleted = take(events, limit, (event) => isDeletable(event) || isDropped(event));
    const kept = deleted.size === 0 ? events : events.filter((event) => !deleted.has(event));
    const done = take(dropping, limit - deleted.size, (wait) => !kept.some((event) => this.#discards(wait, event)));
    const old = take(Object.entries(seen), limit - deleted.size - done.size, ([, at]) => at < before);
    if (deleted.size + done.size + old.size === 0) return;
    const forgotten = new Set([...old].map(([key]) => key));
    this.#draft.partition = {
      ...this.#draft.partition,
      events: kept,
      waits: waits.filter((wait) => !done.has(wait)),
      seen: Object.fromEntries(Object.entries(seen).filter(([key]) => !forgotten.has(key))),
    };
    if (deleted.size > 0) this.#effects.push({ kind: "forget", events: [...deleted].map(({ order }) => order) });
  }

  #discards = (wait: StoredWait, event: StoredEvent): boolean =>
    wait.dropped !== undefined &&
    event.order <= wait.dropped &&
    isInInbox(event, wait, this.#rules.waitRule(wait), this.#draft.partition);

  /** Matches waits until none is left that events fulfill, or enough has changed. */
  #settle(at: number, mayBeFulfilled: (wait: StoredWait) => boolean): void {
    const { waits, isUnsettled } = this.#draft.partition;
    let round = (isUnsettled ? waits : waits.filter(mayBeFulfilled)).map(({ id }) => id);
    while (round.length > 0) {
      const again = new Set<string>();
      for (const id of round) {
        if (this.#changes >= maxChanges) {
          this.#draft.setUnsettled(true);
          return;
        }
        const wait = this.#draft.wait(id)!;
        if (isOver(wait) || !this.#match(wait, at)) continue;
        for (const other of this.#draft.partition.waits) if (this.#isHelpedByUse(other, wait)) again.add(other.id);
      }
      round = this.#draft.partition.waits.map(({ id }) => id).filter((id) => again.has(id));
    }
    this.#draft.setUnsettled(false);
  }

  /** Whether a wait may be fulfilled because another one has used events or bound a value. */
  #isHelpedByUse(wait: StoredWait, user: StoredWait): boolean {
    if (isOver(wait)) return false;
    return (
      wait.run === user.run || this.#rules.waitRule(wait)?.alternatives.some(({ none }) => none.length > 0) === true
    );
  }

  /** Ends a wait if the events that it may use fulfill it. Whether it has ended. */
  #match(wait: StoredWait, at: number): boolean {
    const rule = this.#rules.waitRule(wait);
    if (!rule) return false;
    const isOpen = (alternative: Alternative) => isOpenAt(alternative, wait, at);
    const matches = this.#matchesOf(wait);
    const { found, failure } = this.#examine(wait, patternsOf(rule.alternatives.filter(isOpen)), matches);
    const choice = found.length === 0 ? undefined : choose(rule.alternatives, isOpen, found, matches);
    if (choice) this.#endWith(choice, wait, rule, at);
    else if (failure) {
      const error = this.#rules.failure(failure.thrown, wait);
      this.#end(wait, { at, alternative: null, groups: [], uses: [], error }, rule, undefined);
    }
    return choice !== undefined || failure !== undefined;
  }

  /** The events that match some pattern, up to the first for which a condition throws. */
  #examine(wait: StoredWait, patterns: readonly EventPattern[], matches: Matches): Examination {
    const found: StoredEvent[] = [];
    const dropping = this.#draft.partition.waits.filter(({ dropped }) => dropped !== undefined);
    for (const event of this.#draft.partition.events) {
      if (!patterns.some((pattern) => hasAttributes(event.event, pattern.event))) continue;
      if (!isVisible(event, wait, this.#draft.partition) || this.#isDropped(event, wait, dropping)) continue;
      try {
        const matching = patterns.filter((pattern) => matches.of(pattern, event) !== undefined);
        if (matching.length > 0) found.push(event);
      } catch (thrown) {
        return { found, failure: { thrown } };
      }
    }
    return { found };
  }

  /** Whether an event concerns an open wait: it matches some pattern, or a condition throws. */
  #concerns(event: StoredEvent, wait: StoredWait, at: number): boolean {
    const rule = isOver(wait) ? undefined : this.#rules.waitRule(wait);
    if (!rule || !isVisible(event, wait, this.#draft.partition)) return false;
    const matches = this.#matchesOf(wait);
    try {
      return patternsOf(rule.alternatives.filter((each) => isOpenAt(each, wait, at))).some(
        (pattern) => matches.of(pattern, event) !== undefined,
      );
    } catch {
      return true;
    }
  }

  #matchesOf(wait: StoredWait): Matches {
    const known = correlationText(this.#draft.valueOf(wait.run));
    const cached = caches.get(wait);
    if (cached && cached.known === known) return cached.matches;
    const bound = new Map(known === null ? [] : [[runSlot, known]]);
    const matches = new Matches({ variables: wait.variables, values: textsOf(wait), bound });
    caches.set(wait, { known, matches });
    return matches;
  }

  /** Whether another wait has discarded an event. */
  #isDropped(event: StoredEvent, by: StoredWait, dropping: readonly StoredWait[]): boolean {
    return dropping.some((wait) => wait.id !== by.id && this.#discards(wait, event));
  }

  #valueOf(choice: Choice, { events }: WaitRule): Json | undefined {
    for (const { name, order } of [...choice.groups].sort((a, b) => a.order - b.order)) {
      const value = runValueOf(events.find((each) => each.name === name)!, this.#draft.event(order)!.event);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #endWith(choice: Choice, wait: StoredWait, rule: WaitRule, at: number): void {
    const { alternative, groups } = choice;
    const uses = usesOf(groups, wait, this.#draft.partition);
    const value = this.#valueOf(choice, rule);
    const previous = this.#draft.valueOf(wait.run);
    const bound = value !== undefined && { value, previous };
    this.#end(wait, withoutUndefined({ at, alternative, groups, uses, ...bound }), rule, choice.last);
  }

  #end(wait: StoredWait, end: WaitEnd, rule: WaitRule, dropped: number | undefined): void {
    this.#changes += 1 + end.uses.length + (end.value === undefined ? 0 : 1);
    for (const use of end.uses) this.#draft.updateEvent(use.order, (event) => usedBy(event, wait, use));
    if (end.value !== undefined) {
      this.#draft.setRun(wait.run, { ...this.#draft.run(wait.run), value: end.value });
    }
    const ended = { end, ...(rule.unused === "drop" && dropped !== undefined && { dropped }) };
    this.#wake(this.#draft.updateWait(wait.id, ended));
  }

  #wake(wait: StoredWait): void {
    this.#effects.push({ kind: "wake", wait, answer: answerOf(this.#draft.partition, wait) });
  }

  /** Undoes what the end of a wait has done; the events that it had used. */
  #release(wait: StoredWait): readonly number[] {
    if (!wait.end) return [];
    for (const use of wait.end.uses) this.#draft.updateEvent(use.order, (event) => releasedBy(event, wait, use));
    const record = this.#draft.run(wait.run);
    const { value, previous } = wait.end;
    if (value !== undefined && correlationText(record?.value) === correlationText(value)) {
      this.#draft.setRun(wait.run, { ...record, value: previous });
    }
    this.#draft.updateWait(wait.id, { end: undefined, dropped: undefined });
    return wait.end.uses.map((use) => use.order);
  }

  /** Events that no wait has used may start runs: each is considered once. */
  #start(orders: readonly number[]): void {
    if (this.#draft.partition.isUnsettled) return;
    for (const order of orders) {
      const event = this.#draft.event(order);
      if (!event?.isFree || !event.isNew) continue;
      this.#draft.updateEvent(order, ({ isNew: _, ...known }) => known);
      for (const start of this.#rules.starts) this.#decideStart(start, event);
      const started = this.#draft.event(order)!;
      if (started.runs && !started.collectedBy) this.#draft.updateEvent(order, (each) => ({ ...each, isFree: false }));
    }
  }

  #decideStart(start: StartRule, event: StoredEvent): void {
    const { workflow, on } = start;
    const isCollectedFor = ({ isFree, collectedBy: workflows }: StoredEvent) => isFree && workflows?.includes(workflow);
    const { isCollected, taken } = decideStart(start, this.#draft.partition.events.filter(isCollectedFor), event);
    const run = isCollected || taken ? this.#rules.newRun(start, event) : undefined;
    if (run === undefined) return;
    if (isCollected) this.#draft.updateEvent(event.order, (each) => collectedBy(each, workflow));
    if (taken) this.#begin(workflow, run, event, taken, on);
  }

  #begin(
    workflow: string,
    run: string,
    { order, at }: StoredEvent,
    taken: readonly EventReference[],
    on: readonly Alternative[],
  ): void {
    const events = receivedEvents(taken, this.#draft.partition);
    const rules = patternsOf(on).map((pattern) => pattern.event);
    let value: Json | undefined;
    for (const { name, event } of events) value ??= runValueOf(rules.find((each) => each.name === name)!, event);
    for (const each of taken)
      this.#draft.updateEvent(each.order, (stored) => {
        const { collectedBy: others, ...rest } = notCollected(stored, workflow);
        const isFree = stored.order === order || others !== undefined;
        return { ...rest, ...(others && { collectedBy: others }), isFree, runs: [...(stored.runs ?? []), run] };
      });
    this.#draft.setRun(run, { after: order, value, start: { workflow, at, events: taken } });
    this.#effects.push({ kind: "start", workflow, run, at, events, value });
  }

  /** The last event that arrived before the end of a wait. */
  #lastUntil(wait: StoredWait, at: number): number {
    const end = Math.min(at, endOf(wait, this.#rules.waitRule(wait)));
    return this.#draft.partition.events.findLast((event) => event.at <= end)?.order ?? 0;
  }
}

/** The first items with a property, up to a limit. */
function take<T>(items: readonly T[], limit: number, has: (item: T) => boolean): ReadonlySet<T> {
  const taken = new Set<T>();
  for (const item of items) {
    if (taken.size >= limit) break;
    if (has(item)) taken.add(item);
  }
  return taken;
}

/** Whether a wait that begins is one that is known already. */
const isRepeated = (wait: NewWait, known: StoredWait): boolean =>
  !known.isConfirmed &&
  equalJson(wait.data ?? null, known.data ?? null) &&
  (known.data !== undefined || wait.at === known.at);

/** What is known of the events that a wait may use; kept as long as the entry itself is. */
const caches = new WeakMap<StoredWait, { readonly known: string | null; readonly matches: Matches }>();

/** The events that match, and what a condition has thrown for the one behind them. */
interface Examination {
  readonly found: readonly StoredEvent[];
  readonly failure?: { readonly thrown: unknown };
}
