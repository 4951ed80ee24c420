import { UsedElsewhere } from "./cluster.ts";
import type { Core } from "./core.ts";
import { summaryOf } from "./reading.ts";
import { shareAll, tellAll } from "./sharing.ts";

/** Takes a run out that cannot go on, and stores why: it is stranded until it is retried, and nothing of it is lost. */
export function strand(core: Core, ref: number, reason: unknown): void {
  if (core.isClosing || core.stranded.has(ref)) return;
  if (reason instanceof UsedElsewhere) {
    repeat(core, ref);
    return;
  }
  const why = reason instanceof Error ? reason.message : String(reason);
  core.stranded.add(ref);
  const run = core.live.get(ref);
  run?.drop();
  run?.abort(why);
  const store = () => core.sql.strand.run(core.now(), why, ref);
  core.turns.write(nobody(), store, () => tellStranded(core, ref, why));
  leaveToOthers(core, ref);
}

/** A run goes back to what is recorded of it; what it had to write beyond that is left out. */
function repeat(core: Core, ref: number): void {
  const run = core.live.get(ref);
  if (!run) return;
  run.isGone = true;
  run.drop();
  run.abort("The run goes back to what is recorded of it.");
  core.wake(ref);
}

/** What the run has and is for anybody is for others too; where that cannot be read, the run is stranded all the same. */
function leaveToOthers(core: Core, ref: number): void {
  let given: ReturnType<typeof shareAll> = [];
  const store = () => {
    given = core.sql.run.get(ref)?.status === "stranded" ? shareAll(core, ref) : [];
  };
  core.turns.write(nobody(), store, () => tellAll(core, given));
}

const nobody = () => ({ strand: () => undefined });

function tellStranded(core: Core, ref: number, reason: string): void {
  const row = core.sql.run.get(ref);
  if (row?.status !== "stranded") return;
  const summary = summaryOf(core, row);
  core.log({ level: "error", message: "The run is stranded.", run: row.id, workflow: summary.workflow, reason });
  for (const watcher of core.watchers.get(row.id) ?? []) watcher.ended(summary);
  core.watchers.delete(row.id);
}
