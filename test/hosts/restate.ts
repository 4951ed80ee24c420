import { afterAll, afterEach, beforeAll } from "vitest";
import { createLoader } from "../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";
import type { openEngine } from "../../targets/typescript/runtime/hosts/restate/index.ts";
import { crashAfter, type HostUnderTest } from "./host.ts";
import { type RestateServer, startRestate } from "./restate-server.ts";
import { runtimeFolder } from "./runtime-folder.ts";
import { taskInvariants } from "./suite.ts";

/** Opens an engine with the module `restate.js` of emitted programs. */
export const openOnRestate: typeof openEngine = async (options, hooks) => {
  const module = createLoader(runtimeFolder())("restate.js") as { readonly openEngine: typeof openEngine };
  return module.openEngine(options, hooks);
};

/** The host that stores runs as workflows of Restate. */
export const restateOn = (server: () => RestateServer): HostUnderTest => ({
  name: "restate",
  minSpacingMs: 200,
  isRemote: true,
  unsupported: new Map([
    ["a failed run is repeated from a step", "Restate keeps the journal of a run: it has no retry from a step"],
    ...Object.values(taskInvariants).map((name) => [name, "programs with tasks are refused"] as const),
  ]),
  maxSendDelayMs: 50,
  newStore: () => server().address(),
  open: (_load, options) => openOnRestate(options),
  openWithCrash: (_load, options, commits) =>
    crashAfter(commits, ({ committed }) => openOnRestate(options, { committed })),
});

/** Engines on a Restate server that is shared by the tests of a file; each is closed after its test. */
export interface RestateFixture {
  readonly server: RestateServer;
  /** `committed` is called before each record and returns whether the process is dead. */
  open(store: string, more: Partial<EngineOptions>, committed?: () => boolean): Promise<Engine>;
}

/** Starts the server before and stops it after the enclosing tests. */
export function enginesOnRestate(): RestateFixture {
  let server: RestateServer;
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
      const all = { store, workflows: [], functions: {}, send: () => undefined, log: () => undefined, ...more };
      const engine = await openOnRestate(all, committed && { committed });
      opened.push(engine);
      return engine;
    },
  };
}
