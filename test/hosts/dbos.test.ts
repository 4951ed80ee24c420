import { afterAll, beforeAll, describe } from "vitest";
import type { Engine } from "../../targets/typescript/runtime/engine.ts";
import { dbosOn, openOnDbos } from "./dbos.ts";
import { type PostgresServer, skipReason, startPostgres } from "./postgres.ts";
import { testInvariants, testScenarios } from "./suite.ts";

const why = skipReason();
const nothing = { workflows: [], functions: {}, send: () => undefined, log: () => undefined };
/** All scenarios take minutes: `HOSTS=all` runs them. */
const every = process.env["HOSTS"] === "all" ? 1 : 10;

describe.skipIf(why !== undefined)(`PostgreSQL${why ? ` (skipped: ${why})` : ""}`, () => {
  let server: PostgresServer;
  /** DBOS stays up as long as the process has an engine; this one keeps it up between tests. */
  let keeper: Engine;
  beforeAll(async () => {
    server = await startPostgres();
    keeper = await openOnDbos({ ...nothing, store: await server.createDatabase() });
  }, 60_000);
  afterAll(async () => {
    await keeper.close();
    await server.stop();
  }, 60_000);

  const host = dbosOn(() => server);
  testInvariants(host);
  testScenarios(host, every === 1 ? "./skipped-dbos.txt" : "./skipped-dbos-few.txt", { every, width: 6 });
});
