import { own, setOwn } from "../json.ts";
import { matchKeys, runSlot } from "./matching.ts";
import type { Partition, StoredEvent, StoredWait } from "./partition.ts";
import { correlationText, hasAttributes, type WaitRule } from "./rules.ts";

/** Whether a wait may use an event: it is free and arrived since the wait's run began, or has started that run. */
export function isVisible(event: StoredEvent, wait: StoredWait, { runs }: Pick<Partition, "runs">): boolean {
  if (event.runs?.includes(wait.run)) return true;
  if (!event.isFree) return false;
  const after = own(runs, wait.run)?.after;
  return after === undefined ? event.at >= wait.since : event.order > after;
}

/**
 * Whether an event is among those that arrived for a wait's run: it is visible to it, and matches some definition of
 * its workflow under the run's correlation value.
 */
export function isInInbox(
  event: StoredEvent,
  wait: StoredWait,
  rule: WaitRule | undefined,
  partition: Pick<Partition, "runs">,
): boolean {
  if (!rule || !isVisible(event, wait, partition)) return false;
  if (event.runs?.includes(wait.run)) return true;
  const known = correlationText(own(partition.runs, wait.run)?.value);
  const bound = new Map(known === null ? [] : [[runSlot, known]]);
  const values = textsOf(wait);
  return rule.events.some(
    (definition) =>
      hasAttributes(event.event, definition) && matchKeys(definition, event.event, { values }, bound) !== undefined,
  );
}

/** The correlation values that a wait began with as strings, by key. Objects and arrays count as absent. */
export function textsOf({ values = {} }: Pick<StoredWait, "values">): { readonly [key: string]: string } {
  const texts: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(values)) {
    const text = typeof value === "object" ? null : correlationText(value);
    if (text !== null) setOwn(texts, key, text);
  }
  return texts;
}
