import type { DatabaseSync } from "node:sqlite";
import type { Engine, EngineOptions, RunSummary } from "../engine.ts";
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
  readonly shared?: () => DatabaseSync;
  /** The processes on that database; by default, only this one. */
  readonly processes?: (core: Core) => Processes;
}

/** Opens an engine on a store; active runs continue. */
export function engineOn(options: EngineOptions, hooks: Hooks = {}): Engine {
  const core = openCore(options, { processes: soleProcess, ...hooks });
  hooks.opened?.(core.db);
  const clocks = options.isPaused ? [] : core.processes.begin();
  return {
    start: (workflow, input, { id } = {}) => start(core, workflow, input, id),
    deliver: (event, options) => deliver(core, event, options),
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

async function start(core: Core, name: string, input: Json, id: string = crypto.randomUUID()): Promise<RunSummary> {
  const known = core.newest.get(name);
  if (!known) throw new Error(`There is no workflow ${name}.`);
  requireId(id);
  const store = () => {
    const row = core.sql.runById.get(id);
    const ref = row ? undefined : addRun(core, { id, ref: known.ref, workflow: known.workflow, input });
    return { ref, summary: summaryOf(core, row ?? core.sql.runById.get(id)!) };
  };
  return core.commits.ask(store, ({ ref }) => ref !== undefined && core.wake(ref)).then(({ summary }) => summary);
}

function ended(core: Core, id: string, signal?: AbortSignal): Promise<RunSummary> {
  const row = core.sql.runById.get(id);
  if (!row) return Promise.reject(new Error(`There is no run ${id}.`));
  const summary = summaryOf(core, row);
  if (summary.status !== "running" && summary.status !== "waiting") return Promise.resolve(summary);
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const watchers = core.watchers.get(id) ?? new Set();
    core.watchers.set(id, watchers);
    const watcher = {
      ended(summary: RunSummary) {
        signal?.removeEventListener("abort", giveUp);
        resolve(summary);
      },
      closed: reject,
    };
    const giveUp = () => {
      watchers.delete(watcher);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp);
    watchers.add(watcher);
  });
}

/**
 * Opens an engine whose store is a SQLite file; active runs continue. The file is locked until the engine is closed or
 * the process exits or is killed. Throws a `StoreError`, and leaves the file unchanged, if another process has locked
 * it, or it is not a store, damaged, or of a newer version. `workflows` includes subflows.
 */
export const openEngine = (options: EngineOptions): Engine => engineOn(options);
