import { createHash, randomUUID } from "node:crypto";
import type { Engine, EngineOptions } from "../../engine.ts";
import { engineOn } from "../../internal.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { openShell, type RunExecutor, type Shell } from "./adapter.ts";
import { clockOf } from "./clock.ts";
import { type Members, membersOf, type Rhythm } from "./cluster.ts";
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
  const { db, process } = openStore(options.store, executor, longest);
  let members: Members | undefined;
  let engine: Engine | undefined;
  let shell: Shell | undefined;
  const executing: RunExecutor = {
    take: ({ ref }) => members!.take(ref),
    async ended({ ref, id }) {
      const summary = await engine!.ended(id).catch(() => new Promise<never>(() => undefined));
      members!.leave(ref);
      return summary;
    },
  };
  try {
    if (executor !== undefined) {
      const [row] = db.ask("SELECT current_database() AS database") as readonly { readonly database: string }[];
      const { database } = row!;
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
    clock.look();
    const rhythm = { beat: hooks.beat ?? 1000, patience: hooks.patience ?? 2500 };
    engine = engineOn(
      { ...options, now: options.now ?? clock.now },
      {
        shared: () => db as never,
        most: Number.POSITIVE_INFINITY,
        longest,
        processes: (core) => {
          members = membersOf(core, db, process, shell ?? nobody, { ...rhythm, clock });
          return members;
        },
        ...(hooks.committed && { committed: hooks.committed }),
      },
    );
    shell?.serve();
    db.leaving = () => {
      if (process !== undefined && !hooks.isKilled?.()) release(db, process);
    };
  } catch (reason) {
    await shell?.close();
    db.close();
    throw reason;
  }
  return { ...engine, close: (grace) => engine!.close(grace).finally(() => shell?.close()) };
}

/** Messages of PostgreSQL have up to 1 GiB, and DBOS stores outputs as JSON within JSON. */
const longestText = 256 * 1024 * 1024;

/** For commands that only read. */
const nobody: Shell = {
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
