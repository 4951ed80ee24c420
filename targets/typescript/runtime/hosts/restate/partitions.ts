import type { Command, Effect } from "../../../../../src/events/commands.ts";
import type { Partition, StoredEvent, StoredWait } from "../../../../../src/events/partition.ts";
import { commonPartition } from "../../../../../src/events/routing.ts";
import type { Rules } from "../../../../../src/events/rules.ts";
import type { JsonObject } from "../../../../../src/json.ts";
import { parts } from "../parts.ts";
import type { ObjectContext } from "./sdk.ts";

/** The state of an object of Restate, as far as partitions need it. */
export type ObjectState = Pick<ObjectContext, "get" | "set" | "clear" | "stateKeys">;

/** Begins the keys of partitions. */
export const partitionPrefix = "partition:";

/**
 * The broker's partitions in the state of an object: each is one entry, and what is long in it has entries of its own,
 * because the requests of Restate are bounded. They are loaded when a command needs them, and saved together.
 */
export class Partitions {
  readonly #state: ObjectState;
  readonly #rules: Rules;
  readonly #loaded = new Map<string, { readonly before: Partition; after: Partition }>();

  constructor(state: ObjectState, rules: Rules) {
    this.#state = state;
    this.#rules = rules;
  }

  /** Applies a command, and continues until the partition is settled. */
  async apply(name: string, command: Command): Promise<readonly Effect[]> {
    const loaded = await this.#load(name);
    const effects: Effect[] = [];
    let next = command;
    do {
      const step = parts.step(loaded.after, next, this.#rules);
      loaded.after = step.partition;
      effects.push(...step.effects);
      next = { kind: "settle", at: "at" in command ? command.at : 0 };
    } while (loaded.after.isUnsettled);
    return effects;
  }

  async get(name: string): Promise<Partition> {
    return (await this.#load(name)).after;
  }

  /** Replaces a partition as a whole. */
  async replace(name: string, partition: Partition): Promise<void> {
    (await this.#load(name)).after = partition;
  }

  /** The names of all stored partitions. */
  async names(): Promise<readonly string[]> {
    const keys = await this.#state.stateKeys();
    const stored = keys.flatMap((key) => (key.startsWith(partitionPrefix) ? [key.slice(partitionPrefix.length)] : []));
    return [...new Set([...stored, ...this.#loaded.keys()])].sort();
  }

  /** The partitions that commands have read. */
  get loaded(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  save(): void {
    for (const [name, { before, after }] of this.#loaded) if (before !== after) this.#save(name, before, after);
  }

  async #load(name: string): Promise<{ readonly before: Partition; after: Partition }> {
    const known = this.#loaded.get(name);
    if (known) return known;
    const document = await this.#state.get<PartitionDocument>(partitionPrefix + name);
    const before = document ? await this.#unpacked(name, document) : parts.emptyPartition;
    const loaded = { before, after: before };
    this.#loaded.set(name, loaded);
    return loaded;
  }

  async #unpacked(name: string, { events, waits, ...rest }: PartitionDocument): Promise<Partition> {
    const longIn = async (key: string) => (await this.#state.get<JsonObject>(key))!;
    const [wholeEvents, wholeWaits]: [StoredEvent[], StoredWait[]] = [[], []];
    for (const each of events)
      wholeEvents.push({ ...each, event: each.event ?? (await longIn(eventKey(name, each.order))) });
    for (const each of waits)
      wholeWaits.push({ ...each, variables: each.variables ?? (await longIn(variablesKey(name, each.id))) });
    return { ...rest, events: wholeEvents, waits: wholeWaits };
  }

  #save(name: string, before: Partition, after: Partition): void {
    const { put, deleted } = parts.changesBetween(before, after);
    for (const entry of put) {
      if (entry.kind === "event" && isLong(entry.event.event))
        this.#state.set(eventKey(name, entry.event.order), entry.event.event);
      if (entry.kind === "wait" && isLong(entry.wait.variables))
        this.#state.set(variablesKey(name, entry.wait.id), entry.wait.variables);
    }
    for (const { kind, id } of deleted) {
      if (kind === "event" && before.events.some(({ order, event }) => `${order}` === id && isLong(event)))
        this.#state.clear(eventKey(name, Number(id)));
      if (kind === "wait" && before.waits.some((wait) => wait.id === id && isLong(wait.variables)))
        this.#state.clear(variablesKey(name, id));
    }
    const { events, waits, runs } = after;
    if (events.length + waits.length + Object.keys(runs).length === 0) this.#state.clear(partitionPrefix + name);
    else this.#state.set(partitionPrefix + name, packed(after));
  }
}

/** What leaves its partition. */
export interface Moving {
  run(run: string): boolean;
  event(event: JsonObject, partition: string): boolean;
}

/** Moves runs with their waits, and events, from all other partitions into the common one. */
export async function mergePartitions(partitions: Partitions, moving: Moving): Promise<void> {
  let target = await partitions.get(commonPartition);
  for (const name of await partitions.names()) {
    if (name === commonPartition) continue;
    const { events, waits, runs, ...rest } = await partitions.get(name);
    const [movedRuns, keptRuns] = split(Object.entries(runs), ([run]) => moving.run(run));
    const [movedWaits, keptWaits] = split(waits, ({ run }) => moving.run(run));
    const [movedEvents, keptEvents] = split(events, ({ event }) => moving.event(event, name));
    const kept = { ...rest, events: keptEvents, waits: keptWaits, runs: Object.fromEntries(keptRuns) };
    await partitions.replace(name, kept);
    target = {
      ...target,
      next: Math.max(target.next, rest.next),
      events: [...target.events, ...movedEvents].sort((a, b) => a.order - b.order),
      waits: [...target.waits, ...movedWaits].sort(parts.compareWaits),
      runs: { ...Object.fromEntries(movedRuns), ...target.runs },
    };
  }
  await partitions.replace(commonPartition, target);
}

function split<T>(all: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

/** A partition without what is long in it. */
interface PartitionDocument extends Omit<Partition, "events" | "waits"> {
  readonly events: readonly (Omit<StoredEvent, "event"> & { readonly event?: JsonObject })[];
  readonly waits: readonly (Omit<StoredWait, "variables"> & { readonly variables?: JsonObject })[];
}

const packed = ({ events, waits, ...rest }: Partition): PartitionDocument => ({
  ...rest,
  events: events.map(({ event, ...each }) => ({ ...each, ...(!isLong(event) && { event }) })),
  waits: waits.map(({ variables, ...each }) => ({ ...each, ...(!isLong(variables) && { variables }) })),
});

const eventKey = (partition: string, order: number): string => `event:${order}:${partition}`;

const variablesKey = (partition: string, wait: string): string => `variables:${JSON.stringify([wait, partition])}`;

const isLong = (value: JsonObject): boolean => {
  const known = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, known);
  return known > maxInline;
};

const lengths = new WeakMap<JsonObject, number>();

/** Longer values have entries of their own. */
const maxInline = 2000;

/** Awaits promises in their order, which is the same when an operation is replayed. */
export async function inOrder<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  const results: T[] = [];
  for (const promise of promises) results.push(await promise);
  return results;
}
