import { afterAll, afterEach, beforeAll } from "vitest";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";
import { openOnRestate } from "./restate.ts";
import { type Restate, startRestate } from "./restate-server.ts";

/** Engines on a server of Restate that is there for the tests of a file; each is closed after its test. */
export interface Engines {
  readonly server: Restate;
  /** Opens one on a store; `committed` hears of each thing that is about to be recorded, and says whether the process is dead. */
  open(store: string, more: Partial<EngineOptions>, committed?: () => boolean): Promise<Engine>;
}

/** Begins and ends with the tests around it. */
export function enginesOnRestate(): Engines {
  let server: Restate;
  const opened: Engine[] = [];
  beforeAll(async () => {
    server = await startRestate();
  }, 90_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((engine) => engine.close(0)));
  });
  afterAll(() => server.stop());
  return {
    get server() {
      return server;
    },
    async open(store, more, committed) {
      const given = { store, workflows: [], functions: {}, send: () => undefined, log: () => undefined, ...more };
      const engine = await openOnRestate(given, committed && { committed });
      opened.push(engine);
      return engine;
    },
  };
}
