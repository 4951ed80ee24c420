import { expect } from "vitest";
import { step } from "../../src/events/broker.ts";
import { changesBetween, type Entry, partitionFrom } from "../../src/events/changes.ts";
import type { Command, Effect, NewWait } from "../../src/events/commands.ts";
import { compareWaits } from "../../src/events/draft.ts";
import { emptyPartition, type Partition } from "../../src/events/partition.ts";
import { eventKey, type Rules } from "../../src/events/rules.ts";
import { hasDiscarded, hasDiscardedOwn } from "../../src/events/visibility.ts";
import { type Json, type JsonObject, own } from "../../src/json.ts";
import { Model, type ModelEffect } from "./model.ts";
import { type EventProgram, rulesOf } from "./program.ts";
import type { RandomCommand } from "./random.ts";

/** The most entries that one `arrive`, `wait`, `expire` or `confirm` may change. */
export const maxEntries = 25;

/**
 * Applies commands to the broker, twice, and to the model. One broker keeps its partition, the other one stores
 * entries of JSON after each command.
 */
export class BrokerAndModel {
  readonly rules: Rules;
  readonly model: Model;
  kept: Partition = emptyPartition;
  readonly #stored = new Map<string, string>();
  #now = 1_000_000;
  #count = 0;
  readonly #waits = new Map<string, NewWait>();
  readonly #events: JsonObject[] = [];

  constructor(program: EventProgram) {
    this.rules = rulesOf(program);
    this.model = new Model(this.rules);
  }

