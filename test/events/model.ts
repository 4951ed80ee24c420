import type { Command, NewWait } from "../../src/events/commands.ts";
import { compareWaits } from "../../src/events/draft.ts";
import type { Answer, ReceivedEvent } from "../../src/events/partition.ts";
import {
  type Alternative,
  correlationText,
  type EventPattern,
  type EventRule,
  hasAttributes,
  type Rules,
  type StartRule,
  type WaitRule,
} from "../../src/events/rules.ts";
import { equalJson, type Json, type JsonObject } from "../../src/json.ts";
import { distinct, type Groups, groupsOf, valueIn } from "./model-matching.ts";

// The broker again, as plainly as its description can be followed: nothing that has happened is forgotten, and after
// each command every wait examines all events from the beginning.

/** An event that has arrived. */
export interface ModelEvent {
  readonly order: number;
  readonly at: number;
  readonly key: string | undefined;
  readonly event: JsonObject;
  /** Whether it has been considered as a start. */
  isConsidered: boolean;
  isDeleted: boolean;
  /** The runs that it has started. */
  readonly started: string[];
  /** The workflows that collect it. */
  readonly collectors: Set<string>;
}

/** A wait: open, ended or over. */
export interface ModelWait extends NewWait {
  readonly texts: ReadonlyMap<string, string>;
  state: "open" | "ended" | "closed" | "confirmed" | "gone";
  answer?: Answer;
  groups?: readonly { readonly name: string; readonly order: number }[];
}

/** A use of an event; uses that are released are removed. */
interface Use {
  readonly order: number;
  readonly wait: ModelWait;
  readonly isOwn: boolean;
}

/** What a wait has discarded. */
interface Drop {
  readonly wait: ModelWait;
  readonly last: number;
  readonly after: number | undefined;
  readonly texts: ReadonlyMap<string, string>;
}

/** What is known of a run. */
interface ModelRun {
  after: number | undefined;
  base: Json | undefined;
  /** Values of the events that it has used, in the order of their use. */
  values: { readonly wait: ModelWait; readonly value: Json }[];
  isStarting: boolean;
}

/** What follows from a command, as far as runs notice. */
export type ModelEffect =
  | { readonly kind: "wake"; readonly id: string; readonly answer: Answer }
  | {
      readonly kind: "start";
      readonly workflow: string;
      readonly run: string;
      readonly events: readonly ReceivedEvent[];
      readonly value: Json | undefined;
    };

/** The naive broker. */
export class Model {
  readonly rules: Rules;
  readonly events: ModelEvent[] = [];
  readonly waits: ModelWait[] = [];
  readonly runs = new Map<string, ModelRun>();
  readonly #uses: Use[] = [];
  readonly #drops: Drop[] = [];
  readonly #seen = new Map<string, number>();
  /** Events that are available again: workflows that collect them look at them again. */
  readonly #reconsidered = new Set<number>();
  #effects: ModelEffect[] = [];

  constructor(rules: Rules) {
    this.rules = rules;
  }

  apply(command: Command): readonly ModelEffect[] {
    this.#effects = [];
    this.#perform(command);
    return this.#effects;
  }

