import type { Effect } from "../../../../src/events/commands.ts";
import type { Partition } from "../../../../src/events/partition.ts";
import type { Core } from "./core.ts";
import { recordOf } from "./recorded-answer.ts";
import { recordedEntry } from "./recorded-entry.ts";
import { partsOf } from "./rows.ts";
import type { JournalRow } from "./statements.ts";
import type { Task } from "./store.ts";

/** The answer of a wait, as an entry in the journal of its run. */
export interface StoredAnswer {
  readonly run: number;
  readonly row: JournalRow;
}

/** Records the answer of a wait for its run, which receives it in the order of its journal. Within a transaction. */
export function* recordAnswer(
  core: Core,
  { wait, answer }: Effect & { readonly kind: "wake" },
  partition: Partition,
  reserved: number | undefined,
): Task<StoredAnswer> {
  const [run, key] = partsOf(wait.id);
  const recorded = recordOf(wait.end!, answer, partition, core.longest);
  return yield* storeAnswer(core, { run, key, ...recorded, since: wait.at }, reserved);
}

/** What a run receives from outside: an entry of its journal without a number, and when the run began to wait, if that is known. */
export interface OutsideAnswer extends Pick<JournalRow, "key" | "kind" | "value"> {
  readonly run: number;
  readonly since?: number | undefined;
}

/** Records an answer for a run, which receives it in the order of its journal. Within a transaction. */
export function* storeAnswer(
  core: Core,
  { run, key, kind, value, since }: OutsideAnswer,
  reserved?: number,
): Task<StoredAnswer> {
  const live = core.live.get(run);
  const own = reserved ?? live?.reserve();
  const { seq, isElsewhere } =
    own === undefined ? yield* core.processes.reserve(run) : { seq: own, isElsewhere: false };
  const row: JournalRow = { seq, key, kind, value, at: core.now() };
  const took = since === undefined ? null : Math.max(0, row.at - since);
  core.sql.recordCall.run(run, seq, key, kind, value, row.at, took, null);
  if (!isElsewhere && (!live || live.isStoredAsWaiting)) core.sql.activate.run(run);
  live?.setActive();
  return { run, row };
}

/** Passes an answer that is now stored to its run; a run that is not in memory is loaded. */
export function announceAnswer(core: Core, { run, row }: StoredAnswer): void {
  const live = core.live.get(run);
  if (!live) core.wake(run);
  else if (live.loadedTo < row.seq) live.push({ seq: row.seq, give: recordedEntry(live, row) });
}
