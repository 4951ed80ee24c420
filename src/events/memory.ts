import { type Json, type JsonObject, own } from "../json.ts";
import { step } from "./broker.ts";
import type { Command, Effect, NewWait } from "./commands.ts";
import { type Answer, emptyPartition, type Partition, type RunRecord } from "./partition.ts";
import { eventKey, type Rules } from "./rules.ts";

/** A run that events start. */
export type StartedRun = Effect & { readonly kind: "start" };

/** A broker that keeps its one partition in memory. All methods take effect at once, in the order of their calls. */
export interface MemoryBroker {
  /** Delivers an event to the waits and starts that use it; otherwise it stays available. */
  arrive(event: JsonObject): void;
  /** A run begins: only later events, and those that started it, are for it. */
  join(run: string, value: Json | undefined): void;
  /** A run's correlation value. */
  valueOf(run: string): Json | undefined;
  /** Begins a wait. `wake` is called once, possibly at once. Returns how to cancel it. */
  wait(wait: Omit<NewWait, "at" | "since">, wake: (answer: Answer) => void): () => void;
  /** Ends a wait whose alternatives have all timed out; does nothing to any other. */
  expire(id: string): void;
  leave(run: string): void;
}

/** Creates a broker in memory. `start` is called for each run that events start. */
export function createMemoryBroker(
  rules: Rules,
  now: () => number,
  start: (run: StartedRun) => void = () => undefined,
): MemoryBroker {
  let partition: Partition = emptyPartition;
  const seen = new Set<string>();
  /** Runs without a correlation value, or that have not waited. The partition need not contain them. */
  const joined = new Map<string, RunRecord>();
  const wakers = new Map<string, (answer: Answer) => void>();
  const apply = (command: Command): void => {
    const { partition: after, effects } = step(partition, command, rules);
    partition = { ...after, seen: emptyPartition.seen };
    for (const effect of effects) perform(effect);
    if (partition.isUnsettled) apply({ kind: "settle", at: now() });
  };
  const perform = (effect: Effect): void => {
    if (effect.kind === "start") start(effect);
    if (effect.kind !== "wake") return;
    const { id, dropped } = effect.wait;
    const wake = wakers.get(id);
    wakers.delete(id);
    apply({ kind: "confirm", id });
    if (dropped !== undefined) apply({ kind: "sweep", before: Number.NEGATIVE_INFINITY, limit: Infinity });
    wake?.(effect.answer);
  };
  return {
    arrive(event) {
      const key = eventKey(event);
      if (key !== undefined && seen.has(key)) return;
      if (key !== undefined) seen.add(key);
      apply({ kind: "arrive", at: now(), event, key });
    },
    join(run, value) {
      const known = own(partition.runs, run);
      if (known) apply({ kind: "join", run, value: known.value ?? value });
      else joined.set(run, { after: partition.next - 1, value });
    },
    valueOf: (run) => (own(partition.runs, run) ?? joined.get(run))?.value,
    wait(wait, wake) {
      const { after, value } = joined.get(wait.run) ?? {};
      if (value !== undefined && joined.delete(wait.run)) apply({ kind: "join", run: wait.run, after, value });
      wakers.set(wait.id, wake);
      apply({ kind: "wait", wait: { ...wait, at: now(), since: Number.NEGATIVE_INFINITY, after } });
      return () => {
        if (wakers.delete(wait.id)) apply({ kind: "cancelWait", id: wait.id, at: now() });
      };
    },
    expire: (id) => apply({ kind: "expire", id, at: now() }),
    leave(run) {
      joined.delete(run);
      apply({ kind: "leave", run, at: now() });
    },
  };
}
