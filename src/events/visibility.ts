import { own, setOwn } from "../json.ts";
import { matchKeys } from "./matching.ts";
import type { Partition, StoredEvent, StoredWait } from "./partition.ts";
import { correlationText, hasAttributes, type WaitRule } from "./rules.ts";

/** Whether a wait may use an event: it is free and arrived since the wait's run began, or has started that run. */
export function isVisible(event: StoredEvent, wait: StoredWait, { runs }: Pick<Partition, "runs">): boolean {
  if (isOwn(event, wait)) return true;
  return event.isFree && isSince(event, wait.since, firstOrderOf(wait, runs));
}

/** The order behind which events arrived since a wait's run began; undefined: decided by time. */
export const firstOrderOf = (wait: StoredWait, runs: Partition["runs"]): number | undefined =>
  own(runs, wait.run)?.after ?? wait.after;

/** Whether an event has started a wait's run, which has not used it. */
export const isOwn = (event: StoredEvent, { run }: Pick<StoredWait, "run">): boolean =>
  event.runs?.includes(run) === true;

/** Whether a wait has discarded one of the events that started its run. */
export const hasDiscardedOwn = (event: StoredEvent, wait: Pick<StoredWait, "run" | "dropped">): boolean =>
  wait.dropped !== undefined && event.order <= wait.dropped.last && isOwn(event, wait);

/**
 * Whether a wait has discarded an event for all waits and starts: it arrived since the wait's run began, and matches
 * some definition of its workflow under the run's correlation value.
 */
export function hasDiscarded(event: StoredEvent, { dropped, since }: StoredWait, rule: WaitRule | undefined): boolean {
  if (!rule || !dropped || event.order > dropped.last || !isSince(event, since, dropped.after)) return false;
  const values = textsOf(dropped);
  return rule.events.some(
    (definition) =>
      hasAttributes(event.event, definition) &&
      matchKeys(definition, event.event, { values }, nothingBound) !== undefined,
  );
}

const nothingBound: ReadonlyMap<string, string> = new Map();

const isSince = ({ order, at }: StoredEvent, since: number, after: number | undefined): boolean =>
  after === undefined ? at >= since : order > after;

/** The correlation values that a wait began with as strings, by key. Objects and arrays count as absent. */
export function textsOf({ values = {} }: Pick<StoredWait, "values">): { readonly [key: string]: string } {
  const texts: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(values)) {
    const text = typeof value === "object" ? null : correlationText(value);
    if (text !== null) setOwn(texts, key, text);
  }
  return texts;
}
