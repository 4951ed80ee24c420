import { createHash, randomUUID } from "node:crypto";
import type { Engine, EngineOptions, RunSummary } from "../../engine.ts";
import { engineTask, StoreError } from "../../internal.ts";
import type { Task } from "../../sqlite/store.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { openShell, type RunExecutor, type Shell } from "./adapter.ts";
import { clockOf } from "./clock.ts";
import { type Members, membersOf, type Rhythm } from "./cluster.ts";
import type { Database } from "./database.ts";
import { alone, openStore, release } from "./opening.ts";

/** Additional options for tests. */
export interface Hooks extends Partial<Rhythm> {
  /** Called after each commit; true stops everything as if the process had been killed. */
  readonly committed?: () => boolean;
  /** Whether that has happened: the engine then releases nothing when it is closed. */
  readonly isKilled?: () => boolean;
  /** The system clock, in milliseconds since 1970. */
  readonly clock?: () => number;
  /** The maximum size of a recorded string, in bytes. */
  readonly longest?: number;
}

/**
 * Opens an engine whose store is a PostgreSQL database, given by its URL. Any number of processes may share it: each
 * run is a workflow of DBOS, which one of them executes. If that process dies, the others continue its runs. Throws a
 * `StoreError` if the database cannot be reached or used.
 */
export async function openEngine(options: EngineOptions, hooks: Hooks = {}): Promise<Engine> {
  const executor = options.isPaused ? undefined : randomUUID();
  const longest = hooks.longest ?? longestText;
  const { db, process } = await openStore(options.store, executor, longest);
  let members: Members | undefined;
  let engine: Engine | undefined;
  let shell: Shell | undefined;
  const executing: RunExecutor = {
    take: ({ ref }) => members!.take(ref),
    async ended({ ref, id }) {
      const summary = await endOf(engine!, id);
      members!.leave(ref);
      return options.codec ? withoutData(summary) : summary;
    },
  };
  try {
    if (executor !== undefined) {
      const database = await db.execute(nameOf(db));
      const launch = {
        url: options.store,
        database,
        executor,
        version: versionOf(options.workflows),
        log: options.log,
      };
      shell = await alone(db, () => openShell(launch, executing));
    }
    const clock = clockOf(db, options.log, hooks.clock);
    await db.execute(clock.look());
    const rhythm = { beat: hooks.beat ?? 1000, patience: hooks.patience ?? 2500 };
    const opening = engineTask(
      { ...options, now: options.now ?? clock.now },
      {
        shared: () => db,
        most: Number.POSITIVE_INFINITY,
        longest,
        processes: (core) => {
          members = membersOf(core, db, process, shell ?? noShell, { ...rhythm, clock });
          return members;
        },
        ...(hooks.committed && { committed: hooks.committed }),
      },
    );
    engine = await db.execute(opening);
    shell?.serve();
    db.leaving = function* () {
      if (process !== undefined && !hooks.isKilled?.()) yield* release(db, process);
    };
  } catch (reason) {
    await shell?.close();
    await db.close();
    throw reason;
  }
  return { ...engine, close: (grace) => engine!.close(grace).finally(() => shell?.close()) };
}

/** A run without the data that a codec encodes: DBOS would store them as they are. */
function withoutData({ output: _, error: __, reason: ___, ...summary }: RunSummary): RunSummary {
  return summary;
}

function* nameOf(db: Database): Task<string> {
  const [row] = yield* db.ask<{ readonly database: string }>("SELECT current_database() AS database");
  return row!.database;
}

/** The end of a run, also if the database is unavailable for a while; never if the engine is closed first. */
async function endOf(engine: Engine, id: string): Promise<RunSummary> {
  for (;;) {
    try {
      return await engine.ended(id);
    } catch (reason) {
      if (!(reason instanceof StoreError)) return new Promise<never>(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }
}

/** The pause before the end of a run is read again, in milliseconds. */
const pause = 500;

/** Messages of PostgreSQL have up to 1 GiB, and DBOS stores outputs as JSON within JSON. */
const longestText = 256 * 1024 * 1024;

/** For commands that only read. */
const noShell: Shell = {
  serve: () => undefined,
  start: () => undefined,
  enqueue: async () => undefined,
  close: async () => undefined,
};

/** The version of a program in DBOS. */
function versionOf(workflows: readonly AnyWorkflow[]): string {
  const all = workflows.map(({ id, version }) => JSON.stringify([id, version])).sort();
  return createHash("sha256").update(all.join("\n")).digest("hex").slice(0, 16);
}