  #perform(command: Command): void {
    switch (command.kind) {
      case "arrive":
        if (command.key !== undefined && this.#seen.has(command.key)) return;
        if (command.key !== undefined) this.#seen.set(command.key, command.at);
        this.events.push({
          order: this.events.length + 1,
          at: command.at,
          key: command.key,
          event: command.event,
          isConsidered: false,
          isDeleted: false,
          started: [],
          collectors: new Set(),
        });
        this.#settle(command.at);
        return;
      case "wait":
        this.#wait(command.wait);
        return;
      case "cancelWait":
        this.#cancel(command);
        return;
      case "expire":
        this.#expire(command.id, command.at);
        return;
      case "confirm": {
        const wait = this.current(command.id);
        if (wait?.state === "ended") wait.state = "confirmed";
        return;
      }
      case "join": {
        const run = this.#run(command.run);
        if (command.value !== undefined) Object.assign(run, { base: command.value, values: [] });
        run.after = command.after ?? run.after;
        run.isStarting = false;
        return;
      }
      case "leave":
        for (const wait of this.waits)
          if (wait.run === command.run && wait.state !== "confirmed") {
            this.#release(wait);
            wait.state = "gone";
          }
        for (const { started } of this.events)
          if (started.includes(command.run)) started.splice(started.indexOf(command.run), 1);
        this.runs.delete(command.run);
        this.#settle(command.at);
        return;
      case "setToken":
        if (correlationText(this.valueOf(command.run)) === correlationText(command.value)) return;
        Object.assign(this.#run(command.run), { base: command.value, values: [] });
        this.#settle(command.at);
        return;
      case "settle":
        this.#settle(command.at);
        return;
      case "sweep":
        for (const event of this.events) if (event.at < command.before && !this.#isHeld(event)) event.isDeleted = true;
        for (const [key, at] of this.#seen) if (at < command.before) this.#seen.delete(key);
    }
  }

  /** The wait with an id that is not over for its run. */
  current(id: string): ModelWait | undefined {
    return this.waits.findLast((wait) => wait.id === id && wait.state !== "confirmed" && wait.state !== "gone");
  }

  #run(run: string): ModelRun {
    const known = this.runs.get(run) ?? { after: undefined, base: undefined, values: [], isStarting: false };
    this.runs.set(run, known);
    return known;
  }

  /** A run's correlation value: that of the last event that it has used, or else the one that was given. */
  valueOf(run: string): Json | undefined {
    const known = this.runs.get(run);
    return known && (known.values.at(-1)?.value ?? known.base);
  }

  #wait(wait: NewWait): void {
    const known = this.current(wait.id);
    const isSame =
      known && equalJson(known.data ?? null, wait.data ?? null) && (known.data !== undefined || known.at === wait.at);
    if (isSame) {
      if (known.answer) this.#effects.push({ kind: "wake", id: wait.id, answer: known.answer });
      return;
    }
    if (known) {
      this.#release(known);
      known.state = "gone";
    }
    this.#run(wait.run).isStarting = false;
    this.waits.push({ ...wait, texts: this.#textsFor(wait), state: "open" });
    this.#settle(wait.at);
  }

  /** The correlation values of a wait: its own, for other keys of the run the run's. */
  #textsFor({ run, step, values = {} }: NewWait): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    const known = correlationText(this.valueOf(run));
    for (const { keys } of this.rules.waitRule({ step })?.events ?? [])
      for (const { name, scope } of keys) if (scope === "run" && known !== null) texts.set(name, known);
    for (const [name, value] of Object.entries(values)) {
      const text = typeof value === "object" ? null : correlationText(value);
      if (text !== null) texts.set(name, text);
    }
    return texts;
  }

  #cancel({ id, at, discards, closes }: Command & { readonly kind: "cancelWait" }): void {
    const wait = this.current(id);
    if (!wait) return;
    this.#release(wait);
    const rule = this.rules.waitRule(wait);
    const isDropping = rule?.unused === "drop";
    if (isDropping && discards) this.#drop(wait, this.#lastUntil(Math.min(at, endOf(wait, rule))));
    wait.state = isDropping && discards ? "confirmed" : isDropping && closes ? "closed" : "gone";
    this.#settle(at);
  }

  #expire(id: string, at: number): void {
    const wait = this.current(id);
    const rule = wait && this.rules.waitRule(wait);
    if (!wait || !rule || wait.state !== "open" || at < endOf(wait, rule)) return;
    this.#end(wait, { alternative: null, events: [], groups: [] }, []);
    if (rule.unused === "drop") this.#drop(wait, this.#lastUntil(endOf(wait, rule)));
    this.#settle(at);
  }

  #lastUntil = (at: number): number => this.events.findLast((event) => event.at <= at)?.order ?? 0;

  #drop(wait: ModelWait, last: number): void {
    const texts = new Map([...this.#textsFor(wait), ...wait.texts]);
    this.#drops.push({ wait, last, after: this.runs.get(wait.run)?.after, texts });
  }

  #end(wait: ModelWait, answer: Answer, groups: Groups): void {
    wait.state = "ended";
    wait.answer = answer;
    wait.groups = groups;
    this.#effects.push({ kind: "wake", id: wait.id, answer });
  }

