import type { Command } from "../../../../src/events/commands.ts";
import { own } from "../../../../src/json.ts";
import type { EventJanitor } from "./janitor.ts";
import { type EventContext, type PartitionDocument, partitionPrefix, readPartition } from "./partition-documents.ts";
import { changePartition } from "./partitions.ts";
import { removeIdle } from "./seen.ts";
import type { Thread } from "./threads.ts";
import { cancelWait, deliver, giveUp, partitionOfWait, register, stopWaiting } from "./waits.ts";

/** What the janitor does for events. */
export const eventJanitor: EventJanitor<EventContext> = {
  giveUp,
  stopWaiting,
  cancelWait,
  async beginAgain(thread, context) {
    if (thread.at.kind !== "wait") return;
    const key = partitionOfWait(thread, thread.at, context);
    await deliver(key, await register(key, thread.at, context), context);
  },
  async tidy(read, context) {
    const documents = new Map<string, PartitionDocument>();
    for (const key of await context.documents.keys(partitionPrefix))
      documents.set(key, await readPartition(key, context));
    // Read after the partitions: a thread has a document before a partition knows its run.
    const threads = await read();
    for (const [key, document] of documents) await tidyPartition(key, document, threads, context);
  },
};

async function tidyPartition(
  key: string,
  document: PartitionDocument,
  threads: readonly Thread[],
  context: EventContext,
): Promise<void> {
  await deliver(key, document, context);
  const alive = new Set(threads.flatMap(({ at, join }) => (at.kind === "ended" ? [] : [join.inbox])));
  const { partition } = document;
  const runs = [...Object.keys(partition.runs), ...partition.waits.map(({ run }) => run)];
  const isGone = (run: string) => !alive.has(run) && !own(partition.runs, run)?.start;
  const gone = [...new Set(runs)].filter(isGone);
  const at = context.now();
  const leaves = gone.map((run): Command => ({ kind: "leave", run, at }));
  const tidied = await changePartition(key, "tidy", () => [...leaves, { kind: "settle", at }], context);
  await deliver(key, tidied, context);
  await removeIdle(key, tidied, context);
}
