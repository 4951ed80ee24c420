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
  const end = performance.now() + grace * 1000;
  await beforeThen(core.commits.flush(), end);
  while (isBusy(core) && !core.commits.isStopped && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 5));
  core.outbox?.stop();
  await beforeThen(core.commits.flush(), end);
  await beforeThen(core.commits.flush(), end);
  const reason = new Error("The engine is closed.");
  core.commits.stop(reason);
  for (const run of [...core.live.values()]) {
    run.drop();
    run.abort(reason.message);
  }
  for (const watchers of core.watchers.values()) for (const { closed } of watchers) closed(reason);
  await core.db.close();
}

/** Waits for something, at most until an instant: the store may not respond. */
async function beforeThen(done: Promise<void> | undefined, end: number): Promise<void> {
  if (!done) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(end - performance.now(), shortest));
  await Promise.race([done, late]);
  clearTimeout(timer);
}

/** How long a commit may take even without any grace, in milliseconds. */
const shortest = 1000;

const isBusy = ({ live, outbox }: Core): boolean =>
  outbox?.isBusy === true || [...live.values()].some((run) => run.working + run.detached > 0);