  /** Undoes the end of a wait that its run has not received. */
  #release(wait: ModelWait): void {
    for (const { order } of remove(this.#uses, (use) => use.wait === wait)) this.#reconsidered.add(order);
    if (remove(this.#drops, (drop) => drop.wait === wait).length > 0)
      for (const { order } of this.events) this.#reconsidered.add(order);
    const run = this.runs.get(wait.run);
    if (run) remove(run.values, (value) => value.wait === wait);
    delete wait.answer;
  }

  /** The runs that an event has started and that can use it. */
  ownersOf({ order, started, isDeleted }: ModelEvent): readonly string[] {
    if (isDeleted) return [];
    return started.filter(
      (run) =>
        !this.#uses.some((use) => use.order === order && use.isOwn && use.wait.run === run) &&
        !this.#drops.some(({ wait, last }) => wait.run === run && order <= last),
    );
  }

  /** Whether any run and any start may use an event. */
  isFree({ order, at, event, started, collectors, isDeleted }: ModelEvent): boolean {
    if (isDeleted || (started.length + this.#startsOf(order) > 0 && collectors.size === 0)) return false;
    if (this.#uses.some((use) => use.order === order && !use.isOwn)) return false;
    return !this.#drops.some(
      ({ wait, last, after, texts }) =>
        order <= last &&
        (after === undefined ? at >= wait.since : order > after) &&
        this.rules.waitRule(wait)!.events.some((rule) => this.#valuesOf(rule, event, texts, undefined) !== undefined),
    );
  }

  /** Whether an event must not be forgotten: a wait may release it, or it has started a run that may use it. */
  #isHeld(event: ModelEvent): boolean {
    const isDiscardedFor = (run: string) =>
      this.#drops.some(({ wait, last }) => wait.state === "confirmed" && wait.run === run && event.order <= last);
    const isUsedBy = (run: string) =>
      this.#uses.some((use) => use.order === event.order && use.isOwn && use.wait.run === run);
    return this.usersOf(event).length > 0 || event.started.some((run) => !isUsedBy(run) && !isDiscardedFor(run));
  }

  readonly #starts: number[] = [];
  #startsOf = (order: number): number => this.#starts.filter((each) => each === order).length;

  #isVisible(event: ModelEvent, wait: ModelWait): boolean {
    const { order, at, started } = event;
    const isOwn =
      started.includes(wait.run) &&
      !this.#uses.some((use) => use.order === order && use.isOwn && use.wait.run === wait.run);
    if (isOwn) return this.ownersOf(event).includes(wait.run);
    const after = this.runs.get(wait.run)?.after;
    return this.isFree(event) && (after === undefined ? at >= wait.since : order > after);
  }

  /** The values of an event for keys that have none yet; undefined if it does not match the definition. */
  #valuesOf(
    rule: EventRule,
    event: JsonObject,
    texts: ReadonlyMap<string, string>,
    known: string | undefined,
  ): ReadonlyMap<string, string> | undefined {
    if (!hasAttributes(event, rule)) return undefined;
    const values = new Map<string, string>();
    for (const key of rule.keys) {
      const text = correlationText(key.valueOf(event));
      const slot = key.scope === "run" ? "the run" : key.name;
      const expected = texts.get(key.name) ?? (key.scope === "run" ? known : undefined) ?? values.get(slot);
      if (text === null || (expected !== undefined && expected !== text)) return undefined;
      if (!texts.has(key.name)) values.set(slot, text);
    }
    return values;
  }

  /** Every wait examines everything, in order, until nothing happens any more; then unused events start runs. */
  #settle(at: number): void {
    while (this.waits.toSorted(compareWaits).some((wait) => wait.state === "open" && this.#match(wait, at)));
    for (const event of this.events)
      if ((!event.isConsidered || this.#reconsidered.has(event.order)) && this.isFree(event)) {
        const isNew = !event.isConsidered;
        event.isConsidered = true;
        for (const start of this.rules.starts)
          if (isNew || event.collectors.has(start.workflow)) this.#start(start, event);
      }
    this.#reconsidered.clear();
  }

  /** Looks at the events one by one. Whether the wait has ended. */
  #match(wait: ModelWait, at: number): boolean {
    const rule = this.rules.waitRule(wait);
    if (!rule) return false;
    const isOpen = ({ within = Number.POSITIVE_INFINITY }: Alternative) => at <= wait.at + within * 1_000;
    const known = correlationText(this.valueOf(wait.run)) ?? undefined;
    const examined: ModelEvent[] = [];
    const matches = (pattern: EventPattern, { event }: ModelEvent) => {
      const values = this.#valuesOf(pattern.event, event, wait.texts, known);
      return values && (pattern.when?.(event, wait.variables) ?? true) ? values : undefined;
    };
    for (const event of this.events) {
      if (!this.#isVisible(event, wait)) continue;
      examined.push(event);
      try {
        for (const { all, none } of rule.alternatives.filter(isOpen))
          for (const pattern of [...all.flat(), ...none]) matches(pattern, event);
      } catch (thrown) {
        const error = this.rules.failure(thrown, wait);
        this.#end(wait, { alternative: null, events: [], groups: [], error }, []);
        return true;
      }
      for (const [alternative, each] of rule.alternatives.entries()) {
        const groups = isOpen(each) ? groupsOf(each, examined, matches, known) : undefined;
        if (!groups) continue;
        this.#use(wait, alternative, groups, rule, event.order);
        return true;
      }
    }
    return false;
  }

  #use(wait: ModelWait, alternative: number, groups: Groups, rule: WaitRule, last: number): void {
    const used = distinct(groups);
    for (const { order } of used) {
      const { started } = this.events[order - 1]!;
      const isOwn =
        started.includes(wait.run) &&
        !this.#uses.some((use) => use.order === order && use.isOwn && use.wait.run === wait.run);
      this.#uses.push({ order, wait, isOwn });
    }
    let value: Json | undefined;
    for (const { name, order } of groups.toSorted((a, b) => a.order - b.order))
      value = valueIn(rule.events.find((each) => each.name === name)!, this.events[order - 1]!.event) ?? value;
    if (value !== undefined) this.#run(wait.run).values.push({ wait, value });
    const events = this.#received(used);
    const answer = { alternative, events, groups: this.#received(groups), ...(value !== undefined && { value }) };
    this.#end(wait, answer, groups);
    if (rule.unused === "drop") this.#drop(wait, last);
  }

  #received = (groups: Groups): readonly ReceivedEvent[] =>
    groups.map(({ name, order }) => ({ name, event: this.events[order - 1]!.event }));

  #start(start: StartRule, event: ModelEvent): void {
    const { workflow, on, complete, gap = Number.POSITIVE_INFINITY } = start;
    const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = start;
    const matches = ({ event: rule }: EventPattern, each: ModelEvent) =>
      this.#valuesOf(rule, each.event, new Map(), undefined);
    const patternOf = (each: ModelEvent) => on.flatMap(({ all }) => all.flat()).find((one) => matches(one, each));
    const pattern = patternOf(event);
    if (!pattern || event.at < from || event.at >= until) return;
    const run = this.rules.newRun(start, event);
    if (run === undefined) return;
    if (!complete) {
      this.#begin(workflow, run, [{ name: pattern.event.name, order: event.order }], event, on);
      return;
    }
    const tokenOf = (each: ModelEvent) => matches(patternOf(each)!, each)?.get("the run");
    let together = this.events.filter((other) => {
      if (other === event) return true;
      if (!other.collectors.has(workflow) || !this.isFree(other)) return false;
      const [a, b] = [tokenOf(other), tokenOf(event)];
      return a === undefined || b === undefined || a === b;
    });
    for (let i = together.length - 1; i > 0; i--)
      if (together[i]!.at - together[i - 1]!.at > gap * 1_000) {
        together = together.slice(i);
        break;
      }
    let taken: Groups | undefined;
    for (let count = 1; count <= together.length && !taken; count++)
      for (const alternative of on) taken ??= groupsOf(alternative, together.slice(0, count), matches, undefined);
    if (!taken?.some(({ order }) => order === event.order)) event.collectors.add(workflow);
    if (!taken) return;
    const last = this.events[Math.max(...taken.map(({ order }) => order)) - 1]!;
    this.#begin(workflow, this.rules.newRun(start, last)!, distinct(taken), event, on);
  }

  #begin(workflow: string, run: string, taken: Groups, { order }: ModelEvent, on: readonly Alternative[]): void {
    let value: Json | undefined;
    for (const each of taken) {
      const event = this.events[each.order - 1]!;
      event.collectors.delete(workflow);
      event.started.push(run);
      this.#starts.push(each.order);
      const rule = on.flatMap(({ all }) => all.flat()).find((pattern) => pattern.event.name === each.name)!.event;
      value ??= valueIn(rule, event.event);
    }
    this.runs.set(run, { after: order, base: value, values: [], isStarting: true });
    this.#effects.push({ kind: "start", workflow, run, events: this.#received(taken), value });
  }

  /** The unconfirmed waits that have used an event. */
  usersOf = ({ order }: ModelEvent): readonly string[] =>
    this.#uses.filter((use) => use.order === order && use.wait.state === "ended").map(({ wait }) => wait.id);
}

const endOf = ({ at }: ModelWait, rule: WaitRule | undefined): number =>
  Math.max(...(rule?.alternatives ?? []).map(({ within = Number.POSITIVE_INFINITY }) => at + within * 1_000));

function remove<T>(items: T[], isRemoved: (item: T) => boolean): readonly T[] {
  const removed = items.filter(isRemoved);
  items.splice(0, items.length, ...items.filter((item) => !removed.includes(item)));
  return removed;
}
