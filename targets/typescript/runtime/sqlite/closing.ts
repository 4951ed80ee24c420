import type { Core } from "./core.ts";
import type { Activity } from "./processes.ts";

/**
 * Closes an engine: runs receive no more results; for up to `grace` seconds, work in progress is recorded and emitted
 * events are sent; then the store is closed.
 */
export async function closeCore(core: Core, clocks: readonly Activity[], grace: number): Promise<void> {
  if (core.isClosing) return;
  core.isClosing = true;
  for (const clock of clocks) clock.stop();
  core.commits.flush();
  const end = performance.now() + grace * 1000;
  while (isBusy(core) && !core.commits.isStopped && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 5));
  core.outbox?.stop();
  core.commits.flush();
  const reason = new Error("The engine is closed.");
  core.commits.stop(reason);
  for (const run of [...core.live.values()]) {
    run.drop();
    run.abort(reason.message);
  }
  for (const watchers of core.watchers.values()) for (const { closed } of watchers) closed(reason);
  core.db.close();
}

const isBusy = ({ live, outbox }: Core): boolean =>
  outbox?.isBusy === true || [...live.values()].some((run) => run.working + run.detached > 0);
