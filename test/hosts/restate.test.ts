import { afterAll, beforeAll, describe } from "vitest";
import { restateOn } from "./restate.ts";
import { type RestateServer, skipReason, startRestate } from "./restate-server.ts";
import { testInvariants, testScenarios } from "./suite.ts";

const why = skipReason();
/** All scenarios take minutes: `HOSTS=all` runs them. */
const every = process.env["HOSTS"] === "all" ? 1 : Number(process.env["EVERY"] ?? 100);

describe.skipIf(why !== undefined)(`Restate${why ? ` (skipped: ${why})` : ""}`, () => {
  let server: RestateServer;
  beforeAll(async () => {
    server = await startRestate();
  }, 90_000);
  afterAll(() => server.stop(), 60_000);

  const host = restateOn(() => server);
  testInvariants(host);
  testScenarios(host, every === 1 ? "./skipped-restate.txt" : "./skipped-restate-few.txt", { every, width: 6 });
});
