import type { Command, Effect } from "../../../../../src/events/commands.ts";
import type { Partition } from "../../../../../src/events/partition.ts";
import type { Rules } from "../../../../../src/events/rules.ts";
import type { JsonObject } from "../../../../../src/json.ts";
import { applyCommand, changesBetween, commonPartition, compareWaits } from "../../internal.ts";
import { inOrder, type ObjectState, partitionPrefix, readPartition } from "./partition-documents.ts";

/** The broker's partitions in the state of an object. They are loaded when a command needs them, and saved together. */
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
      const step = applyCommand(loaded.after, next, this.#rules);
      loaded.after = step.partition;
      effects.push(...step.effects);
      next = { kind: "settle", at: "at" in command ? command.at : 0 };
    } while (loaded.after.isUnsettled);
    return effects;
  }

  async get(name: string): Promise<Partition> {
    return (await this.#load(name)).after;
  }

  /** Loads partitions together. */
  async load(names: Iterable<string>): Promise<void> {
    await inOrder([...new Set(names)].map((name) => this.#load(name)));
  }

  /** Replaces a partition as a whole. */
  async replace(name: string, partition: Partition): Promise<void> {
    (await this.#load(name)).after = partition;
  }

  /** The names of all stored partitions, which are loaded. */
  async names(): Promise<readonly string[]> {
    const keys = await this.#state.stateKeys();
    const stored = keys.flatMap((key) => (key.startsWith(partitionPrefix) ? [key.slice(partitionPrefix.length)] : []));
    const names = [...new Set([...stored, ...this.#loaded.keys()])].sort();
    await this.load(names);
    return names;
  }

  /** The partitions that commands have read. */
  get loaded(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  save(): void {
    for (const [name, { before, after }] of this.#loaded)
      if (before !== after) this.#state.change(name, changesBetween(before, after));
  }

  async #load(name: string): Promise<{ readonly before: Partition; after: Partition }> {
    const known = this.#loaded.get(name);
    if (known) return known;
    const before = await readPartition(this.#state, name);
    const loaded = this.#loaded.get(name) ?? { before, after: before };
    this.#loaded.set(name, loaded);
    return loaded;
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
      waits: [...target.waits, ...movedWaits].sort(compareWaits),
      runs: { ...Object.fromEntries(movedRuns), ...target.runs },
    };
  }
  await partitions.replace(commonPartition, target);
}

function split<T>(all: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}
