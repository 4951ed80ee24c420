import { step } from "../../src/events/broker.ts";
import { changesBetween, type Entry, partitionFrom } from "../../src/events/changes.ts";
import type { Command, Effect } from "../../src/events/commands.ts";
import { compareWaits } from "../../src/events/draft.ts";
import { pendingEffects } from "../../src/events/pending.ts";
import { eventKey } from "../../src/events/rules.ts";
import type { CrashPoint, EventStore, EventStoreDriver, Receipt, TestClock } from "./adapters.ts";
import { type EventProgram, rulesOf } from "./program.ts";

/** The largest number of entries that one step may write. */
const maxEntries = 25;

/** The smallest adapter with a store: one partition, as entries of JSON. An example for others. */
export const entryStoreDriver: EventStoreDriver = {
  name: "of entries",
  crashPoints: ["before store", "before effects", "before confirm"],
  open: openEntryStore,
};

function openEntryStore(program: EventProgram, clock: TestClock): EventStore {
  const rules = rulesOf(program);
  const stored = new Map<string, string>();
  let receipts: Receipt[] = [];
  let crash: CrashPoint | undefined;
  const crashAt = (point: CrashPoint) => {
    if (crash !== point) return;
    crash = undefined;
    throw new Error(`Crash ${point}.`);
  };
  const load = () =>
    partitionFrom(
      [...stored.values()].map((text) => JSON.parse(text) as Entry),
      compareWaits,
    );
  const apply = (command: Command): void => {
    const before = load();
    const { partition, effects } = step(before, command, rules);
    const { put, deleted } = changesBetween(before, partition);
    if (put.length + deleted.length > maxEntries) throw new Error(`${command.kind} writes too many entries.`);
    if (put.length + deleted.length > 0 && command.kind !== "confirm") crashAt("before store");
    for (const entry of put) stored.set(keyOf(entry), JSON.stringify(entry));
    for (const entry of deleted) stored.delete(keyOf(entry));
    if (effects.length > 0) crashAt("before effects");
    for (const effect of effects) perform(effect);
    if (partition.isUnsettled) apply({ kind: "settle", at: clock.now });
  };
  const perform = (effect: Effect): void => {
    if (effect.kind === "start") {
      const { workflow, run, events } = effect;
      receipts.push({ kind: "start", workflow, run, events });
    }
    if (effect.kind !== "wake") return;
    receipts.push({ kind: "answer", id: effect.wait.id, ...effect.answer });
    crashAt("before confirm");
    apply({ kind: "confirm", id: effect.wait.id });
  };
  return {
    arrive: (event) => apply({ kind: "arrive", at: clock.now, event, key: eventKey(event) }),
    join: (run, value) => apply({ kind: "join", run, value }),
    wait({ id, run, step: name, began, position, variables, values }) {
      const at = clock.now;
      const wait = { id, run, step: name, age: [began], position, variables, values, at, since: began };
      apply({ kind: "wait", wait });
    },
    cancel: (id) => apply({ kind: "cancelWait", id, at: clock.now }),
    expire: (id) => apply({ kind: "expire", id, at: clock.now }),
    leave: (run) => apply({ kind: "leave", run, at: clock.now }),
    received() {
      const all = receipts;
      receipts = [];
      apply({ kind: "sweep", before: Number.NEGATIVE_INFINITY, limit: maxEntries });
      return all;
    },
    crashAt(point) {
      crash = point;
    },
    reopen() {
      const partition = load();
      for (const effect of pendingEffects(partition)) perform(effect);
      if (partition.isUnsettled) apply({ kind: "settle", at: clock.now });
    },
  };
}

const keyOf = (entry: { readonly kind: string; readonly id?: string }): string => `${entry.kind} ${entry.id ?? ""}`;
