import type { Effect } from "../../../../src/events/commands.ts";
import { eventAt, type Partition } from "../../../../src/events/partition.ts";
import type { JsonObject } from "../../../../src/json.ts";
import type { CloudEvent } from "../events.ts";
import type { WaitResult } from "../host.ts";
import type { Json } from "../json.ts";
import type { Core } from "./core.ts";
import { partsOf } from "./partitions.ts";
import { recordedEntry } from "./recorded-entry.ts";
import type { JournalRow } from "./statements.ts";
import { storable } from "./values.ts";

/** The answer of a wait, as an entry in the journal of its run. */
export interface Answered {
  readonly run: number;
  readonly row: JournalRow;
}

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

/** Records the answer of a wait for its run, which receives it in the order of its journal. Within a transaction. */
export function recordAnswer(
  core: Core,
  { wait, answer }: Effect & { readonly kind: "wake" },
  partition: Partition,
  reserved: number | undefined,
): Answered {
  const [run, key] = partsOf(wait.id);
  const live = core.live.get(run);
  const isElsewhere = !live && core.cluster?.isElsewhere(run) === true;
  const seq =
    reserved ?? live?.reserve() ?? (isElsewhere ? core.cluster!.newPlace() : core.sql.lastSeq.get(run, run)!.seq + 1);
  const { kind, value } = recordOf(wait.end!, answer, partition, core.longest);
  const row: JournalRow = { seq, key, kind, value, at: core.now() };
  core.sql.record.run(run, seq, key, kind, value, row.at);
  if (!isElsewhere && (!live || live.isStoredAsWaiting)) core.sql.activate.run(run);
  live?.setActive();
  return { run, row };
}

function recordOf(
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

/** Tells a run of an answer that is now stored; a run that is not in memory continues with it. */
export function announceAnswer(core: Core, { run, row }: Answered): void {
  const live = core.live.get(run);
  if (!live) core.wake(run);
  else if (live.loadedTo < row.seq) live.push({ seq: row.seq, give: recordedEntry(live, row) });
}

/** The result of a wait of which this is recorded. */
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
