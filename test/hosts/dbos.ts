import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { createLoader } from "../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";
import type { Hooks, openEngine } from "../../targets/typescript/runtime/hosts/dbos/index.ts";
import { crashAfter, type HostUnderTest } from "./host.ts";
import { type PostgresServer, skipReason, startPostgres } from "./postgres.ts";
import { runtimeFolder } from "./runtime-folder.ts";

/** Opens an engine with the module `dbos.js` of emitted programs. */
export const openOnDbos: typeof openEngine = async (options, hooks) => {
  const module = createLoader(runtimeFolder())("dbos.js") as { readonly openEngine: typeof openEngine };
  return module.openEngine(options, { ...fastLiveness, ...hooks });
};

/** The host that stores runs in PostgreSQL, as workflows of DBOS. */
export const dbosOn = (server: () => PostgresServer): HostUnderTest => ({
  name: "dbos",
  minSpacingMs: 120,
  newStore: () => server().createDatabase(),
  open: (_load, options) => openOnDbos(options),
  openWithCrash: (_load, options, commits) => crashAfter(commits, (hooks) => openOnDbos(options, hooks)),
});

/** Detects dead processes soon. */
const fastLiveness: Hooks = { beat: 60, patience: 40 };

/** Engines on databases of one PostgreSQL server. */
export interface PostgresFixture {
  server(): PostgresServer;
  /** Opens an engine that is closed after the test. */
  open(store: string, more?: Partial<EngineOptions>, hooks?: Hooks): Promise<Engine>;
  /** Calls `act` while this process has no open engine. */
  withoutEngines(act: () => Promise<void>): Promise<void>;
}

const emptyOptions = { workflows: [], functions: {}, send: () => undefined, log: () => undefined };

/** Declares tests of engines on a PostgreSQL server. */
export function enginesOnPostgres(name: string, tests: (fixture: PostgresFixture) => void): void {
  const why = skipReason();
  describe.skipIf(why !== undefined)(`${name}, on PostgreSQL${why ? ` (skipped: ${why})` : ""}`, () => {
    const opened: Engine[] = [];
    let server: PostgresServer;
    /** DBOS stays up as long as the process has an engine; this one keeps it up between tests. */
    let keeper: Engine;
    const openKeeper = async () => {
      keeper = await openOnDbos({ ...emptyOptions, store: await server.createDatabase() });
    };
    beforeAll(async () => {
      server = await startPostgres();
      await openKeeper();
    }, 60_000);
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((engine) => engine.close(0)));
    });
    afterAll(async () => {
      await keeper.close();
      await server.stop();
    }, 60_000);

    tests({
      server: () => server,
      async open(store, more, hooks) {
        const engine = await openOnDbos({ ...emptyOptions, store, ...more }, hooks);
        opened.push(engine);
        return engine;
      },
      async withoutEngines(act) {
        await keeper.close();
        try {
          await act();
        } finally {
          await openKeeper();
        }
      },
    });
  });
}