  perform(command: RandomCommand): void {
    this.#now += command.seconds * 1_000;
    this.#count += 1;
    for (const each of this.#commandsOf(command)) this.apply(each);
  }

  /** Applies a command to all, and compares effects and states. */
  apply(command: Command): void {
    const expected = this.model.apply(command).map(plain);
    const atOnce = this.#applyToKept(command).flatMap(effectsOf).map(plain);
    const stored = this.#applyToStored(command).flatMap(effectsOf).map(plain);
    expect(atOnce, JSON.stringify(command)).toEqual(expected);
    expect(stored, `${JSON.stringify(command)}, stored`).toEqual(expected);
    if (command.kind === "sweep") return;
    const state = modelState(this.model);
    expect(stateOf(this.kept, this.rules), JSON.stringify(command)).toEqual(state);
    expect(stateOf(this.#load(), this.rules), `${JSON.stringify(command)}, stored`).toEqual(state);
  }

  #applyToKept(command: Command): readonly Effect[] {
    const { partition, effects } = step(deepFreeze(this.kept), command, this.rules);
    this.kept = partition;
    return partition.isUnsettled ? [...effects, ...this.#applyToKept({ kind: "settle", at: this.#now })] : effects;
  }

  #applyToStored(command: Command): readonly Effect[] {
    const before = this.#load();
    const { partition, effects } = step(before, command, this.rules);
    const { put, deleted } = changesBetween(before, partition);
    if (command.kind !== "leave") expect(put.length + deleted.length).toBeLessThanOrEqual(maxEntries);
    for (const entry of put) this.#stored.set(keyOf(entry), JSON.stringify(entry));
    for (const entry of deleted) this.#stored.delete(keyOf(entry));
    expect(this.#load()).toEqual(JSON.parse(JSON.stringify(partition)));
    return partition.isUnsettled ? [...effects, ...this.#applyToStored({ kind: "settle", at: this.#now })] : effects;
  }

  #load = (): Partition =>
    partitionFrom(
      [...this.#stored.values()].map((text) => JSON.parse(text) as Entry),
      compareWaits,
    );

  #commandsOf({ kind, which, step: name, type, one, two, number, flag, other }: RandomCommand): readonly Command[] {
    const at = this.#now;
    const select = <T>(items: readonly T[]): T | undefined => items[which % items.length];
    const run = select([...this.model.runs.keys()]);
    const id = select(this.model.waits.map((wait) => wait.id));
    switch (kind) {
      case "arrive": {
        const old = flag && other && number === 0 ? select(this.#events) : undefined;
        const event = old ?? {
          type,
          id: flag || other ? `e${this.#count}` : null,
          ...(one !== undefined && { one }),
          ...(two !== undefined && { two }),
          data: number === 0 ? null : { number },
        };
        this.#events.push(event);
        return [{ kind: "arrive", at, event, key: eventKey(event) }];
      }
      case "begin":
        return [
          {
            kind: "join",
            run: number === 0 ? "__proto__" : `run ${this.#count}`,
            value: flag ? one : undefined,
            after: other ? this.kept.next - 1 : undefined,
          },
        ];
      case "wait": {
        if (run === undefined) return [];
        const wait: NewWait = {
          id: `wait ${this.#count}`,
          run,
          step: name,
          age: [which % 3],
          position: [number, this.#count],
          since: this.#now - 3_000,
          at,
          variables: { least: (number % 3) + 1 },
          ...(flag && one !== undefined && { values: { key: one } }),
          ...(other && { data: "token" }),
        };
        this.#waits.set(wait.id, wait);
        return [{ kind: "wait", wait }];
      }
      case "repeat":
      case "retry": {
        const wait = select([...this.#waits.values()].filter((each) => this.model.current(each.id)));
        if (!wait) return [];
        const retried = { ...wait, at, data: `retried ${this.#count}` };
        if (kind === "retry") this.#waits.set(wait.id, retried);
        return [{ kind: "wait", wait: kind === "repeat" ? wait : retried }];
      }
      case "cancel":
        return id === undefined ? [] : [{ kind: "cancelWait", id, at, discards: flag, closes: other }];
      case "expire":
        return id === undefined ? [] : [{ kind: "expire", id, at }];
      case "confirm": {
        const ended = select(this.model.waits.filter(({ state }) => state === "ended"));
        return ended ? [{ kind: "confirm", id: ended.id }] : [];
      }
      case "leave":
        return run === undefined ? [] : [{ kind: "leave", run, at }];
      case "value":
        return run === undefined ? [] : [{ kind: "setToken", run, value: one, at }];
      case "sweep": {
        const before = flag ? at - 4_000 : Number.NEGATIVE_INFINITY;
        const sweeps = Array.from({ length: 60 }, (): Command => ({ kind: "sweep", before, limit: number + 1 }));
        return [...sweeps, { kind: "settle", at, isForced: true }];
      }
      case "settle":
        return [{ kind: "settle", at, isForced: true }];
    }
  }
}

const keyOf = (entry: { readonly kind: string; readonly id?: string }): string => `${entry.kind} ${entry.id ?? ""}`;

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json;

const effectsOf = (effect: Effect): readonly ModelEffect[] => {
  if (effect.kind === "wake") return [{ kind: "wake", id: effect.wait.id, answer: effect.answer }];
  if (effect.kind === "forget") return [];
  const { kind, workflow, run, events, value } = effect;
  return [{ kind, workflow, run, events, value }];
};

/** What is visible of a partition, without what is left for a clean-up. */
function stateOf(partition: Partition, rules: Rules): Json {
  const { events, waits, runs } = partition;
  const dropping = waits.filter(({ dropped }) => dropped);
  const states = events.map((event) => ({
    order: event.order,
    isFree: event.isFree && !dropping.some((wait) => hasDiscarded(event, wait, rules.waitRule(wait))),
    owners: (event.runs ?? []).filter(
      (run) => !dropping.some((wait) => wait.run === run && hasDiscardedOwn(event, wait)),
    ),
    users: event.users ?? [],
  }));
  return plain({
    events: states.filter(({ isFree, owners, users }) => isFree || owners.length > 0 || users.length > 0).map(sorted),
    waits: waits
      .filter(({ isConfirmed }) => !isConfirmed)
      .map(({ id, end, isClosed }) => [id, end ? end.groups : isClosed ? "closed" : "open"]),
    values: Object.keys(runs)
      .sort()
      .map((run) => [run, own(runs, run)!.value ?? null]),
    starting: Object.keys(runs)
      .sort()
      .filter((run) => own(runs, run)!.start),
  });
}

function modelState(model: Model): Json {
  const states = model.events.map((event) => ({
    order: event.order,
    isFree: model.isFree(event),
    owners: model.ownersOf(event),
    users: model.usersOf(event),
  }));
  const runs = [...model.runs.keys()].sort();
  return plain({
    events: states.filter(({ isFree, owners, users }) => isFree || owners.length > 0 || users.length > 0).map(sorted),
    waits: model.waits
      .filter(({ state }) => state !== "confirmed" && state !== "gone")
      .sort(compareWaits)
      .map(({ id, state, groups }) => [id, state === "ended" ? groups! : state]),
    values: runs.map((run) => [run, model.valueOf(run) ?? null]),
    starting: runs.filter((run) => model.runs.get(run)!.isStarting),
  });
}

const sorted = <T extends { readonly owners: readonly string[]; readonly users: readonly string[] }>(state: T): T => ({
  ...state,
  owners: state.owners.toSorted(),
  users: state.users.toSorted(),
});

/** Makes a change of a partition an error. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
