import type { DatabaseSync } from "node:sqlite";
import type { Engine, EngineOptions, RunSummary, StartOptions } from "../engine.ts";
import type { Json } from "../json.ts";
import { pageRange } from "../paging.ts";
import { isSearch } from "../search.ts";
import { requireId } from "./acceptance.ts";
import { closeCore } from "./closing.ts";
import type { Core } from "./core.ts";
import { deliver } from "./delivery.ts";
import { cancelRun } from "./ending.ts";
import { openCore } from "./opening.ts";
import type { Processes } from "./processes.ts";
import { forgetRun, pruneRuns } from "./pruning.ts";
import { listRuns, showRun, summaryOf, unsentIn, versionsIn } from "./reading.ts";
import { retryRun } from "./retry.ts";
import { countRuns, searchRuns } from "./search.ts";
import { soleProcess } from "./sole-process.ts";
import { addRun } from "./starting.ts";
import { listSteps } from "./steps.ts";
import { complete, type Store, type Task } from "./store.ts";
import { awaitedTasks, reportTask, takeTask } from "./tasks.ts";

/** Additional options for tests and other hosts. */
export interface Hooks {
  /** Called after each commit; true stops everything as if the process had been killed. */
  readonly committed?: () => boolean;
  /** Receives the database. */
  readonly opened?: (db: DatabaseSync) => void;
  /** The maximum number of runs that only wait in memory; default 1000. */
  readonly most?: number;
  /** The maximum size of a recorded string, in bytes; default 900 million. */
  readonly longest?: number;
  /** Opens a database that several processes share, instead of a file. */
  readonly shared?: () => Store;
  /** The processes on that database; by default, only this one. */
  readonly processes?: (core: Core) => Processes;
}

/** Opens an engine on a store; active runs continue. */
export function* engineTask(options: EngineOptions, hooks: Hooks = {}): Task<Engine> {
  const core = yield* openCore(options, { processes: soleProcess, ...hooks });
  const clocks = options.isPaused ? [] : yield* core.processes.begin();
  return {
    start: (workflow, input, options) => start(core, workflow, input, options),
    deliver: (event, options) => deliver(core, event, options),
    reportTask: (token, report, options) => reportTask(core, token, report, options),
    awaitedTasks: () => awaitedTasks(core),
    takeTask: (activity, options) => takeTask(core, activity, options),
    list: async (filter = {}) =>
      isSearch(filter) ? searchRuns(core, filter, pageRange(filter)) : listRuns(core, filter),
    counts: (filter) => countRuns(core, filter),
    show: (id) => showRun(core, id),
    steps: (id, filter) => listSteps(core, id, filter),
    versions: () => versionsIn(core),
    ended: (id, signal) => ended(core, id, signal),
    cancel: (id) => cancelRun(core, id),
    retry: (id, options) => retryRun(core, id, options),
    prune: (before) => pruneRuns(core, before),
    forget: (id) => forgetRun(core, id),
    async compact() {
      if (!core.space) throw new Error("The store is not a file: its database returns free space.");
      core.commits.flush();
      core.space.compact();
    },
    fault: () => core.commits.fault,
    unsent: () => unsentIn(core),
    close: (grace = 5) => closeCore(core, clocks, grace),
  };
}

async function start(core: Core, name: string, input: Json, options: StartOptions = {}): Promise<RunSummary> {
  const { id = crypto.randomUUID(), trace } = options;
  const known = core.newest.get(name);
  if (!known) throw new Error(`There is no workflow ${name}.`);
  requireId(id);
  const { ref: workflow } = known;
  const store = function* (): Task<{ readonly ref: number | undefined; readonly summary: RunSummary }> {
    const existing = yield* core.sql.runById.get(id);
    if (existing) return { ref: undefined, summary: summaryOf(core, existing) };
    const ref = yield* addRun(core, { id, ref: workflow, workflow: known.workflow, input, trace });
    return { ref, summary: summaryOf(core, (yield* core.sql.run.get(ref))!) };
  };
  return core.commits.ask(store, ({ ref }) => ref !== undefined && core.wake(ref)).then(({ summary }) => summary);
}

async function ended(core: Core, id: string, signal?: AbortSignal): Promise<RunSummary> {
  const { promise, resolve, reject } = Promise.withResolvers<RunSummary>();
  promise.catch(() => undefined);
  const watcher = { ended: resolve, closed: reject };
  const watchers = core.watchers.get(id) ?? new Set();
  core.watchers.set(id, watchers);
  watchers.add(watcher);
  const giveUp = () => reject(signal?.reason);
  signal?.addEventListener("abort", giveUp);
  try {
    const row = await core.read(core.sql.runById.get(id));
    if (!row) throw new Error(`There is no run ${id}.`);
    const summary = summaryOf(core, row);
    if (summary.status !== "running" && summary.status !== "waiting") return summary;
    signal?.throwIfAborted();
    return await promise;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    watchers.delete(watcher);
    if (watchers.size === 0 && core.watchers.get(id) === watchers) core.watchers.delete(id);
  }
}

/**
 * Opens an engine whose store is a SQLite file; active runs continue. The file is locked until the engine is closed or
 * the process exits or is killed. Throws a `StoreError`, and leaves the file unchanged, if another process has locked
 * it, or it is not a store, damaged, or of a newer version. `workflows` includes subflows.
 */
export const openEngine = (options: EngineOptions): Engine => engineOn(options);

/** As `openEngine`, with additional options. */
export const engineOn = (options: EngineOptions, hooks: Hooks = {}): Engine => complete(engineTask(options, hooks));
