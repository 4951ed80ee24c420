import { afterAll, beforeAll, describe } from "vitest";
import type { Engine } from "../../targets/typescript/runtime/engine.ts";
import { dbosOn, openOnDbos } from "./dbos.ts";
import { absence, type Postgres, startPostgres } from "./postgres.ts";
import { lawsOn, scenariosOn } from "./suite.ts";

const why = absence();
const nothing = { workflows: [], functions: {}, send: () => undefined, log: () => undefined };
/** All scenarios take minutes: `HOSTS=all` tells them. */
const every = process.env["HOSTS"] === "all" ? 1 : 10;

describe.skipIf(why !== undefined)(`PostgreSQL${why ? ` (left out: ${why})` : ""}`, () => {
  let server: Postgres;
  /** DBOS runs from the first engine of a process to the last: this one spares the others its start. */
  let keeper: Engine;
  beforeAll(async () => {
    server = await startPostgres();
    keeper = await openOnDbos({ ...nothing, store: await server.database() });
  }, 60_000);
  afterAll(async () => {
    await keeper.close();
    await server.stop();
  }, 60_000);

  const host = dbosOn(() => server);
  lawsOn(host);
  scenariosOn(host, every === 1 ? "./left-out-dbos.txt" : "./left-out-dbos-few.txt", { every, width: 6 });
});
