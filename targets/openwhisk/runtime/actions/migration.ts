import { compareWaits } from "../../../../src/events/draft.ts";
import { emptyPartition, type Partition, type StoredEvent } from "../../../../src/events/partition.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import { unchanged } from "../store/documents.ts";
import type { Awaited } from "./event-rules.ts";
import {
  type EventContext,
  newWait,
  type PartitionDocument,
  partitionFor,
  partitionsFor,
  type Waiting,
} from "./partition-documents.ts";
import { readThread, resume, startThread } from "./threads.ts";

/** The events and waits of a store of form 1, which had them in one document. */
interface Board {
  readonly events: readonly {
    readonly key: string;
    readonly event: JsonObject;
    readonly at: number;
    /** The run that it has started, or `collected by` the workflow that collects it. */
    readonly inbox?: string;
  }[];
  readonly waits: readonly (Waiting & { readonly kind: string })[];
  readonly kinds: { readonly [digest: string]: Awaited };
  readonly tokens: { readonly [inbox: string]: Json };
  readonly outgoing: readonly {
    readonly thread: string;
    readonly at?: string;
    readonly params?: JsonObject;
    readonly flow?: string;
    readonly began?: number;
  }[];
}

const boardKey = "board";

/** Moves the events and waits of a store of form 1 to partitions. Repeating it after a crash has no effect. */
export async function migrateBoard(context: EventContext): Promise<void> {
  const { documents, program } = context;
  const board = await documents.read<Board>(boardKey);
  if (!board) return;
  for (const { thread, at, params = {}, flow, began = 0 } of board.outgoing)
    if (flow !== undefined) await startThread({ thread, flow, began }, context);
    else if (at !== undefined) await resume(thread, at, params, context);
  const parts = new Map<string, { events: Board["events"][number][]; waits: Board["waits"][number][] }>();
  const partOf = (key: string) => {
    const part = parts.get(key) ?? { events: [], waits: [] };
    parts.set(key, part);
    return part;
  };
  for (const arrival of board.events)
    for (const key of partitionsFor(arrival.event, program)) partOf(key).events.push(arrival);
  for (const wait of board.waits) {
    const thread = await readThread(context, wait.thread);
    if (!thread) continue;
    partOf(partitionFor(thread, undefined, own(board.tokens, wait.inbox), program)).waits.push(wait);
  }
  for (const [key, { events, waits }] of parts)
    await documents.change<PartitionDocument>(key, `migrated ${key}`, (document) => {
      if (document && document.partition.waits.length + document.partition.events.length > 0) return unchanged;
      const kinds = Object.fromEntries(waits.map(({ kind }) => [kind, board.kinds[kind]!]));
      return { kinds, partition: partitionOf(events, waits, board.tokens) };
    });
  await documents.remove<Board>(boardKey, () => true);
}

function partitionOf(events: Board["events"], waits: Board["waits"], tokens: Board["tokens"]): Partition {
  const stored = events.map(
    ({ key, event, at, inbox }, i): StoredEvent => ({
      order: i + 1,
      at,
      key,
      event,
      isFree: inbox === undefined || inbox.startsWith(collectedPrefix),
      ...(inbox !== undefined && !inbox.startsWith(collectedPrefix) && { runs: [inbox] }),
      ...(inbox?.startsWith(collectedPrefix) && { collectedBy: [inbox.slice(collectedPrefix.length)] }),
    }),
  );
  const runs = waits.flatMap(({ inbox }) => {
    const value = own(tokens, inbox);
    return value === undefined ? [] : [[inbox, { value }] as const];
  });
  return {
    ...emptyPartition,
    next: stored.length + 1,
    events: stored,
    waits: waits.map((wait) => newWait(wait, wait.kind)).sort(compareWaits),
    runs: Object.fromEntries(runs),
    seen: Object.fromEntries(events.map(({ key, at }) => [key, at])),
  };
}

const collectedPrefix = "collected by ";
