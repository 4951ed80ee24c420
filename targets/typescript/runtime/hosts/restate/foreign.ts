import type { Partition, StoredEvent, StoredWait } from "../../../../../src/events/partition.ts";
import type { Alternative, Rules, WaitRule } from "../../../../../src/events/rules.ts";
import type { Json } from "../../../../../src/json.ts";
import { applyCommand, isVisible, rulesOf } from "../../internal.ts";
import type { AnyWorkflow } from "../../workflow.ts";

// Waits of versions that only other processes have: their runs examine the events themselves, and the object decides
// with what they have found.

/** What the broker keeps for a wait of a run. */
export type WaitData = {
  readonly run: string;
  readonly invocation: string;
  readonly reply: string;
  /** The order of the last event that the run has examined itself. */
  readonly through: number;
};

/** What the broker keeps for a wait. */
export const dataOf = ({ data }: { readonly data?: unknown }): WaitData => data as WaitData;

/** What a run is to examine for a wait. */
export interface Examination {
  /** The events that are new to the wait, the wait, and what is known of its run. */
  readonly partition: Partition;
  /** The order of the last event. */
  readonly through: number;
}

/** What a run has found for a wait. */
export interface ExaminationResult {
  readonly through: number;
  /** The end of the wait, if the events are still there. */
  readonly choice?: Choice | undefined;
}

interface Choice {
  readonly alternative: number | null;
  readonly groups: readonly { readonly name: string; readonly order: number }[];
  readonly unused: WaitRule["unused"];
  readonly value?: Json | undefined;
  readonly error?: Json | undefined;
}

/** What the run of a wait is to examine; undefined if there is nothing new. */
export function examinationOf(wait: StoredWait, { next, events, runs }: Partition): Examination | undefined {
  const { through } = dataOf(wait);
  const visible = events.filter((event) => isVisible(event, wait, { runs }));
  if (!visible.some(({ order }) => order > through)) return undefined;
  const record = Object.hasOwn(runs, wait.run) ? { [wait.run]: runs[wait.run]! } : {};
  return {
    partition: { next, events: visible, waits: [wait], runs: record, seen: {} },
    through: visible.at(-1)!.order,
  };
}

/** Examines events with the workflow of the wait. The rest of the program may change until the run is replayed. */
export function examine({ partition, through }: Examination, workflow: AnyWorkflow, at: number): ExaminationResult {
  const rules: Rules = { ...rulesOf([workflow], () => undefined), starts: [] };
  const settled = applyCommand(partition, { kind: "settle", at, isForced: true }, rules);
  const [wait] = settled.partition.waits;
  if (!wait?.end) return { through };
  const { alternative, groups, value, error } = wait.end;
  return { through, choice: { alternative, groups, value, error, unused: rules.waitRule(wait)?.unused ?? "keep" } };
}

/** A rule that ends a wait with the result of an examination. */
export function ruleOf({ choice }: ExaminationResult, events: readonly StoredEvent[]): WaitRule | undefined {
  if (!choice) return undefined;
  const { alternative, groups, unused, value, error } = choice;
  const contents = new Map(events.map(({ order, event }) => [order, event]));
  const fulfilled: Alternative = {
    all: groups.map(({ name, order }) => [
      { event: { name, keys: [] }, when: (event) => event === contents.get(order) },
    ]),
    none: [],
  };
  const failing: Alternative = {
    all: [
      [
        {
          event: { name: "", keys: [] },
          when: () => {
            throw new ForeignError(error ?? null);
          },
        },
      ],
    ],
    none: [],
  };
  const key = value !== undefined && { name: "", scope: "run" as const, valueOf: () => value };
  return {
    alternatives: [
      ...Array.from({ length: alternative ?? 0 }, () => impossible),
      error === undefined ? fulfilled : failing,
    ],
    unused,
    events: groups.map(({ name }) => ({ name, keys: key ? [key] : [] })),
  };
}

/** A rule that lets a wait expire. */
export const expiredRule: WaitRule = {
  alternatives: [{ all: [[]], none: [], within: 0 }],
  unused: "keep",
  events: [],
};

const impossible: Alternative = { all: [[]], none: [] };

/** The error of a condition in another process. */
class ForeignError extends Error {
  readonly error: Json;

  constructor(error: Json) {
    super("A condition of another version has failed.");
    this.error = error;
  }
}

/** The rules of a program, with those of single waits that it lacks. */
export const withForeignRules = (rules: Rules, foreign: ReadonlyMap<string, WaitRule>): Rules => ({
  ...rules,
  waitRule: (wait) => rules.waitRule(wait) ?? foreign.get((wait as StoredWait).id),
  failure: (thrown, wait) => (thrown instanceof ForeignError ? thrown.error : rules.failure(thrown, wait)),
});
