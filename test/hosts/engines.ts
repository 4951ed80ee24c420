import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";
import type { Hooks } from "../../targets/typescript/runtime/hosts/dbos/index.ts";
import { openOnDbos } from "./dbos.ts";
import { absence, type Postgres, startPostgres } from "./postgres.ts";

/** What tests have that open engines on databases of one server. */
export interface OnPostgres {
  server(): Postgres;
  /** Opens an engine, which is closed when the test is over. */
  open(store: string, more?: Partial<EngineOptions>, hooks?: Hooks): Promise<Engine>;
  /** Does something while no engine of this process is open. */
  alone(act: () => Promise<void>): Promise<void>;
}

/** Options of an engine with nothing in it. */
const nothing = { workflows: [], functions: {}, send: () => undefined, log: () => undefined };

/** Tests of engines on a server of PostgreSQL. */
export function enginesOnPostgres(name: string, tests: (given: OnPostgres) => void): void {
  const why = absence();
  describe.skipIf(why !== undefined)(`${name}, on PostgreSQL${why ? ` (left out: ${why})` : ""}`, () => {
    const opened: Engine[] = [];
    let server: Postgres;
    /** DBOS runs from the first engine of a process to the last: this one spares the others its start. */
    let keeper: Engine;
    const keep = async () => {
      keeper = await openOnDbos({ ...nothing, store: await server.database() });
    };
    beforeAll(async () => {
      server = await startPostgres();
      await keep();
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
        const engine = await openOnDbos({ ...nothing, store, ...more }, hooks);
        opened.push(engine);
        return engine;
      },
      async alone(act) {
        await keeper.close();
        try {
          await act();
        } finally {
          await keep();
        }
      },
    });
  });
}
