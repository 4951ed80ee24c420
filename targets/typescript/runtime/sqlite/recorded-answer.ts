import type { Effect } from "../../../../src/events/commands.ts";
import { eventAt, type Partition } from "../../../../src/events/partition.ts";
import type { JsonObject } from "../../../../src/json.ts";
import type { CloudEvent } from "../events.ts";
import type { WaitResult } from "../host.ts";
import type { Json } from "../json.ts";
import type { JournalRow } from "./statements.ts";
import { storable } from "./values.ts";

/** What is recorded of an answer: each event once, with its order in the store. */
type RecordedAnswer = {
  readonly alternative: number | null;
  readonly events: readonly RecordedEvent[];
  /** The name of each group's definition, and the index of its event. */
  readonly groups: readonly (readonly [name: string, event: number])[];
  readonly value?: Json;
};

/** An event in a recorded answer. It may start runs if it is released and `isNew`. */
interface RecordedEvent {
  readonly name: string;
  readonly event: CloudEvent;
  readonly order: number;
  readonly isNew?: true;
}

/** What earlier programs recorded of a wait. */
interface EarlierAnswer {
  readonly received: WaitResult;
  readonly token?: Json | undefined;
}

/** The recorded form of an answer; a failure if it has too many bytes. */
export function recordOf(
  { groups }: NonNullable<(Effect & { readonly kind: "wake" })["wait"]["end"]>,
  { alternative, events, groups: received, value, error }: (Effect & { readonly kind: "wake" })["answer"],
  partition: Partition,
  longest: number,
): Pick<JournalRow, "kind" | "value"> {
  if (error !== undefined) return { kind: "failure", value: JSON.stringify(error) };
  const orders = [...new Set(groups.map(({ order }) => order))].sort((a, b) => a - b);
  const recorded = {
    alternative,
    events: events.map(({ name, event }, i) => {
      const isNew = eventAt(orders[i]!, partition)?.isNew;
      return { name, event, order: orders[i]!, ...(isNew && { isNew }) };
    }),
    groups: groups.map(({ order }, i) => [received[i]!.name, orders.indexOf(order)]),
    ...(value !== undefined && { value }),
  };
  try {
    return { kind: "value", value: storable(JSON.stringify(recorded), longest) };
  } catch (reason) {
    const message = `The received events cannot be recorded: ${reason instanceof Error ? reason.message : reason}.`;
    return { kind: "failure", value: JSON.stringify({ origin: "function", name: "DataError", message }) };
  }
}

/** The result of a wait by its recorded answer. */
export function resultIn(recorded: RecordedAnswer | EarlierAnswer): WaitResult {
  if ("received" in recorded) return { ...recorded.received, value: recorded.token };
  const { alternative, events, groups, value } = recorded;
  return {
    alternative,
    events: events.map(({ name, event }) => ({ name, event })),
    groups: groups.map(([name, i]) => ({ name, event: events[i]!.event })),
    ...(value !== undefined && { value }),
  };
}

/** The events in a recorded answer; empty if something else is recorded, or it is damaged. */
export function eventsIn(
  text: string | null,
): readonly { readonly order: number; readonly event: JsonObject; readonly isNew?: true }[] {
  if (!text?.includes('"order":')) return [];
  try {
    const { events } = Object(JSON.parse(text)) as Partial<RecordedAnswer>;
    return Array.isArray(events) ? (events.filter(({ order }) => Number.isInteger(order)) as never) : [];
  } catch {
    return [];
  }
}
