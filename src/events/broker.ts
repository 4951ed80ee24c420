import { equalJson, type Json, setOwn } from "../json.ts";
import { Availability } from "./availability.ts";
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
import { type Choice, choose, patternsOf, runValueOf } from "./matching.ts";
import {
  answerOf,
  type DroppedEvents,
  type EventReference,
  type Partition,
  receivedEvents,
  type StoredEvent,
  type StoredWait,
  type WaitEnd,
} from "./partition.ts";
import { type Alternative, correlationText, type Rules, type StartRule, type WaitRule } from "./rules.ts";
import { decideStart } from "./starts.ts";
import { sweep } from "./sweep.ts";
import { firstOrderOf, textsOf } from "./visibility.ts";

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
 * An arriving event is used by the first wait that it fulfills, of the oldest run first, within a run by position;
 * otherwise it starts a run of each workflow that it is a start event of, or stays available. Events that fulfill a
 * wait only together with others stay available until they do. A wait that begins examines the available events.
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
  #availability: Availability | undefined;
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
        this.#start(this.#draft.partition.events.filter(({ isNew }) => isNew));
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
    this.#settle(at, (wait) => this.#mayUse([order], wait, at));
    this.#start([stored]);
  }

  #wait(wait: NewWait): void {
    const replaced = this.#draft.wait(wait.id);
    if (replaced && isRepeated(wait, replaced)) {
      if (replaced.end) this.#wake(replaced);
      return;
    }
    const released = replaced && this.#release(replaced);
    if (replaced?.isConfirmed) this.#draft.addWait({ ...replaced, id: `${wait.id} ${replaced.dropped!.last}` });
    this.#setStarted(wait.run);
    this.#draft.addWait({ ...wait, values: this.#valuesOf(wait) });
    const isHelped = released && this.#isHelpedByRelease(replaced!, released, wait.at);
    this.#settle(wait.at, (each) => each.id === wait.id || isHelped?.(each) === true);
    if (replaced) this.#startAfterRelease(released, replaced.dropped !== undefined);
  }

  /** A wait keeps the values with which it begins: its own, or else the run's. */
  #valuesOf(wait: NewWait | StoredWait): { readonly [key: string]: Json } {
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
    if (drops && discards) {
      this.#draft.updateWait(id, { dropped: this.#eventsUntil(at, wait), isConfirmed: true });
    } else if (drops && closes) this.#draft.updateWait(id, { isClosed: true });
    else this.#draft.removeWait(id);
    const isHelped = released && this.#isHelpedByRelease(wait, released, at);
    const isDropped = drops && discards === true;
    this.#settle(at, (each) => isHelped?.(each) === true || (isDropped && this.#mayBeUnblocked(each, at)));
    this.#startAfterRelease(released, wait.dropped !== undefined);
  }

  #expire({ id, at }: Command & { readonly kind: "expire" }): void {
    const wait = this.#draft.wait(id);
    const rule = wait && this.#rules.waitRule(wait);
    if (!wait || !rule || isOver(wait)) return;
    if (rule.alternatives.some((alternative) => isOpenAfter(alternative, wait, at))) return;
    this.#end(wait, { at, alternative: null, groups: [], uses: [] }, rule, this.#lastUntil(at, wait));
    if (rule.unused === "drop") this.#settle(at, (each) => this.#mayBeUnblocked(each, at));
  }

  #confirm(id: string): void {
    const wait = this.#draft.wait(id);
    if (!wait?.end || wait.isConfirmed) return;
    for (const { order } of wait.end.uses) this.#draft.updateEvent(order, (event) => withoutUser(event, id));
    this.#draft.confirmValue(wait);
    if (wait.dropped === undefined) this.#draft.removeWait(id);
    else this.#draft.updateWait(id, { isConfirmed: true, end: undefined });
  }

  #join({ run, after, value }: Command & { readonly kind: "join" }): void {
    const { start: _, ...known } = this.#draft.run(run) ?? {};
    const given = value === undefined ? {} : { value, bound: undefined };
    this.#draft.setRun(run, { ...known, ...given, ...(after !== undefined && { after }) });
  }

  /** A run that waits need not be started any more. */
  #setStarted(run: string): void {
    const known = this.#draft.run(run);
    if (known?.start) this.#draft.setRun(run, { ...known, start: undefined });
  }

  #leave({ run, at }: Command & { readonly kind: "leave" }): void {
    const own = this.#draft.partition.waits.filter((wait) => wait.run === run && !wait.isConfirmed);
    const released = own.flatMap((wait) => this.#release(wait) ?? []);
    for (const { id } of own) this.#draft.removeWait(id);
    for (const event of this.#draft.partition.events)
      if (event.runs?.includes(run)) this.#draft.updateEvent(event.order, (each) => withoutRun(each, run));
    this.#draft.removeRun(run);
    const isDropUndone = own.some(({ dropped }) => dropped);
    this.#settle(at, (wait) => isDropUndone || this.#mayUse(released, wait, at));
    this.#startAfterRelease(released, isDropUndone);
  }

  #setToken({ run, value, at }: Command & { readonly kind: "setToken" }): void {
    if (correlationText(this.#draft.valueOf(run)) === correlationText(value)) return;
    this.#draft.setRun(run, { ...this.#draft.run(run), value, bound: undefined });
    this.#settle(at, (wait) => wait.run === run);
  }

  #sweep(command: Command & { readonly kind: "sweep" }): void {
    const { partition, deleted } = sweep(this.#draft.partition, command, this.#rules);
    this.#draft.partition = partition;
    if (deleted.length > 0) this.#effects.push({ kind: "forget", events: deleted });
  }

  /**
   * Matches waits in their order until none is left that events fulfill, or enough has changed. The end of a wait may
   * help earlier ones.
   */
  #settle(at: number, mayBeFulfilled: (wait: StoredWait) => boolean): void {
    const { waits, isUnsettled } = this.#draft.partition;
    const helped = new Set<number>();
    const unblocked = new Set<number>();
    for (let i = 0, first = 0; i < waits.length; i++) {
      const wait = this.#draft.partition.waits[i]!;
      const isNext = i >= first && (isUnsettled || mayBeFulfilled(wait));
      const isCandidate = helped.delete(i) || isNext || (unblocked.has(i) && this.#mayBeUnblocked(wait, at));
      unblocked.delete(i);
      first = Math.max(first, i + 1);
      if (!isCandidate || isOver(wait)) continue;
      if (this.#changes >= maxChanges) {
        this.#draft.setUnsettled(true);
        return;
      }
      if (!this.#match(wait, at)) continue;
      let earliest = i + 1;
      for (const [other, each] of waits.entries()) {
        if (each.run === wait.run) helped.add(other);
        else if (this.#mayBeBlocked(each)) unblocked.add(other);
        else continue;
        earliest = Math.min(earliest, other);
      }
      i = earliest - 1;
    }
    this.#draft.setUnsettled(false);
  }

  /** Whether fewer events may fulfill a wait: they exclude an alternative, or bind a value that others do not have. */
  #mayBeBlocked = (wait: StoredWait): boolean =>
    this.#rules
      .waitRule(wait)
      ?.alternatives.some(
        ({ all, none }) => none.length > 0 || (all.length > 1 && all.flat().some(({ event }) => event.keys.length > 0)),
      ) === true;

  /** Whether a wait may be fulfilled because others have used or discarded events. */
  #mayBeUnblocked = (wait: StoredWait, at: number): boolean =>
    !isOver(wait) && this.#mayBeBlocked(wait) && this.#available().mayBeFulfilled(wait, at);

  /** Whether one of some events may be the last one that a wait needs. */
  #mayUse(orders: readonly number[], wait: StoredWait, at: number): boolean {
    return orders.some((order) => {
      const event = this.#draft.event(order);
      return event !== undefined && this.#available().mayFulfill(event, wait, at);
    });
  }

  /** Whether a wait may be fulfilled because another one no longer has its events, its value and what it discarded. */
  #isHelpedByRelease(
    { run, dropped }: StoredWait,
    released: readonly number[],
    at: number,
  ): (wait: StoredWait) => boolean {
    return (wait) => dropped !== undefined || wait.run === run || this.#mayUse(released, wait, at);
  }

  #available(): Availability {
    const { partition } = this.#draft;
    if (this.#availability?.partition !== partition) this.#availability = new Availability(partition, this.#rules);
    return this.#availability;
  }

  /** Ends a wait if the events that it may use fulfill it. Whether it has ended. */
  #match(wait: StoredWait, at: number): boolean {
    const rule = this.#rules.waitRule(wait);
    if (!rule) return false;
    const isOpen = (alternative: Alternative) => isOpenAt(alternative, wait, at);
    const matcher = this.#available().matcherOf(wait);
    const { found, failure } = this.#available().examine(wait, patternsOf(rule.alternatives.filter(isOpen)), matcher);
    const choice = found.length === 0 ? undefined : choose(rule.alternatives, isOpen, found, matcher);
    if (choice) this.#endWith(choice, wait, rule, at);
    else if (failure) {
      const error = this.#rules.failure(failure.thrown, wait);
      this.#end(wait, { at, alternative: null, groups: [], uses: [], error }, rule, undefined);
    }
    return choice !== undefined || failure !== undefined;
  }

  /** The last value that events have. */
  #valueOf({ groups }: Choice, { events }: WaitRule): Json | undefined {
    let last: Json | undefined;
    for (const { name, order } of [...groups].sort((a, b) => a.order - b.order)) {
      last = runValueOf(events.find((each) => each.name === name)!, this.#draft.event(order)!.event) ?? last;
    }
    return last;
  }

  #endWith(choice: Choice, wait: StoredWait, rule: WaitRule, at: number): void {
    const { alternative, groups } = choice;
    const uses = usesOf(groups, wait, this.#draft.partition);
    const value = this.#valueOf(choice, rule);
    this.#end(wait, withoutUndefined({ at, alternative, groups, uses, value }), rule, choice.last);
  }

  /** Ends a wait, which discards unused events up to an order if its rule says so. */
  #end(wait: StoredWait, end: WaitEnd, rule: WaitRule, last: number | undefined): void {
    this.#changes += 1 + end.uses.length + (end.value === undefined ? 0 : 1);
    for (const use of end.uses) this.#draft.updateEvent(use.order, (event) => usedBy(event, wait, use));
    if (end.value !== undefined) this.#draft.bindValue(wait, end.value);
    const drops = rule.unused === "drop" && last !== undefined;
    this.#wake(this.#draft.updateWait(wait.id, { end, ...(drops && { dropped: this.#eventsUpTo(last, wait) }) }));
  }

  #wake(wait: StoredWait): void {
    this.#effects.push({ kind: "wake", wait, answer: answerOf(this.#draft.partition, wait) });
  }

  /** Undoes what the end of a wait has done; the events that it had used, or undefined if it has not ended. */
  #release(wait: StoredWait): readonly number[] | undefined {
    if (!wait.end) return undefined;
    for (const use of wait.end.uses) this.#draft.updateEvent(use.order, (event) => releasedBy(event, wait, use));
    this.#draft.releaseValue(wait);
    this.#draft.updateWait(wait.id, { end: undefined, dropped: undefined });
    return wait.end.uses.map((use) => use.order);
  }

  /** Events that are available again may start runs. */
  #startAfterRelease(orders: readonly number[] = [], isDropUndone: boolean): void {
    const { events } = this.#draft.partition;
    if (isDropUndone) this.#start(events);
    else if (orders.length > 0) this.#start(events.filter(({ order }) => orders.includes(order)));
  }

  /** Events that no wait has used may start runs. A workflow considers each once, unless it collects the event. */
  #start(events: readonly StoredEvent[]): void {
    if (this.#draft.partition.isUnsettled) return;
    for (const { order } of events) {
      const event = this.#draft.event(order);
      if (!event?.isFree || !(event.isNew || event.collectedBy) || this.#available().isDiscarded(event)) continue;
      if (event.isNew) this.#draft.updateEvent(order, ({ isNew: _, ...known }) => known);
      for (const start of this.#rules.starts)
        if (event.isNew || event.collectedBy?.includes(start.workflow)) this.#decideStart(start, order);
      const started = this.#draft.event(order)!;
      if (started.runs && !started.collectedBy) this.#draft.updateEvent(order, (each) => ({ ...each, isFree: false }));
    }
  }

  #decideStart(start: StartRule, order: number): void {
    const { workflow, on } = start;
    const event = this.#draft.event(order)!;
    const isCollectedFor = ({ collectedBy: workflows }: StoredEvent) => workflows?.includes(workflow) === true;
    const collected = this.#draft.partition.events.filter(
      (each) => each.isFree && each !== event && isCollectedFor(each) && !this.#available().isDiscarded(each),
    );
    const { isCollected, taken } = decideStart(start, collected, event);
    if (!isCollected && !taken) return;
    const run = this.#rules.newRun(start, taken ? this.#draft.event(taken.at(-1)!.order)! : event);
    if (run === undefined) return;
    if (isCollected && !isCollectedFor(event))
      this.#draft.updateEvent(event.order, (each) => collectedBy(each, workflow));
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

  /** The order of the last event that arrived before the end of a wait. */
  #lastUntil(at: number, wait: StoredWait): number {
    const end = Math.min(at, endOf(wait, this.#rules.waitRule(wait)));
    return this.#draft.partition.events.findLast((event) => event.at <= end)?.order ?? 0;
  }

  #eventsUntil = (at: number, wait: StoredWait): DroppedEvents => this.#eventsUpTo(this.#lastUntil(at, wait), wait);

  /** Events for a run, under what is known of it now. */
  #eventsUpTo(last: number, wait: StoredWait): DroppedEvents {
    const after = firstOrderOf(wait, this.#draft.partition.runs);
    return withoutUndefined({ last, after, values: this.#valuesOf(wait) });
  }
}

/** Whether a wait that begins is one that is known already. */
const isRepeated = (wait: NewWait, known: StoredWait): boolean =>
  !known.isConfirmed &&
  equalJson(wait.data ?? null, known.data ?? null) &&
  (known.data !== undefined || wait.at === known.at);
