import { announce } from "./announcing.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";
import { summaryOf } from "./reading.ts";
import type { RunRow } from "./statements.ts";
import type { Task } from "./store.ts";

/** Strands a run that cannot continue, and stores why. It keeps its records until it is retried. */
export function strand(core: Core, ref: number, reason: unknown): void {
  if (core.isClosing || core.stranded.has(ref)) return;
  const why = reason instanceof Error ? reason.message : String(reason);
  core.stranded.add(ref);
  const run = core.live.get(ref);
  run?.drop();
  run?.abort(why);
  let row: RunRow | undefined;
  const store = function* (): Task<void> {
    core.sql.strand.run(core.now(), why, ref);
    row = yield* core.sql.run.get(ref);
  };
  core.commits.write(noOwner(), store, () => row && reportStranded(core, row, why));
  releaseEvents(core, ref);
}

/**
 * Others may use the events that a stranded run has not received. It waits again when it is retried. If this cannot be
 * stored, the run is stranded all the same.
 */
function releaseEvents(core: Core, ref: number): void {
  const { sql, broker } = core;
  let decision: Decision | undefined;
  const store = function* (): Task<void> {
    decision = undefined;
    if ((yield* sql.run.get(ref))?.status !== "stranded") return;
    decision = yield* broker.cancelAll(ref);
  };
  core.commits.write(noOwner(), store, () => decision && announce(core, decision));
}

const noOwner = () => ({ strand: () => undefined });

function reportStranded(core: Core, row: RunRow, reason: string): void {
  if (row.status !== "stranded") return;
  const summary = summaryOf(core, row);
  core.log({ level: "error", message: "The run is stranded.", run: row.id, workflow: summary.workflow, reason });
  for (const watcher of core.watchers.get(row.id) ?? []) watcher.ended(summary);
  core.watchers.delete(row.id);
}
